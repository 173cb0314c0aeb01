# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Bash completion for a32uwctl. What it knows of commands, options and ABIs it reads from "a32uwctl help", so that it has
# those of the tool that is installed.

# Reads one form of a command ("build FILE [-o OUT] [--json]"). Adds to the caller's $takes what its options take, and to
# $kinds what may stand behind the caller's $words, if these fit the form.
_a32uwctl_form() {
	local token option='' kind=''
	local -i at=0
	local -a tokens

	# Parts of words are nothing to be completed: FILE[@START-END]..., SOURCE[,...]. What [--json] FILE begins with, ends.
	read -ra tokens <<<"$(sed 's/\[[@,][^]]*\]//g; s/\[\(-[^] ]*\)\]/\1 |/g; s/[][]//g' <<<"$1")"
	for token in "${tokens[@]}"; do
		case $token in
		-*)	option=$token; continue ;;
		\|)	option=''; continue ;;
		esac
		if [ "$option" ]; then
			takes[$option]=$token
			option=''
			continue
		fi
		if [[ $at -lt ${#words[@]} && $token == [a-z]* && $token != "${words[at]}" ]]; then
			return
		fi
		# The last one of a form may come again.
		if [[ $at -eq ${#words[@]} || $at -lt ${#words[@]} && $token == *... ]]; then
			kind=${token%...}
		fi
		at+=1
	done
	kinds+=" ${kind//|/ }"
}

_a32uwctl_forms() {
	local form

	while read -r form; do
		_a32uwctl_form "$form"
	done < <(sed -n "/^Usage:/,/^\$/s/^  a32uwctl $command *//p" <<<"$help")
}

_a32uwctl_commands() {
	"$ctl" help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p'
}

# list PATTERN: the words that the help has behind it, as in "ABIs: none, apcs"
_a32uwctl_list() {
	sed -n "s/^$1 //p" <<<"$help" | tr -d ,
}

# The actions of the caller's $words: "build" is one of table's.
_a32uwctl_actions() {
	local command=${words[0]} help kinds='' kind
	local -A takes=()
	local -a words=()

	help=$("$ctl" help "$command" 2>/dev/null)
	_a32uwctl_forms
	for kind in $kinds; do
		[[ $kind != [a-z]* ]] || echo "$kind"
	done
}

# Prints what stands for KIND; exits with 1 when that are files.
_a32uwctl_offer() {
	case $1 in
	ABI)		compgen -W "$(_a32uwctl_list ABIs:)" -- "$cur" ;;
	SOURCE)		compgen -W "$(_a32uwctl_list '  --source .*:')" -- "$cur" ;;
	COMMAND)	compgen -W "$(_a32uwctl_commands)" -- "$cur" ;;
	ACTION)		compgen -W "$(_a32uwctl_actions)" -- "$cur" ;;
	PID)		compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur" ;;
	-* | [a-z]*)	compgen -W "$1" -- "$cur" ;;
	START-END)	;;
	*)		compgen -f -- "$cur"; return 1 ;;
	esac
	return 0
}

_a32uwctl() {
	local ctl=$1 cur=$2 command='' help='' previous kinds='' kind
	local -a words=()
	local -A takes=()
	local -i i

	COMPREPLY=()
	# The command is the first word that is no option: one that takes something stands behind it.
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} != -* ]]; then
			command=${COMP_WORDS[i]}
			break
		fi
	done
	if [ -z "$command" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_a32uwctl_commands) --help --version" -- "$cur")
		return
	fi

	help=$("$ctl" help "$command" 2>/dev/null) || return
	_a32uwctl_forms
	previous=$command
	for ((i++; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} != -* && -z ${takes[$previous]-} ]]; then
			words+=("${COMP_WORDS[i]}")
		fi
		previous=${COMP_WORDS[i]}
	done

	kinds=
	if [[ -n ${takes[$previous]-} ]]; then
		kinds=${takes[$previous]}
	elif [[ $cur == -* ]]; then
		kinds=$(sed -n '/^Options:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' <<<"$help")
	else
		_a32uwctl_forms
	fi
	for kind in $kinds; do
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(_a32uwctl_offer "$kind")
		wait $! || compopt -o filenames
	done
}

complete -F _a32uwctl a32uwctl
