# SPDX-License-Identifier: GPL-2.0
#
# awk -v program=NAME -v functions=N -f chains.awk WALKER-NAME.tsv...
#
# Side by side, for each of the N functions that the last walker saw most often at work: the chain that each walker
# gives for it most often.

BEGIN {
	FS = "\t"
	width = 36
	title["stock"] = "perf record -g"
	title["dwarf"] = "perf record --call-graph dwarf"
	title["after"] = "perf record -g, a32uwind loaded"
}

function fit(text) {
	if (length(text) > width - 2)
		text = substr(text, 1, width - 4) ".."
	return sprintf("%-" width "s", text)
}

# What an entry is called here: a wrong one is marked.
function label(entry, verdict) {
	if (substr(entry, 1, 1) != "!")
		return entry
	entry = substr(entry, 2)
	return sprintf("%-" (width - 14) "s %s", entry, "<-- WRONG")
}

# Fills cell[walker, line]; a chain that is long, as one that goes round in circles is, loses its middle.
function lay_out(walker, chain, verdict,    i, n, entry, line) {
	n = split(chain, entry, ";")
	line = 0
	for (i = 1; i <= n; i++) {
		if (n > 14 && i > 9 && i < n - 2) {
			if (i == 10)
				cell[walker, ++line] = sprintf("  ... %d more ...", n - 12)
			continue
		}
		cell[walker, ++line] = label(entry[i])
	}
	if (verdict == "short")
		cell[walker, ++line] = "(ends early)"
	if (line > lines)
		lines = line
}

$1 == "stack" {
	walker = $3
	if (!(walker in known)) {
		known[walker] = 1
		order[++walkers] = walker
	}
	total[walker] += $4
	top = $6
	sub(/;.*/, "", top)
	seen[walker, top] += $4
	# The first one of a function is its most frequent.
	if (!((walker, top) in best)) {
		best[walker, top] = $6
		verdict[walker, top] = $5
		count[walker, top] = $4
		if (substr(top, 1, 1) != "[")
			tops[walker] = tops[walker] top ";"
	}
}

function row(    i, text) {
	text = ""
	for (i = 1; i <= walkers; i++)
		text = text fit(cell[order[i], current])
	sub(/ +$/, "", text)
	print "  " text
}

function heading(    i) {
	for (i = 1; i <= walkers; i++) {
		cell[order[i], 0] = title[order[i]]
		cell[order[i], -1] = substr("--------------------------------------------", 1, width - 2)
	}
	current = 0
	row()
	current = -1
	row()
}

function show(top,    i, walker, n) {
	split("", cell)
	lines = 0
	for (i = 1; i <= walkers; i++) {
		walker = order[i]
		n = total[walker] ? 100 * count[walker, top] / total[walker] : 0
		cell[walker, -2] = (walker, top) in best ? sprintf("%.1f %% of the samples: %s", n, verdict[walker, top]) : "(no sample here)"
		if ((walker, top) in best)
			lay_out(walker, best[walker, top], verdict[walker, top])
	}
	for (current = 1; current <= lines; current++)
		row()
	current = -2
	row()
	print ""
}

# The function with the most samples comes first, whatever chains it has.
function pick(list,    n, i, best_top, name) {
	n = split(list, name, ";")
	best_top = ""
	for (i = 1; i < n; i++)
		if (!(name[i] in shown) && (best_top == "" || seen[order[walkers], name[i]] > seen[order[walkers], best_top]))
			best_top = name[i]
	shown[best_top] = 1
	return best_top
}

END {
	if (!walkers)
		exit 1
	heading()
	for (f = 0; f < functions; f++)
		show(pick(tops[order[walkers]]))
}
