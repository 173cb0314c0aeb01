#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a32uwctl says when it can't do what it is asked to, with the module loaded: one line on standard error that says what
# to do, the status 1, and nothing changed. What needs no module is in host/ctl_args.sh.
here=$(cd "${0%/*}" && pwd)
tmp=/tmp/refused

rm -rf $tmp
mkdir -p $tmp/full $tmp/locked
cd $tmp || exit
cp "$here/libempty.so" lib.so

# shellcheck source=tap.sh
. "$here/tap.sh"
tap_said="out err"

# What libpretend.so has the tool see
pretend=

# refused PATTERN WORD...
refused() {
	pattern=$1
	shift
	PRETEND=$pretend LD_PRELOAD=${pretend:+$here/libpretend.so} a32uwctl "$@" >out 2>err
	[ $? = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -e "$pattern" err
	result $? "a32uwctl $*${pretend:+ ($pretend)}: $pattern"
}

# all PATTERN: each command that asks the module
all() {
	for words in "default gcc" "tag gcc lib.so" "untag lib.so" "untag --stale" "tag gcc --pid 1 --range 0x8000-0x9000" list \
			"maps 1" "table load lib.a32t lib.so" "table unload lib.so" "auto lib.so" save "load rules" stats \
			"stats --json" "stats --reset" explain "explain 1" "watch --once"; do
		# shellcheck disable=SC2086 # $words are several, here and below.
		refused "$1" $words
	done
}

test_users() {
	all "run a32uwctl as root"
	for words in status default; do
		refused "run a32uwctl as root" $words
	done
}

test_version() {
	all "version [0-9]*.*does not know what this tool.*use both of one version"
}

test_what_is_not_there() {
	refused "process 99999: no such process.*look for it with ps" maps 99999
	refused "process 99999.*no such process.*ps" explain 99999
	refused "process 99999.*no such process.*ps" tag gcc --pid 99999 --range 0x8000-0x9000
	refused "process 99999: there is none.*ps" auto --pid 99999
	refused "no stale rules; see 'a32uwctl list'" untag --stale
	refused "lib.so: there is no such rule; see 'a32uwctl list'" untag lib.so
	refused "lib.so: it has no unwind table; see 'a32uwctl list'" table unload lib.so
	refused "built for another file; build one for this" table load lib.a32t "$here/opener"
	refused "no file that is mapped now fits; name the FILE" table load lib.a32t
}

# A table of which the module sees that it is damaged: a byte behind the header
test_damaged() {
	cp lib.a32t damaged.a32t
	printf '\377\377\377\377' | dd of=damaged.a32t bs=1 seek=128 conv=notrunc 2>/dev/null
	refused "lib.so: the unwind table is damaged; build it again" table load damaged.a32t lib.so
}

test_output() {
	refused "nope/rules: can't be written: No such file or directory; name another FILE" save nope/rules
	mount -t tmpfs -o size=4k none full
	echo before >full/rules
	refused "full/rules: can't be written: No space left on device; name another FILE" save full/rules
	[ "$(cat full/rules)" = before ] && [ "$(ls full)" = rules ]
	result $? "what was there is there, and nothing else"
	umount full
	for words in status default list "list --json" "maps 1" "stats" "stats --json" explain "tag gcc lib.so" "untag lib.so" doctor; do
		# shellcheck disable=SC2086
		a32uwctl $words >/dev/full 2>err
		[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q "can't write to standard output.*disk full" err
		result $? "$words >/dev/full"
	done
}

# Tables are loaded all the same where they can't be kept.
test_cache() {
	mount -t tmpfs -o size=4k none full
	head -c 4096 /dev/zero >full/zeros 2>/dev/null
	CACHE_DIRECTORY=$tmp/full a32uwctl auto lib.so >out 2>err && grep -q "^built.*lib.so" out && [ "$(wc -l <err)" = 1 ] &&
		grep -q "tables can't be kept for the next time: .*; look at" err
	result $? "auto with a full cache: said once, and the table is loaded"
	umount full
	a32uwctl table unload lib.so >out 2>err
}

echo "TAP version 13"
[ -e /sys/class/misc/a32uwind ] || skip_all "the module is not loaded"
a32uwctl table build lib.so -o lib.a32t >/dev/null || exit
echo "default auto" >rules
chmod 755 $tmp
pretend=user
test_users
pretend=old
test_version
pretend=
test_what_is_not_there
test_damaged
test_output
test_cache
a32uwctl list | grep -q "No rules" && [ "$(a32uwctl default)" = auto ]
result $? "nothing was changed"
tap_end
