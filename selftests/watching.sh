#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "a32uwctl watch": what it says, and when, and that it ends when it is told to, whatever it is at. What was sampled before
# in other files may want tables as well. It leaves the module without tables.
tmp=/tmp/watching
cache=/var/cache/a32uwind
log=$tmp/log

rm -rf $tmp $cache
mkdir -p $tmp

# shellcheck source=tap.sh
. "${0%/*}/tap.sh"
tap_said=$log

start() {
	a32uwctl watch >$log 2>&1 &
	watch=$!
}

# has LINE: is it said by now, or within 100 seconds?
has() {
	for _ in $(seq 1000); do
		! grep -qE "^$1\$" $log || return 0
		[ -e /proc/$watch ] || return 1
		sleep 0.1
	done
	return 1
}

# ends SECONDS: when it is told to, with 0
ends() {
	kill $watch
	for _ in $(seq $(($1 * 10))); do
		if ! [ -e /proc/$watch ] || grep -q "^State:.*Z" /proc/$watch/status; then
			wait $watch
			return
		fi
		sleep 0.1
	done
	kill -9 $watch
	return 1
}

# Half a second of user code that has no frame pointers: $1 is busybox
sample() {
	# shellcheck disable=SC2016 # It is the inner shell's.
	perf record -q -g -e cpu-clock:u -o $tmp/perf.data "$1" sh -c \
		'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >/dev/null 2>&1
}

forget() {
	no_rules
	rm -rf $cache
}

test_lines() {
	cp /bin/busybox $tmp/small
	start
	has "waiting for samples in files that want a table"
	result $? "it says that it is at work"
	sample $tmp/small
	has "$tmp/small: wants a table"
	result $? "and which file it takes up"
	has "$tmp/small: table made, [0-9]+ KiB \([0-9.]+ s\)"
	result $? "and what was done"
	ends 5 && has "ended \(Terminated\): tables loaded: [1-9][0-9]*, files without one: [0-9]+"
	result $? "and, when it is told to end, that it does"
}

test_once() {
	a32uwctl table unload $tmp/small >/dev/null
	sample $tmp/small
	a32uwctl watch --once >$log 2>&1 && grep -q "^$tmp/small: table from the cache, " $log &&
		grep -qE "^ended \(nothing is left to do\): tables loaded: [1-9][0-9]*, files without one: [0-9]+$" $log
	result $? "--once: what was done, and that there is no more"
	a32uwctl watch --once >$log 2>&1 && [ "$(tail -n 1 $log)" = "ended (nothing is left to do): tables loaded: 0, files without one: 0" ]
	result $? "or that there was nothing to do"
	forget
}

# 100 MB that have to be read before it is known whether there is a table of it
test_end_while_it_reads() {
	cp /bin/busybox $tmp/large && yes a32uwind | head -c 100000000 >>$tmp/large
	start
	has "waiting for .*"
	sample $tmp/large
	has "$tmp/large: wants a table" && sleep 0.5
	! grep -q "$tmp/large: table made" $log && ends 2 && has "ended \(Terminated\): tables loaded: [0-9]+, files without one: [0-9]+"
	result $? "a large file is no reason not to end"
	forget
	rm -f $tmp/large
}

echo "TAP version 13"
[ -e /sys/class/misc/a32uwind ] || skip_all "the module is not loaded"
test_lines
test_once
test_end_while_it_reads
rm -rf $tmp $cache
tap_end
