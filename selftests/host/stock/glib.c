// SPDX-License-Identifier: GPL-2.0
/* What programs do with GLib: its containers and parsers, and callbacks out of them */
#include <glib.h>

static gint compare(gconstpointer a, gconstpointer b, gpointer data)
{
	(*(guint *)data)++;
	return g_strcmp0(a, b);
}

static void sum_up(gpointer key, gpointer value, gpointer data)
{
	*(guint *)data += g_str_hash(key) % 1000 + GPOINTER_TO_UINT(value);
}

static gboolean visit(gpointer key, gpointer value, gpointer data)
{
	g_string_append_printf(data, "%s-%u ", (char *)key, GPOINTER_TO_UINT(value));
	return FALSE;
}

static guint containers(gchar **words)
{
	GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GTree *tree = g_tree_new((GCompareFunc)g_strcmp0);
	GString *out = g_string_new(NULL);
	guint sum = 0, i;
	GList *list = NULL;

	for (i = 0; words[i]; i++) {
		g_hash_table_insert(table, g_strdup(words[i]), GUINT_TO_POINTER(i));
		g_tree_insert(tree, words[i], GUINT_TO_POINTER(i));
		list = g_list_prepend(list, words[i]);
	}
	list = g_list_sort_with_data(list, compare, &sum);
	g_hash_table_foreach(table, sum_up, &sum);
	g_tree_foreach(tree, visit, out);
	sum += out->len;
	g_list_free(list);
	g_string_free(out, TRUE);
	g_tree_destroy(tree);
	g_hash_table_destroy(table);
	return sum;
}

static gboolean replace(const GMatchInfo *match, GString *result, gpointer data)
{
	gchar *word = g_match_info_fetch(match, 1);
	gchar *upper = g_utf8_strup(word, -1);

	g_string_append(result, upper);
	g_free(upper);
	g_free(word);
	return FALSE;
}

static gchar *parsers(const char *text)
{
	GRegex *regex = g_regex_new("(\\w+ing)\\b", 0, 0, NULL);
	gchar *replaced = g_regex_replace_eval(regex, text, -1, 0, 0, replace, NULL, NULL), *back;
	GVariant *value = g_variant_parse(NULL, "({'a': <[1, 2, 3]>, 'b': <('x', true)>}, 4.5)",
					  NULL, NULL, NULL);
	GKeyFile *file = g_key_file_new();

	g_key_file_load_from_data(file, "[one]\na=1;2;3\n[two]\nb=yes\n", -1, 0, NULL);
	back = g_variant_print(value, TRUE);
	replaced = g_strconcat(replaced, back, g_key_file_to_data(file, NULL, NULL), NULL);
	g_key_file_free(file);
	g_variant_unref(value);
	g_regex_unref(regex);
	g_free(back);
	return replaced;
}

static gboolean tick(gpointer data)
{
	return --*(guint *)data ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void loop(void)
{
	GMainContext *context = g_main_context_new();
	GSource *source = g_idle_source_new();
	guint left = 200;

	g_source_set_callback(source, tick, &left, NULL);
	g_source_attach(source, context);
	while (left)
		g_main_context_iteration(context, FALSE);
	g_source_unref(source);
	g_main_context_unref(context);
}

int main(void)
{
	const char *text = "while everyone was looking and listening, nothing was happening";
	gchar **words = g_strsplit_set(text, " ,", -1), *parsed = NULL;
	guint sum = 0, i;

	for (i = 0; i < 30; i++) {
		sum += containers(words);
		g_free(parsed);
		parsed = parsers(text);
	}
	loop();
	g_print("%u %s\n", sum, parsed);
	g_strfreev(words);
	return !sum;
}
