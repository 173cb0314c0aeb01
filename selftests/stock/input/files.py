# SPDX-License-Identifier: GPL-2.0
"""
Files written, read and sorted, by the main thread and by others.
"""
import hashlib
import os
import sys
import tempfile
import threading
import zlib


def lines(seed, count):
    for i in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield "%08x %d line of a file\n" % (seed, i)


def write(path, seed):
    with open(path, "w", encoding="utf-8") as f:
        for line in lines(seed, 400):
            f.write(line)


def merge(paths, to):
    everything = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            everything += f
    everything.sort(key=lambda line: line.split()[1])
    with open(to, "wb", buffering=512) as f:
        for line in everything:
            f.write(line.encode())


def check(path):
    digest = hashlib.sha256()
    size = 0
    with open(path, "rb", buffering=0) as f:
        while block := f.read(512):
            digest.update(block)
            size += len(zlib.compress(block, 1))
    return digest.hexdigest(), size


def work(folder, name):
    paths = [os.path.join(folder, "%s-%d" % (name, i)) for i in range(3)]
    for i, path in enumerate(paths):
        write(path, i)
    merge(paths, os.path.join(folder, name))
    check(os.path.join(folder, name))
    for path in paths:
        os.stat(path)
        os.unlink(path)


def main(rounds):
    with tempfile.TemporaryDirectory() as folder:
        for i in range(rounds):
            threads = [threading.Thread(target=work, args=(folder, "t%d" % n)) for n in range(2)]
            for thread in threads:
                thread.start()
            work(folder, "main")
            for thread in threads:
                thread.join()
        print(len(os.listdir(folder)))


main(int(sys.argv[1]))
