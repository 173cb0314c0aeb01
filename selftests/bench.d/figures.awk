# SPDX-License-Identifier: GPL-2.0
#
# Reads what "guest" prints; prints NAME <tab> VALUE <tab> UNIT, and what is not as it has to be on standard error.

function figure(name, value, unit) {
	format = (value == int(value) || value >= 100) ? "%s\t%.0f\t%s\n" : "%s\t%.1f\t%s\n"
	printf format, name, value, unit
}

function trouble(text) {
	print "bench: " text >"/dev/stderr"
	bad = 1
}

# In shorter chains, how the pc is analysed depends on its callers.
BEGIN {
	FIT_FROM = 4
}

# What one sample with a chain costs more than one without, by the time that the program took
function by_perf(name) {
	return (ran[name] - ran["plain"]) / samples[name]
}

# The least-squares line through a walker's chains of one ABI. Its slope is what a frame costs.
function fit(key,    i, d, slope, start, far) {
	slope = (nr[key] * sxy[key] - sx[key] * sy[key]) / (nr[key] * sxx[key] - sx[key] ^ 2)
	start = (sy[key] - slope * sx[key]) / nr[key]
	for (i = 1; i <= nr[key]; i++) {
		d = y[key, i] - start - slope * x[key, i]
		if (d < 0)
			d = -d
		if (d > far)
			far = d
	}
	if (far > 1)
		trouble("cost is no straight line: " key " is off by " far)
	if (far > deviation)
		deviation = far
	return slope
}

function tidy(cost) {
	return int(cost * 10 + 0.5) / 10
}

function per_frame(fifty, hundred) {
	return tidy((hundred - fifty) / 50)
}

$1 == "walker" {
	walker = $2
}

$1 == "top" {
	top[walker, $2] = $3
}

$1 == "frames" {
	key = walker " " $2
	if ($3 == 0)
		one[walker, $2] = $5
	else if ($2 != "none" && $3 >= FIT_FROM) {
		if ($4 != $3 + 1)
			trouble(key ": " $4 " entries for " $3 " callers")
		i = ++nr[key]
		x[key, i] = $3
		y[key, i] = $5
		sx[key] += $3
		sy[key] += $5
		sxx[key] += $3 ^ 2
		sxy[key] += $3 * $5
	}
}

$1 == "first" {
	first[walker, $2, $3] = $4
}

$1 == "lookup" {
	cost[$2, $3, $4] = $5
	if (!(($2, $3) in have)) {
		have[$2, $3] = 1
		lookups[++n_lookups] = $2 " " $3
	}
}

$1 == "table" && $2 == "top" {
	table_top[$3] = $4
}

$1 == "table" && $2 != "top" {
	table[$2, $3, $4] = $5
	if (!($3 in have_rows)) {
		have_rows[$3] = 1
		rows[++n_rows] = $3
	}
}

$1 == "topmost" && walker == "table" {
	by_table = $4
	by_table_max = $7
}

$1 == "topmost" && walker == "ftrace" {
	n_top += $3
	sum_top += $3 * $4
	topmost[$2] = $4
	median[$2] = $5
	if ($6 > p99)
		p99 = $6
	if ($7 > max_top)
		max_top = $7
}

$1 == "topmost" && walker == "new" {
	new_top = $4
}

$1 == "prepared" {
	n_prepared++
	prepared += $3
	if ($3 <= 0)
		trouble($2 " was ready at once")
}

$1 == "early" && walker == "ftrace" {
	n_early += $3
	sum_early += $3 * $4
}

$1 == "late" && walker == "ftrace" {
	n_late += $3
	sum_late += $3 * $4
}

$1 == "sample" {
	sample[walker, $2] = $4
	entries[walker, $2] = $5
}

$1 == "map" {
	map[$3, $2] = $4
	if (!($2 in seen)) {
		seen[$2] = 1
		maps[++n_maps] = $2
	}
}

$1 == "ran" {
	ran[$2] = $3 * 1e6
}

$1 == "bytes" {
	samples[$2] = $3
	bytes[$2] = $4
	chain[$2] = $5
}

END {
	I = "instructions"
	figure("stock.fixed", tidy(one["stock", "apcs"]), I)
	figure("stock.frame", tidy(fit("stock apcs")), I)
	figure("fixed.ftrace", tidy(one["ftrace", "none"]), I)
	figure("fixed.kprobe", tidy(one["kprobe", "none"]), I)
	figure("fixed.kprobe-trap", tidy(one["kprobe-trap", "none"]), I)
	n = split("apcs aapcs gcc aapcs-r7", abis)
	for (i = 1; i <= n; i++)
		figure("frame." abis[i], tidy(fit("ftrace " abis[i])), I)
	for (i = 1; i <= n; i++)
		figure("frame.first." abis[i], per_frame(first["ftrace", abis[i], 50],
							 first["ftrace", abis[i], 100]), I)
	figure("frame.table", per_frame(table["known", 100000, 50], table["known", 100000, 100]), I)
	for (i = 1; i <= n_rows; i++) {
		by_rows[rows[i]] = per_frame(table["first", rows[i], 50], table["first", rows[i], 100])
		figure("table." rows[i], by_rows[rows[i]], I)
	}
	figure("table.growth", by_rows[1000000] - by_rows[1000], I)
	figure("topmost.table", tidy(table_top[100000] - one["ftrace", "none"]), I)
	fit("kprobe apcs")
	fit("kprobe-trap apcs")

	figure("topmost.mean.table", tidy(by_table), I)
	figure("topmost.max.table", tidy(by_table_max), I)
	figure("topmost.mean", tidy(sum_top / n_top), I)
	figure("topmost.mean.new", tidy(new_top), I)
	figure("bodies.find", prepared / n_prepared, I)
	figure("topmost.early", tidy(sum_early / n_early), I)
	figure("topmost.late", tidy(sum_late / n_late), I)
	for (i = 1; i <= n; i++)
		figure("topmost." abis[i], tidy(topmost[abis[i]]), I)
	for (i = 1; i <= n; i++)
		figure("topmost.median." abis[i], tidy(median[abis[i]]), I)
	figure("topmost.p99", p99, I)
	figure("topmost.max", max_top, I)
	figure("topmost.at-call", tidy(top["ftrace", "gcc"] - top["ftrace", "none"]), I)
	figure("topmost.samples", n_top, "samples")

	for (i = 1; i <= n_lookups; i++) {
		split(lookups[i], f, " ")
		name = (f[1] == "two" ? "lookup." : "lookup." f[1] ".") f[2]
		each[f[1], f[2]] = per_frame(cost[f[1], f[2], 50], cost[f[1], f[2], 100])
		figure(name, each[f[1], f[2]], I)
	}
	figure("lookup.growth", each["two", 10000] - each["two", 10], I)

	figure("sample.stock", tidy(sample["stock", "apcs"]), I)
	figure("sample.module", tidy(sample["ftrace", "apcs"]), I)
	# What is left of a sample in real code, for each entry behind the first
	figure("sample.frame", tidy((sample["ftrace", "apcs"] - one["ftrace", "none"] - topmost["apcs"]) / \
				    (entries["ftrace", "apcs"] - 1)), I)
	figure("sample.stock.entries", entries["stock", "apcs"], "entries")
	figure("sample.module.entries", entries["ftrace", "apcs"], "entries")

	figure("perf.stock", tidy(by_perf("stock")), I)
	figure("perf.module", tidy(by_perf("module")), I)
	figure("perf.slowdown", tidy((ran["module"] / ran["plain"] - 1) * 100), "%")

	for (i = 1; i <= n_maps; i++) {
		figure("map." maps[i] ".stock", map["stock", maps[i]], I)
		figure("map." maps[i] ".module", map["ftrace", maps[i]], I)
		figure("map." maps[i] ".kprobe", map["kprobe", maps[i]], I)
	}

	n = split("stock module dwarf", kinds)
	for (i = 1; i <= n; i++)
		figure("bytes." kinds[i], bytes[kinds[i]], "bytes")
	for (i = 1; i <= n; i++)
		figure("bytes." kinds[i] ".entries", chain[kinds[i]], "entries")
	figure("deviation", deviation, I)
	exit bad
}
