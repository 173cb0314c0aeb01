# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
# Sourced, with $here set, by tests of a32uwctl: $ctl is the one that is given as $1, or is built here; $tmp is a folder.
. "$here/../tap.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
tap_said="$tmp/out $tmp/err"

if [ $# -gt 0 ]; then
	ctl=$(cd "$(dirname "$1")" && pwd)/${1##*/}
else
	make -s -C "$here/../../tools" O="$tmp/build" ELFUTILS=1 >&2 || exit 1
	ctl=$tmp/build/a32uwctl
fi
