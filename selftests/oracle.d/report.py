#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""report.py [-o DOCUMENT] -s SHAPES OUT

Reads what selftests/oracle has put into the folder OUT. Prints the accuracy
table, a row a line, and writes DOCUMENT.
"""
import argparse
import collections
import os
import re
import sys

import document
import shapes

# What a program's run has come to, with the chains that are not exact by place: (verdict, reason, function)
Run = collections.namedtuple("Run", "boundaries exact short wrong stock places failed")

FIGURES = re.compile(r"^[^ \t]+\t(\d+)\t(\d+)\t(\d+)\t(\d+)\t(\d+)")
PLACE = re.compile(r"^  (short|WRONG) (\S+) x (\d+) at \S+?(?:=([^+]+)\S*)?(?: in \S+?(?:=([^+]+)\S*)?)?$")


def read_run(path):
    figures, places, status = None, collections.Counter(), None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            match = PLACE.match(line)
            if match:
                verdict, reason, times, pc, caller = match.groups()
                places[verdict, reason, caller or pc or "?"] += int(times)
            elif FIGURES.match(line) and not figures:
                figures = [int(x) for x in FIGURES.match(line).groups()]
            elif line.startswith("status "):
                status = int(line.split()[1])
    if not figures:
        return Run(0, 0, 0, 0, 0, places, True)
    return Run(*figures, places, status != 0 and not figures[3])


def read_lines(out, name):
    path = os.path.join(out, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return lines.read().splitlines()


def reasons_of(run):
    """REASON=N,..., the most frequent first; - for none"""
    sums = collections.Counter()
    for (verdict, reason, _), times in run.places.items():
        if verdict == "short":
            sums[reason] += times
    return ",".join(f"{r}={n}" for r, n in sorted(sums.items(), key=lambda x: (-x[1], x[0]))) or "-"


def add(runs):
    runs = list(runs)
    places = collections.Counter()
    for run in runs:
        places.update(run.places)
    sums = [sum(run[i] for run in runs) for i in range(5)]
    return Run(*sums, places, any(run.failed for run in runs))


def print_table(runs):
    for name, run in [*runs.items(), ("total", add(runs.values()))]:
        print(name, run.boundaries, run.exact, run.short, run.wrong, run.stock, reasons_of(run), sep="\t")


def complain(what, runs):
    """Says what must not be. Returns whether there is such."""
    bad = False
    for name, run in runs.items():
        if run.failed:
            print(f"oracle: {name}, {what}: the run failed", file=sys.stderr)
        if run.wrong:
            print(f"oracle: {name}, {what}: {run.wrong} of {run.boundaries} chains are wrong", file=sys.stderr)
        bad |= bool(run.failed or run.wrong)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", dest="document")
    parser.add_argument("-s", dest="shapes", required=True)
    parser.add_argument("out")
    args = parser.parse_args()

    rows, blind = read_lines(args.out, "all_rows"), read_lines(args.out, "blind_rows")
    ways = {}
    for way in ("warm", "cold", "signals"):
        ways[way] = {row: read_run(os.path.join(args.out, f"{row}.{way}")) for row in rows + blind}
    bad = [complain(way, runs) for way, runs in ways.items()]
    print_table({row: ways["warm"][row] for row in rows})
    if args.document:
        text = document.Document(rows, blind, ways, add, shapes.read(args.shapes),
                                 lambda name: read_lines(args.out, name)).text()
        with open(args.document, "w", encoding="utf-8") as file:
            file.write(text)
    return any(bad)


if __name__ == "__main__":
    sys.exit(main())
