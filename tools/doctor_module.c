// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "ctl.h"
#include "doctor.h"

static void say_version(struct doctor *doctor)
{
	struct a32_info info;
	int err = ctl_info(doctor->ctl, &info);

	if (err == -EPERM)
		doctor_say(doctor, FOUND_WARN, "version", "run it as root",
			   "the module's version is visible with CAP_PERFMON only");
	else if (err)
		doctor_say(doctor, FOUND_FAIL, "version", "use module and tool of one version",
			   "the module does not say its version (%s)", strerror(-err));
	else if (info.version != A32_VERSION)
		doctor_say(doctor, FOUND_FAIL, "version", "use module and tool of one version",
			   "the module is of version %u, this tool of %u",
			   info.version, A32_VERSION);
	else
		doctor_say(doctor, FOUND_OK, "version", "", "module and tool are of version %u",
			   A32_VERSION);
}

static void say_device(struct doctor *doctor)
{
	if (doctor->ctl >= 0)
		say_version(doctor);
	else if (doctor->ctl == -EACCES || doctor->ctl == -EPERM)
		doctor_say(doctor, FOUND_WARN, "version", "run it as root",
			   "not visible: /dev/a32uwind can't be opened by this user");
	else
		doctor_say(doctor, FOUND_FAIL, "device", "mount devtmpfs on /dev",
			   "the module is loaded, but /dev/a32uwind can't be opened (%s)",
			   strerror(-doctor->ctl));
}

static void say_enabled(struct doctor *doctor)
{
	if (doctor_read_number(DOCTOR_SYSFS "/enabled", 1))
		doctor_say(doctor, FOUND_OK, "enabled", "", "chains are walked by the module");
	else
		doctor_say(doctor, FOUND_FAIL, "enabled", "echo 1 >" DOCTOR_SYSFS "/enabled",
			   "the module is off: chains are the kernel's own walker's");
}

static void say_hook(struct doctor *doctor)
{
	char hook[16];

	if (doctor_read_line(DOCTOR_SYSFS "/hook", hook, sizeof(hook)))
		doctor_say(doctor, FOUND_WARN, "hook", "mount sysfs on /sys",
			   "which hook the module uses is not visible");
	else if (!strcmp(hook, "ftrace"))
		doctor_say(doctor, FOUND_OK, "hook", "", "ftrace, which sees every sample");
	else
		doctor_say(doctor, FOUND_WARN, "hook",
			   "load the module anew with kernel.ftrace_enabled=1, on a kernel that has ftrace",
			   "%s: samples taken in kprobes keep the kernel's own chain", hook);
}

static void say_default(struct doctor *doctor)
{
	char abi[16];

	if (doctor_read_line(DOCTOR_SYSFS "/default_abi", abi, sizeof(abi)))
		return;
	if (!strcmp(abi, "auto"))
		doctor_say(doctor, FOUND_OK, "default", "",
			   "each file's own functions say its ABI");
	else
		doctor_say(doctor, FOUND_WARN, "default", "a32uwctl default auto",
			   "files without a rule are taken for %s, whatever is in them", abi);
}

void doctor_module(struct doctor *doctor)
{
	if (!doctor->is_loaded) {
		doctor_say(doctor, FOUND_FAIL, "module", "modprobe a32uwind, or insmod a32uwind.ko",
			   "a32uwind.ko is not loaded: chains are the kernel's own walker's");
		return;
	}
	doctor_say(doctor, FOUND_OK, "module", "", "a32uwind.ko is loaded");
	say_device(doctor);
	say_enabled(doctor);
	say_hook(doctor);
	say_default(doctor);
}
