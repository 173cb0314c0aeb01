#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "a32uwctl watch": what it says, and when, and that it ends when it is told to, whatever it is at. The module is loaded
# with its defaults, and without tables, when this ends.
module=/a32uwind/a32uwind.ko
tmp=/tmp/watching
cache=/var/cache/a32uwind
log=$tmp/log

rm -rf $tmp $cache
mkdir -p $tmp

# shellcheck source=tap.sh
. "${0%/*}/tap.sh"
tap_said="$tmp/perf.log $log"

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

# ends SECONDS [SIGNAL]: when it is told to, with 0
ends() {
	kill -"${2:-TERM}" $watch
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

# Half a second of user code that has no frame pointers. $1 is busybox: by another name it would not know what to do.
sample() {
	# shellcheck disable=SC2016 # It is the inner shell's.
	perf record -q -g -e cpu-clock:u -o $tmp/perf.data "$1" sh -c \
		'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' >$tmp/perf.log 2>&1
}

# No table is there, and no file wants one. What other tests have sampled would come first, and takes a minute.
begin_anew() {
	rmmod a32uwind && insmod $module
	rm -rf $cache
}

test_lines() {
	begin_anew
	cp /bin/busybox $tmp/busybox-small
	start
	has "waiting for samples in files that want a table"
	result $? "it says that it is at work"
	sample $tmp/busybox-small && has "$tmp/busybox-small: wants a table"
	result $? "and which file it takes up"
	has "$tmp/busybox-small: table made, [0-9]+ KiB \([0-9.]+ s\)"
	result $? "and what was done"
	has "nothing is left to do"
	result $? "and that this is all"
	ends 5 && has "ended \(Terminated\): tables loaded: [1-9][0-9]*, files without one: [0-9]+"
	result $? "and, when it is told to end, that it does"
}

test_once() {
	a32uwctl table unload $tmp/busybox-small >$log 2>&1 && sample $tmp/busybox-small &&
		a32uwctl watch --once >$log 2>&1 && grep -q "^$tmp/busybox-small: table from the cache, " $log &&
		grep -qE "^ended \(nothing is left to do\): tables loaded: [1-9][0-9]*, files without one: [0-9]+$" $log
	result $? "--once: what was done, and that there is no more"
	a32uwctl watch --once >$log 2>&1 && [ "$(tail -n 1 $log)" = "ended (nothing is left to do): tables loaded: 0, files without one: 0" ]
	result $? "or that there was nothing to do"
}

# 100 MB that have to be read before it is known whether there is a table of it
test_end_while_it_reads() {
	begin_anew
	cp /bin/busybox $tmp/busybox-large && dd if=/dev/zero bs=1M count=96 2>/dev/null >>$tmp/busybox-large
	start
	has "waiting for .*"
	sample $tmp/busybox-large && has "$tmp/busybox-large: wants a table" && sleep 0.5
	! grep -q "$tmp/busybox-large: table made" $log && ends 2 && has "ended \(Terminated\): tables loaded: [0-9]+, files without one: [0-9]+"
	result $? "a large file is no reason not to end"
	no_rules
	rm -f $tmp/busybox-large
}

# builder: the process that makes a table for it
builder() {
	grep -lE "^PPid:[[:space:]]+$watch\$" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3
}

# perf itself has 10 MB, and makes for seconds of work.
test_end_while_it_builds() {
	cp "$(command -v perf)" $tmp/perf
	start
	has "waiting for .*"
	perf record -q -g -e cpu-clock:u -o $tmp/perf.data $tmp/perf bench mem memcpy >/dev/null 2>&1
	has "$tmp/perf: wants a table"
	for _ in $(seq 100); do
		[ -z "$(builder)" ] || break
		sleep 0.1
	done
	child=$(builder)
	[ "$child" ] && ends 5 INT && has "ended \(Interrupt\): tables loaded: [0-9]+, files without one: [0-9]+" && [ ! -e "/proc/$child" ]
	result $? "SIGINT ends it, and who makes a table for it"
	no_rules
	rm -f $tmp/perf
}

echo "TAP version 13"
[ -e /sys/class/misc/a32uwind ] || skip_all "the module is not loaded"
test_lines
test_once
test_end_while_it_reads
test_end_while_it_builds
rm -rf $tmp $cache
tap_end
