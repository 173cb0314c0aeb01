#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "a32uwctl auto", "save" and "load" with the module: tables that are loaded, and kept; what a process has opened by name;
# rules and tables out of a file and a folder. It leaves the module without any.
here=$(cd "${0%/*}" && pwd)
tmp=/tmp/auto
cache=/var/cache/a32uwind
prog=$tmp/opener
lib=$tmp/libempty.so

rm -rf $tmp $cache
mkdir -p $tmp
cd $tmp || exit
cp "$here/opener" "$here/libempty.so" $tmp

# shellcheck source=tap.sh
. "$here/tap.sh"
tap_said="out err"

# ctl STATUS WORD...
ctl() {
	want=$1
	shift
	a32uwctl "$@" >out 2>err
	[ $? = "$want" ]
}

# did ACTION FILE: that is what the last command did with it
did() {
	cut -f 1,3 out | grep -qxF "$1	$2"
}

# listed KIND FILE: how many rules of that kind there are on it
listed() {
	a32uwctl list | grep -v stale | grep -c "^$1 .* $2\$"
}

test_program() {
	ctl 0 auto $prog && did built $prog && did built /lib/libc.so.6 && did built /lib/ld-linux-armhf.so.3 && ! did built $lib
	result $? "a program, its library and its linker get tables"
	[ "$(listed table $prog)" = 1 ] && [ "$(listed table /lib/libc.so.6)" = 1 ]
	result $? "which are in force"
	ctl 0 auto $prog && did kept $prog && did kept /lib/libc.so.6 && grep -q "^Nothing new: " out
	result $? "a second run has nothing new to do"
}

test_cache() {
	no_rules
	ctl 0 auto $prog && did loaded $prog && did loaded /lib/libc.so.6 && ! grep -q ^built out
	result $? "unloaded ones are loaded out of the cache"
	no_rules
	for entry in $cache/*; do
		size=$(stat -c %s "$entry")
		printf X | dd of="$entry" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
	done
	ctl 0 auto $prog && did built $prog && did built /lib/libc.so.6 && ! grep -q ^loaded out
	result $? "entries with a byte changed are made anew"
	no_rules
	echo >>$prog
	ctl 0 auto $prog && did built $prog && did loaded /lib/libc.so.6 && [ "$(listed table $prog)" = 1 ]
	result $? "a file that has changed gets a table of its own"
}

test_process() {
	./opener $lib >said &
	pid=$!
	while ! [ -s said ]; do
		sleep 0.1
	done
	ctl 0 auto --pid $pid && did built $lib && did kept $prog && [ "$(listed table $lib)" = 1 ]
	result $? "of a process, what it has opened by name"
	ctl 0 auto --pid $pid --json && grep -q '"origin": "mapped"' out && grep -q '"new": 0' out
	result $? "and nothing new again"
	rm $lib
	cp "$here/libempty.so" $lib
	ctl 1 auto --pid $pid && grep -q "$lib.*replaced or removed; restart" err && did kept $prog
	result $? "a file that was replaced under it is named"
	kill $pid
	wait $pid 2>/dev/null
}

# In a root of its own, with the names that other files have here
test_root() {
	no_rules
	mkdir -p root/lib root$tmp
	cp /lib/libc.so.6 /lib/ld-linux-armhf.so.3 root/lib && cp "$here/opener" "$here/libempty.so" root$tmp || return
	rm said
	chroot root $prog $lib >said &
	pid=$!
	while ! [ -s said ]; do
		sleep 0.1
	done
	ctl 0 auto --pid $pid && did loaded $tmp/root/lib/libc.so.6 && grep -q "^4 new, 0 as before, 0 failed" out &&
		ctl 0 auto --pid $pid && did kept $tmp/root/lib/libc.so.6 && grep -q "^Nothing new: " out
	result $? "of a process in another root, and nothing new again"
	ctl 0 auto $prog && did loaded /lib/libc.so.6 && ! a32uwctl untag --stale >out 2>err &&
		[ "$(listed table /lib/libc.so.6)" = 1 ] && [ "$(listed table "/lib/libc.so.6 (in another root)")" = 1 ]
	result $? "files of the same names here do not take their tables away"
	ctl 1 save rules && grep -q "/lib/libc.so.6: its name is one in another root; not saved" err &&
		[ "$(grep -c "^table /lib/libc.so.6 " rules)" = 1 ]
	result $? "nor do they get saved by these names"
	kill $pid
	wait $pid 2>/dev/null
	a32uwctl table unload root/lib/* root$prog root$lib >/dev/null
	rm -r root
}

# Its files have names in its own root, on a file system that nobody else has mounted.
test_namespace() {
	mkdir box
	unshare -m sh -c "mount -t tmpfs none box && cp $here/looper-gcc box/looper && exec chroot box /looper - 1000000" &
	pid=$!
	while ! readlink /proc/$pid/exe | grep -q looper; do
		sleep 0.1
	done
	ctl 0 auto --pid $pid && did left $tmp/box/looper && [ ! -e box/looper ]
	result $? "of a process in another root and mount namespace, what only it can name"
	kill $pid
	wait $pid 2>/dev/null
}

test_rules() {
	no_rules
	a32uwctl tag gcc $prog >/dev/null
	ctl 0 auto $prog && did left $prog && [ "$(listed table $prog)" = 0 ]
	result $? "a file with a rule is left to it"
	no_rules
	mkdir -p apcs && cp "$here/looper" apcs/looper
	a32uwctl default none >/dev/null
	ctl 0 auto $tmp/apcs && did tagged $tmp/apcs/looper && [ "$(listed file $tmp/apcs/looper)" = 1 ]
	result $? "with another default, a file with frame records is tagged"
	ctl 0 auto $tmp/apcs && did kept $tmp/apcs/looper && grep -q "^Nothing new: " out
	result $? "once"
	no_rules
	ctl 0 auto $tmp/apcs && did left $tmp/apcs/looper
	result $? "with auto as the default it is left alone"
}

test_save() {
	no_rules
	cp "$here/libempty.so" "a b@0-2"
	a32uwctl auto $prog >/dev/null && a32uwctl tag gcc $lib@0x10-0x20 "$tmp/a b@0-2" >/dev/null && a32uwctl default apcs >/dev/null
	a32uwctl list >before
	ctl 0 save rules && [ "$(grep -c '^table ' rules)" -ge 3 ] && grep -q "^default apcs$" rules
	result $? "what is in force is saved"
	no_rules
	[ "$(a32uwctl list | grep -c table)" = 0 ] && ctl 0 load rules && a32uwctl list | sort >after && sort before | cmp - after &&
		[ "$(a32uwctl default)" = apcs ]
	result $? "and the same is in force when it is loaded"
	ctl 0 load rules && grep -q "^Nothing new: " out
	result $? "a second load has nothing new to do"
	a32uwctl save again >/dev/null && cmp rules again
	result $? "what is saved then is the same"
	no_rules
	{ cat rules; echo "tag gcc"; } >wrong
	ctl 1 load wrong && grep -q "line $(wc -l <wrong): " err && a32uwctl list | grep -q "^No rules" &&
		[ "$(a32uwctl default)" = auto ]
	result $? "of a file with a line that is wrong, nothing is done"
	echo >>$lib
	rm "a b@0-2"
	ctl 1 load rules && did failed "$lib@0x10-0x20" && did failed "$tmp/a b@0-2" && did loaded $prog && [ "$(wc -l <err)" = 2 ]
	result $? "files that have changed or are gone are named, the others done"
	no_rules
	cp rules /etc/a32uwind.conf
	sed -i '/^tag/d' /etc/a32uwind.conf
	ctl 0 load && did loaded $prog
	result $? "/etc/a32uwind.conf is loaded when nothing else is said"
	rm /etc/a32uwind.conf
	no_rules
	a32uwctl table build $prog -o own.a32t --source exidx >/dev/null && a32uwctl table load own.a32t $prog >/dev/null
	ctl 1 save rules && grep -q "$prog: its table is kept nowhere" err && ! grep -q "^table" rules
	result $? "a table that was loaded by hand is not saved, and named"
}

test_folder() {
	no_rules
	rm -rf $cache
	ctl 0 auto -o tables $prog && did built $prog && [ -s tables$prog.a32t ] && a32uwctl list | grep -q "^No rules"
	result $? "tables are written, and not loaded"
	ctl 0 load tables && did loaded $prog && did loaded /lib/libc.so.6 && [ "$(listed table $prog)" = 1 ]
	result $? "and loaded out of the folder"
	ctl 0 load tables/ && grep -q "^Nothing new: " out && grep -qF "	tables$prog.a32t" out
	result $? "once"
	ctl 0 save rules && grep -q "^table $prog " rules
	result $? "they are in the cache from then on"
	no_rules
	echo >>$prog
	mkdir -p empty tables/usr && cp tables$prog.a32t tables/usr/gone.a32t && echo junk >tables/junk.a32t
	ctl 1 load empty && [ ! -s out ] && grep -q "^a32uwctl load: empty: there are no tables in it; 'a32uwctl auto -o' makes some" err
	result $? "a folder without tables"
	: >rules && ctl 0 load rules && [ "$(cat out)" = "rules: there are no rules in it" ] && [ ! -s err ]
	result $? "and a file without rules"
	ctl 1 load tables && did failed $prog && did failed /usr/gone && did failed /junk && did loaded /lib/libc.so.6 &&
		grep -q "$prog: .*another build; make one of this with 'a32uwctl auto -o'" err &&
		grep -q "/usr/gone: No such file.*; install it, or remove its table, tables/usr/gone.a32t" err
	result $? "tables without their file are named, the others loaded"
	no_rules
	mkdir -p root/lib root/tmp
	cp "$here/opener" root/tmp/prog
	cp /lib/ld-linux-armhf.so.3 /lib/libc.so.6 root/lib
	ctl 0 auto --sysroot root /tmp/prog && did loaded /lib/libc.so.6 && [ "$(listed table $tmp/root/lib/libc.so.6)" = 1 ] &&
		[ "$(listed table /lib/libc.so.6)" = 0 ]
	result $? "of a root elsewhere, its own files"
}

# "unload" takes each name, and goes on behind what has no table.
test_unload() {
	no_rules
	ln -sf opener $tmp/link
	a32uwctl auto $prog >/dev/null
	ctl 0 table unload $prog $prog $tmp/link && [ "$(cat out)" = "$prog: table unloaded" ] && [ "$(listed table $prog)" = 0 ]
	result $? "a file that is named twice, or by another name, is unloaded once"
	ctl 1 table unload $prog $prog && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
		grep -q "^a32uwctl table unload: $prog: it has no unwind table" err
	result $? "one without a table is named"
	ctl 1 table unload $prog /lib/libc.so.6 && [ "$(listed table /lib/libc.so.6)" = 0 ] && grep -q "^/lib/libc.so.6: table unloaded" out
	result $? "the others are unloaded all the same"
}

test_room() {
	no_rules
	memory=/sys/module/a32uwind/parameters/table_memory
	most=$(cat $memory)
	a32uwctl table build $prog -o own.a32t >/dev/null
	echo 0 >$memory
	ctl 1 table load own.a32t $prog && [ "$(wc -l <err)" = 1 ] && [ "$(listed table $prog)" = 0 ] &&
		grep -q "$prog: no room for more unwind tables; .* raise table_memory" err
	result $? "no room for a table: what to do is said"
	echo "$most" >$memory
	ctl 0 table load own.a32t $prog && [ "$(listed table $prog)" = 1 ]
	result $? "and it is loaded when there is"
}

# A file's name may hold what a terminal takes for an order.
test_names() {
	no_rules
	name=$tmp/$(printf 'x\033[31m')
	cp "$here/libempty.so" "$name"
	a32uwctl table build "$name" -o named.a32t >/dev/null
	for words in "table load named.a32t" "table unload" "tag gcc" untag; do
		# shellcheck disable=SC2086
		ctl 0 $words "$name" && grep -q "^$tmp/x" out && ! grep -q "$(printf '\033')" out err
		result $? "a name with an escape sequence is printed without: $words"
	done
	ctl 0 save "$(printf 'saved\033')" && grep -q "^saved" out && ! grep -q "$(printf '\033')" out err
	result $? "so is that of a file of rules"
	rm "$name"
}

echo "TAP version 13"
no_rules
test_program
test_cache
test_process
test_root
test_namespace
test_rules
test_save
test_folder
test_unload
test_room
test_names
no_rules
rm -rf $tmp $cache
tap_end
