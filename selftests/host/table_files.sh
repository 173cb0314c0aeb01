#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# table_files.sh [A32UWCTL]
#
# Unwind tables of small files that are built here: what each source comes to, how debug files are found, what becomes of
# files that are damaged. Expected rows are those that the assembly or the disassembly says.
set -u
here=$(cd "${0%/*}" && pwd)
# shellcheck source=table_rows.sh
. "$here/table_rows.sh"

# expect STATUS PATTERN NAME WORD...: one line on stderr that has PATTERN in it, nothing on stdout
expect() {
	status=$1 pattern=$2 name=$3
	shift 3
	timeout 20 "$ctl" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = "$status" ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q -e "$pattern" "$tmp/err"
	result $? "$name"
}

# Each row of CFI that a rule can say, and some that none can.
cfi() {
	cat <<-EOF
	.cfi_sections $1
	.syntax unified
	.thumb
	.globl outermost
	.type outermost, %function
	outermost:
		.cfi_startproc
		.cfi_undefined lr
		nop
		.cfi_endproc
	.type frame, %function
	frame:
		.cfi_startproc
		push	{r4, r7, lr}
		.cfi_def_cfa_offset 12
		.cfi_offset lr, -4
		.cfi_offset r7, -8
		add	r7, sp, #4
		.cfi_def_cfa r7, 8
		mov	r12, lr
		.cfi_register lr, r12
		nop
		.cfi_restore lr
		.cfi_undefined r11
		nop
		@ can't be, when CFA counts from r7
		.cfi_same_value r7
		nop
		@ DW_CFA_def_cfa_expression: r13, dereferenced
		.cfi_escape 0x0f, 3, 0x7d, 0, 0x06
		nop
		.cfi_endproc
		nop
	.type signal, %function
	signal:
		.cfi_startproc
		.cfi_offset sp, 84
		.cfi_offset lr, 88
		nop
		.cfi_endproc
	EOF
}

cfi_rows() {
	cat <<-EOF
	0-2 outermost - - - $1
	2-4 sp+0 lr same same $1
	4-6 sp+12 cfa-4 cfa-8 same $1
	6-8 r7+8 cfa-4 cfa-8 same $1
	8-10 r7+8 r12 cfa-8 same $1
	10-12 r7+8 lr cfa-8 lost $1
	12-16 stop - - - $1
	18-20 stop - - - $1
	EOF
}

test_cfi() {
	for source in debug_frame eh_frame; do
		cfi .$source | assemble $source.so
		cfi_rows $source >expected
		same ".$source" $source.so --source $source <expected
	done
	cfi .debug_frame,.eh_frame | assemble both.so
	cfi_rows debug_frame >expected
	same ".debug_frame comes first" both.so <expected
	cfi_rows eh_frame >expected
	same "but not when it is left out" both.so --source eh_frame,exidx <expected
	same "no source that is there" both.so --source exidx </dev/null
}

# Calls only: the index is wrong before and behind them.
test_exidx() {
	assemble exidx.so <<-EOF
	.syntax unified
	.thumb
	.type small, %function
	small:
		.fnstart
		push	{r3, lr}
		.save	{r3, lr}
		bl	small
		blx	r3
		pop	{r3, pc}
		.fnend
	.type framed, %function
	framed:
		.fnstart
		push	{r7, lr}
		.save	{r7, lr}
		mov	r7, sp
		.setfp	r7, sp
		bl	small
		pop	{r7, pc}
		.fnend
	.type cantunwind, %function
	cantunwind:
		.fnstart
		.cantunwind
		push	{r3, lr}
		bl	small
		pop	{r3, pc}
		.fnend
	EOF
	same ".ARM.exidx" exidx.so --source exidx <<-EOF
	0-6 sp+8 cfa-4 same same exidx
	12-16 r7+8 cfa-4 cfa-8 same exidx
	EOF
}

# in_sysroot NAME: a library that is stripped, with its debug file, in another system's root
in_sysroot() {
	mkdir -p root/usr/lib/debug/.build-id
	cfi .debug_frame | assemble whole.so
	"${cross}strip" -o root/usr/lib/stripped.so whole.so
	"${cross}objcopy" --only-keep-debug whole.so whole.debug
}

build_id() {
	"${cross}readelf" -n "$1" | sed -n 's/.*Build ID: //p'
}

test_debug_files() {
	in_sysroot
	same "a stripped file has no CFI" root/usr/lib/stripped.so --source debug_frame </dev/null
	cfi_rows debug_frame >expected
	same "--debug" root/usr/lib/stripped.so --source debug_frame --debug whole.debug <expected
	id=$(build_id whole.so)
	dir=root/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)
	mkdir "$dir"
	cp whole.debug "$dir/$(echo "$id" | cut -c3-).debug"
	cfi_rows debug_frame >expected
	same "by build-id, in a sysroot" root/usr/lib/stripped.so --source debug_frame <expected
	cp debug_frame.so "$dir/$(echo "$id" | cut -c3-).debug"
	rm -r root/usr/lib/debug

	cp root/usr/lib/stripped.so linked.so
	"${cross}objcopy" --add-gnu-debuglink=whole.debug linked.so
	cfi_rows debug_frame >expected
	same "by .gnu_debuglink, beside it" linked.so --source debug_frame <expected
	mkdir .debug && mv whole.debug .debug
	cfi_rows debug_frame >expected
	same "by .gnu_debuglink, in .debug" linked.so --source debug_frame <expected
	echo >>.debug/whole.debug
	same "a link whose CRC is another one" linked.so --source debug_frame </dev/null
	expect 1 "another build-id" "--debug of another build" table build linked.so --debug exidx.so
	expect 1 "No such file" "--debug without a file" table build linked.so --debug none
}

functions() {
	"$ctl" table build "$1" -o functions.a32t 2>"$tmp/err" | sed -n 's/^functions.//p'
}

# What only symbols can tell
test_packed_symbols() {
	"${cross}gcc" -c -xassembler -o two.o - <<-EOF
	.thumb
	.type one, %function
	one:	bx lr
	.type two, %function
	two:	bx lr
	EOF
	"${cross}gcc" -shared -nostdlib -o packed.so two.o
	"${cross}objcopy" --only-keep-debug packed.so symbols && xz symbols
	"${cross}strip" packed.so
	before=$(functions packed.so)
	"${cross}objcopy" --add-section .gnu_debugdata=symbols.xz packed.so
	[ "$before" = 0 ] && [ "$(functions packed.so)" = 2 ]
	result $? "symbols of .gnu_debugdata"
	head -c 100 symbols.xz >short.xz
	"${cross}objcopy" --update-section .gnu_debugdata=short.xz packed.so
	[ "$(functions packed.so)" = 0 ]
	result $? "of .gnu_debugdata that is damaged"
	# It is not known how much it would become: as if it were large, 1 GiB was asked for.
	head -c 6 symbols.xz >short.xz
	"${cross}objcopy" --update-section .gnu_debugdata=short.xz packed.so
	[ "$(ulimit -v 200000; functions packed.so)" = 0 ]
	result $? "of .gnu_debugdata that has just begun"
	head -c 500000000 /dev/zero | xz -1 >large.xz
	"${cross}objcopy" --update-section .gnu_debugdata=large.xz packed.so
	[ "$(ulimit -v 400000; functions packed.so)" = 0 ]
	result $? "of .gnu_debugdata that becomes 500 MB"
}

# The example of Documentation/table-format.rst, and the bytes that it says are behind the header
test_format() {
	doc=$here/../../Documentation/table-format.rst
	"${cross}gcc" -shared -nostdlib -Wl,--section-start=.text=0x400 -o example.so -x assembler - <<-EOF
	.syntax unified
	.thumb
	.globl sum
	.type sum, %function
	sum:	push	{r4, r7, lr}
		bl	add
		pop	{r4, r7, pc}
	.type add, %function
	add:	adds	r0, r0, r1
		bx	lr
	EOF
	"$ctl" table build example.so -o example.a32t >"$tmp/out" 2>"$tmp/err"
	awk '/^    [0-9a-f][0-9a-f]: / { for (i = 2; length($i) == 8 && $i !~ /[^0-9a-f]/; i++) printf "%s", $i }' "$doc" \
		>"$tmp/want"
	tail -c +65 example.a32t | od -An -v -tx1 | tr -d ' \n' >"$tmp/got"
	[ -s "$tmp/want" ] && cmp "$tmp/want" "$tmp/got" >"$tmp/out"
	result $? "the bytes are those of table-format.rst"
	sed -n 's/^    \(0x0.*\)/\1/p' "$doc" >"$tmp/want"
	"$ctl" table dump example.a32t | grep ^0x | diff "$tmp/want" - >"$tmp/out"
	result $? "and so are the rows"
}

test_output() {
	"$ctl" table build debug_frame.so >"$tmp/out" 2>"$tmp/err" && [ -s debug_frame.so.a32t ] &&
		grep -q "^debug_frame	[0-9]*	8	18	6$" "$tmp/out" && grep -q "^size	$(stat -c %s debug_frame.so.a32t)$" "$tmp/out" &&
		grep -qx "table	debug_frame.so.a32t" "$tmp/out"
	result $? "figures, and the table in the current folder"
	"$ctl" table build debug_frame.so -o /dev/stdout 2>"$tmp/err" | head -c "$(stat -c %s debug_frame.so.a32t)" |
		cmp - debug_frame.so.a32t >"$tmp/out" 2>&1
	result $? "a table goes into a pipe"
	ln -s later.a32t link.a32t
	"$ctl" table build debug_frame.so -o link.a32t >"$tmp/out" 2>"$tmp/err" && [ -L link.a32t ] &&
		cmp later.a32t debug_frame.so.a32t >"$tmp/out" 2>&1
	result $? "a table goes to where a link leads"
	"$ctl" table build debug_frame.so --json -o json.a32t >"$tmp/out" 2>"$tmp/err" &&
		grep -q '"stop_bytes": 6' "$tmp/out" && grep -q '"table": "json.a32t"' "$tmp/out" &&
		cmp json.a32t debug_frame.so.a32t >>"$tmp/out"
	result $? "figures as JSON, and the same table again"
	"$ctl" table dump --json json.a32t >"$tmp/out" 2>"$tmp/err" && grep -q '"cfa": "outermost"' "$tmp/out"
	result $? "a dump as JSON"
	[ "$(find . -name '*.a32t.*')" = "" ]
	result $? "nothing else is left"
}

test_refused() {
	expect 1 "No such file" "no file" table build none
	expect 1 "not a regular file" "a folder" table build .
	mkfifo fifo
	expect 1 "not a regular file" "a FIFO" table build fifo
	: >empty
	expect 1 "not an ELF file" "an empty file" table build empty
	expect 1 "not an ELF file" "a script" table build "$here/table_files.sh"
	expect 1 "not for 32-bit ARM" "a program of this machine" table build /bin/true
	expect 1 "neither a program nor" "an object file" table build two.o
	cp debug_frame.so big.so
	printf '\002' | dd of=big.so bs=1 seek=5 conv=notrunc status=none
	expect 1 "for 32-bit ARM\\|big-endian" "a big-endian file" table build big.so
	echo | "${cross}gcc" -shared -nostdlib -Wl,-z,separate-code -o data.so -xc -
	expect 1 "no code" "a file without code" table build data.so
	expect 1 "can't be written" "a folder that is not there" table build debug_frame.so -o none/out
	expect 1 "not an unwind table" "a dump of something else" table dump "$here/table_files.sh"
	expect 1 "No such file" "a dump of nothing" table dump none
	head -c 100 debug_frame.so.a32t >short.a32t
	expect 1 "size" "a table that is cut off" table dump short.a32t
	expect 1 "takes no --debug" "a dump of a table with --source" table dump debug_frame.so.a32t --source code
}

test_misuse() {
	expect 2 "build, dump, load or unload" "table alone" table
	expect 2 "build, dump, load or unload" "no such action" table make debug_frame.so
	expect 2 "one FILE" "build without a file" table build
	expect 2 "one FILE" "build with two" table build empty empty
	expect 2 "one TABLE" "dump without a file" table dump
	expect 2 "a32uwctl table dump: it takes no --output" "dump with -o" table dump debug_frame.so.a32t -o out
	expect 2 "no source" "a source that is none" table build debug_frame.so --source dwarf
	expect 2 "no source" "an empty source" table build debug_frame.so --source ''
	expect 2 "no source" "a comma at the end" table build debug_frame.so --source code,
	expect 2 "twice" "--source twice" table build debug_frame.so --source code --source code
	expect 2 "twice" "-o twice" table build debug_frame.so -o a --output b
	expect 2 "needs an argument" "-o alone" table build debug_frame.so -o
	expect 2 "takes no --pid" "--pid" table build debug_frame.so --pid 1
}

# survives FILE: a table and no message, or one line and status 1
survives() {
	timeout 20 "$ctl" table build "$1" -o damaged.a32t >"$tmp/out" 2>"$tmp/err"
	case $? in
	0)	[ ! -s "$tmp/err" ] && "$ctl" table dump damaged.a32t >/dev/null 2>"$tmp/err" ;;
	1)	[ "$(wc -l <"$tmp/err")" = 1 ] ;;
	*)	false ;;
	esac
}

test_damaged() {
	bad=0
	size=$(stat -c %s both.so)
	for part in $(seq 0 40); do
		head -c $((size * part / 41)) both.so >cut.so
		survives cut.so && [ ! -s "$tmp/out" ] || bad=1
	done
	result $bad "a file that is cut off is refused"
	cp exidx.so hit.so
	at=$("${cross}readelf" -lW hit.so | awk '/^  [A-Z_]+ +0x/ { n++ } $1 == "EXIDX" { print 52 + 32 * (n - 1) + 16 }')
	printf '\370\377\377\377' | dd of=hit.so bs=1 seek="$at" conv=notrunc status=none
	timeout 3 "$ctl" table build hit.so -o damaged.a32t >"$tmp/out" 2>"$tmp/err"
	result $? "an index said to have 4 GiB takes no time"
	bad=0
	for file in both.so exidx.so; do
		size=$(stat -c %s $file)
		for _ in $(seq 100); do
			cp $file hit.so
			for at in $(shuf -i 0-$((size - 1)) -n 4; shuf -i 0-300 -n 1); do
				head -c 1 /dev/urandom | dd of=hit.so bs=1 seek="$at" conv=notrunc status=none
			done
			survives hit.so || {
				bad=1
				break
			}
		done
	done
	result $bad "a file that is damaged does no harm"
}

# A board's table, by the tool that was built for it
test_identical() {
	if ! command -v qemu-arm >/dev/null || ! arm=$("$here/../vm/tool"); then
		skip "the same table on ARM" "no qemu-arm, or no tool for it"
		return
	fi
	root=$("$here/../vm/sysroot")
	libs=$root/usr/lib/arm-linux-gnueabihf:$root/lib/arm-linux-gnueabihf
	bad=0
	for file in both.so exidx.so /usr/arm-linux-gnueabihf/lib/libc.so.6 /usr/arm-linux-gnueabihf/lib/libstdc++.so.6; do
		"$ctl" table build $file -o here.a32t >"$tmp/out" 2>"$tmp/err" &&
			qemu-arm -L /usr/arm-linux-gnueabihf -E LD_LIBRARY_PATH="$libs" "$arm" table build $file \
				-o there.a32t >"$tmp/out" 2>"$tmp/err" &&
			cmp here.a32t there.a32t >"$tmp/out" 2>&1 || bad=1
	done
	result $bad "the same table on ARM"
}

echo "TAP version 13"
test_cfi
test_exidx
test_debug_files
test_packed_symbols
test_format
test_output
test_refused
test_misuse
test_damaged
test_identical
tap_end
