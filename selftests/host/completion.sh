#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# completion.sh [A32UWCTL]
#
# What bash completes of a command line of a32uwctl. Commands and options are counted against the tool's help, so that a
# new one can't be forgotten. Builds the tool unless it is given.
set -u
here=$(cd "${0%/*}" && pwd)
# shellcheck source=ctl.sh
. "$here/ctl.sh"
tap_said=$tmp/diff
PATH=${ctl%/*}:$PATH

mkdir -p "$tmp/files/folder" && cd "$tmp/files" || exit 1
touch lib.so 'with blank.so'

# shellcheck source=../../packaging/a32uwctl.bash
. "$here/../../packaging/a32uwctl.bash"
# Works on a line that is being typed only.
# shellcheck disable=SC2317
compopt() {
	:
}

# complete WORD...: what there is for the last one, one a line.
complete_words() {
	COMP_WORDS=(a32uwctl "$@")
	COMP_CWORD=$#
	_a32uwctl a32uwctl "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
	[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# expect NAME LIST WORD...: just the words of LIST, one a line
expect() {
	local name=$1 list=$2
	shift 2
	complete_words "$@" >"$tmp/offered"
	sort -u <<<"$list" | sed '/^$/d' | diff - "$tmp/offered" >"$tmp/diff"
	result $? "$name"
}

# offer NAME ENTRY WORD...: ENTRY, among others that come and go
offer() {
	local name=$1 entry=$2
	shift 2
	complete_words "$@" >"$tmp/diff"
	grep -qx "$entry" "$tmp/diff"
	result $? "$name"
}

words() {
	tr ' ' '\n' <<<"$*"
}

commands=$(a32uwctl help | awk '/^$/ { part++ } part == 1 && NF { print $1 }')
files=$'folder\nlib.so\nwith blank.so'
abis=$(words none apcs aapcs gcc aapcs-r7 auto)

expect "commands" "$commands"$'\n--help\n--version' ''
expect "a command that is begun" untag un
expect "commands behind help" "$commands" help ''
expect "actions of a command behind help" "$(words build dump load unload)" help table ''
expect "an action that is begun" build help table bu
expect "no action of a command that has none" '' help tag ''
expect "nothing behind the action" '' help table build ''
for command in $commands; do
	expect "options of $command" \
		"$(a32uwctl help "$command" | awk '$0 == "Options:" { on = 1 } $0 == "Example:" { on = 0 } on && /^  --/ { print $1 }')" \
		"$command" --
done
expect "ABIs" "$abis" tag ''
expect "an ABI that is begun" $'aapcs\naapcs-r7' tag aa
expect "files behind the ABI" "$files" tag gcc ''
expect "more files" lib.so tag gcc folder li
expect "no second ABI" '' default gcc ''
expect "nothing where nothing is taken" '' status ''
expect "what there is of tables" "$(words build dump load unload)" table ''
expect "the file that a table is of" lib.so table build li
expect "one file only" '' table build lib.so li
expect "the file of an option" lib.so table build lib.so --debug li
expect "the file of a short option" lib.so table build lib.so -o li
expect "what an option took is no word" lib.so table build -o out li
expect "files behind an option that takes nothing" "$files" detect --json ''
expect "files without that option" lib.so detect li
expect "sources" "$(words debug_frame eh_frame exidx code)" table build lib.so --source ''
expect "a table, then files" "$files" table load libfoo.a32t ''
expect "the options of one that has none of its own" --help help --
expect "an option in front of the command" $'--help\n--json' --json list --
offer "processes" $$ maps ''
offer "the process of an option" $$ tag gcc --pid ''
expect "no range" '' tag gcc --pid 1 --range ''
expect "nothing behind what is no command" '' zap ''
expect "nothing behind what is no form" '' table zap ''

tap_end
