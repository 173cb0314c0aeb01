# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced, in place of ctl.sh, by tests of unwind tables, which begin in a folder of their own.
# shellcheck source=ctl.sh
. "$here/ctl.sh"
mkdir "$tmp/files" && cd "$tmp/files" || exit 1
cross="arm-linux-gnueabihf-"

# rows FILE OPTION...: its rows, with the addresses counted from the first
rows() {
	"$ctl" table dump "$@" 2>"$tmp/err" | awk '
		function number(hex) {
			hex = tolower(substr(hex, 3)); n = 0
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		/^0x/ {
			start = number($1); end = number($2)
			if (!seen++) first = start
			print start - first "-" end - first, $3, $4, $5, $6, $7
		}'
}

# same NAME FILE OPTION...: the rows are those on stdin, which is no pipe: its result would be lost.
same() {
	name=$1
	shift
	cat >"$tmp/want"
	rows "$@" >"$tmp/got"
	diff "$tmp/want" "$tmp/got" >"$tmp/out"
	result $? "$name"
}

assemble() {
	"${cross}gcc" -shared -nostdlib -Wl,--build-id -o "$1" -x assembler -
}
