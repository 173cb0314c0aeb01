#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Functions, arithmetic, strings, arrays and patterns; nothing that would need another process
fib() {
	local -i n=$1 a
	if ((n < 2)); then
		result=$n
		return
	fi
	fib $((n - 1))
	a=$result
	fib $((n - 2))
	result=$((a + result))
}

sort_words() {
	local -a words=("$@")
	local i j word
	for ((i = 1; i < ${#words[@]}; i++)); do
		word=${words[i]}
		for ((j = i - 1; j >= 0; j--)); do
			[[ ${words[j]} > $word ]] || break
			words[j + 1]=${words[j]}
		done
		words[j + 1]=$word
	done
	printf '%s ' "${words[@]}"
}

declare -A seen
count() {
	local word
	for word in $1; do
		case $word in
		[aeiou]*)	seen[vowel]=$((${seen[vowel]:-0} + 1)) ;;
		*ing|*ed)	seen[$word]=${word%ing} ;;
		*)		seen[other]=$((${seen[other]:-0} + ${#word})) ;;
		esac
	done
}

text="the quick brown fox jumped over a lazy dog while everyone else was looking at it"
fib 10
echo "$result ${text//o/0} ${text^^}"
for _ in 1 2 3 4; do
	count "$text"
done
echo "${!seen[*]} ${seen[*]}"
# Into words on purpose
# shellcheck disable=SC2086
sort_words $text
if [[ $text =~ (qu[a-z]+).*(l[a-z]+y) ]]; then
	echo "${BASH_REMATCH[@]}"
fi
trap 'echo at the end' EXIT
first=none
eval 'first=${text%% *}'
printf '%05d %x %q\n' "$result" 48879 "$first"
