#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""compare.py TOOL COMPARE OUT

Compares each file in OUT/with-debug with its .debug_frame by COMPARE
(selftests/host/analyse_compare), and writes the lines that it prints, with the file's
name in front, to OUT/compared; and how many bytes "table build" corrects in its rows.
"""
import os
import subprocess
import sys


def compare(program, name, path, debug):
    command = [program, "-r", "-s", *(["-d", debug] if debug else []), path]
    # It fails where .debug_frame is wrong: that is in what it prints.
    for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines():
        field = line.split("\t")
        if len(field) > 1:
            yield (name, *field)
        elif line.startswith("# ") and " bytes " in line and "functions," not in line:
            verdict, size = line[2:].split(" bytes ")[0].rsplit(None, 1)
            yield (name, "bytes", verdict, size)


def corrected(tool, table, name, path, debug):
    command = [tool, "table", "build", path, "-o", table, *(["--debug", debug] if debug else [])]
    for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        field = line.split("\t")
        if field[0] in ("corrected", "doubted"):
            yield (name, *field)
        elif field[0] == "debug_frame":
            yield (name, "covered", field[3])


def main():
    tool, program, out = sys.argv[1:]
    with open(os.path.join(out, "with-debug"), encoding="utf-8") as files, \
            open(os.path.join(out, "compared"), "w", encoding="utf-8") as compared:
        for line in files:
            name, path, debug = line.rstrip("\n").split("\t")
            for fields in (*compare(program, name, path, debug),
                           *corrected(tool, os.path.join(out, "table"), name, path, debug)):
                print(*fields, sep="\t", file=compared)


if __name__ == "__main__":
    main()
