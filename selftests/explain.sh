#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "a32uwctl explain": why chains ended, in files of a process or in all, and what would mend it.

sys=/sys/class/misc/a32uwind
out=/tmp/explain.out

# shellcheck source=tap.sh
. "${0%/*}/tap.sh"
tap_said="$out $out.err"

explain() {
	a32uwctl explain "$@" >$out 2>$out.err
	status=$?
}

# A little more than half a second of user code that has no frame pointers: busybox
sample() {
	a32uwctl stats --reset
	# shellcheck disable=SC2016 # It is the inner shell's.
	perf record -q -g -e cpu-clock:u -o /tmp/explain.data busybox sh -c \
		'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >/dev/null 2>&1
}

tests() {
	a32uwctl stats --reset
	explain
	[ $status = 0 ] && grep -q "No samples yet" $out
	result $? "no samples"

	# Into the counts of a32uwctl as well
	sample
	a32uwctl doctor >/dev/null
	explain
	[ $status = 0 ] && grep -qE "abi_none +/bin/busybox +a32uwctl auto /bin/busybox$" $out &&
		grep -qE "abi_none +/usr/bin/a32uwctl +a32uwctl auto /usr/bin/a32uwctl$" $out
	result $? "code without frame pointers: the command that makes a table"
	[ "$(awk 'NR > 1 && $1 > last && NR > 2 { print "more" } NR > 1 { last = $1 + 0 }' $out)" = "" ]
	result $? "the most frequent first"

	sleep 1000 &
	explain $!
	[ $status = 0 ] && grep -q "auto /bin/busybox$" $out && ! grep -q "a32uwctl$" $out
	result $? "of one process: just the files that it maps"
	explain --json $!
	[ $status = 0 ] && grep -q '"mend": "a32uwctl auto /bin/busybox"' $out &&
		grep -q '"can_be_mended": true' $out && grep -q '"reason": "abi_none"' $out
	result $? "the same in JSON"
	kill $!
	explain 2000000
	[ $status = 1 ] && [ "$(wc -l <$out.err)" = 1 ] && grep -q "no such process" $out.err
	result $? "a process that is not there"

	echo none >$sys/default_abi
	sample
	explain
	grep -qE "/bin/busybox +a32uwctl auto /bin/busybox$" $out
	result $? "another default that ends chains"
	echo auto >$sys/default_abi

	a32uwctl tag apcs /bin/busybox
	sample
	explain
	a32uwctl untag /bin/busybox
	grep -qE "/bin/busybox +a32uwctl untag /bin/busybox \(is it not apcs\?\)$" $out
	result $? "a tag that does not fit"

	sample
	a32uwctl stats >$out 2>$out.err
	grep -q "a32uwctl detect /bin/busybox$" $out
	result $? "stats names the file that most chains ended in"
	a32uwctl auto /bin/busybox >$out 2>$out.err
	explain
	grep -qE "/bin/busybox +nothing: it has an unwind table by now$" $out
	result $? "chains from before the file got its table"
	a32uwctl stats >$out 2>$out.err
	grep -q "abi_none .*/bin/busybox$" $out && ! grep -q "a32uwctl detect" $out
	result $? "which stats counts, but names the file no more"
	a32uwctl table unload /bin/busybox
}

# What is called /bin/busybox in a container, say, is another file.
test_container() {
	mkdir -p /tmp/box
	unshare -m sh -c 'mount -t tmpfs none /tmp/box && mkdir /tmp/box/bin && cp /bin/busybox /tmp/box/bin &&
		exec chroot /tmp/box /bin/busybox sh -c "while :; do :; done"' &
	pid=$!
	while kill -0 $pid 2>/dev/null && ! readlink /proc/$pid/exe | grep -q box/bin; do
		sleep 0.1
	done
	a32uwctl stats --reset
	perf record -q -g -e cpu-clock:u -o /tmp/explain.data -p $pid sleep 1 >/dev/null 2>&1
	explain $pid
	grep -qE "abi_none +/bin/busybox +a32uwctl auto --pid $pid$" $out
	result $? "a file of that name in a process's own root"
	kill $pid
	rmdir /tmp/box
}

echo "TAP version 13"
[ -e $sys ] || skip_all "the module is not loaded"
tests
test_container
tap_end
