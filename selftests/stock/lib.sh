# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by the scripts that sample Debian's own programs, which set $here to selftests/stock.

. "$here/../vm/lib.sh"
vm=$top/selftests/vm
built=$cache/build/stock

# The programs that are sampled, in this order.
stock_programs="python-calls python-io sqlite openssl cppcheck"

# Where the packages of those are unpacked.
stock_root=$cache/stock/root
