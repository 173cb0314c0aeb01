#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""measure.py TOOL ARM-TOOL SYSROOT OUT

Makes a table of each file in OUT/files, and writes what that takes to OUT/built:
name, MB of the file, seconds of processor time, MiB of memory, functions, rows,
bytes of the table, and whether the board's tool makes the same.
"""
import os
import sys

LIBRARIES = ("usr/lib/arm-linux-gnueabihf", "lib/arm-linux-gnueabihf")


def run(command, log):
    """(exit status, what it has used)"""
    with open(log, "wb") as output:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1)]
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage


def read_figures(path):
    """The figures that the tool prints, by name; rows: the sum"""
    figures = {"rows": 0}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            field = line.rstrip("\n").split("\t")
            if len(field) == 2:
                figures[field[0]] = int(field[1])
            elif field[0] != "SOURCE":
                figures["rows"] += int(field[2])
    return figures


def content(path):
    with open(path, "rb") as file:
        return file.read()


def by_board(arm, sysroot, path, table, log):
    libraries = ":".join(os.path.join(sysroot, x) for x in LIBRARIES)
    return run(["qemu-arm", "-L", "/usr/arm-linux-gnueabihf", "-E", f"LD_LIBRARY_PATH={libraries}", arm,
                "table", "build", path, "-o", table], log)


def measure(tool, arm, sysroot, out, name, path):
    print(f"  unwind-tables: {name}", file=sys.stderr)
    table, log = os.path.join(out, name + ".a32t"), os.path.join(out, name + ".log")
    status, usage = run([tool, "table", "build", path, "-o", table], log)
    if status:
        sys.exit(f"unwind-tables: {name}: no table")
    figures = read_figures(log)
    other, _ = by_board(arm, sysroot, path, table + ".board", log + ".board")
    same = not other and content(table) == content(table + ".board")
    return (name, os.stat(path).st_size / 1e6, round(usage.ru_utime + usage.ru_stime, 1), usage.ru_maxrss // 1024,
            figures["functions"], figures["rows"], figures["size"], "yes" if same else "no")


def main():
    tool, arm, sysroot, out = sys.argv[1:]
    with open(os.path.join(out, "files"), encoding="utf-8") as files, \
            open(os.path.join(out, "built"), "w", encoding="utf-8") as built:
        for line in files:
            name, path, _ = line.rstrip("\n").split("\t")
            print(*measure(tool, arm, sysroot, out, name, path), sep="\t", file=built, flush=True)


if __name__ == "__main__":
    main()
