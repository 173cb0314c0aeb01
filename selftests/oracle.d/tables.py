#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""tables.py [-r] OUT

Reads what selftests/nofp-table has put into the folder OUT, and prints a section
of Documentation/accuracy.md, or with -r the figures, a row and source a line.
"""
import argparse
import collections
import os
import sys

import document
import report

SOURCES = {
    "debug_frame": "`.debug_frame`, of `-g`, and the machine code where that is wrong or says nothing",
    "exidx": "`.ARM.exidx`, of `-funwind-tables`, and the machine code",
    "code": "the machine code alone",
}
TOP = 12


def read(out):
    """{(row, source): {way: run}}"""
    runs = {}
    for row in report.read_lines(out, "rows"):
        for source in SOURCES:
            paths = {way: os.path.join(out, f"{row}.{source}.{way}") for way in ("warm", "signals")}
            if os.path.exists(paths["warm"]):
                runs[row, source] = {way: report.read_run(path) for way, path in paths.items()}
    return runs


def labels(out):
    """{way: what people call it}"""
    fields = [line.replace("_", " ").split("|") for line in report.read_lines(out, "describe")]
    return {field[0]: f"{field[1]} {field[3]}" for field in fields if len(field) == 4}


def by_way(runs, way, source):
    return report.add(run["warm"] for (row, s), run in runs.items() if s == source and row.split("-")[0] == way)


def way_table(runs, names):
    for way in dict.fromkeys(row.split("-")[0] for row, _ in runs):
        sums = [by_way(runs, way, source) for source in SOURCES]
        yield (names.get(way, way), document.count(sum(x.boundaries for x in sums)),
               *(document.percent(x.exact, x.boundaries) for x in sums), sum(x.wrong for x in sums))


def shorts(runs, source):
    """(reason, function, chains), the most frequent first"""
    sums = collections.Counter()
    for (_, s), run in runs.items():
        if s == source:
            for (verdict, reason, function), n in run["warm"].places.items():
                if verdict == "short":
                    sums[reason, function] += n
    return sums


def short_table(runs, by_hand):
    for source in SOURCES:
        sums = shorts(runs, source)
        total, in_hand = sum(sums.values()), sum(n for (_, f), n in sums.items() if f in by_hand)
        places = ", ".join(f"{function} {document.count(n)}" for (_, function), n in
                           collections.Counter({k: n for k, n in sums.items() if k[1] not in by_hand}).most_common(TOP))
        yield source, document.count(total), document.count(in_hand), places


def text(runs, out):
    yield "## Code without frame pointers, by unwind tables"
    yield ""
    yield from document.paragraph("""The corpus, built with `-fomit-frame-pointer`, ARM and Thumb, at each level, and walked
        at every instruction by unwind tables of each source: """ + "; ".join(
            f"{name}: {what}" for name, what in SOURCES.items()) + """. In column code are also programs without either at
        -O2 and -Os.""")
    head = ("compiler", "boundaries", *(f"{source} exact %" for source in SOURCES), "wrong")
    yield from document.table(head, way_table(runs, labels(out)))
    alone = {way: report.add(run[way] for run in runs.values()) for way in ("warm", "signals")}
    yield from document.paragraph(f"""With a signal each 101 instructions, {document.percent(
        alone["signals"].exact, alone["signals"].boundaries)} % of {document.count(alone["signals"].boundaries)} chains are
        exact, and {alone["signals"].wrong} wrong; without, {document.percent(alone["warm"].exact,
        alone["warm"].boundaries)} % and {alone["warm"].wrong}.""")
    yield from document.paragraph("""Where the others end, without signals: in functions that are written in assembly, and
        in which of the compilers' own most often.""")
    yield from document.table(("source", "short", "in assembly", "in compilers' functions"), short_table(runs, document.assembly()))


def print_lines(runs):
    named = {f"{row}.{source}": run["warm"] for (row, source), run in runs.items()}
    report.print_table(named)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-r", dest="lines", action="store_true")
    parser.add_argument("out")
    args = parser.parse_args()

    runs = read(args.out)
    bad = [report.complain(way, {f"{row}.{source}": run[way] for (row, source), run in runs.items()})
           for way in ("warm", "signals")]
    if args.lines:
        print_lines(runs)
    else:
        print("\n".join(text(runs, args.out)))
    return not runs or any(bad)


if __name__ == "__main__":
    sys.exit(main())
