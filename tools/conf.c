// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "msg.h"
#include "names.h"

/**
 * struct word - a word of a line
 * @text: it, without quotes; "" at the line's end
 * @more: behind the closing quote: the part of a file
 * @quoted: it had quotes
 */
struct word {
	char *text;
	char *more;
	bool quoted;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_octal(const char *text)
{
	return text[0] >= '0' && text[0] <= '3' && text[1] >= '0' && text[1] <= '7' &&
	       text[2] >= '0' && text[2] <= '7';
}

/*
 * Reads what is behind a backslash: another, a quote, or three octal digits.
 * Returns 0 when it is none of these: no name has a NUL.
 */
static char escaped(const char **text)
{
	const char *at = *text;

	if (is_octal(at)) {
		*text += 3;
		return (char)((at[0] - '0') << 6 | (at[1] - '0') << 3 | (at[2] - '0'));
	}
	*text += 1;
	return *at == '\\' || *at == '"' ? *at : '\0';
}

/* In place: what comes out is never longer. */
static const char *unquote(char **line, struct word *word)
{
	const char *from = *line + 1;
	char *to = *line;

	word->text = to;
	word->quoted = true;
	while (*from != '"') {
		if (!*from)
			return "a quote is not closed";
		if (*from != '\\') {
			*to++ = *from++;
			continue;
		}
		from++;
		*to = escaped(&from);
		if (!*to++)
			return "in quotes, write \\\\, \\\", or \\ with three octal digits";
	}
	*to = '\0';
	*line = (char *)from + 1;
	return NULL;
}

/* Cuts the next word off a line. "#" begins a comment where a word would. */
static const char *next_word(char **line, struct word *word)
{
	const char *why = NULL;

	*word = (struct word){ 0 };
	while (is_blank(**line))
		++*line;
	if (**line == '#')
		*line += strlen(*line);
	if (**line == '"')
		why = unquote(line, word);
	word->more = *line;
	if (why)
		return why;
	while (**line && !is_blank(**line) && **line != '"')
		++*line;
	if (**line == '"')
		return "a quote stands inside a word; quote all of it";
	if (**line)
		*(*line)++ = '\0';
	if (!word->quoted)
		word->text = word->more;
	return NULL;
}

static bool is_end(const struct word *word)
{
	return !word->quoted && !*word->text;
}

static const char *parse_part(const char *text, struct range *part)
{
	const char *why;

	switch (parse_range(text, part, &why)) {
	case RANGE_VALID:
		return NULL;
	case RANGE_NONE:
		return "behind '@' is START-END; a name with '@' stands in quotes";
	default:
		return why;
	}
}

/* In quotes an '@' is one of the name; else it is not. */
static const char *read_path(char **line, struct conf_rule *rule)
{
	struct word word;
	const char *why = next_word(line, &word);
	char *at;

	if (why)
		return why;
	if (is_end(&word))
		return "a file is missing";
	at = word.quoted ? word.more : strchr(word.text, '@');
	if (at && *at) {
		if (*at != '@')
			return "text behind a quote";
		if (rule->kind == CONF_TABLE)
			return "a table is for a whole file; a name with '@' stands in quotes";
		*at = '\0';
		why = parse_part(at + 1, &rule->part);
	}
	if (!why && *word.text != '/')
		return "a file's name begins with '/'";
	rule->path = why ? NULL : strdup(word.text);
	if (!why && !rule->path)
		msg_no_memory();
	return why;
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Pairs of digits. Returns how many, or 0. */
static __u32 read_hex(const char *text, __u8 *bytes, __u32 most)
{
	__u32 nr;

	for (nr = 0; nr < most && digit(text[0]) >= 0 && digit(text[1]) >= 0; nr++, text += 2)
		bytes[nr] = (__u8)(digit(text[0]) << 4 | digit(text[1]));
	return *text ? 0 : nr;
}

static const char *read_size(const char *text, struct conf_rule *rule)
{
	char *end;

	errno = 0;
	rule->size = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || rule->has_size)
		return "size=N is one decimal number";
	rule->has_size = true;
	return NULL;
}

static const char *read_build_id(const char *text, struct conf_rule *rule)
{
	if (rule->build_id_size)
		return "build-id is given twice";
	rule->build_id_size = read_hex(text, rule->build_id, sizeof(rule->build_id));
	return rule->build_id_size ? NULL : "build-id=HEX is 1 to 20 bytes, each two of 0-9a-f";
}

static const char *read_crc(const char *text, struct conf_rule *rule)
{
	__u8 bytes[4];

	if (rule->has_crc || read_hex(text, bytes, sizeof(bytes)) != sizeof(bytes))
		return "code-crc=HEX is eight of 0-9a-f, once";
	rule->crc = (__u32)bytes[0] << 24 | (__u32)bytes[1] << 16 | (__u32)bytes[2] << 8 | bytes[3];
	rule->has_crc = true;
	return NULL;
}

static const char *read_identity(char **line, struct conf_rule *rule)
{
	const char *why;
	struct word word;

	while (!(why = next_word(line, &word)) && !is_end(&word)) {
		if (!word.quoted && !strncmp(word.text, "size=", 5))
			why = read_size(word.text + 5, rule);
		else if (!word.quoted && !strncmp(word.text, "build-id=", 9))
			why = read_build_id(word.text + 9, rule);
		else if (!word.quoted && !strncmp(word.text, "code-crc=", 9))
			why = read_crc(word.text + 9, rule);
		else
			why = "behind a file, there are size=N, build-id=HEX and code-crc=HEX only";
		if (why)
			break;
	}
	return why;
}

static const char *read_abi(char **line, struct conf_rule *rule)
{
	struct word word;
	const char *why = next_word(line, &word);

	if (!why && (word.quoted || abi_from_name(word.text, &rule->abi)))
		why = "no such ABI; see 'a32uwctl help default'";
	return why;
}

static const char *read_end(char **line)
{
	struct word word;
	const char *why = next_word(line, &word);

	return why ? why : is_end(&word) ? NULL : "words behind the rule's end";
}

static const char *read_rule(const char *verb, char **line, struct conf_rule *rule)
{
	const char *why = NULL;

	if (!strcmp(verb, "default"))
		rule->kind = CONF_DEFAULT;
	else if (!strcmp(verb, "tag"))
		rule->kind = CONF_TAG;
	else if (!strcmp(verb, "table"))
		rule->kind = CONF_TABLE;
	else
		return "a rule begins with default, tag or table";
	if (rule->kind != CONF_TABLE)
		why = read_abi(line, rule);
	if (!why && rule->kind != CONF_DEFAULT)
		why = read_path(line, rule);
	if (!why && rule->kind != CONF_DEFAULT)
		why = read_identity(line, rule);
	return why ? why : read_end(line);
}

static bool has_default(const struct conf *conf)
{
	size_t i;

	for (i = 0; i < conf->nr; i++)
		if (conf->rules[i].kind == CONF_DEFAULT)
			return true;
	return false;
}

static void add(struct conf *conf, const struct conf_rule *rule)
{
	conf->rules = realloc(conf->rules, (conf->nr + 1) * sizeof(*conf->rules));
	if (!conf->rules)
		msg_no_memory();
	conf->rules[conf->nr++] = *rule;
}

static const char *parse_line(char *line, struct conf *conf, unsigned int number)
{
	struct conf_rule rule = { .line = number };
	const char *why, *c;
	struct word word;

	for (c = line; *c; c++)
		if (iscntrl((unsigned char)*c) && *c != '\t')
			return "it has a control character; in quotes, write it as \\ooo";
	why = next_word(&line, &word);
	if (why || is_end(&word))
		return why;
	why = word.quoted ? "a rule begins with default, tag or table" :
			    read_rule(word.text, &line, &rule);
	if (!why && rule.kind == CONF_DEFAULT && has_default(conf))
		why = "there is a default already";
	if (why)
		free(rule.path);
	else
		add(conf, &rule);
	return why;
}

const char *conf_parse(const char *text, size_t size, struct conf *conf, unsigned int *line)
{
	const char *why = NULL;
	char *copy = malloc(size + 1), *rest = copy;

	*conf = (struct conf){ 0 };
	*line = 0;
	if (!copy)
		msg_no_memory();
	memcpy(copy, text, size);
	copy[size] = '\0';
	while (!why && rest) {
		++*line;
		why = parse_line(strsep(&rest, "\n"), conf, *line);
	}
	/* What is behind it was not read. */
	if (!why && memchr(text, '\0', size))
		why = "it has a NUL byte";
	free(copy);
	return why;
}

void conf_free(struct conf *conf)
{
	while (conf->nr)
		free(conf->rules[--conf->nr].path);
	free(conf->rules);
	*conf = (struct conf){ 0 };
}
