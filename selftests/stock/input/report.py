# SPDX-License-Identifier: GPL-2.0
"""
A report of what a log says: its lines are taken apart with re, counted, sorted,
put together as JSON, and compressed. For the flame graphs: each part is a
function of its own, in C and in Python.
"""
import json
import re
import sys
import zlib

LINE = re.compile(r"(\S+) (\w+)\[(\d+)\]: (.*?) took (\d+) ms")


def log(seed, count):
    for i in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield "10:%02d:%02d unit%d[%d]: job %x took %d ms" % (i // 60 % 60, i % 60, seed % 7, i, seed, seed % 1000)


def parse(lines):
    for line in lines:
        match = LINE.match(line)
        if match:
            yield {"at": match[1], "unit": match[2], "job": match[4], "ms": int(match[5])}


def slowest(jobs, count):
    return sorted(jobs, key=lambda job: (-job["ms"], job["unit"]))[:count]


def by_unit(jobs):
    units = {}
    for job in jobs:
        units.setdefault(job["unit"], []).append(job["ms"])
    return {unit: sum(times) / len(times) for unit, times in units.items()}


def report(seed):
    jobs = list(parse(log(seed, 600)))
    text = json.dumps({"slowest": slowest(jobs, 300), "units": by_unit(jobs)}, indent=1)
    return len(zlib.compress(text.encode(), 6)), len(json.loads(text)["slowest"])


def main(rounds):
    print(sum(sum(report(seed)) for seed in range(rounds)))


main(int(sys.argv[1]))
