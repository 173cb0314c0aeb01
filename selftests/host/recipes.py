#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
recipes.py

The Buildroot package and the Yocto recipes, as far as that goes without Buildroot and Yocto: each line is one that their
format has, versions and license sums are those of the tree, and what they have make do for the tool is done here, with
this machine's compiler, and has to install what "make install" does.
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
BUILDROOT = os.path.join(TOP, "packaging/buildroot")
YOCTO = os.path.join(TOP, "packaging/yocto")

# What Buildroot's own makefiles have, as far as a32uwind.mk uses it.
BUILDROOT_STUB = """
TARGET_CONFIGURE_OPTS = CC="gcc" CFLAGS="-O0"
KCONFIG_ENABLE_OPT = enable $(1)
kernel-module =
define generic-package
build:
	$$(call A32UWIND_BUILD_CMDS)
install: build
	$$(call A32UWIND_INSTALL_TARGET_CMDS)
kernel-options:
	@echo '$$(strip $$(call A32UWIND_LINUX_CONFIG_FIXUPS))'
show:
	@echo '$$(A32UWIND_VERSION)|$$(realpath $$(A32UWIND_SITE))|$$(A32UWIND_LICENSE_FILES)|$$(A32UWIND_DEPENDENCIES)'
endef
include $(BR2_EXTERNAL_A32UWIND_PATH)/external.mk
$(if $(A32UWIND_VERSION),,$(error external.mk doesn't lead to a32uwind.mk))
"""
BUILDROOT_OPTIONS = """
config BR2_arm
	def_bool y
config BR2_LINUX_KERNEL
	def_bool y
config BR2_USE_WCHAR
	def_bool y
config BR2_TOOLCHAIN_HAS_THREADS
	def_bool y
config BR2_STATIC_LIBS
	def_bool n
config BR2_PACKAGE_JANSSON
	bool
config BR2_PACKAGE_LIBMD
	bool
config BR2_PACKAGE_ELFUTILS
	bool
config BR2_PACKAGE_XZ
	bool
"""

count = failed = 0


def result(good, name, said=""):
    global count, failed
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, name))
    if not good:
        failed = 1
        for line in str(said).splitlines()[-40:]:
            print("# " + line)


def same(value, expected, name):
    result(value == expected, name, "is       %s\nand not  %s" % (value, expected))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def digest(kind):
    return hashlib.new(kind, read(TOP, "COPYING").encode()).hexdigest()


def source(folder):
    """A copy of what the tool is made of, clean."""
    for name in ("tools", "module/core", "uapi", "packaging"):
        shutil.copytree(os.path.join(TOP, name), os.path.join(folder, name),
                        ignore=shutil.ignore_patterns("*.o", "*.d", "a32uwctl", ".built-with"))
    for name in ("Documentation/a32uwctl.8", "Documentation/a32uwind.conf.5", "selftests/host/port.h"):
        os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
        shutil.copy(os.path.join(TOP, name), os.path.join(folder, name))
    return folder


def files(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def run(*command, **options):
    """Returns (whether it went well, what it said)."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment.update(options.pop("env", {}))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                          check=False, **options)
    return done.returncode == 0, done.stdout


def makes_tables(root):
    return "libdw.so" in run("readelf", "-d", os.path.join(root, "usr/sbin/a32uwctl"))[1]


def kconfig(tmp, path):
    """All that is set when all is chosen, by the kernel's own reader of such files; or what that says."""
    kernel = run(os.path.join(TOP, "selftests/vm/kernel"), "6.1")[1].split()[-1]
    stub = os.path.join(tmp, "Config.in")
    with open(stub, "w", encoding="utf-8") as file:
        file.write(BUILDROOT_OPTIONS + 'source "%s"\n' % path)
    config = os.path.join(tmp, "config")
    reader = glob.glob(kernel + "/root/usr/lib/linux-kbuild-*/scripts/kconfig/conf")[0]
    good, said = run(reader, "-s", "--allyesconfig", stub, env={"KCONFIG_CONFIG": config}, cwd=tmp)
    return sorted(re.findall(r"^CONFIG_BR2_PACKAGE_(\w+)=y", read(config), re.M)) if good and not said else said


def buildroot(tmp, version, expected):
    package = os.path.join(BUILDROOT, "package/a32uwind")
    config = re.findall(r'^source "(.*)"$', read(BUILDROOT, "Config.in"), re.M)
    same(config, ["$BR2_EXTERNAL_A32UWIND_PATH/package/a32uwind/Config.in"], "Buildroot: Config.in")
    same(kconfig(tmp, os.path.join(package, "Config.in")), ["A32UWIND", "A32UWIND_TABLES", "ELFUTILS", "JANSSON", "LIBMD", "XZ"],
         "Buildroot: all options, and what they select")
    options = re.findall(r"^config BR2_PACKAGE_(.*)$", read(package, "Config.in"), re.M)
    used = re.findall(r"\$\(BR2_PACKAGE_(\w*)\)", read(package, "a32uwind.mk"))
    result(set(used) <= set(options), "Buildroot: a32uwind.mk uses options that there are", used)
    same(read(package, "a32uwind.hash").split()[-3:], ["sha256", digest("sha256"), "COPYING"], "Buildroot: COPYING's sum")

    stub = os.path.join(tmp, "buildroot.mk")
    with open(stub, "w", encoding="utf-8") as file:
        file.write(BUILDROOT_STUB)
    make = ["make", "-s", "-f", stub, "BR2_EXTERNAL_A32UWIND_PATH=" + BUILDROOT]
    same(run(*make, "show")[1].strip(), "%s|%s|COPYING|host-pkgconf jansson libmd" % (version, TOP),
         "Buildroot: version, source, license and what is needed")
    same(run(*make, "show", "BR2_PACKAGE_A32UWIND_TABLES=y")[1].strip().rsplit("|", 1)[1],
         "host-pkgconf jansson libmd elfutils xz", "Buildroot: what tables need")
    enabled = run(*make, "kernel-options")[1]
    result(set(re.findall(r"enable (\w+)", enabled)) <= set(re.findall(r"CONFIG_\w+", read(TOP, "README") + " CONFIG_FTRACE")),
           "Buildroot: the kernel's options are those of README", enabled)
    for tables in ("y", ""):
        folder = source(os.path.join(tmp, "buildroot" + tables))
        root = os.path.join(tmp, "buildroot-root" + tables)
        good, said = run(*make, "install", "@D=" + folder, "TARGET_DIR=" + root, "BR2_PACKAGE_A32UWIND_TABLES=" + tables)
        what = "with tables" if tables else "without tables"
        result(good, "Buildroot: it builds and installs, " + what, said)
        same(files(root), expected, "Buildroot: what is installed, " + what)
        same(makes_tables(root), bool(tables), "Buildroot: whether that makes tables, " + what)


class Recipe:
    """A recipe's variables and shell functions; raises ValueError for a line that is none of a recipe's."""

    def __init__(self, path, values):
        self.values = dict(values)
        self.flags = {}
        self.functions = {}
        self.classes = []
        self.read(path)

    def read(self, path):
        lines = iter(re.sub(r"\\\n\s*", " ", read(path)).splitlines())
        for line in lines:
            function = re.match(r"(\w+)\(\) \{$", line)
            assignment = re.match(r'([\w:${}-]+)(\[\w+\])? (\?\?=|\?=|\+=|\.=|=) "([^"]*)"$', line)
            if function:
                body = []
                for line in lines:
                    if line == "}":
                        break
                    body.append(line)
                self.functions[function[1]] = "\n".join(body)
            elif assignment:
                self.assign(*assignment.groups())
            elif line.startswith("require "):
                self.read(os.path.join(os.path.dirname(path), line.split()[1]))
            elif line.startswith("inherit "):
                self.classes += line.split()[1:]
            elif line and not line.startswith("#"):
                raise ValueError("%s: %s" % (os.path.basename(path), line))

    def assign(self, name, flag, operator, value):
        if flag:
            self.flags[name + flag] = value
        elif operator in ("+=", ".="):
            self.values[name] = (self.values.get(name, "") + (" " if operator == "+=" else "") + value).strip()
        elif operator == "=" or name not in self.values:
            self.values[name] = value

    def expand(self, text):
        while True:
            more = re.sub(r"\$\{(\w+)\}", lambda match: self.values[match[1]], text)
            if more == text:
                return text
            text = more

    def __getitem__(self, name):
        return self.expand(self.values[name])


def yocto(tmp, version, expected):
    known = {"LAYERDIR": YOCTO, "PN": "a32uwctl", "BBPATH": "", "BBFILES": "", "BBFILE_COLLECTIONS": "", "WORKDIR": "/work",
             "AUTOREV": "tip", "STAGING_KERNEL_DIR": "/kernel", "prefix": "/usr", "sbindir": "/usr/sbin",
             "mandir": "/usr/share/man", "datadir": "/usr/share", "includedir": "/usr/include",
             "systemd_system_unitdir": "/usr/lib/systemd/system", "D": os.path.join(tmp, "yocto-root")}
    recipes = {}
    for name in ("conf/layer.conf", "recipes-kernel/a32uwind/a32uwind_%s.bb" % version,
                 "recipes-devtools/a32uwctl/a32uwctl_%s.bb" % version):
        try:
            recipes[name] = Recipe(os.path.join(YOCTO, name), known)
            known.update((key, value) for key, value in recipes[name].values.items() if key.startswith("A32UWIND_"))
            result(True, "Yocto: " + name)
        except (ValueError, OSError) as trouble:
            result(False, "Yocto: " + name, trouble)
            return
    layer, module, tool = recipes.values()
    same(os.path.realpath(layer["A32UWIND_REPOSITORY"]), TOP, "Yocto: the repository is the one that the layer is in")
    for recipe in (module, tool):
        same(recipe["LIC_FILES_CHKSUM"], "file://COPYING;md5=" + digest("md5"), "Yocto: COPYING's sum")
        result(all(recipe[name] for name in ("SUMMARY", "DESCRIPTION", "LICENSE", "SRC_URI", "SRCREV", "S")),
               "Yocto: a recipe says what it has to")
    same((module.classes, module["MAKE_TARGETS"], module["EXTRA_OEMAKE"]), (["module"], "module", "KDIR=/kernel"),
         "Yocto: the module is built as the class does it")
    result(all(run("make", "-n", "-C", TOP, target, "KDIR=/kernel")[0] for target in (module["MAKE_TARGETS"], "modules_install")),
           "Yocto: the Makefile has what the class asks for")

    for tables in (True, False):
        on, off, needs = tool.flags["PACKAGECONFIG[tables]"].split(",")
        same(needs, "elfutils xz", "Yocto: what tables need")
        tool.values.update(S=source(os.path.join(tmp, "yocto%d" % tables)), D=os.path.join(tmp, "yocto-root%d" % tables),
                           PACKAGECONFIG_CONFARGS=on if tables else off)
        script = 'oe_runmake() { make -s $EXTRA_OEMAKE "$@"; }\n'
        script += "\n".join(tool.expand(tool.functions[name]) for name in ("do_compile", "do_install"))
        good, said = run("sh", "-ec", script, env={"EXTRA_OEMAKE": tool["EXTRA_OEMAKE"], "CC": "gcc", "CFLAGS": "-O0"})
        what = "with tables" if tables else "without tables"
        result(good, "Yocto: it builds and installs, " + what, said)
        same(files(tool["D"]), expected, "Yocto: what is installed, " + what)
        same(makes_tables(tool["D"]), tables, "Yocto: whether that makes tables, " + what)


def main():
    version = re.search(r"\((.*)\)", read(TOP, "packaging/debian/changelog"))[1]
    with tempfile.TemporaryDirectory() as tmp:
        expected = os.path.join(tmp, "expected")
        good, said = run("make", "-s", "-C", source(os.path.join(tmp, "tree")) + "/tools", "install", "PREFIX=/usr",
                         "CFLAGS=-O0", "DESTDIR=" + expected)
        result(good, "make install", said)
        buildroot(tmp, version, files(expected))
        yocto(tmp, version, files(expected))
    print("1..%d" % count)
    return failed


sys.exit(main())
