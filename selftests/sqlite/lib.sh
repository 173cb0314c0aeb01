# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the scripts that build or sample SQLite, which set $here to selftests/sqlite.

. "$here/../vm/lib.sh"
vm=$top/selftests/vm
built=$cache/build/sqlite
