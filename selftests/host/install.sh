#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# install.sh
#
# What "make install" puts below DESTDIR, by PREFIX: all of it, and nothing else.
set -u
here=$(cd "${0%/*}" && pwd)
top=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# shellcheck source=../tap.sh
. "$here/../tap.sh"
tap_said=$tmp/out

# installed NAME WORD...: runs "make install" with these words, into $tmp/NAME.
installed() {
	root=$tmp/$1
	shift
	mkdir "$root"
	make -s -C "$top" install O="$tmp/build" DESTDIR="$root" "$@" >"$tmp/out" 2>&1
}

# The files that there have to be, below the prefix $1.
files() {
	for file in include/a32table.h include/a32uwind.h sbin/a32uwctl share/bash-completion/completions/a32uwctl \
			share/man/man5/a32uwind.conf.5 share/man/man8/a32uwctl.8; do
		echo "$1/$file"
	done
	for unit in "$top"/packaging/*.service; do
		[ ! -e "$unit" ] || echo "$1/lib/systemd/system/${unit##*/}"
	done
}

# holds_just FILES
holds_just() {
	(cd "$root" && find . ! -type d | sed 's/^\.//' | sort) >"$tmp/there"
	printf '%s\n' "$1" | sort | diff - "$tmp/there" >"$tmp/out"
}

# No MAKEFLAGS of who runs the tests.
unset MAKEFLAGS MAKELEVEL

installed usr PREFIX=/usr
result $? "make install PREFIX=/usr"
holds_just "$(files /usr)"
result $? "what it installs below /usr"
"$root/usr/sbin/a32uwctl" --version >"$tmp/out" 2>&1
result $? "the tool that is installed starts"
find "$root" -type f ! -perm 644 >"$tmp/out"
[ "$(cat "$tmp/out")" = "$root/usr/sbin/a32uwctl" ]
result $? "only the tool is executable, and all can read all"

installed local
result $? "make install"
holds_just "$(files /usr/local)"
result $? "what it installs without a PREFIX"
! grep -rn '/usr/sbin/' "$root/usr/local/lib" >"$tmp/out"
result $? "units start the tool where it is"

installed dirs PREFIX=/opt SBINDIR=/sbin MANDIR=/man UNITDIR=/units COMPLETIONDIR=/bash INCLUDEDIR=/include
result $? "make install, with each folder named"
holds_just "$(files /opt | sed 's,/opt/sbin,/sbin,; s,/opt/share/man,/man,; s,/opt/lib/systemd/system,/units,
	s,/opt/share/bash-completion/completions,/bash,; s,/opt/include,/include,')"
result $? "what it installs there"

tap_end
