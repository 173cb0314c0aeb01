# SPDX-License-Identifier: GPL-2.0
#
# awk [-v format=tsv] -f table.awk results.tsv
#
# How many chains get to where their thread begins, how many show what can't be, and in which files the others end. As
# tsv, a line is
#	PROGRAM PHASE outermost SAMPLES OUTERMOST SHORT WRONG
# with PHASE as in the script guest. Samples of user code only, of the first event that each program was sampled with.

BEGIN {
	FS = OFS = "\t"
	title["stock"] = "-g"
	title["module"] = "-g, a32uwind loaded"
	title["tables"] = "-g, a32uwind, tables"
	title["watch"] = "-g, watch, first"
	title["watched"] = "-g, watch, second"
}

# The counts of a sample come before where its chain ended.
$1 == "count" {
	key = $2 SUBSEP $3
	if (!(key in event)) {
		event[key] = $4
		order[++rows] = key
	}
	if (event[key] != $4 || $5 != "user")
		next
	samples[key] = $6
	entries[key] = $7
	outermost[key] = $8
	short[key] = $9 + $10
	wrong[key] = $11 + $12
}

$1 == "early" && event[$2, $3] == $4 && listed[$2, $3]++ < 3 {
	key = $2 SUBSEP $3
	files[key] = files[key] (files[key] == "" ? "" : ", ") $5 " " $6
}

function percent(n, all) {
	return all ? sprintf("%.2f %%", 100 * n / all) : "-"
}

END {
	if (format != "tsv")
		printf "  %-13s %-21s %7s %14s %9s %8s  %s\n", "program", "perf record", "samples", "entries/sample", "outermost",
			"WRONG", "ended early in"
	for (i = 1; i <= rows; i++) {
		key = order[i]
		split(key, part, SUBSEP)
		if (format == "tsv") {
			print part[1], part[2], "outermost", samples[key], outermost[key], short[key], wrong[key]
			continue
		}
		printf "  %-13s %-21s %7d %14.1f %9s %8s  %s\n", part[1] == last ? "" : part[1], title[part[2]], samples[key],
			samples[key] ? entries[key] / samples[key] : 0, percent(outermost[key], samples[key]),
			percent(wrong[key], samples[key]), files[key]
		last = part[1]
	}
}
