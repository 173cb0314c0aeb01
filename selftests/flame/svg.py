#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
svg.py TITLE <SCRIPT >SVG

A flame graph of what "perf script -F comm,ip,sym,dso" says: the outermost callers are at the bottom, the width of a
function is its share of the samples, and the colour says in which file it is. The same samples give the same picture. It
needs no script, so that it works as an image, too; a browser shows a function's share when the pointer is on it.
"""
import html
import re
import sys
import zlib

WIDTH = 1200
MARGIN = 10
ROW = 16
HEAD = 52
CHAR = 6.62     # of the 11 px font below
NARROWEST = 1
# Rows that fewer of the samples get to are left out, so that a picture is not mostly empty.
SPARSEST = 0.04

STYLE = """
text { font: 11px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1b1b1b }
.title { font-size: 16px; font-weight: bold }
g:hover rect { stroke: #000; stroke-width: 1 }
"""

# Hues of the files, those with the most samples first; what perf has no file for is grey.
NO_FILE = "[unknown]"
HUES = (28, 205, 100, 280, 340, 170, 55, 240)


class Frame:
    """A function among the callees of another one."""

    def __init__(self):
        self.samples = 0
        self.callees = {}

    def add(self, chain):
        self.samples += 1
        frame = self
        for function in chain:
            frame = frame.callees.setdefault(function, Frame())
            frame.samples += 1

    def rows(self):
        """How many samples there are in each row above this one."""
        rows = []
        frames = list(self.callees.values())
        while frames:
            rows.append(sum(frame.samples for frame in frames))
            frames = [callee for frame in frames for callee in frame.callees.values()]
        return rows


def chains(lines):
    """The chains, each from the outermost caller to the sampled function, as (symbol, file)."""
    chain = []
    for line in lines:
        entry = re.match(r"\s+[0-9a-f]+ (.*) \((.*)\)$", line)
        if entry:
            symbol, dso = entry.groups()
            dso = dso.rsplit("/", 1)[-1]
            # What a compiler made of a function is that function, and so is a version of it.
            symbol = re.sub(r"((\.(lto_priv|constprop|part|isra|cold)\.?\d*)+|@@.*)$", "", symbol)
            chain.append(("[%s]" % dso.strip("[]") if symbol == "[unknown]" else symbol, dso))
        elif chain:
            yield chain[::-1]
            chain = []
    if chain:
        yield chain[::-1]


def text(x, y, words, more=""):
    return '<text x="%g" y="%g"%s>%s</text>' % (round(x, 1), y, more, html.escape(words, quote=False))


def shade(hue, name):
    """A colour of the file's hue; its lightness is the name's."""
    lightness = 62 + zlib.crc32(name.encode()) % 15
    return "hsl(%d,%d%%,%d%%)" % (hue, 75, lightness) if hue is not None else "hsl(0,0%%,%d%%)" % (lightness + 8)


class Picture:
    def __init__(self, root, title, about):
        self.root = root
        self.scale = (WIDTH - 2 * MARGIN) / root.samples
        self.narrowest = NARROWEST / self.scale
        rows = root.rows()
        self.rows = sum(samples >= SPARSEST * root.samples for samples in rows)
        if self.rows < len(rows):
            about += " %.1f %% of the samples go on above." % (100 * rows[self.rows] / root.samples)
        self.height = HEAD + self.rows * ROW + 34
        files = self.files()
        self.hues = dict(zip([dso for dso in files if dso != NO_FILE], HUES))
        if NO_FILE in files:
            self.hues[NO_FILE] = None
        self.out = [
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">'
            % (WIDTH, self.height, WIDTH, self.height),
            "<style>%s</style>" % STYLE.replace("\n", " ").strip(),
            '<rect width="100%" height="100%" fill="#fdfcf9"/>',
            text(MARGIN, 22, title, ' class="title"'),
            text(MARGIN, 40, about),
        ]
        self.callees(root, MARGIN, 0)
        self.legend()
        self.out.append("</svg>")

    def files(self):
        """All files, that with the widest functions first."""
        width = {}
        frames = [self.root]
        while frames:
            for (_, dso), callee in frames.pop().callees.items():
                width[dso] = width.get(dso, 0) + callee.samples
                frames.append(callee)
        return sorted(width, key=lambda dso: (-width[dso], dso))

    def callees(self, frame, x, row):
        if row == self.rows:
            return
        for function, callee in sorted(frame.callees.items()):
            if callee.samples >= self.narrowest:
                self.function(function, callee, x, row)
            x += callee.samples * self.scale

    def function(self, function, frame, x, row):
        name, dso = function
        width = frame.samples * self.scale
        y = HEAD + (self.rows - row - 1) * ROW
        share = "%.1f %%" % (100 * frame.samples / self.root.samples)
        self.out.append('<g><title>%s (%s): %s, %d samples</title>' % (html.escape(name), dso, share, frame.samples))
        self.out.append('<rect x="%g" y="%d" width="%g" height="%d" rx="1" fill="%s"/>'
                        % (round(x, 2), y, round(max(width - 0.3, 0.3), 2), ROW - 1, shade(self.hues.get(dso), name)))
        room = int((width - 5) / CHAR)
        if room >= 3:
            shown = name if len(name) <= room else name[:room - 1] + "\N{HORIZONTAL ELLIPSIS}"
            self.out.append(text(x + 3, y + 11.5, shown))
        self.out.append("</g>")
        self.callees(frame, x, row + 1)

    def legend(self):
        x = MARGIN
        y = self.height - 24
        for dso in self.hues:
            label = dso if dso != NO_FILE else "in no file"
            if x + 30 + CHAR * len(label) > WIDTH:
                break
            self.out.append('<rect x="%g" y="%d" width="12" height="12" fill="%s"/>' % (x, y, shade(self.hues[dso], "")))
            self.out.append(text(x + 17, y + 10, label))
            x = round(x + 35 + CHAR * len(label), 1)


def main():
    root = Frame()
    entries = 0
    for chain in chains(sys.stdin):
        root.add(chain)
        entries += len(chain)
    if not root.samples:
        sys.exit("svg.py: no samples; give it what perf script says")
    about = "%d samples, %.1f entries each. Width: share of the samples. Bottom: outermost callers." % (
        root.samples, entries / root.samples)
    print("\n".join(Picture(root, sys.argv[1], about).out))


main()
