# SPDX-License-Identifier: GPL-2.0
"""Why chains are short: what people have written down, by reason, function and row."""
import collections
import re

Shape = collections.namedtuple("Shape", "reason functions rows title why")
UNEXPLAINED = "unexplained"
WRONG = Shape("", "", "", "wrong", "")


def read(path):
    """A shape is a line REASON FUNCTIONS ROWS TITLE and an indented text; patterns match whole names."""
    found = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip()
            if not line or line.startswith("#"):
                continue
            if line[0].isspace():
                found[-1] = found[-1]._replace(why=f"{found[-1].why} {line.strip()}".strip())
            else:
                found.append(Shape(*line.split(None, 3), why=""))
    return found


def of(shapes, reason, function, row):
    for shape in shapes:
        if (re.fullmatch(shape.reason, reason) and re.fullmatch(shape.functions, function) and
                re.fullmatch(shape.rows, row)):
            return shape
    return Shape(reason, function, row, UNEXPLAINED, "")
