# SPDX-License-Identifier: GPL-2.0
"""
Work that goes through the interpreter's C code again and again: operators,
sort keys, callbacks of C functions, generators, json and re. Python 3.11 calls
a Python function from another one without C frames, so a plain recursion isn't
enough; here it goes through a number's operators.
"""
import functools
import json
import re
import sys


class Fib:
    """fib(n) by way of an operator: each level has C frames of its own."""

    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return self.value() + (other.value() if isinstance(other, Fib) else other)

    def value(self):
        return self.n if self.n < 2 else Fib(self.n - 1) + Fib(self.n - 2)


class Node:
    def __init__(self, depth):
        self.children = [Node(depth - 1) for _ in range(3)] if depth else []


def tree(node):
    return {"name": "node %d" % len(node.children), "children": [tree(c) for c in node.children]}


def words(text):
    return re.sub(r"(\w+) (\d+)", lambda m: m.group(2) + m.group(1).upper(), text)


def main(rounds):
    total = 0
    for i in range(rounds):
        total += Fib(13).value()
        text = json.dumps(tree(Node(4)), default=str, indent=1)
        total += len(json.loads(text)["children"]) + len(words(text))
        total += len(sorted(text.split(), key=lambda w: (len(w), w[::-1])))
        total += functools.reduce(lambda a, b: a * 31 + hash(b) % 7, range(500), 1) % 97
        total += sum(map(lambda x: x * x, filter(lambda x: x % 3, range(500))))
    print(total)


main(int(sys.argv[1]))
