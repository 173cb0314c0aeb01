#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# ctl_args.sh [A32UWCTL]
#
# What a32uwctl makes of its command line: exit statuses, one line of explanation, nothing half-done. It needs no
# module; what gets as far as the module is told by its being missing. Builds the tool unless it is given.
set -u
here=$(cd "${0%/*}" && pwd)
# shellcheck source=ctl.sh
. "$here/ctl.sh"
[ ! -e /dev/a32uwind ] || skip_all "the module is loaded"

# bytes OCTAL...: a file's beginning
bytes() {
	for byte; do
		printf "\\$byte"
	done
}

# elf CLASS DATA MACHINE LENGTH: headers of an executable segment of 64 bytes, and LENGTH bytes of it
elf() {
	bytes 177 105 114 106 "$1" "$2" 1 0 0 0 0 0 0 0 0 0 2 0 "$3" 0 1 0 0 0 0 0 0 0 64 0 0 0
	bytes 0 0 0 0 0 0 0 0 64 0 40 0 1 0 0 0 0 0 0 0
	bytes 1 0 0 0 124 0 0 0 0 0 0 0 0 0 0 0 100 0 0 0 100 0 0 0 5 0 0 0 0 0 0 0
	head -c "$4" /dev/zero
}

mkdir "$tmp/files" && cd "$tmp/files" || exit 1
elf 1 1 50 4012 >lib.so
head -c 4096 /dev/zero >zeros
cp lib.so 'lib.so@0x10-0x20'
cp lib.so "$(printf 'new\nline')"
mkdir dir
mkfifo fifo
: >empty
echo '.thumb; nop' | arm-linux-gnueabihf-gcc -c -o object.o -x assembler - || exit 1
arm-linux-gnueabihf-gcc -shared -nostdlib -g -o debug object.o && arm-linux-gnueabihf-objcopy --only-keep-debug debug || exit 1

# expect STATUS PATTERN NAME WORD...: one line on stderr that has PATTERN in it, nothing on stdout
expect() {
	status=$1 pattern=$2 name=$3
	shift 3
	timeout 10 "$ctl" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = "$status" ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q -e "$pattern" "$tmp/err"
	result $? "$name"
}

misuse() {
	expect 2 "$@"
}

refused() {
	expect 1 "$@"
}

# A command line that is right gets as far as the missing module.
accepted() {
	expect 1 "insmod a32uwind.ko" "$@"
}

# shown PATTERN NAME WORD...: printed on stdout, status 0
shown() {
	pattern=$1 name=$2
	shift 2
	"$ctl" "$@" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] && grep -q -e "$pattern" "$tmp/out"
	result $? "$name"
}

test_help() {
	shown 'help COMMAND' "--help lists the commands" --help
	shown 'help COMMAND' "help lists the commands" help
	shown 'version [0-9]' "--version" --version
	commands=$("$ctl" help | awk '/^$/ { part++ } part == 1 && NF { print $1 }')
	[ "$(echo "$commands" | wc -l)" -ge 16 ]
	result $? "all commands are listed"
	for cmd in $commands; do
		shown "Example:" "help $cmd" help $cmd
		shown "^  a32uwctl $cmd" "$cmd --help" $cmd --help
		shown "^  a32uwctl $cmd" "--help $cmd" --help $cmd
		shown "^  a32uwctl $cmd" "-h with other words wins" $cmd -h x y z
	done
	"$ctl" >"$tmp/out" 2>"$tmp/err"
	[ $? = 2 ] && [ ! -s "$tmp/out" ] && grep -q Usage "$tmp/err"
	result $? "no command: usage on stderr, status 2"
	misuse "'nope'.*'a32uwctl help'" "help on an unknown command" help nope
	shown "Example:" "help on a part of a command" help table build
	misuse "one command" "help on no part of it" help table buil
	misuse "one command" "help on a command and a word" help tag gcc
	misuse "one command" "help on a command and what stands for a word" help tag ABI
	misuse "one command" "help with three words" help table build lib.so
}

test_options() {
	misuse "'nope'" "unknown command" nope
	misuse "''" "empty command" ''
	misuse "status: .*--nope.*'a32uwctl help status'" "unknown option" status --nope
	misuse "a32uwctl: .*--nope.*'a32uwctl help'" "unknown option before the command" --nope status
	misuse "-x" "unknown short option" -x status
	misuse "takes no argument" "argument to a plain option" list --json=1
	misuse "needs an argument" "--pid without one" tag gcc --range 0-2 --pid
	misuse "twice" "--pid twice" tag gcc --pid 1 --pid 2 --range 0-2
	misuse "no --reset" "another command's option" list --reset
	misuse "no --json" "--json to tag" tag gcc lib.so --json
	misuse "no --stale" "--stale to tag" tag gcc --stale
	misuse "no --stale" "--stale to list" list --stale
	misuse "takes no argument" "an argument to --stale" untag --stale=1
	misuse "leave --json" "--reset and --json" stats --reset --json
	for cmd in status default list stats "maps 1" explain "explain 1"; do
		# shellcheck disable=SC2086
		accepted "$cmd --json" $cmd --json
		# shellcheck disable=SC2086
		accepted "--json $cmd" --json $cmd
	done
	for cmd in status list stats doctor; do
		misuse "'x'" "$cmd with a word too many" $cmd x
	done
	misuse "one ABI" "default with two ABIs" default gcc apcs
	export POSIXLY_CORRECT=1
	accepted "options behind words with POSIXLY_CORRECT" list --json
	unset POSIXLY_CORRECT
}

test_abi() {
	for abi in none apcs aapcs gcc aapcs-r7 auto; do
		accepted "ABI $abi" default $abi
	done
	for abi in "" GCC " gcc" gccx 3 default mixed; do
		misuse "none, apcs, aapcs, gcc, aapcs-r7, auto" "no ABI '$abi', the valid ones are listed" tag "$abi" lib.so
	done
	misuse "none, apcs" "tag without an ABI" tag
	misuse "FILE" "tag without a file" tag gcc
	misuse "FILE.*--stale" "untag without a file" untag
}

test_files() {
	accepted "a file" tag gcc lib.so
	accepted "several files" untag lib.so ./lib.so
	refused "nope.so: No such file" "a missing file" tag gcc nope.so
	refused "nope.so: No such file" "a missing file behind a good one" tag gcc lib.so nope.so
	refused "not a regular file" "a folder" tag gcc dir
	refused "not a regular file" "a FIFO is not waited for" tag gcc fifo
	refused "not a regular file" "a device" tag gcc /dev/null
	refused "No such file" "an empty name" tag gcc ''
	refused "new?nope" "a newline in a name stays in one line" tag gcc "$(printf 'new\nnope')"
	accepted "a newline in a name" tag gcc "$(printf 'new\nline')"
	refused "^a32uwctl tag: -x:" "a name behind --" tag gcc -- -x
	for file in /etc/passwd zeros empty "$ctl"; do
		refused "${file##*/}: it is no ELF file of 32-bit ARM; .*FILE@START-END" "what has no ABI: ${file##*/}" tag gcc "$file"
	done
	refused "debug: it is a debug file; " "a debug file" tag gcc debug
	refused "object.o: it is no" "an object file" tag gcc object.o
	refused "zeros: " "behind a good one" tag gcc lib.so zeros
	refused "zeros: " "whatever it is tagged with" tag none zeros
	accepted "a part of such a file: code may be in it" tag gcc zeros@0x10-0x20
	accepted "a rule on it can be removed" untag zeros
}

# It needs no module, so it is told by what it prints.
test_detect() {
	elf 1 1 50 64 >arm
	elf 1 1 50 63 >cut
	elf 1 1 50 64 | head -c 60 >headers
	elf 2 1 50 64 >class
	elf 1 2 50 64 >endian
	elf 1 1 76 64 >machine
	elf 1 1 50 0 >thumb
	# push {r7, lr}; sub sp, #8; add r7, sp, #0; nop; mov sp, r7; pop {r7, pc}; nop; nop: gcc -mthumb
	for _ in 1 2 3 4; do
		bytes 200 265 202 260 0 257 0 277 275 106 200 275 0 277 0 277
	done >>thumb
	misuse "FILE" "detect without a file" detect
	misuse "no --pid" "detect of a process" detect --pid 1
	shown "^none .* arm$" "an ARM program without a function" detect arm
	shown '"abi": "none"' "the same in JSON" detect --json arm
	refused "zeros: not an ELF file" "no ELF file" detect zeros
	refused "class: not for 32-bit" "64-bit" detect class
	refused "endian: not for 32-bit" "big-endian" detect endian
	refused "machine: not for 32-bit" "another machine" detect machine
	refused "cut: truncated" "code that is cut off" detect cut
	refused "headers: truncated" "headers that are cut off" detect headers
	refused "dir: not a regular file" "detect of a folder" detect dir
	refused "fifo: not a regular file" "detect of a FIFO" detect fifo
	refused "nope: No such file.*check the name" "detect of a missing file" detect nope
	refused "not parts" "detect of a part" detect arm@0x10-0x20
	shown "^thumb$" "gcc's Thumb code is named again, with what to do" detect arm thumb
	shown '"r7_at_the_bottom": 4' "the same in JSON" detect --json thumb
	"$ctl" detect arm nope cut arm >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && [ "$(grep -c "^none .* arm$" "$tmp/out")" = 2 ] && [ "$(wc -l <"$tmp/err")" = 2 ]
	result $? "what can be read is shown, what can't is said, status 1"
}

test_stale() {
	accepted "untag --stale" untag --stale
	accepted "--stale before the command" --stale untag
	misuse "--stale takes no FILE" "--stale and a file" untag --stale lib.so
	misuse "--stale takes no FILE" "--stale and an empty name" untag --stale ''
	misuse "--stale takes no FILE" "--stale and a range" untag --stale --pid 1 --range 0-2
	misuse "--stale takes no FILE" "--stale and --pid" untag --stale --pid 1
	shown "a32uwctl untag --stale" "help untag shows --stale" help untag
	shown "with --stale" "--help mentions --stale" --help
	shown "untag --stale" "help list points at it" help list
}

# header VERSION SIZE: the first bytes of an unwind table, and zeros
table_file() {
	{ printf 'A32T'; printf '%b' "\\0$(printf %o "$1")\\0\\0\\0\\0$(printf %o "$2")\\0\\0\\0"
	  head -c 116 /dev/zero; }
}

test_tables() {
	table_file 1 128 >whole.a32t
	table_file 1 132 >cut.a32t
	table_file 2 128 >version2.a32t
	misuse "load or unload" "table without what to do" table
	misuse "can't be done with tables" "table and a word" table frobnicate
	misuse "give a TABLE" "table load without a table" table load
	misuse "give a FILE" "table unload without a file" table unload
	misuse "takes no --pid" "table load --pid" table load --pid 1 whole.a32t
	misuse "^a32uwctl table load: it takes no --source; see 'a32uwctl help table load'" "another action's option" \
		table load --source code whole.a32t
	misuse "no --json" "table unload --json" table unload --json lib.so
	misuse "^a32uwctl table build: .*--nope.*help table build" "an unknown option of an action" table build --nope
	misuse "^a32uwctl table: 'frobnicate'" "what is no action has no part in the name" table frobnicate
	refused "^a32uwctl table build: nosuch: " "table build names itself" table build nosuch
	refused "^a32uwctl table dump: nosuch: " "table dump names itself" table dump nosuch
	refused "^a32uwctl table load: nosuch: " "table load names itself" table load nosuch
	refused "^a32uwctl table unload: nosuch: " "table unload names itself" table unload nosuch
	refused "No such file" "a table that is not there" table load nosuch lib.so
	refused "not an unwind table" "a file that is no table" table load lib.so lib.so
	refused "dir: a folder; 'a32uwctl load' loads" "a folder" table load dir lib.so
	refused "not an unwind table" "a fifo" table load fifo lib.so
	refused "not whole" "a table that is cut off" table load cut.a32t lib.so
	refused "version 2" "a table of another version" table load version2.a32t lib.so
	accepted "table load, and a file" table load whole.a32t lib.so
	accepted "table load alone" table load whole.a32t
	accepted "table unload" table unload lib.so
	refused "No such file" "table unload of no file" table unload nosuch
}

test_auto() {
	accepted "auto of a file" auto lib.so
	accepted "auto of a process" auto --pid 1
	refused "not loaded on this machine; .* give -o TABLES" "auto of a root" auto --sysroot .
	misuse "give a PATH" "auto without what" auto
	misuse "give a PATH" "auto -o without what" auto -o tables
	misuse "no --sysroot" "auto of a process in a sysroot" auto --pid 1 --sysroot .
	misuse "process number" "auto of no process" auto --pid init
	misuse "needs an argument" "--sysroot alone" auto --sysroot
	misuse "no --range" "auto of a range" auto --pid 1 --range 0-2
	refused "lib.so: no tables can be written there: Not a dir" "auto -o to what is no folder" auto --sysroot . -o lib.so dir
	refused "nope: No such file" "auto in no root" auto --sysroot nope lib.so
}

test_conf() {
	printf 'default auto\ntag gcc %s/lib.so\n' "$PWD" >good.conf
	printf 'default auto\ntag gcc lib.so\n' >bad.conf
	accepted "save" save
	accepted "save to a file" save saved.conf
	[ ! -e saved.conf ]
	result $? "nothing is written without the module"
	misuse "one FILE" "save with two files" save a b
	misuse "no --json" "save --json" save --json
	accepted "load of a file" load good.conf
	accepted "load of a folder" load dir
	refused "bad.conf: line 2: .*begins with '/'.*nothing is done" "a line that is wrong" load bad.conf
	refused "nope: No such file.*save" "load of no file" load nope
	refused "not a regular file" "load of a FIFO" load fifo
	misuse "one FILE" "load with two" load good.conf bad.conf
	misuse "no -*output" "load -o" load good.conf -o x
	refused "lib.so: line 1: " "load of what is no text" load lib.so
	refused "an unwind table; 'a32uwctl table load' loads it" "load of a table" load whole.a32t
}

test_parts() {
	accepted "hex offsets" tag gcc lib.so@0x10-0x30
	accepted "decimal offsets" tag gcc lib.so@16-4096
	accepted "0 goes with hex" tag gcc lib.so@0-0x1000
	accepted "a name with @ that exists" tag gcc lib.so@0x10-0x20
	accepted "a part of that" tag gcc lib.so@0x10-0x20@0-16
	accepted "no part of it although it looks like one" untag lib.so@0x10-0x20
	refused "START-END" "one number is no part" tag gcc lib.so@0x10
	refused "START-END" "a sign is no number" tag gcc lib.so@+2-4
	refused "START-END" "a blank is no number" tag gcc "lib.so@2- 4"
	refused "START-END" "0x is no number" tag gcc lib.so@0x-0x4
	refused "START-END" "text behind the part" tag gcc lib.so@2-4x
	refused "No such file" "a part of no file" tag gcc @0-2
	refused "file offsets" "a part behind the file's end" tag gcc lib.so@0x10-0x1002
	misuse "START must be below END" "an empty part" tag gcc lib.so@4-4
	misuse "START must be below END" "a part backwards" tag gcc lib.so@6-4
	misuse "even" "an odd start" tag gcc lib.so@1-4
	misuse "even" "an odd end" tag gcc lib.so@2-5
	misuse "hex" "hex and decimal mixed" tag gcc lib.so@0x10-100
	misuse "0x" "a leading 0 is not octal" tag gcc lib.so@0010-0020
	misuse "64 bits" "a number above 64 bits" tag gcc lib.so@0-0x10000000000000000
	misuse "even" "an odd part behind a good file" untag lib.so lib.so@2-5
}

test_memory() {
	accepted "tag a range" tag gcc --pid 1 --range 0x1000-0x2000
	accepted "untag a range" untag --pid=1 --range=0x1000-0x2000
	accepted "options before the command" --pid 1 --range 0x1000-0x2000 tag gcc
	misuse "go together" "--pid without --range" tag gcc --pid 1
	misuse "go together" "--range without --pid" untag --range 0-2
	misuse "either" "a range and a file" tag gcc lib.so --pid 1 --range 0-2
	misuse "32 bits" "an address above 32 bits" tag gcc --pid 1 --range 0-0x100000000
	misuse "START-END" "as /proc/PID/maps has it" tag gcc --pid 1 --range b6f00000-b6f21000
	misuse "START-END" "an empty range" tag gcc --pid 1 --range ''
	for pid in '' 0 -1 +1 ' 1' 1x 0x1 2147483648 99999999999999999999; do
		misuse "process number" "pid '$pid'" tag gcc --pid "$pid" --range 0-2
	done
	misuse "one PID" "maps without a pid" maps
	misuse "one PID" "maps with two" maps 1 2
	misuse "process number" "maps with a name" maps init
	misuse "one PID" "explain with two" explain 1 2
	misuse "process number" "explain with a name" explain init
}

# What is printed goes nowhere: it is said, once, and the status tells.
test_streams() {
	for words in help "help tag" --version "detect thumb" "detect --json thumb" "table dump thumb" "table dump --json thumb" \
			"table build thumb -o thumb.a32t"; do
		# shellcheck disable=SC2086
		"$ctl" $words >/dev/full 2>"$tmp/err"
		[ $? = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "can't write to standard output.*disk full" "$tmp/err"
		result $? "$words: the disk is full"
		# shellcheck disable=SC2086
		"$ctl" $words >&- 2>"$tmp/err"
		[ $? = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "can't write to standard output.*closed" "$tmp/err"
		result $? "$words: standard output is closed"
	done
	# A datagram is a write.
	python3 - "$ctl" >"$tmp/out" 2>"$tmp/err" <<-'EOF'
		import socket, subprocess, sys
		ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
		for words in (["nope"], ["detect", "nope"]):
		    subprocess.run([sys.argv[1], *words], stderr=theirs)
		    assert ours.recv(4096).endswith(b"\n")
	EOF
	result $? "a message is written at once"
	# The reader is gone before anything is written.
	{
		sleep 0.2
		"$ctl" detect thumb 2>"$tmp/err"
		echo $? >"$tmp/out"
	} | :
	[ "$(cat "$tmp/out")" = 141 ] && [ ! -s "$tmp/err" ]
	result $? "a reader that is gone ends it by SIGPIPE, as any filter"
	refused "thumb.a32t/x: can't be written: Not a directory; .* -o" "output below a file" table build thumb -o thumb.a32t/x
	refused "/dev/full: can't be written: No space left on device; .* -o" "output to a full disk" table build thumb -o /dev/full
}

# As a user who may not: files that can't be read, and folders that can't be written to
test_permissions() {
	mkdir locked closed && cp thumb locked/file && cp thumb unreadable && chmod 0 unreadable closed && chmod 755 "$tmp" . || return
	cp "$ctl" "$tmp/ctl" && chmod 755 "$tmp/ctl" && allowed=$ctl && ctl=$tmp/as_user || return
	user=
	[ "$(id -u)" != 0 ] || user="setpriv --reuid 65534 --regid 65534 --clear-groups"
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$user" "$tmp/ctl" >"$tmp/as_user"
	chmod 755 "$tmp/as_user"
	mkdir -p theirs "theirs$(pwd -P)/locked" && chmod 777 theirs
	chmod 555 locked "theirs$(pwd -P)/locked"
	for words in "detect" "table build" "table dump" "table load" "tag gcc" "untag" "load" "auto -o theirs"; do
		# shellcheck disable=SC2086
		timeout 10 "$ctl" $words unreadable >"$tmp/out" 2>"$tmp/err"
		[ $? = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "unreadable: .*Permission denied; run a32uwctl as root" "$tmp/err"
		result $? "$words: a file that can't be read"
	done
	for words in "auto -o theirs closed" "auto -o theirs --sysroot closed"; do
		# shellcheck disable=SC2086
		timeout 10 "$ctl" $words >"$tmp/out" 2>"$tmp/err"
		[ $? = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "closed/\{0,1\}: .*Permission denied; run a32uwctl as root" "$tmp/err"
		result $? "$words: a folder that can't be read"
	done
	refused "locked/x: can't be written: Permission denied; .* -o" "table build: a folder that can't be written to" \
		table build thumb -o locked/x
	refused "locked/tables: no tables can be written there: Permission denied; .* -o" "auto -o: a folder that can't be made" \
		auto -o locked/tables locked/file
	"$ctl" auto -o theirs locked/file >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "file.a32t: can't be written: Permission denied; .* -o" "$tmp/err"
	result $? "auto -o: a folder in it that can't be written to"
	ctl=$allowed
}

# No input may end the tool by a signal, or with another status than 0, 1 and 2.
survives() {
	timeout 10 "$ctl" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -le 2 ]
}

test_random() {
	bad=0
	: >"$tmp/out"
	for _ in $(seq 200); do
		word=$(head -c 24 /dev/urandom | tr -d '\000' | tr '\200-\377' '@\-0-9x')
		survives tag gcc "lib.so@$word" || bad=1
		survives "$word" "$word" || bad=1
	done
	result $bad "random words"
}

echo "TAP version 13"
test_help
test_options
test_abi
test_files
test_detect
test_stale
test_tables
test_auto
test_conf
test_parts
test_memory
test_streams
test_permissions
test_random
tap_end
