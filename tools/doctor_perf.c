// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor.h"
#include "names.h"

#define SYSCTL "/proc/sys/kernel/"
#define MAX_STACK 127		/* what the kernel begins with */

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

static bool can_run(const char *dir, size_t len, const char *name)
{
	char path[512];
	int n = snprintf(path, sizeof(path), "%.*s/%s", (int)len, dir, name);

	return n > 0 && n < (int)sizeof(path) && !access(path, X_OK);
}

static bool is_in_path(const char *name)
{
	const char *dir = getenv("PATH");
	size_t len;

	for (; dir && *dir; dir += len + (dir[len] == ':')) {
		len = strcspn(dir, ":");
		if (len && can_run(dir, len, name))
			return true;
	}
	return false;
}

/* "perf version 6.1.140"; Debian's perf is a script that looks for the kernel's. */
static bool perf_version(char *line, size_t size)
{
	FILE *perf = popen("perf --version 2>/dev/null", "re");
	bool ok = perf && fgets(line, (int)size, perf);

	if (!ok)
		*line = '\0';
	line[strcspn(line, "\n")] = '\0';
	return perf && !pclose(perf) && ok;
}

static void say_perf(struct doctor *doctor)
{
	char version[80];

	if (!is_in_path("perf"))
		doctor_say(doctor, FOUND_FAIL, "perf", "install it (Debian: linux-perf)",
			   "there is no perf in PATH");
	else if (!perf_version(version, sizeof(version)))
		doctor_say(doctor, FOUND_FAIL, "perf",
			   "install the one of this kernel (Debian: linux-perf)",
			   "'perf --version' fails");
	else
		doctor_say(doctor, FOUND_OK, "perf", "", "%s", version);
}

static bool has_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &header, data) &&
	       data[capability / 32].effective >> capability % 32 & 1;
}

static void say_paranoid(struct doctor *doctor)
{
	long paranoid = doctor_read_number(SYSCTL "perf_event_paranoid", -100);
	bool is_root = has_capability(CAP_PERFMON) || has_capability(CAP_SYS_ADMIN);

	if (paranoid == -100)
		doctor_say(doctor, FOUND_FAIL, "paranoid", "use a kernel with CONFIG_PERF_EVENTS",
			   "there is no sysctl kernel.perf_event_paranoid: the kernel has no perf");
	else if (paranoid <= 2)
		doctor_say(doctor, FOUND_OK, "paranoid", "",
			   "kernel.perf_event_paranoid is %ld: users can sample their programs",
			   paranoid);
	else if (is_root)
		doctor_say(doctor, FOUND_OK, "paranoid", "",
			   "kernel.perf_event_paranoid is %ld: root can sample, other users can't",
			   paranoid);
	else
		doctor_say(doctor, FOUND_FAIL, "paranoid",
			   "be root, or sysctl kernel.perf_event_paranoid=2",
			   "kernel.perf_event_paranoid is %ld: this user can't sample", paranoid);
}

/* How many chains the module has seen end for want of room. */
static unsigned long chains_cut(void)
{
	FILE *stats = fopen(DOCTOR_SYSFS "/stats", "re");
	unsigned long number, cut = 0;
	char name[32];

	if (!stats)
		return 0;
	while (fscanf(stats, "%31s %lu", name, &number) == 2)
		if (!strcmp(name, name_stop(A32_STOP_MAX_STACK)))
			cut = number;
	fclose(stats);
	return cut;
}

static void say_max_stack(struct doctor *doctor)
{
	static const char todo[] =
		"to raise it while no perf runs: sysctl kernel.perf_event_max_stack=1024";
	long max_stack = doctor_read_number(SYSCTL "perf_event_max_stack", 0);
	unsigned long cut = chains_cut();

	if (!max_stack)
		return;
	if (cut)
		doctor_say(doctor, FOUND_WARN, "max_stack", todo,
			   "%lu chains had more entries than perf took (now %ld)", cut, max_stack);
	else
		doctor_say(doctor, max_stack < MAX_STACK ? FOUND_WARN : FOUND_OK, "max_stack", todo,
			   "perf takes %ld entries of a chain, and cuts deeper stacks (Python's)",
			   max_stack);
}

void doctor_perf(struct doctor *doctor)
{
	say_perf(doctor);
	say_paranoid(doctor);
	say_max_stack(doctor);
}
