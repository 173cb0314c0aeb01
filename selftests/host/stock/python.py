# SPDX-License-Identifier: GPL-2.0
"""Recursion, generators, callbacks from C, exceptions, classes"""


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None

    def add(self, key):
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child:
            child.add(key)
        else:
            setattr(self, side, Node(key))

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.key
        if self.right:
            yield from self.right

    def __lt__(self, other):
        return self.key < other.key


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if not m:
        return n + 1
    return ackermann(m - 1, ackermann(m, n - 1) if n else 1)


def fails(depth):
    try:
        if depth:
            fails(depth - 1)
        return [][depth]
    except IndexError as error:
        raise KeyError(depth) from error


def keys():
    n = 12345
    for _ in range(300):
        n = n * 1103515245 + 12345 & 0x7fffffff
        yield n


numbers = list(keys())
tree = Node(numbers[0])
for number in numbers[1:]:
    tree.add(number)
nodes = sorted([Node(x) for x in numbers])
assert [node.key for node in nodes] == list(tree)
assert sorted(numbers, key=lambda x: -x) == list(reversed(list(tree)))
try:
    fails(20)
except KeyError as caught:
    print(caught, fib(13), ackermann(2, 3), 3 ** 400 % 1000007, sum(map(fib, range(8))))
print("%s %r %.3f" % ("x".join(map(str, numbers[:9])), {n: str(n) for n in range(9)}, 22 / 7))
print(eval("[x * y for x in range(9) for y in range(9) if x != y]")[:9], hash(tuple(numbers)))
