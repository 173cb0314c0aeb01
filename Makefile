# SPDX-License-Identifier: GPL-2.0
#
# "make help" says what there is. The module is built by kbuild: see Kbuild.

KDIR	?= /lib/modules/$(shell uname -r)/build
PREFIX	?= /usr/local
DESTDIR	?=

# kbuild gets these only when they are given, as KDIR may have its own.
kbuild	:= $(MAKE) -C $(KDIR) M=$(CURDIR) \
	   $(if $(ARCH),ARCH=$(ARCH)) $(if $(CROSS_COMPILE),CROSS_COMPILE=$(CROSS_COMPILE))

# The running kernel's headers are of no use on a machine that is no 32-bit ARM.
can_build_module := $(or $(filter-out default undefined file,$(origin KDIR)),$(filter arm%,$(shell uname -m)))

# The version of the packages; that of the interface is in uapi/a32uwind.h.
version	:= $(shell sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog)
dkms	:= $(DESTDIR)/usr/src/a32uwind-$(version)

all: $(if $(can_build_module),module,module-skipped) tools

module:
	$(kbuild) modules

module-skipped:
	@echo 'The module is not built: this is no 32-bit ARM machine. Say for which kernel, as in'
	@echo '    make KDIR=/path/to/linux-headers ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf-'

tools:
	$(MAKE) -C tools $(if $(CROSS),,CROSS=$(CROSS_COMPILE))

demo:
	@selftests/demo

check:
	selftests/check $(TESTS)

check-debug:
	selftests/check -d $(TESTS)

torture:
	@selftests/torture

bench:
	selftests/bench

oracle:
	@selftests/oracle

detect-table:
	@selftests/detect-table

unwind-tables:
	@selftests/unwind-tables

fuzz:
	selftests/fuzz/run $(if $(RUNS),-n $(RUNS)) $(if $(SECONDS),-t $(SECONDS)) $(TARGETS)

flamegraphs:
	@selftests/flame/graphs

style:
	selftests/style

check-dkms:
	selftests/dkms/test

modules_install:
	$(kbuild) modules_install

install: all $(if $(can_build_module),modules_install)
	$(MAKE) -C tools install PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)

dkms-source:
	rm -rf $(dkms)
	install -d $(dkms)
	for dir in module module/core uapi; do \
		install -d $(dkms)/$$dir && install -m 644 $$dir/*.h $(dkms)/$$dir || exit; \
	done
	install -m 644 module/*.c $(dkms)/module
	install -m 644 module/core/*.c $(dkms)/module/core
	install -m 644 Kbuild COPYING $(dkms)
	sed 's/#MODULE_VERSION#/$(version)/' packaging/dkms.conf >$(dkms)/dkms.conf

dkms-install:
	[ -z "$$(dkms status a32uwind/$(version))" ] || dkms remove a32uwind/$(version) --all
	$(MAKE) dkms-source
	dkms install a32uwind/$(version)

deb:
	@packaging/deb

clean:
	$(MAKE) -C tools clean
	$(if $(can_build_module),$(kbuild) clean)

help:
	@echo 'make                the module (for KDIR) and the tool'
	@echo 'make demo           boot a stock kernel in QEMU and show perf record -g before and after'
	@echo 'make check          all tests: on this machine, then on each stock kernel in QEMU'
	@echo 'make check-debug    the kselftests on kernels built with KASAN, lockdep, kmemleak and others'
	@echo 'make torture        1,000 reloads and 10 million samples while all around them changes'
	@echo 'make bench          the cost of samples and frames, in instructions'
	@echo 'make oracle         how exact chains are at each instruction of code that compilers made'
	@echo 'make detect-table   how often the ABI of a file is found, by what it was built with'
	@echo 'make unwind-tables  what tables of large libraries take, and machine code against .debug_frame'
	@echo 'make fuzz           random inputs for the module'"'"'s core and the tool, for as long as you like'
	@echo 'make flamegraphs    pictures of what perf record -g shows of a program, before and after'
	@echo 'make check-dkms     install the Debian packages in a Debian system in QEMU; DKMS builds there'
	@echo 'make style          checkpatch, sparse and the compiler'"'"'s extra warnings'
	@echo 'make module, tools  one of the two'
	@echo 'make install        the module and the tool'
	@echo 'make dkms-install   the module, by DKMS, for this kernel and those to come'
	@echo 'make deb            Debian packages of both, in build/deb'
	@echo 'make clean          remove what make has built'
	@echo
	@echo 'make bench, oracle, detect-table and unwind-tables write Documentation/benchmarks.md, accuracy.md, detect.md'
	@echo 'and tables.md.'
	@echo
	@echo 'KDIR=DIR            the kernel to build for; with ARCH and CROSS_COMPILE as kbuild has them'
	@echo 'KERNELS="6.1 6.12", TESTS="ioctl ..."   what make check runs'
	@echo 'RUNS=N, SECONDS=N, TARGETS="walk ..."   what make fuzz runs'
	@echo 'CHECK_ALL=1         all tests on each kernel: else some are on the first one only'

.PHONY: all module module-skipped tools demo check torture bench oracle detect-table fuzz style install clean help
.PHONY: flamegraphs unwind-tables check-debug check-dkms modules_install dkms-source dkms-install deb
