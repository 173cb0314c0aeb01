#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What "a32uwctl status" says, and that what it says to do next fits: for each default, with and without rules, tables and
# samples, and with the module switched off. It leaves the module with its defaults.
here=$(cd "${0%/*}" && pwd)
sys=/sys/class/misc/a32uwind
tmp=/tmp/status

rm -rf $tmp
mkdir -p $tmp
cd $tmp || exit
cp "$here/libempty.so" lib.so

# shellcheck source=tap.sh
. "$here/tap.sh"
tap_said="out err"

# says LINE: status has one that begins so
says() {
	a32uwctl status >out 2>err && grep -q -e "^$1" out
}

# advises COMMAND...: just these, a line each
advises() {
	a32uwctl status | sed -n 's/^  //p' >out
	[ $# = 0 ] || printf '%s\n' "$@" | cmp - out || return
	[ $# != 0 ] || [ ! -s out ]
}

take_samples="perf record -g COMMAND"
look="a32uwctl stats"
walk_all="a32uwctl default auto"

test_auto() {
	a32uwctl stats --reset
	says "default    auto (what each file's own functions say)$" && advises "$take_samples"
	result $? "auto: the next thing is samples"
	perf record -q -g -e cpu-clock:u -o $tmp/perf.data busybox sha256sum "$(command -v perf)" >/dev/null 2>&1
	says "samples    [1-9]" && advises "$look"
	result $? "with samples: where chains ended"
}

test_none() {
	a32uwctl default none >/dev/null
	says "default    none (files without a rule are not walked)$" && says "Files without a rule or a table are not walked" &&
		advises "$walk_all"
	result $? "none: what is not walked, and how that changes; samples would tell nothing"
	a32uwctl tag gcc lib.so >/dev/null
	says "rules      1$" && says "Files without a rule or a table are not walked" && advises "$walk_all" "$look"
	result $? "that is said as well when there are rules"
	a32uwctl untag lib.so >/dev/null
	a32uwctl table build lib.so -o lib.a32t >/dev/null && a32uwctl table load lib.a32t lib.so >/dev/null
	says "tables     1$" && says "rules      0$" && advises "$walk_all" "$look"
	result $? "or tables, which are counted"
	a32uwctl status --json >out && grep -q '"tables": 1' out && grep -q '"default_abi": "none"' out
	result $? "in JSON, too"
	a32uwctl table unload lib.so >/dev/null
	a32uwctl default gcc >/dev/null
	says "default    gcc (files without a rule are taken for that)$" && ! says "Files without a rule or a table"
	result $? "another default walks all files"
	a32uwctl default auto >/dev/null
}

test_off() {
	echo 0 >$sys/enabled
	says "enabled    no$" && advises "echo 1 > $sys/enabled"
	result $? "switched off: how to switch it on, and nothing else"
	echo 1 >$sys/enabled
}

echo "TAP version 13"
[ -e $sys ] || skip_all "the module is not loaded"
no_rules
test_auto
test_none
test_off
no_rules
rm -rf $tmp
tap_end
