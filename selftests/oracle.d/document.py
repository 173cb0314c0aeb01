# SPDX-License-Identifier: GPL-2.0
"""Documentation/accuracy.md"""
import collections
import pathlib
import re
import textwrap

import shapes

Way = collections.namedtuple("Way", "name compiler abi flags")
ABIS = ("apcs", "gcc", "aapcs", "aapcs-r7")
CORPUS = pathlib.Path(__file__).parents[1] / "host" / "corpus"


def percent(part, whole):
    """Never rounded up: 100 is all."""
    if not whole:
        return "-"
    return "100" if part == whole else f"{part * 10000 // whole / 100:.2f}"


def count(number):
    return f"{number:,}"


def assembly():
    """Functions of the corpus that no compiler has made"""
    names = set()
    for path in CORPUS.glob("*.S"):
        names.update(re.findall(r"^\s*begin\s+(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    return names


def table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|---:" * (len(head) - 1) + "|"
    for line in lines:
        yield "| " + " | ".join(str(x) for x in line) + " |"
    yield ""


def paragraph(text):
    yield from textwrap.wrap(" ".join(text.split()), 110, break_long_words=False, break_on_hyphens=False)
    yield ""


class Document:
    """rows and blind: names; ways: for warm, cold and signals, the run of each of them"""

    def __init__(self, rows, blind, ways, add, known_shapes, read_lines):
        self.rows, self.blind, self.add, self.shapes, self.read_lines = rows, blind, add, known_shapes, read_lines
        self.runs = ways["warm"]
        self.others = {"cold": ways["cold"], "signals": ways["signals"]}
        self.ways, self.options = self.describe()

    def describe(self):
        ways, options = {}, {}
        for line in self.read_lines("describe"):
            field = [x.replace("_", " ") for x in line.split("|")]
            if len(field) == 4:
                ways[field[0]] = Way(*field)
            else:
                options[field[0]] = field[1]
        return ways, options

    def way(self, row):
        return self.ways[row.split("-")[0]]

    def total(self, names, runs=None):
        return self.add((runs or self.runs)[x] for x in names)

    def label(self, way):
        return f"{way.compiler.replace('-', ' ')} `{way.flags}`"

    def figures(self, run):
        return [count(run.boundaries), percent(run.exact, run.boundaries), count(run.short), count(run.wrong),
                percent(run.stock, run.boundaries)]

    def answer(self):
        run = self.total(self.rows)
        pairs = sum("-with-" in row for row in self.rows)
        wrong = "No chain is wrong" if not run.wrong else f"**{count(run.wrong)} chains are wrong**"
        yield from paragraph(f"""
            {wrong}, {percent(run.exact, run.boundaries)} % are exact, and {percent(run.short, run.boundaries)} % are
            short: of {count(run.boundaries)} chains, one at each instruction that {len(self.rows)} programs execute. The
            stock walker has {percent(run.stock, run.boundaries)} % exact. The programs are one corpus, built by
            {len(self.read_lines("compilers"))} compilers in {len(self.rows) - pairs} ways and {pairs} mixtures of
            them.""")

    def how(self):
        yield from paragraph("""
            Written by `make oracle`; Documentation/testing.rst says how. A chain is *exact* when it is what was really
            called, entry by entry, from the sampled instruction to the thread's outermost frame; *short* when it ends
            before that, with a counted reason; *wrong* when it has an entry that isn't a caller, or lacks one. Percentages
            are of boundaries between instructions, and are rounded down: 100 is all of them. The corpus has leaf functions
            without any frame, variable arguments, alloca and variable arrays, realigned stacks, saved floating point
            registers, stack protectors, stack clash protection, shrink-wrapped frames, conditional and early returns, and
            tail calls (selftests/host/corpus). It is emulated: there are no interrupts, faults, or missing pages.""")
        yield "## Compilers"
        yield ""
        yield from table(("name", "what it says of itself"),
                         [line.split("\t") for line in self.read_lines("compilers")])
        for line in self.read_lines("missing"):
            name, reason = line.split("\t")
            yield f"Not available: {name}: {reason}."
            yield ""

    def by_abi(self):
        yield "## By frame ABI"
        yield ""
        plain = [row for row in self.rows if "-with-" not in row]
        groups = {abi: [row for row in plain if self.way(row).abi == abi] for abi in ABIS}
        groups["mixtures"] = [row for row in self.rows if "-with-" in row]
        groups["all"] = self.rows
        yield from table(("ABI", "programs", "boundaries", "exact %", "short", "wrong", "stock exact %"),
                         [(name, len(rows), *self.figures(self.total(rows))) for name, rows in groups.items()])

    def matrix(self, ways, suffixes):
        """A line a way, a column a suffix: exact, in percent"""
        for way in ways:
            rows = [f"{way.name}-{suffix}" for suffix in suffixes]
            present = [row for row in rows if row in self.runs]
            if not present:
                continue
            run = self.total(present)
            cells = [percent(self.runs[row].exact, self.runs[row].boundaries) if row in self.runs else ""
                     for row in rows]
            yield [self.label(way), *cells, count(run.short), count(run.wrong), percent(run.stock, run.boundaries)]

    def suffixes(self, ways, wanted):
        found = {}
        names = {way.name for way in ways}
        for row in self.rows:
            name, suffix = row.split("-", 1)
            if name in names and "with-" not in suffix and wanted(suffix):
                found[suffix] = True
        return list(found)

    def by_way(self):
        families = [("gcc", "gcc"), ("clang", "clang")]
        yield "## By compiler, mode and flags"
        yield ""
        yield from paragraph("""In a cell is how many of the row's chains are exact, in percent; short, wrong and the stock
            walker's exact ones are of all rows in the line. All is built with `-fno-omit-frame-pointer`.""")
        for _, family in families:
            ways = [way for way in self.ways.values() if way.compiler.startswith(family)]
            levels = self.suffixes(ways, lambda suffix: "-" not in suffix)
            yield from table((family, *(f"-{x}" for x in levels), "short", "wrong", "stock %"),
                             list(self.matrix(ways, levels)))
        yield from paragraph("With options, at -O2 where nothing else is said:")
        for _, family in families:
            ways = [way for way in self.ways.values() if way.compiler.startswith(family)]
            options = self.suffixes(ways, lambda suffix: "-" in suffix)
            heads = [x[3:] if x.startswith("O2-") else x for x in options]
            yield from table((family, *heads, "short", "wrong", "stock %"), list(self.matrix(ways, options)))
        for name, flags in self.options.items():
            note = "; clang: -mcpu" if "mtune" in flags else ""
            note = "; clang: without the last" if name == "hard" else note
            yield f"- {name}: `{flags}`{note}"
        yield ""

    def mixtures(self):
        rows = [row for row in self.rows if "-with-" in row]
        yield "## Mixtures"
        yield ""
        yield from paragraph("""Half of the program is built in one way, and half in another; the halves call each other
            to and fro.""")
        yield from table(("program", "boundaries", "exact %", "short", "wrong", "stock exact %"),
                         [(self.mixture(row), *self.figures(self.runs[row])) for row in rows])

    def mixture(self, row):
        name, level, _, other = row.split("-")
        return f"{self.label(self.ways[name])} `-{level}` with {self.label(self.ways[other])}"

    def runs_compared(self):
        yield "## Signals, and walks that know nothing"
        yield ""
        yield from paragraph("""A walk remembers what earlier ones have found in the code. Without that, and with a signal
            delivered every 101 instructions, whose handler is walked as well:""")
        lines = [("as above", *self.figures(self.total(self.rows)))]
        for name, title in (("cold", "nothing remembered"), ("signals", "with signals")):
            lines.append((title, *self.figures(self.total(self.rows, self.others[name]))))
        yield from table(("run", "boundaries", "exact %", "short", "wrong", "stock exact %"), lines)

    def places(self, wanted):
        """For each shape: how often in which row and function, the most frequent first"""
        found = {}
        for row in self.rows:
            for (verdict, reason, function), times in self.runs[row].places.items():
                if verdict != wanted:
                    continue
                shape = shapes.of(self.shapes, reason, function, row) if verdict == "short" else shapes.WRONG
                own = function if shape.title == shapes.UNEXPLAINED else ""
                rows, functions = found.setdefault((shape.title, reason, own, shape.why),
                                                   (collections.Counter(), collections.Counter()))
                rows[row] += times
                functions[function] += times
        return sorted(found.items(), key=lambda x: -sum(x[1][0].values()))

    def row_list(self, rows):
        """Ways with the same figures on one line: NAME, NAME: LEVEL n, LEVEL n"""
        by_way = {}
        for row in self.rows:
            if row in rows:
                name, rest = row.split("-", 1)
                by_way.setdefault(name, []).append(f"{rest} {rows[row]}")
        same = {}
        for name, text in by_way.items():
            same.setdefault(", ".join(text), []).append(name)
        for text, names in same.items():
            lines = textwrap.wrap(f"{', '.join(names)}: {text}", 106, break_on_hyphens=False)
            yield "- " + "\n  ".join(lines)
        yield ""

    def shape_list(self, places):
        for (title, reason, _, why), (rows, functions) in places:
            names = ", ".join(f"{name} {count(n)}" for name, n in functions.most_common())
            yield f"### {title}: {count(sum(rows.values()))}, {reason}"
            yield ""
            if why:
                yield from paragraph(why)
            yield from paragraph(f"In {names}.")
            yield from self.row_list(rows)

    def wrong(self):
        places = self.places("WRONG")
        if places:
            yield "## What is wrong"
            yield ""
            yield from paragraph("By the reason that ended the chain, with the functions in which its last true entry is.")
            yield from self.shape_list(places)

    def short(self):
        run, places = self.total(self.rows), self.places("short")
        unexplained = sum(sum(rows.values()) for (title, *_), (rows, _) in places if title == shapes.UNEXPLAINED)
        by_hand = assembly()
        in_assembly = sum(n for _, (_, functions) in places for name, n in functions.items() if name in by_hand)
        left = f"""{count(unexplained)} are unexplained: nobody has written down yet why the bytes can't decide them, if they
            can't.""" if unexplained else ""
        yield "## What is short, and why"
        yield ""
        yield from paragraph(f"""{count(run.short)} chains: {count(in_assembly)} end in functions that are written in
            assembly for the corpus, such as switches of stacks and linkers' stubs, and {count(run.short - in_assembly)}
            in what the compilers have made. Each shape of code that causes them is below, with the functions
            of the corpus that have it, and how often it is in each row. {left} Rows are named as in
            selftests/host/corpus/Makefile.rows: gcc and apcs without a number are gcc 12; t is Thumb; f and l are
            -mframe-chain=aapcs and aapcs+leaf.""")
        yield from self.shape_list(places)

    def without_records(self):
        if not self.blind:
            return
        yield "## Code without frame records"
        yield ""
        yield from paragraph("""gcc's Thumb code, and code built with `-fomit-frame-pointer` (nofp). It has to be said to have
            no ABI, and its chains then have one entry, with the reason abi_none, which is exact only in the outermost
            function. Not in the figures above.""")
        yield from table(("row", "compiler", "boundaries", "exact %", "short", "wrong", "stock exact %"),
                         [(row, self.label(self.way(row)), *self.figures(self.runs[row])) for row in self.blind])

    def text(self):
        lines = ["# How exact chains are", "", *self.answer(), *self.how(), *self.by_abi(), *self.by_way(),
                 *self.mixtures(), *self.runs_compared()]
        # What the parts that know of them have written
        for name in ("real-table", "nofp-table", "stock-table", "detect-table"):
            written = self.read_lines(name)
            # One that is a document by itself is a part of this one here.
            if written and written[0].startswith("# "):
                written = [re.sub(r"^#", "##", line) for line in written]
            if written:
                lines += [*written, ""]
        lines += [*self.wrong(), *self.short(), *self.without_records()]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
