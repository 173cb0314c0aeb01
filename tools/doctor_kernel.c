// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "doctor.h"
#include "msg.h"

/* Without NEEDED ones there is no module; one of the HOOK ones is enough; see guide.rst */
enum need { NEEDED, FTRACE, KPROBE, OPTIONAL };

/* A kernel that has the option has the symbol. */
static const struct option {
	const char *name;
	const char *symbol;
	enum need need;
} options[] = {
	{ "MODULES",			"module_put",			NEEDED },
	{ "PERF_EVENTS",		"perf_event_mmap",		NEEDED },
	{ "KALLSYMS",			"kallsyms_lookup_name",		NEEDED },
	{ "SYSFS",			"sysfs_create_group",		NEEDED },
	{ "DEVTMPFS",			"devtmpfs_create_node",		NEEDED },
	{ "DYNAMIC_FTRACE_WITH_REGS",	"ftrace_regs_caller",		FTRACE },
	{ "KPROBES",			"register_kprobe",		KPROBE },
	{ "USERFAULTFD",		"userfaultfd_unmap_prep",	OPTIONAL },
	{ "UPROBES",			"uprobe_mmap",			OPTIONAL },
};

typedef bool (*has_fn)(const char *line, const struct option *option);

/* CONFIG_NAME=y */
static bool is_set(const char *line, const struct option *option)
{
	size_t len = strlen(option->name);

	return !strncmp(line, "CONFIG_", 7) && !strncmp(line + 7, option->name, len) &&
	       !strcmp(line + 7 + len, "=y");
}

/* ADDRESS TYPE NAME; a module's have more behind that. */
static bool is_symbol(const char *line, const struct option *option)
{
	const char *name = strrchr(line, ' ');

	return name && !strcmp(name + 1, option->symbol);
}

static unsigned int find(FILE *file, has_fn has)
{
	unsigned int found = 0;
	char *line = NULL;
	size_t size = 0, i;

	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		for (i = 0; i < ARRAY_SIZE(options); i++)
			if (has(line, &options[i]))
				found |= 1u << i;
	}
	free(line);
	return found;
}

static unsigned int find_in(const char *path, has_fn has)
{
	FILE *file = fopen(path, "re");
	unsigned int found;

	if (!file)
		return 0;
	found = find(file, has);
	fclose(file);
	return found;
}

static unsigned int find_in_gzip(const char *path)
{
	unsigned int found;
	char command[64];
	FILE *file;

	snprintf(command, sizeof(command), "gzip -dc %s 2>/dev/null", path);
	file = popen(command, "re");
	if (!file)
		return 0;
	found = find(file, is_set);
	pclose(file);
	return found;
}

/* Each of these is where some systems have it. */
static unsigned int find_anywhere(const char *release, const char **from)
{
	static const char *const places[] = {
		"/boot/config-%s", "/lib/modules/%s/config", "/usr/lib/kernel/config-%s",
	};
	static char path[160];
	unsigned int found;
	size_t i;

	*from = "/proc/config.gz";
	found = find_in_gzip(*from);
	for (i = 0; !found && i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), places[i], release);
		*from = path;
		found = find_in(path, is_set);
	}
	if (found)
		return found;
	*from = "/proc/kallsyms";
	return find_in(*from, is_symbol);
}

/* " CONFIG_X CONFIG_Y" */
static char *list_missing(unsigned int found, enum need need)
{
	size_t i, size = 0;
	char *list = NULL;
	FILE *out = open_memstream(&list, &size);

	if (!out)
		msg_no_memory();
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].need == need && !(found >> i & 1))
			fprintf(out, " CONFIG_%s", options[i].name);
	if (fclose(out))
		msg_no_memory();
	return list;
}

static void say_options(struct doctor *doctor, unsigned int found, const char *from)
{
	char *needed = list_missing(found, NEEDED), *optional = list_missing(found, OPTIONAL);
	char *ftrace = list_missing(found, FTRACE), *kprobe = list_missing(found, KPROBE);

	if (*needed)
		doctor_say(doctor, FOUND_FAIL, "options", "build a kernel that has it",
			   "the kernel lacks%s (%s)", needed, from);
	else if (*ftrace && *kprobe)
		doctor_say(doctor, FOUND_FAIL, "options", "build a kernel that has one of the two",
			   "the module can't be hooked in: the kernel lacks%s and%s (%s)",
			   ftrace, kprobe, from);
	else if (*ftrace)
		doctor_say(doctor, FOUND_WARN, "options",
			   "build the kernel with CONFIG_FUNCTION_TRACER and CONFIG_DYNAMIC_FTRACE",
			   "the kernel lacks%s (%s), so samples taken in kprobes are missed",
			   ftrace, from);
	else if (*optional)
		doctor_say(doctor, FOUND_WARN, "options", "see 'For your own board' in guide.rst",
			   "the kernel lacks%s (%s), which is of use", optional, from);
	else
		doctor_say(doctor, FOUND_OK, "options", "", "the kernel has what is needed (%s)",
			   from);
	free(needed);
	free(optional);
	free(ftrace);
	free(kprobe);
}

void doctor_options(struct doctor *doctor)
{
	struct utsname name;
	unsigned int found;
	const char *from;

	if (uname(&name))
		return;
	found = find_anywhere(name.release, &from);
	if (found)
		say_options(doctor, found, from);
	else if (doctor->is_loaded)
		doctor_say(doctor, FOUND_OK, "options", "",
			   "not visible, but the module is loaded, so it has what is needed");
	else
		doctor_say(doctor, FOUND_FAIL, "options", "build it with CONFIG_KALLSYMS",
			   "the kernel has neither a configuration to be read nor /proc/kallsyms");
}

void doctor_kernel(struct doctor *doctor)
{
	struct utsname name;
	int major, minor;

	if (uname(&name) || sscanf(name.release, "%d.%d", &major, &minor) != 2)
		return;
	if (strncmp(name.machine, "arm", 3))
		doctor_say(doctor, FOUND_FAIL, "kernel", "run it on the board",
			   "Linux %s for %s: the module is for 32-bit ARM kernels",
			   name.release, name.machine);
	else if (major < 6 || (major == 6 && minor < 1))
		doctor_say(doctor, FOUND_FAIL, "kernel", "use Linux 6.1 or newer",
			   "Linux %s is older than the module supports", name.release);
	else
		doctor_say(doctor, FOUND_OK, "kernel", "", "Linux %s, %s",
			   name.release, name.machine);
}
