# SPDX-License-Identifier: GPL-2.0
################################################################################
#
# a32uwind
#
################################################################################

A32UWIND_VERSION = 0.1
# The tree that this file is in
A32UWIND_SITE = $(BR2_EXTERNAL_A32UWIND_PATH)/../..
A32UWIND_SITE_METHOD = local
A32UWIND_LICENSE = GPL-2.0, GPL-2.0 WITH Linux-syscall-note (uapi)
A32UWIND_LICENSE_FILES = COPYING
A32UWIND_DEPENDENCIES = host-pkgconf jansson libmd

ifeq ($(BR2_PACKAGE_A32UWIND_TABLES),y)
A32UWIND_DEPENDENCIES += elfutils xz
A32UWIND_MAKE_OPTS = ELFUTILS=1
else
A32UWIND_MAKE_OPTS = ELFUTILS=0
endif

define A32UWIND_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(TARGET_CONFIGURE_OPTS) \
		$(A32UWIND_MAKE_OPTS) -C $(@D)/tools
endef

define A32UWIND_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(TARGET_CONFIGURE_OPTS) \
		$(A32UWIND_MAKE_OPTS) -C $(@D)/tools install \
		DESTDIR=$(TARGET_DIR) PREFIX=/usr
endef

define A32UWIND_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_PERF_EVENTS)
	$(call KCONFIG_ENABLE_OPT,CONFIG_KALLSYMS)
	$(call KCONFIG_ENABLE_OPT,CONFIG_FTRACE)
	$(call KCONFIG_ENABLE_OPT,CONFIG_FUNCTION_TRACER)
	$(call KCONFIG_ENABLE_OPT,CONFIG_DYNAMIC_FTRACE)
endef

$(eval $(kernel-module))
$(eval $(generic-package))
