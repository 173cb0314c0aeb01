# SPDX-License-Identifier: GPL-2.0
SUMMARY = "User call chains for perf on 32-bit ARM (kernel module)"
DESCRIPTION = "With this module, perf record -g shows the user call chains of 32-bit ARM programs."

require a32uwind.inc
inherit module

# The kernel has CONFIG_PERF_EVENTS, and CONFIG_DYNAMIC_FTRACE or CONFIG_KPROBES: see README.
COMPATIBLE_HOST = "arm.*-linux"

EXTRA_OEMAKE += "KDIR=${STAGING_KERNEL_DIR}"
MAKE_TARGETS = "module"

RPROVIDES:${PN} += "kernel-module-a32uwind"
RRECOMMENDS:${PN} += "a32uwctl"
