# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by scripts that test: prints results as TAP, as check reads it.

tap_count=0 tap_failed=0
# Files that say more of a result; shown in front of one that is bad
tap_said=

# result STATUS NAME
result() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	tap_failed=1
	for tap_file in $tap_said; do
		[ ! -e "$tap_file" ] || tail -n 40 "$tap_file" | sed 's/^/# /'
	done
	echo "not ok $tap_count - $2"
}

# skip NAME WHY
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# skip_all WHY: in place of all results
skip_all() {
	echo "1..0 # SKIP $1"
	exit 4
}

# no_rules: the module has neither rules nor tables, as when it was loaded.
no_rules() {
	a32uwctl list --json | sed -n 's/^ *"path": "\(.*\)"$/\1/p' | sort -u | while read -r tap_file; do
		a32uwctl table unload "$tap_file"
		a32uwctl untag "$tap_file"
	done >/dev/null 2>&1
	a32uwctl untag --stale >/dev/null 2>&1
	a32uwctl default auto >/dev/null
}

# tap_end: how many results there are; exits with what has come of them.
tap_end() {
	echo "1..$tap_count"
	exit $tap_failed
}
