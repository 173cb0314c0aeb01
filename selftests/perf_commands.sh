#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# User chains in what perf's commands print: "perf probe" with "perf record -g", "perf trace --call-graph fp" and "perf top
# -g", of a program whose every function has one known chain (see looper.h). It has gcc's frame records, which the kernel's
# own walker can't follow: with that in place, none of this is found.

looper=$(cd "${0%/*}" && pwd)/looper-gcc
enabled=/sys/class/misc/a32uwind/enabled
out=/tmp/perf_commands

# shellcheck source=tap.sh
. "${0%/*}/tap.sh"
tap_said=$out.said

# judge EVENT: prints how many chains of its samples are whole, and how many are not. A chain's line ends in its file; those
# of the kernel, and of execve(), have no entry in the program.
judge() {
	awk -v event="$1" '
		function ended() {
			if (chain != "")
				chain == "leaf middle outer _start " ? whole++ : other++
			chain = ""
		}
		$0 ~ event { ended() }
		/looper-gcc\)$/ { chain = chain $(NF - 1) " " }
		END { ended(); print whole + 0, other + 0 }'
}

# perf record of a probe
probe() {
	perf record -q -g -e probe:a32_mmap -o $out.data "$looper" m 3000 >&2 &&
		perf script --no-inline -F event,ip,sym,dso -i $out.data | tee $out.said | judge '^probe:'
}

# Sorted: perf reads one CPU's events for as long as there are some, and what names the program may be another's.
trace() {
	perf trace --sort-events --call-graph fp -e munmap "$looper" m 3000 2>&1 | tee $out.said | judge ' munmap[(]'
}

# Quits perf top when it has drawn two screens.
quit() {
	tries=0
	until [ "$(grep -c PerfTop "$out.said")" -ge 3 ] || [ $tries = 60 ]; do
		sleep 1
		tries=$((tries + 1))
	done
	echo q
}

# perf top prints a chain from its outermost caller on; here, how many lead to leaf(), and how many screens there were.
top() {
	"$looper" s 90000 &
	: >$out.said
	quit | perf top --stdio --call-graph fp -d 2 -e cpu-clock:u -p $! >$out.said 2>&1
	kill $! && wait
	awk '{ name = $0; sub(/.*--/, "", name); gsub(/[ |]/, "", name) }
		a b c name == "_startoutermiddleleaf" { n++ }
		{ a = b; b = c; c = name }
		/PerfTop/ { screens++ }
		END { print n + 0, screens + 0 }' $out.said
}

# compare NAME COMMAND FLOOR: with the module, at least that many chains are whole; with the kernel's own walker, none is.
compare() {
	echo 1 >$enabled
	found=$($2 2>$out.err)
	echo "whole and other: $found" | tee -a $out.said
	[ "${found% *}" -ge "$3" ] && { [ "$2" = top ] || [ "${found#* }" = 0 ]; }
	result $? "$1: chains are whole"
	echo 0 >$enabled
	found=$($2 2>$out.err)
	echo "whole and other, without the module: $found" | tee -a $out.said
	[ "${found% *}" = 0 ] && [ "${found#* }" -gt 0 ]
	result $? "$1: they are not without the module"
}

echo "TAP version 13"
if perf probe -q --add 'probe:a32_mmap=vm_mmap_pgoff' 2>$out.said; then
	compare "perf probe, perf record -g" probe 3
	perf probe -q -d probe:a32_mmap
else
	result 1 "perf probe"
fi
compare "perf trace --call-graph fp" trace 3
compare "perf top --call-graph fp" top 1
echo 1 >$enabled
rm -f $out.*
tap_end
