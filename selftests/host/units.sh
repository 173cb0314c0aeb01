#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# units.sh
#
# systemd knows all that is said in the units, and holds what runs on in bounds. What they run need not be installed here.
set -u
here=$(cd "${0%/*}" && pwd)
units=$(cd "$here/../../packaging" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# shellcheck source=../tap.sh
. "$here/../tap.sh"
tap_said=$tmp/out

# Of 10 that systemd gives a service without any bounds
exposure=3.0

check() {
	sed 's,=/usr/sbin/a32uwctl,=/bin/true,' "$1" >"$tmp/${1##*/}"
	systemd-analyze verify --man=no "$tmp/${1##*/}" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]
	result $? "${1##*/}: nothing is said of it"
	! grep -q '^Type=oneshot$' "$1" || return
	systemd-analyze security --offline=yes --no-pager "$tmp/${1##*/}" >"$tmp/out" 2>&1
	awk -v most=$exposure '/Overall exposure level/ { found = 1; bad = $(NF - 2) + 0 > most }
		END { exit !found || bad }' "$tmp/out"
	result $? "${1##*/}: its exposure is at most $exposure"
}

command -v systemd-analyze >/dev/null || skip_all "this machine has no systemd-analyze"
for unit in "$units"/*.service; do
	check "$unit"
done
tap_end
