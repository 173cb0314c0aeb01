// SPDX-License-Identifier: GPL-2.0
/*
 * Settings files: any bytes. What is read is printed again, and that is read as the same
 * rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include "../../tools/conf.h"
#include "fuzz.h"

static u64 read_whole, rules;

/* In a buffer that is just as long: the sanitizers see reads behind it. */
static const char *parse(const void *text, size_t size, struct conf *conf)
{
	char *copy = malloc(size + !size);
	unsigned int line = 0;
	const char *why;

	memcpy(copy, text, size);
	why = conf_parse(copy, size, conf, &line);
	LAW(!why || line <= size + 1);
	free(copy);
	return why;
}

static char *print(const struct conf *conf, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	size_t i;

	for (i = 0; i < conf->nr; i++)
		conf_print(out, &conf->rules[i]);
	fclose(out);
	return text;
}

static void check(const struct conf *conf)
{
	struct conf again;
	size_t size, size_again;
	char *text = print(conf, &size), *text_again;

	LAW(!parse(text, size, &again) && again.nr == conf->nr);
	text_again = print(&again, &size_again);
	LAW(size == size_again && !memcmp(text, text_again, size));
	conf_free(&again);
	free(text_again);
	free(text);
	read_whole++;
	rules += conf->nr;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct conf conf;

	if (!parse(data, size, &conf))
		check(&conf);
	conf_free(&conf);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("files taken", &read_whole);
	fuzz_figure("rules", &rules);
	return 0;
}
