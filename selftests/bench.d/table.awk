# SPDX-License-Identifier: GPL-2.0
#
# Reads figures; prints them as a table, in Markdown, beside what is aimed at and what they mean.

BEGIN {
	FS = "\t"
	target["fixed.ftrace"] = 400
	target["fixed.kprobe"] = 400
	target["lookup.growth"] = 60
	target["topmost.mean"] = target["topmost.mean.table"] = 150
	target["frame.table"] = 160
	target["table.100000"] = 160
	target["table.growth"] = 60
	target["frame.apcs"] = target["frame.aapcs"] = target["frame.gcc"] = target["frame.aapcs-r7"] = 60
	target["frame.first.apcs"] = target["frame.first.aapcs"] = 60
	target["frame.first.gcc"] = target["frame.first.aapcs-r7"] = 60

	about("stock.fixed", "a sample with one entry, by the stock walker")
	about("stock.frame", "each further entry, by the stock walker, which knows `apcs` only")
	about("fixed.ftrace", "a sample with one entry from a file that follows no ABI; hook and accounting included")
	about("fixed.kprobe", "the same with `hook=kprobe`, once the kernel has made a jump of the probe")
	about("fixed.kprobe-trap", "the same where it can't: each probe is an undefined instruction")
	about("frame.apcs", "each further entry, its return address known from a chain before (see below)")
	about("frame.first.apcs", "each further entry that no chain had before: lookup and all checks")
	about("frame.table", "each further entry by an unwind table of 100,000 rows, its return address known")
	about("table.1000", "the same that no chain had before: lookup and all checks; with that many rows")
	about("table.growth", "from `table.1000` to `table.1000000`")
	about("topmost.table", "a pc that no sample had before, by the unwind table")
	about("topmost.mean", "analysis of the sampled pc, over all samples of SQLite's four builds; on top of `fixed`")
	about("topmost.mean.table", "the same where the file has an unwind table, of the build `aapcs-r7`")
	about("topmost.max.table", "the most expensive pc of these")
	about("topmost.mean.new", "the same of the build `gcc` while the file is new, and the bodies of its functions are being found")
	about("bodies.find", "finding them, once for each file, outside of samples; the mean of the other builds, about 1 MB of code each")
	about("topmost.early", "of the first 1,000 samples of each build")
	about("topmost.late", "of the last quarter")
	about("topmost.apcs", "of one build")
	about("topmost.median.apcs", "its median")
	about("topmost.p99", "what 99 % of the pcs stay below, in the worst of the builds")
	about("topmost.max", "the most expensive pc of all")
	about("topmost.at-call", "a pc that is at a call: nothing has to be searched")
	about("topmost.samples", "how many")
	about("lookup.10", "`frame.first` in another file's mapping than the frame before, between two mappings of 10")
	about("lookup.spread.10", "the same, with the frames spread over all 10 mappings")
	about("lookup.growth", "from `lookup.10` to `lookup.10000`")
	about("sample.stock", "a whole sample of SQLite (`apcs`), chain included")
	about("sample.module", "the same with the module")
	about("sample.frame", "what is left for each further entry, after `fixed` and `topmost`: known ones and new ones")
	about("sample.stock.entries", "entries of such a sample; the stock walker adds what isn't one to some")
	about("perf.stock", "what `-g` adds to a sample, by how long SQLite ran under perf record with and without it")
	about("perf.module", "the same with the module; samples in the C library, which are short, included")
	about("perf.slowdown", "how much longer SQLite ran for `-g` with the module, at 4,000 samples a second of 1e9 instructions")
	about("map.mmap.stock", "mmap() of code; `module` is hook=ftrace")
	about("map.munmap.stock", "munmap() of code")
	about("map.mmap-data.stock", "mmap() of data")
	about("map.munmap-data.stock", "munmap() of data")
	about("map.fork.stock", "fork(), the child's exit, and waiting for it")
	about("map.exec.stock", "posix_spawn() of a static program, and waiting for it")
	about("bytes.stock", "a sample of SQLite (`apcs`) as `perf record -g` writes it")
	about("bytes.module", "the same with the module")
	about("bytes.dwarf", "`perf record --call-graph dwarf`, stock kernel")
	about("bytes.stock.entries", "entries of its chain, marks included, 8 bytes each")
	about("deviation", "the worst distance of a chain of 4 to 100 callers from its straight line")

	print "| figure | value | unit | target | what |"
	print "|---|---:|---|---:|---|"
}

function about(name, text) {
	what[name] = text
}

{
	goal = ""
	if ($1 in target)
		goal = target[$1] (($2 + 0 <= target[$1]) ? ", met" : ", **missed**")
	printf "| `%s` | %s | %s | %s | %s |\n", $1, $2, $3, goal, what[$1]
}
