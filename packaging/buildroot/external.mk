# SPDX-License-Identifier: GPL-2.0
include $(sort $(wildcard $(BR2_EXTERNAL_A32UWIND_PATH)/package/*/*.mk))
