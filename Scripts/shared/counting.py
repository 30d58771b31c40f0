# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

"""Counts what a profile of callgrind has recorded: instructions, and those among them that are atomic operations.

counting.py <profile>: both numbers. counting.py <profile> <pieces>: those of one piece, by function.

The profile has each instruction by its address (--dump-instr=yes, nothing compressed). On x86-64 an atomic operation is an
instruction with the prefix `lock`, or an exchange with memory; a plain load or store isn't counted, whatever its ordering.
"""

import collections
import os
import re
import subprocess
import sys


def atomics(binary, folder):
    """The addresses of the atomic instructions of a binary: kept in the folder, because a disassembly takes seconds."""
    kept = os.path.join(folder, "atomics" + binary.replace("/", "-"))
    if not os.path.exists(kept):
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True, check=True)
        found = re.findall(r"^ *([0-9a-f]+):\s+(?:lock |xchg .*\()", code.stdout, re.MULTILINE)
        with open(kept, "w") as file:
            file.write("\n".join(found))
    with open(kept) as file:
        return {int(line, 16) for line in file}


def count(profile):
    """Of each function its instructions, atomic operations and calls."""
    costs = collections.defaultdict(lambda: [0, 0, 0])
    binary = function = callee = None
    known, of_call = {}, False
    with open(profile) as lines:
        for line in lines:
            key, _, value = line.strip().partition("=")
            if key == "ob":
                binary = value
            elif key == "fn":
                function = value
            elif key == "cfn":
                callee = value
            elif key == "calls":
                costs[callee][2] += int(value.split()[0])
                of_call = True
            elif of_call:  # The next line has what the call took in all.
                of_call = False
            elif line.startswith("0x"):
                address, times = line.split()
                costs[function][0] += int(times)
                if binary not in known:
                    known[binary] = atomics(binary, os.path.dirname(profile)) if os.path.exists(binary) else set()
                if int(address, 16) in known[binary]:
                    costs[function][1] += int(times)
    return costs


costs = count(sys.argv[1])
if len(sys.argv) == 2:
    print(*(sum(column) for column in list(zip(*costs.values()))[:2]))
else:
    pieces = float(sys.argv[2])
    print(f'{"instructions":>12} {"atomic":>8} {"calls":>8}  function')
    for name, (instructions, atomic, calls) in sorted(costs.items(), key=lambda one: -one[1][0]):
        if instructions >= 5 * pieces:
            print(f"{instructions / pieces:12.1f} {atomic / pieces:8.2f} {calls / pieces:8.2f}  {name}")
