// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "doctor.h"
#include "json.h"
#include "msg.h"

static const char *const names[] = { "ok", "warn", "fail" };

static void print(enum finding finding, const char *check, const char *found, const char *todo)
{
	printf("%-4s  %-15s  %s", names[finding], check, found);
	if (*todo)
		printf("; %s", todo);
	putchar('\n');
	/* What comes next may take a while. */
	fflush(stdout);
}

json_t *doctor_say(struct doctor *doctor, enum finding finding, const char *check, const char *todo,
		   const char *fmt, ...)
{
	json_t *object = json_new_object();
	char *found;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&found, fmt, ap) < 0)
		msg_no_memory();
	va_end(ap);

	if (!doctor->json)
		print(finding, check, found, todo);
	json_put_name(object, "check", check);
	json_put_name(object, "result", names[finding]);
	json_put_path(object, "found", found);
	json_put_name(object, "todo", todo);
	json_add(doctor->checks, object);
	doctor->counts[finding]++;
	free(found);
	return object;
}

int doctor_read_line(const char *path, char *line, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, line, size - 1);
	int err = len < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	line[len < 0 ? 0 : len] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return err;
}

long doctor_read_number(const char *path, long otherwise)
{
	char line[32], *end;
	long number;

	if (doctor_read_line(path, line, sizeof(line)))
		return otherwise;
	number = strtol(line, &end, 10);
	return end == line ? otherwise : number;
}

static int finish(struct doctor *doctor)
{
	enum finding worst = doctor->counts[FOUND_FAIL] ? FOUND_FAIL :
			     doctor->counts[FOUND_WARN] ? FOUND_WARN : FOUND_OK;
	json_t *object;

	if (doctor->json) {
		object = json_new_object();
		json_put_name(object, "result", names[worst]);
		json_put(object, "checks", json_incref(doctor->checks));
		json_print(object);
	}
	if (worst != FOUND_FAIL)
		return DONE;
	return msg_fail("%u of %zu checks failed; do what they say, the first one first",
			doctor->counts[FOUND_FAIL], json_array_size(doctor->checks));
}

int command_doctor(const struct args *args)
{
	struct doctor doctor = { .json = args_json(args) };
	int status;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	doctor.checks = json_new_array();
	doctor.ctl = ctl_try_open();
	doctor.is_loaded = !access(DOCTOR_SYSFS, F_OK);

	doctor_kernel(&doctor);
	doctor_options(&doctor);
	doctor_module(&doctor);
	doctor_perf(&doctor);
	doctor_cost(&doctor);
	doctor_chains(&doctor);
	status = finish(&doctor);

	if (doctor.ctl >= 0)
		close(doctor.ctl);
	json_decref(doctor.checks);
	return status;
}
