# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by the tests that sample Debian's own programs: TAP, and what the judge has said, in $results.
. "$here/../tap.sh"

# Of 10,000 chains of user code, those that get to the outermost frame
floor=9950

# count NAME PHASE FIELD [user|kernel]: summed over the events.
count() {
	awk -F'\t' -v name="$1" -v phase="$2" -v field="$3" -v where="${4:-}" '
		BEGIN {
			n = split("samples entries outermost limit early impossible gap", names, " ")
			for (i = 1; i <= n; i++)
				column[names[i]] = i + 5
		}
		$1 == "count" && $2 == name && $3 == phase && (where == "" || $5 == where) { sum += $column[field] }
		END { print sum + 0 }' "$results"
}

# say_all KINDS NAME PHASE: what the judge said, in front of the result that it belongs to.
say_all() {
	grep "^\($1\)	$2	$3	" "$results" | cut -c 1-600 | sed 's/^/# /'
}

# can_be NAME PHASE: no entry that isn't behind a call, and no call that leads elsewhere than to the entry above.
can_be() {
	say_all example "$1" "$2"
	[ "$(count "$1" "$2" impossible)" = 0 ] && [ "$(count "$1" "$2" gap)" = 0 ]
}

# is_complete NAME PHASE: nearly all of the chains get to the outermost frame.
is_complete() {
	all=$(count "$1" "$2" samples user)
	[ "$all" -gt 0 ] && [ $(($(count "$1" "$2" outermost user) * 10000 / all)) -ge $floor ]
}
