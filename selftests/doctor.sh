#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What "a32uwctl doctor" says of a machine that is well, and of one that each thing in turn is wrong with. The module is
# loaded with its defaults when this ends.

sys=/sys/class/misc/a32uwind
kernel=/proc/sys/kernel
pretend=$(cd "${0%/*}" && pwd)/libpretend.so
module=/a32uwind/a32uwind.ko
out=/tmp/doctor.out

# shellcheck source=tap.sh
. "${0%/*}/tap.sh"
tap_said="$out $out.err"

# doctor [WHAT]: what it says is in $out, its status in $status
doctor() {
	PRETEND=$1 LD_PRELOAD=${1:+$pretend} a32uwctl doctor >$out 2>$out.err
	status=$?
}

# says RESULT CHECK [PATTERN]
says() {
	grep -qE "^$1 +$2  .*$3" $out
}

# fails STATUS: the status, one line on stderr when it is 1
ended() {
	[ $status = "$1" ] && [ "$(wc -l <$out.err)" = "$1" ]
}

# chains RESULT ABI...: what is said of these, and that no chain is wrong
chains() {
	chains_result=$1
	shift
	for abi; do
		says "$chains_result" "chains.$abi" ", 0 wrong" || return
	done
}

# Its programs have names like a32uwctl-321-gcc.
runs() {
	grep -q "^a32uwctl-" /proc/[0-9]*/cmdline 2>/dev/null
}

# in_the_midst SIGNAL: the doctor gets that while a program of its own is sampled; $status is what comes of it
in_the_midst() {
	a32uwctl doctor >$out 2>$out.err &
	doctor=$!
	i=0
	until runs || [ $i = 300 ]; do
		i=$((i + 1))
		usleep 100000
	done
	a32uwctl list | grep -q "/memfd:a32uwctl"
	result $? "SIG$1 comes while there is a rule"
	kill -"$1" $doctor
	wait $doctor
	status=$?
}

all_over() {
	usleep 200000
	! runs
}

ending() {
	for signal in TERM HUP KILL; do
		in_the_midst $signal
		[ $status = $((128 + $(kill -l $signal))) ] && all_over && a32uwctl list | grep -q "No rules"
		result $? "SIG$signal: nothing is left behind"
	done
	a32uwctl doctor 2>$out.err | head -n 12 >$out
	all_over && a32uwctl list | grep -q "No rules"
	result $? "who reads what it says goes away: nothing is left behind"
}

abis="apcs aapcs gcc aapcs-r7"

# shellcheck disable=SC2086 # $abis are several
tests() {
	[ -e $sys ] || skip_all "the module is not loaded"

	doctor
	ended 0 && ! grep -vq "^ok" $out && [ "$(grep -c . $out)" = 16 ]
	result $? "a well machine: every line is ok"
	for abi in $abis table; do
		says ok "chains.$abi" "([0-9]{3,}) exact, 0 short, 0 wrong"
		result $? "a well machine: chains of $abi are exact"
	done
	says ok cost "chain takes [0-9]{2,} ns, without [0-9]{2,} "
	result $? "a well machine: a sample costs something"
	a32uwctl list >$out && grep -q "No rules" $out
	result $? "no rule and no table is left behind"

	a32uwctl doctor --json >$out 2>$out.err && grep -q '"result": "ok"' $out && grep -qE '"exact": [0-9]{3,}' $out &&
		[ "$(grep -c '"wrong": 0' $out)" = 5 ] && [ "$(grep -c '"check":' $out)" = 16 ]
	result $? "the same in JSON"

	ending

	doctor version
	ended 1 && says fail version "of version [0-9]+, this tool of"
	result $? "another version"

	doctor tag=0
	ended 1 && chains fail $abis && ! says ok "chains.[a-z].*[1-9][0-9]* short"
	result $? "files that are tagged none: chains are short, and said to be"
	says fail chains.apcs "short \(mostly abi_none\)"
	result $? "and why"
	# A file's code can show that a tag is wrong, and is then followed. It never does with two r11 ABIs.
	for abi in 1 2 3; do
		doctor tag=$abi
		! grep -qE "[1-9][0-9]* wrong" $out && grep -q "^fail  chains" $out && ended 1
		result $? "files that are all tagged with ABI $abi: none is wrong, some are short"
	done
	doctor table
	ended 1 && says fail chains.table "exact, [1-9][0-9]* short" && chains ok $abis
	result $? "an unwind table that is not the file's is noticed"

	echo 0 >$sys/enabled
	doctor
	echo 1 >$sys/enabled
	ended 1 && says fail enabled "echo 1 >$sys/enabled"
	result $? "the module is off"
	says fail chains.gcc "[1-9][0-9]* wrong"
	result $? "the kernel's own walker is wrong, and that is seen"

	a32uwctl default gcc
	doctor
	a32uwctl default auto
	ended 0 && says warn default "a32uwctl default auto"
	result $? "another default than auto is a warning"

	old=$(cat $kernel/perf_event_max_stack)
	echo 64 >$kernel/perf_event_max_stack
	doctor
	echo "$old" >$kernel/perf_event_max_stack
	ended 0 && says warn max_stack "takes 64 entries.*sysctl kernel.perf_event_max_stack="
	result $? "little room for chains is a warning"

	old=$(cat $kernel/perf_event_paranoid)
	echo 3 >$kernel/perf_event_paranoid
	doctor
	ended 0 && says ok paranoid "root can sample"
	result $? "perf_event_paranoid of 3 is all right for root"
	doctor user
	ended 1 && says fail paranoid "is 3.*sysctl kernel.perf_event_paranoid=2"
	result $? "perf_event_paranoid of 3 is not for others"
	says fail chains.gcc "do what is said of paranoid"
	result $? "and that is why no program can be sampled"
	echo 2 >$kernel/perf_event_paranoid
	doctor user
	ended 0 && says ok paranoid && says warn version "root" && says warn chains.table root
	result $? "without privileges, it says what it can't see"
	chains ok $abis
	result $? "without privileges, chains are exact all the same"
	echo "$old" >$kernel/perf_event_paranoid

	tool=$(command -v a32uwctl)
	PATH=/nowhere "$tool" doctor >$out 2>$out.err
	status=$?
	ended 1 && says fail perf "no perf in PATH"
	result $? "no perf"

	rmmod a32uwind
	doctor
	ended 1 && says fail module "insmod a32uwind.ko"
	result $? "no module"
	says warn chains "not sampled: without the module" && ! grep -q "^[a-z]* *chains\." $out
	result $? "and what the kernel's own walker does is not told as a fault of chains"
	insmod $module hook=kprobe
	doctor
	ended 0 && says warn hook "kprobe: samples taken in kprobes"
	result $? "the kprobe hook is a warning"
	chains ok $abis table
	result $? "and its chains are exact"
	rmmod a32uwind
	insmod $module
}

echo "TAP version 13"
tests
tap_end
