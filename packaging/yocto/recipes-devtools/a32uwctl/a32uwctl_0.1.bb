# SPDX-License-Identifier: GPL-2.0
SUMMARY = "User call chains for perf on 32-bit ARM (tool)"
DESCRIPTION = "Says which frame ABI files follow, makes and loads unwind tables, and shows why call chains ended."

require ../../recipes-kernel/a32uwind/a32uwind.inc
inherit pkgconfig systemd

# jansson is in meta-oe.
DEPENDS = "jansson libmd"

# Makes unwind tables; a32uwctl-native does so on the PC.
PACKAGECONFIG ??= ""
PACKAGECONFIG:class-native = "tables"
PACKAGECONFIG:class-nativesdk = "tables"
PACKAGECONFIG[tables] = "ELFUTILS=1,ELFUTILS=0,elfutils xz"

EXTRA_OEMAKE = "-C ${S}/tools ${PACKAGECONFIG_CONFARGS} PREFIX=${prefix} SBINDIR=${sbindir} MANDIR=${mandir} \
	COMPLETIONDIR=${datadir}/bash-completion/completions INCLUDEDIR=${includedir} UNITDIR=${systemd_system_unitdir}"

do_compile() {
	oe_runmake
}

do_install() {
	oe_runmake install DESTDIR=${D}
}

FILES:${PN} += "${datadir}/bash-completion ${systemd_system_unitdir}"
SYSTEMD_SERVICE:${PN} = "a32uwind.service a32uwind-load.service"
SYSTEMD_AUTO_ENABLE = "disable"

BBCLASSEXTEND = "native nativesdk"
