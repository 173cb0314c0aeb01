#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# auto_files.sh [A32UWCTL]
#
# Which files "a32uwctl auto" finds for a program, in a root that is made here, against what glibc's own ld.so finds
# there; what it writes with -o and what it does the second time; what it says of files that it can't do. Needs no module.
set -u
here=$(cd "${0%/*}" && pwd)
# shellcheck source=ctl.sh
. "$here/ctl.sh"
cross="arm-linux-gnueabihf-"
root=$tmp/root
[ ! -e /dev/a32uwind ] || skip_all "the module is loaded"
cd "$tmp" || exit 1

# elf NAME OPTION...: a hard-float file with a function in it, below the root; ld warns of what it need not find
elf() {
	name=$root$1
	shift
	mkdir -p "${name%/*}"
	printf '.eabi_attribute 28, 1\n.thumb\n.globl _start\n.type _start, %%function\n_start: push {r3, lr}\nbl _start\npop {r3, pc}\n' |
		"${cross}gcc" -nostdlib -Wl,--no-as-needed -o "$name" -x assembler - -x none "$@" 2>"$tmp/ld" || {
		cat "$tmp/ld" >&2
		exit 1
	}
}

library() {
	name=$1
	shift
	elf "$name" -shared -Wl,-soname="${name##*/}" "$@"
}

program() {
	elf "$@" -Wl,--dynamic-linker=/lib/ld-linux-armhf.so.3 -pie
}

# $ORIGIN is for ld.so to expand.
# shellcheck disable=SC2016
make_root() {
	mkdir -p "$root/lib" "$root/etc/ld.so.conf.d"
	cp -L /usr/arm-linux-gnueabihf/lib/ld-linux-armhf.so.3 "$root/lib"
	priv=$root/usr/lib/priv
	library /usr/lib/priv/libtop.so
	library /opt/run/libtop.so
	library /usr/lib/priv/libinherited.so
	library /opt/run/libinherited.so
	library /opt/run/libdirect.so "$root/opt/run/libinherited.so"
	library /usr/lib/priv/libdirect.so
	library /usr/lib/priv/librun.so "$root/opt/run/libdirect.so" -Wl,--enable-new-dtags,-rpath,/opt/run
	library /usr/lib/priv/librpath.so "$priv/libinherited.so"
	library /opt/conf/libconf.so
	library /usr/lib/libconf.so
	library /lib/libplain.so
	library /usr/lib/libplain.so
	# $ORIGIN is where a library was found, not where a link leads to.
	library /usr/lib/priv/libhere.so
	library /data/deep/libhere.so
	library /data/deep/liblink.so "$priv/libhere.so" -Wl,--enable-new-dtags,-rpath,'$ORIGIN'
	ln -s ../../../data/deep/liblink.so "$priv/liblink.so"
	program /usr/bin/lost "$priv/librpath.so" -Wl,--enable-new-dtags,-rpath,'$ORIGIN/../lib/priv'
	# A name with a '/' is taken as it is.
	elf /usr/lib/libslash.so -shared -Wl,-soname='$ORIGIN/../lib/libslash.so'
	program /usr/bin/prog "$priv/libtop.so" "$priv/librun.so" "$priv/librpath.so" "$root/opt/conf/libconf.so" \
		"$root/lib/libplain.so" "$root/usr/lib/libslash.so" "$priv/liblink.so" -Wl,--disable-new-dtags,-rpath,'$ORIGIN/../lib/priv'
	program /usr/bin/new "$priv/libtop.so" "$root/lib/libplain.so" -Wl,--build-id -Wl,--enable-new-dtags,-rpath,'${ORIGIN}/../lib/priv:/nope'
}

le32() {
	for number; do
		printf '%b' "\\0$(printf %o $((number & 255)))\\0$(printf %o $((number >> 8 & 255)))\\0000\\0000"
	done
}

# cache NAME PATH: an ld.so.cache with that one entry, for hard-float ARM (flags 0x903)
cache() {
	value=$((72 + ${#1} + 1))
	printf 'glibc-ld.so.cache1.1'
	le32 1 $((${#1} + ${#2} + 2)) 2 0 0 0 0
	le32 $((0x903)) 72 $value 0 0 0
	printf '%s\0%s\0' "$1" "$2"
}

# found PROGRAM: what auto finds, sorted
found() {
	"$ctl" auto --sysroot "$root" -o "$tmp/tables" "$1" >"$tmp/out" 2>"$tmp/err" || return
	awk -F'\t' 'NF == 4 && $1 != "ACTION" { print $3 }' "$tmp/out" | sort
}

# truth PROGRAM: what ld.so loads; it lists neither the program nor, where nobody needs it, itself
truth() {
	{
		printf '%s\n' "$1" /lib/ld-linux-armhf.so.3
		qemu-arm -L "$root" -E LD_TRACE_LOADED_OBJECTS=1 "$root$1" 2>"$tmp/err" |
			sed -n 's/.*=> \(.*\) (0x.*/\1/p; s/^[[:space:]]*\(\/.*\) (0x.*/\1/p'
	} | sed "s,^$root,," | xargs -n 1 realpath -ms | sort -u
}

# as_the_linker PROGRAM NAME
as_the_linker() {
	found "$1" | sed 's,^/data/deep/liblink,/usr/lib/priv/liblink,' | sort >"$tmp/found"
	truth "$1" >"$tmp/truth"
	diff "$tmp/truth" "$tmp/found" >"$tmp/out" && [ "$(wc -l <"$tmp/truth")" -ge 8 ]
	result $? "$2"
}

# has PROGRAM NAME FILE...: by the rules of ld.so(8), where there is no ld.so to ask
has() {
	found "$1" >"$tmp/found"
	name=$2
	shift 2
	printf '%s\n' "$@" | sort | comm -23 - "$tmp/found" >"$tmp/out" && [ ! -s "$tmp/out" ]
	result $? "$name"
}

lacks() {
	found "$1" >"$tmp/found" && ! grep -qxF "$3" "$tmp/found"
	result $? "$2"
}

test_closure() {
	lib=/usr/lib/priv
	has /usr/bin/prog "the interpreter, DT_RPATH with \$ORIGIN, DT_NEEDED with '/', the linker's own folders" \
		/lib/ld-linux-armhf.so.3 /usr/bin/prog $lib/libtop.so $lib/librun.so $lib/librpath.so \
		/usr/lib/libslash.so /lib/libplain.so
	has /usr/bin/prog "DT_RUNPATH is asked for what its file needs" /opt/run/libdirect.so
	lacks /usr/bin/prog "and DT_RPATH of its loaders is not" $lib/libdirect.so
	has /usr/bin/prog "DT_RPATH is inherited" $lib/libinherited.so
	lacks /usr/bin/prog "DT_RUNPATH is not" /opt/run/libinherited.so
	has /usr/bin/prog "\$ORIGIN of a library that is a link" $lib/libhere.so /data/deep/liblink.so
	lacks /usr/bin/prog "is not where it leads to" /data/deep/libhere.so
	has /usr/bin/prog "without ld.so.conf, the linker's own folders" /usr/lib/libconf.so
	echo 'include ld.so.conf.d/*.conf # more' >"$root/etc/ld.so.conf"
	printf '# ours\n\n/nope:/opt/none\n  /opt/conf\n' >"$root/etc/ld.so.conf.d/ours.conf"
	has /usr/bin/prog "ld.so.conf, and what it includes" /opt/conf/libconf.so
	echo 'include /etc/ld.so.conf' >>"$root/etc/ld.so.conf.d/ours.conf"
	has /usr/bin/prog "one that includes itself" /opt/conf/libconf.so
	echo /nope >"$root/etc/ld.so.conf"
	cache libconf.so /opt/conf/libconf.so >"$root/etc/ld.so.cache"
	has /usr/bin/prog "ld.so.cache" /opt/conf/libconf.so
	if command -v qemu-arm >/dev/null; then
		as_the_linker /usr/bin/prog "as glibc's ld.so, with ld.so.cache"
		echo /opt/conf >"$root/etc/ld.so.conf"
		sed -i 's,/opt/conf/,/opt/nono/,' "$root/etc/ld.so.cache"
		as_the_linker /usr/bin/prog "as glibc's ld.so, with a cache that is of the past"
	else
		skip "as glibc's ld.so" "no qemu-arm"
	fi
	head -c 60 "$root/etc/ld.so.cache" >"$root/etc/short" && mv "$root/etc/short" "$root/etc/ld.so.cache"
	has /usr/bin/prog "a cache that is cut off" /usr/lib/libconf.so
	rm "$root/etc/ld.so.cache"
}

test_links() {
	library /data/libplain.so.1
	mv "$root/lib/libplain.so" "$root/lib/libplain.bak"
	ln -s /store/libplain.so "$root/lib/libplain.so"
	ln -s ../data/../data "$root/store"
	ln -s libplain.so.1 "$root/data/libplain.so"
	has /usr/bin/prog "links, absolute ones from the root on" /data/libplain.so.1
	ln -s /store/loop "$root/data/loop"
	"$ctl" auto --sysroot "$root" -o "$tmp/tables" /data/loop >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && grep -q "Too many levels" "$tmp/err"
	result $? "a link that leads to itself"
	rm "$root/data/loop" "$root/lib/libplain.so"
	mv "$root/lib/libplain.bak" "$root/lib/libplain.so"
	ln -sf "$root" "$tmp/link"
	"$ctl" auto --sysroot "$tmp/link/" -o "$tmp/tables" usr/bin/prog 2>"$tmp/err" >"$tmp/out" &&
		grep -q "	/usr/bin/prog	" "$tmp/out"
	result $? "a sysroot that is a link, and a name in it without '/' in front"
}

# said STATUS PATTERN NAME WORD...
said() {
	status=$1 pattern=$2 name=$3
	shift 3
	timeout 20 "$ctl" auto "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = "$status" ] && grep -q -e "$pattern" "$tmp/err"
	result $? "$name"
}

test_output() {
	rm -rf tables
	found /usr/bin/new >"$tmp/found"
	[ "$(grep -c '^built	none	/' "$tmp/out")" = 4 ] && grep -qx '4 new, 0 as before, 0 failed.' "$tmp/out"
	result $? "four files, four tables"
	bad=0
	while read -r file; do
		"$ctl" table build "$root$file" -o alone.a32t >"$tmp/out" 2>"$tmp/err" &&
			cmp alone.a32t "tables$file.a32t" >"$tmp/out" 2>&1 || bad=1
	done <"$tmp/found"
	result $bad "each the same as 'table build' makes it, under the file's own name"
	"$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err"
	[ "$(grep -c '^kept	none	/' "$tmp/out")" = 4 ] && grep -qx 'Nothing new: 4 as before.' "$tmp/out"
	result $? "a second run has nothing new to do, and says so"
	cp tables/usr/bin/new.a32t whole
	for damage in "truncate -s 100" "truncate -s 0" "sed -i s/A32T/A32X/"; do
		$damage tables/usr/bin/new.a32t
		"$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" &&
			grep -q '^built	none	/usr/bin/new	' "$tmp/out" && cmp whole tables/usr/bin/new.a32t
		result $? "a table that is damaged is made anew: $damage"
	done
	cp tables/lib/ld-linux-armhf.so.3.a32t tables/usr/bin/new.a32t
	"$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" && cmp whole tables/usr/bin/new.a32t
	result $? "and one that is another file's"
	# The last byte of the code, and nothing else: its size and build-id are as before.
	set -- $("${cross}readelf" -SW "$root/usr/bin/new" | sed -n 's/.* \.text  *PROGBITS//p')
	cp "$root/usr/bin/new" unpatched
	printf '\277' | dd of="$root/usr/bin/new" bs=1 seek=$((0x$2 + 0x$3 - 1)) conv=notrunc status=none
	"$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^built	none	/usr/bin/new	' "$tmp/out"
	result $? "and one of the same file before its code was patched"
	cp unpatched "$root/usr/bin/new"
	cp "$ctl" newer
	./newer auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" &&
		grep -qx '4 new, 0 as before, 0 failed.' "$tmp/out"
	result $? "and those from before this a32uwctl was installed"
	"$ctl" auto --json --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" &&
		[ "$(grep -c '"origin": "needed by /usr/bin/new"' "$tmp/out")" = 2 ] && grep -q '"before": 4' "$tmp/out"
	result $? "JSON, with who needs a file"
	[ -z "$(find tables -name '*.a32t.*')" ]
	result $? "nothing else is left"
}

# On a terminal only. script makes one, with both outputs on it.
test_progress() {
	rm -rf tables
	script -qec "'$ctl' auto --sysroot '$root' -o tables /usr/bin/new" /dev/null </dev/null >"$tmp/out" 2>"$tmp/err" &&
		tr '\r' '\n' <"$tmp/out" >"$tmp/lines" && grep -q '1 of 4, new: .*: 0 %' "$tmp/lines" &&
		grep -q '2 of 4, ld-linux-armhf.so.3: .*: 99 %' "$tmp/lines" && grep -q '^4 new, 0 as before, 0 failed\.' "$tmp/lines"
	result $? "on a terminal, it says how far it is"
	rm -rf tables
	"$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] && ! grep -q ' of 4' "$tmp/out"
	result $? "and nowhere else"
}

test_records() {
	mkdir -p "$root/apcs"
	printf 'int f(int);int g(int a){return f(a)+1;}int h(int a){return f(a)+2;}int i(int a){return f(a)+3;}\n' |
		"${cross}gcc" -marm -O1 -fno-omit-frame-pointer -shared -nostdlib -o "$root/apcs/lib.so" -xc - 2>"$tmp/ld"
	"$ctl" auto --sysroot "$root" -o tables /apcs/lib.so >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^left	gcc	/apcs/lib.so	' "$tmp/out" && [ ! -e tables/apcs ]
	result $? "a file with frame records is left alone"
}

test_folder() {
	rm -rf tables
	mkdir -p "$root/box/below" "$root/box/debug"
	cp "$root/usr/lib/priv/libtop.so" "$root/box/below/libone.so"
	program /box/tool "$root/lib/libplain.so"
	echo text >"$root/box/readme"
	echo '.thumb' | "${cross}gcc" -c -o "$root/box/object.o" -x assembler -
	"${cross}objcopy" --only-keep-debug "$root/box/tool" "$root/box/debug/tool.debug"
	cp /bin/true "$root/box/other"
	ln -s /usr/bin/prog "$root/box/link"
	"$ctl" auto --sysroot "$root" -o tables /box >"$tmp/out" 2>"$tmp/err"
	[ ! -s "$tmp/err" ] && [ "$(awk -F'\t' '/box/ { print $3 }' "$tmp/out" | tr '\n' ' ')" = "/box/below/libone.so /box/tool " ]
	result $? "of a folder, programs and libraries for 32-bit ARM, not links"
	grep -q '	/lib/libplain.so	' "$tmp/out"
	result $? "and what they need"
	head -c 300 "$root/box/tool" >"$root/box/short"
	said 1 "/box/short: .*damaged" "one that is cut off is named, with the others done" --sysroot "$root" -o tables /box
	grep -q '1 failed' "$tmp/out" && grep -q '^kept	none	/box/tool	' "$tmp/out"
	result $? "and counted"
	mkdir "$root/box/empty"
	echo text >"$root/box/empty/readme"
	cp /bin/true "$root/box/empty"
	said 1 "/box/empty: there is no program or library for 32-bit ARM in it; name another folder" "a folder without any" \
		--sysroot "$root" -o tables /box/empty
	[ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 1 ]
	result $? "that is all it says"
	said 1 "/box/empty: there is no program" "beside another one" --sysroot "$root" -o tables /box/empty /box/below
	grep -q '^kept	none	/box/below/libone.so	' "$tmp/out" && grep -q ', 1 failed\.$' "$tmp/out"
	result $? "which is done"
	"$ctl" auto --sysroot "$root" -o tables /box/below /box/below >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ]
	result $? "one that is named twice is not without any the second time"
	rm -rf "$root/box" && mv "$root/usr/bin/lost" lost
	"$ctl" auto --sysroot "$root" -o all >"$tmp/out" 2>"$tmp/err" && grep -q '	/opt/run/libtop.so	' "$tmp/out" &&
		grep -q '	/usr/bin/new	' "$tmp/out"
	result $? "without a PATH, all of a sysroot; what libraries need is up to their programs"
	mv lost "$root/usr/bin"
}

# sparse WORD...: of a file that is large, and has next to nothing
sparse() {
	timeout 20 "$ctl" "$@" >"$tmp/out" 2>"$tmp/err"
	result $? "64 GB of nothing take no time: $1 ${2##*/}"
}

test_sparse() {
	large=$root/usr/bin/large
	cp "$root/usr/bin/new" "$large" && truncate -s 64G "$large" || return
	sparse detect "$large"
	sparse table build "$large" -o large.a32t
	sparse table dump "$large"
	sparse auto -o tables --sysroot "$root" /usr/bin/large
	rm "$large"
}

test_refused() {
	said 1 "libinherited.so, which /usr/lib/priv/librpath.so needs, is not found; copy it into the sysroot" \
		"a library that is missing" \
		--sysroot "$root" -o tables /usr/bin/lost
	grep -q '	/usr/lib/priv/librpath.so	' "$tmp/out"
	result $? "others are done"
	said 1 "/nope: No such file.*inside of the sysroot" "no file" --sysroot "$root" -o tables /nope /usr/bin/new
	said 1 "No such file.*target's files" "no sysroot" --sysroot nope -o tables /usr/bin/new
	said 1 "Not a directory" "a sysroot that is a file" --sysroot "$ctl" -o tables /usr/bin/new
	said 1 "no ELF file of 32-bit ARM" "a program of this machine" -o tables "$ctl"
	said 1 "no ELF file of 32-bit ARM" "a process of this machine" -o tables --pid $$
	said 1 "none of that number" "no process" -o tables --pid 2147483647
	said 1 "/proc/none: no tables can be written there" "a folder that can't be made" --sysroot "$root" -o /proc/none /usr/bin/new
	said 1 "No such file" "an empty name" -o tables ''
	said 1 "/nope: No such file" "names of no file" --sysroot "$root" -o tables /nope /none
	[ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 2 ]
	result $? "a line each, and no table of files"
	said 1 "/nope: No such file" "the same in JSON" --json --sysroot "$root" -o tables /nope
	grep -q '"files": \[\]' "$tmp/out" && grep -q '"failed": 1' "$tmp/out"
	result $? "is an object as ever"
}

# No file may end the tool by a signal, or have it say nothing.
test_damaged() {
	bad=0
	file=$root/usr/bin/new
	cp "$file" whole
	size=$(stat -c %s whole)
	for _ in $(seq 60); do
		cp whole "$file"
		for at in $(shuf -i 0-$((size - 1)) -n 3; shuf -i 0-900 -n 3); do
			head -c 1 /dev/urandom | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
		done
		timeout 20 "$ctl" auto --sysroot "$root" -o tables /usr/bin/new >"$tmp/out" 2>"$tmp/err"
		[ $? -le 1 ] || bad=1
	done
	cp whole "$file"
	result $bad "files that are damaged do no harm"
}

# What boards have that have no elfutils: all but the builder
test_small() {
	make -s -C "$here/../../tools" O="$tmp/small" ELFUTILS=0 CFLAGS=-Os >&2 && small=$tmp/small/a32uwctl
	! readelf -d "$small" | grep -q 'NEEDED.*\(elf\|dw\|lzma\)'
	result $? "built without elfutils, it needs none of it"
	rm -rf tables
	"$small" auto --sysroot "$root" -o tables /usr/bin/prog >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && grep -q "built without elfutils" "$tmp/err" && grep -q '^failed	none	/usr/bin/prog	' "$tmp/out"
	result $? "then auto finds and detects files, and says why it makes no table"
	"$small" load tables >"$tmp/out" 2>"$tmp/err" || "$small" load . >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && grep -q "insmod a32uwind.ko" "$tmp/err"
	result $? "load gets as far as the module"
	if arm=$("$here/../vm/tool" -s 2>"$tmp/err"); then
		"${cross}strip" -o stripped "$arm"
		size=$(stat -c %s stripped)
		echo "# for armhf, stripped: $size bytes"
		[ "$size" -lt 150000 ]
		result $? "for armhf, it has less than 150,000 bytes"
	else
		skip "its size for armhf" "no compiler or libraries for it"
	fi
}

echo "TAP version 13"
make_root
test_closure
test_links
test_output
test_progress
test_records
test_folder
test_damaged
test_sparse
test_refused
test_small
tap_end
