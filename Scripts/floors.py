# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Checks that the rooms of the core, its folders, use only what is below them.

The floors are a table in CONTRIBUTING.md, the lowest first; rooms on one floor don't use each other. A room uses
another if a file in it names a type that the other declares. What still goes upwards is listed in floors.txt, which
may only shrink: it must have no more, and no less. What extensions add to a type isn't seen.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path("Sources/RaceFreeFuture")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# What is interpolated into a string is lost with it.
STRING = re.compile(r'"""(?:\\.|(?!""").)*"""|#"[^"]*"#|"(?:\\.|[^"\\\n])*"', re.S)
KIND = r"(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)"
TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+|(?!private|fileprivate)[a-z]+\s+)*?" + KIND, re.M)
OWN = re.compile(r"^[ ]*(?:[a-z@]\w*\s+)*?" + KIND, re.M)


def floors():
    """Returns the number of each room's floor."""
    text = pathlib.Path("CONTRIBUTING.md").read_text("utf-8")
    rows = re.search(r"^\| floor \| rooms \|.*\n\|.*\n((?:\|.*\n)+)", text, re.M)
    lines = rows[1].splitlines() if rows else sys.exit("CONTRIBUTING.md: there is no table of floors")
    return {room: number for number, line in enumerate(lines) for room in re.findall(r"`([^`]+)/`", line)}


def uses():
    """Returns, for each pair of rooms, the types of the second that the first names."""
    texts = {path: STRING.sub('""', COMMENT.sub("", path.read_text("utf-8"))) for path in sorted(ROOT.rglob("*.swift"))}
    room = {path: str(path.parent.relative_to(ROOT)) for path in texts if ".docc" not in str(path)}
    home = {name: room[path] for path in room for name in TYPE.findall(texts[path])}
    found = collections.defaultdict(set)
    for path in room:
        # A type of the file's own may have the name of another room's.
        names = set(re.findall(r"\b[A-Z]\w*", texts[path])) - set(OWN.findall(texts[path]))
        for name in names & home.keys():
            if home[name] != room[path]:
                found[room[path], home[name]].add(name)
    return set(room.values()), found


def main():
    floor, (rooms, found) = floors(), uses()
    problems = [f"CONTRIBUTING.md: {room} is on no floor" for room in sorted(rooms - floor.keys())]
    problems += [f"CONTRIBUTING.md: there is no room {room}" for room in sorted(floor.keys() - rooms)]
    upwards = {
        f"{one} -> {other}: {name}"
        for (one, other), names in found.items()
        for name in names
        if floor.get(one, 0) <= floor.get(other, 0)
    }
    listed = set(pathlib.Path("Scripts/floors.txt").read_text("utf-8").splitlines())
    problems += [f"upwards: {arrow}" for arrow in sorted(upwards - listed)]
    problems += [f"Scripts/floors.txt: to be removed, it is gone: {arrow}" for arrow in sorted(listed - upwards)]
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
