#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""report.py REASONS OUT

Prints Documentation/tables.md out of what measure.py and compare.py have put into the
folder OUT. Exits with 1 when a limit is exceeded, or a difference isn't explained.
"""
import collections
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle.d"))
import document

LIMIT_SECONDS, LIMIT_MIB, LIMIT_LIBC, LIMIT_ROW = 60, 1024, 150000, 8
SHOWN = 8

# What each verdict of analyse_compare is about
VERDICTS = {
    "differ": "they say different things, and both seem to be sure",
    "cfi wrong": "where the file is entered when it is run: there is no caller, whatever `.debug_frame` says",
    "cfi stale": """`.debug_frame` says the same before and behind an instruction that moves what the CFA counts from:
        GCC where an epilogue raises sp in two steps, LLVM in all epilogues""",
    "cfi early": """`.debug_frame` has a register saved where it isn't yet: LLVM in prologues, and what glibc's
        _dl_runtime_resolve() has popped""",
    "lost": "the code has lost track of r7 or r11",
    "stop": "the code does not tell where the caller is",
    "no data": """no way leads there: what is behind a call that does not return, what only an unknown jump leads to, and
        getcontext() and mcount(), whose return address comes out of memory""",
    "not found": "nothing in the stripped file leads to the function: it is called by nobody, or by a pointer that isn't seen",
}
# Of these, the file of reasons says why, function by function.
BY_HAND = ("differ", "lost", "stop")


def read(out, name):
    with open(os.path.join(out, name), encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def read_reasons(path):
    """[(file, function, verdict, reason)]; the first three are regular expressions"""
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def built_table(built):
    for name, size, seconds, memory, functions, rows, table, same in built:
        yield (name, f"{float(size):.1f}", seconds, memory, document.count(int(functions)), document.count(int(rows)),
               document.count(int(table)), f"{int(table) / max(int(rows), 1):.1f}", same)


def exceeded(built):
    for name, _, seconds, memory, _, rows, table, same in built:
        if float(seconds) > LIMIT_SECONDS or int(memory) > LIMIT_MIB:
            yield f"{name} takes {seconds} s and {memory} MiB"
        if int(table) > LIMIT_ROW * int(rows):
            yield f"{name}: {int(table) / int(rows):.1f} bytes a row"
        if name.startswith("libc.so.6") and int(table) > LIMIT_LIBC:
            yield f"{name}: a table of {table} bytes"
        if same != "yes":
            yield f"{name}: the board's tool does not make the same table"


class Comparison:
    """All files of one name"""

    def __init__(self):
        self.bytes = collections.Counter()
        self.figures = collections.Counter()
        self.functions = collections.Counter()

    def add(self, kind, *field):
        if kind == "bytes":
            self.bytes[field[0]] += int(field[1])
        elif kind == "functions":
            self.figures["functions"] += int(field[0])
            self.figures["same"] += int(field[1])
        elif kind == "function":
            self.functions[field[0], field[1]] += int(field[2])
        else:
            self.figures[kind] += int(field[0])

    def by_verdict(self, verdict):
        return collections.Counter({name: n for (v, name), n in self.functions.items() if v == verdict})


def read_comparisons(out):
    files = {}
    for name, *field in read(out, "compared"):
        files.setdefault(name, Comparison()).add(*field)
    return files


def compared_table(files):
    for name, c in files.items():
        size = sum(c.bytes.values())
        yield (name, document.count(c.figures["functions"]), document.count(c.figures["same"]), document.count(size),
               document.percent(c.bytes["agree"], size), *(document.count(sum(c.by_verdict(v).values())) for v in VERDICTS))


def corrected_table(files):
    for name, c in files.items():
        yield (name, *(document.count(c.figures[x]) for x in ("covered", "corrected", "doubted")))


def reason(reasons, file, function, verdict):
    for file_re, function_re, verdict_re, text in reasons:
        if re.fullmatch(file_re, file) and re.fullmatch(function_re, function) and re.fullmatch(verdict_re, verdict):
            return text
    return None


def by_reason(files, reasons):
    """{(verdict, reason): {function in file: bytes}}"""
    groups = collections.defaultdict(collections.Counter)
    for file, c in files.items():
        for (verdict, function), size in c.functions.items():
            if verdict in BY_HAND:
                groups[verdict, reason(reasons, file, function, verdict)][f"{function} ({file})"] += size
    return groups


def list_of(counter):
    shown = [f"{name} {document.count(n)}" for name, n in counter.most_common(SHOWN)]
    more = len(counter) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more > 0 else "")


def built_text(built):
    yield "## What they take"
    yield ""
    yield from document.paragraph(f"""Each is of all that there is: with +debug, of the file with its debug file; else, of the stripped file alone. Limits are {LIMIT_SECONDS} seconds of processor time and {LIMIT_MIB} MiB of memory for each file,
        {LIMIT_LIBC // 1000} KB for libc.so.6, and {LIMIT_ROW} bytes a row. *Same* is whether the
        tool for armhf, run by qemu-arm, makes the same table, byte by byte.""")
    yield from document.table(("file", "MB", "seconds", "MiB", "functions", "rows", "bytes", "bytes a row", "same"),
                              built_table(built))


def corrected_text(files):
    yield "## Call frame information that is wrong"
    yield ""
    yield from document.paragraph("""Bytes of code that `.debug_frame` is about; of how many of them `a32uwctl table build` takes what the
        code says instead, and how many are stop, because it is not certain which of the two is right, or the code does not
        tell at all.""")
    yield from document.table(("file", "bytes", "corrected", "stop"), corrected_table(files))


def compared_text(files, groups):
    yield "## Machine code against .debug_frame"
    yield ""
    yield from document.paragraph("""What the machine code alone says, with no more than a stripped file has, against `.debug_frame`, at each
        instruction that both know, function by function. *Same* are functions that agree at every instruction; the columns
        behind *agree %* are the bytes that do not.""")
    yield from document.table(("file", "functions", "same", "bytes", "agree %", *VERDICTS), compared_table(files))
    for verdict, text in VERDICTS.items():
        yield from document.paragraph(f"*{verdict}*: {text}.")
    yield from document.paragraph("Why the code does not tell, or says something else, with the functions and how many of their bytes:")
    for (verdict, text), functions in sorted(groups.items(), key=lambda x: (x[0][0], str(x[0][1]))):
        lines = list(document.paragraph(f"- {verdict}: {text or 'unexplained'}: {list_of(functions)}"))
        yield from (line if not i else "  " + line for i, line in enumerate(lines[:-1]))
    yield ""


def text(built, files, groups):
    yield "# Unwind tables"
    yield ""
    yield "Written by `make unwind-tables`."
    yield ""
    yield from built_text(built)
    yield from corrected_text(files)
    yield from compared_text(files, groups)


def main():
    reasons, out = sys.argv[1:]
    built, files = read(out, "built"), read_comparisons(out)
    groups = by_reason(files, read_reasons(reasons))
    print("\n".join(text(built, files, groups)).rstrip())
    bad = list(exceeded(built))
    bad += [f"no reason for {verdict} in {list_of(functions)}" for (verdict, why), functions in groups.items() if not why]
    for line in bad:
        print(f"unwind-tables: {line}", file=sys.stderr)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
