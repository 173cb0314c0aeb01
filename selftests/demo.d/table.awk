# SPDX-License-Identifier: GPL-2.0
#
# awk [-v format=tsv] -f table.awk sizes.tsv WALKER-NAME.tsv...
#
# How many chains are exact, short and wrong, and what a sample costs. As tsv, a line is
#	PROGRAM WALKER WHERE SAMPLES EXACT SHORT WRONG
# with WHERE own, libc (a library without symbols) or kernel, and
#	PROGRAM WALKER bytes BYTES-A-SAMPLE

BEGIN {
	FS = OFS = "\t"
	title["stock"] = "-g"
	title["dwarf"] = "--call-graph dwarf"
	title["after"] = "-g, a32uwind loaded"
	place["body"] = place["edge"] = place["leaf"] = "own"
	place["library"] = "libc"
	place["kernel"] = "kernel"
}

$1 == "size" && $5 {
	bytes[$2, $3] = int($4 / $5 + 0.5)
}

$1 == "count" && $4 in place {
	key = $2 SUBSEP $3
	if (!(key in known)) {
		known[key] = 1
		order[++rows] = key
	}
	where = place[$4]
	exact[key, where] += $5
	short[key, where] += $6
	wrong[key, where] += $7
}

function percent(n, all) {
	return all ? sprintf("%.1f %%", 100 * n / all) : "-"
}

function tsv(key, part, where) {
	print part[1], part[2], where, exact[key, where] + short[key, where] + wrong[key, where], exact[key, where] + 0,
		short[key, where] + 0, wrong[key, where] + 0
}

function columns(key, where,    all) {
	all = exact[key, where] + short[key, where] + wrong[key, where]
	return sprintf("%7d %8s %8s %8s", all, percent(exact[key, where], all), percent(short[key, where], all),
		percent(wrong[key, where], all))
}

END {
	if (format != "tsv") {
		printf "  %-43s %s    %s\n", "", "sampled in the program's own code", "in libc, or the kernel"
		printf "  %-18s %-20s %7s %8s %8s %8s   %8s %8s  %s\n", "program", "perf record", "samples", "exact", "short",
			"WRONG", "samples", "WRONG", "bytes/sample"
	}
	for (i = 1; i <= rows; i++) {
		key = order[i]
		split(key, part, SUBSEP)
		if (format == "tsv") {
			tsv(key, part, "own")
			tsv(key, part, "libc")
			tsv(key, part, "kernel")
			print part[1], part[2], "bytes", bytes[key]
			continue
		}
		bad = wrong[key, "libc"] + wrong[key, "kernel"]
		other = exact[key, "libc"] + short[key, "libc"] + exact[key, "kernel"] + short[key, "kernel"] + bad
		printf "  %-18s %-20s %s   %8d %8s  %12d\n", part[1] == last ? "" : part[1], title[part[2]], columns(key, "own"),
			other, percent(bad, other), bytes[key]
		last = part[1]
	}
}
