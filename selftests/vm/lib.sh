# SPDX-License-Identifier: GPL-2.0
# Sourced by the scripts of this folder, which set $here to their own folder.
# shellcheck shell=sh disable=SC2034,SC2154

top=$(cd "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/a32uwind
cross=arm-linux-gnueabihf-

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# The caller's own usage line is the second comment line of its file.
usage() {
	sed -n '3s/^# /usage: /p' "$0" >&2
	exit 2
}

say() {
	echo "  ${0##*/}: $*" >&2
}

# Holds FILE's lock until the script ends; the children it starts must not outlive it.
lock() {
	mkdir -p "${1%/*}"
	exec 9>"$1"
	flock 9
}

# Which Debian suite has the stock kernel of a series.
suite_of() {
	case $1 in
	6.1)	echo bookworm ;;
	6.12)	echo bookworm-backports ;;
	7.2)	echo forky ;;
	*)	die "no stock kernel '$1': use 6.1, 6.12 or 7.2" ;;
	esac
}

# Where this checkout's files for NAME (a kernel series, or "tool") are built.
build_dir() {
	echo "$cache/build/$1-$(echo "$top" | sha256sum | cut -c1-12)"
}

# Has tools/Makefile build for the guest, with the libraries of the folder $1.
use_sysroot() {
	set -- "$1" "$1/usr/lib/arm-linux-gnueabihf"
	# pkg-config must find the target's libraries only, and below the sysroot.
	export PKG_CONFIG_LIBDIR="$2/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$1"
	export SYSROOT_CFLAGS="-I$1/usr/include"
	export SYSROOT_LDFLAGS="-L$2 -Wl,-rpath-link,$2:$1/lib/arm-linux-gnueabihf"
}
