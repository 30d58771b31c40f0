# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

"""The rule by which the tests of another package are explored, and what comes of it: see foreign.sh."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

# The time that one test has, in seconds: all its orders together.
PATIENCE = 20
# What isn't run, because it measures time.
LEFT_OUT = ["TestThroughput"]

# Symbolic links of swift-async-algorithms, which copies of the repository may lack.
LINKED = "Sources/AsyncAlgorithms/Locking.swift"
LINKS = ["Sources/AsyncSequenceValidation/Locking.swift", "Tests/AsyncAlgorithmsTests/Support/Locking.swift"]

MANIFEST = """
package.dependencies.append(.package(name: "RaceFreeFuture", path: "%s"))
for target in package.targets where target.type == .test {
  target.dependencies.append(.product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"))
}
"""


def end_of(text, start):
    """Returns the place behind the parenthesis that belongs to the one at `start`."""
    depth, place, quoted = 0, start, False
    while place < len(text):
        letter = text[place]
        if letter == "\\":
            place += 1
        elif letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([{":
            depth += 1
        elif not quoted and letter in ")]}":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return len(text)


def with_trait(text, limit):
    """Puts `.explored` into the @Test of each asynchronous function."""
    parts, rest = [], 0
    for found in re.finditer(r"^[ \t]*@Test\b", text, re.M):
        end = found.end()
        arguments = end_of(text, end) if text[end : end + 1] == "(" else end
        signature = re.match(r"\s*(?:(?://[^\n]*|@\w+(?:\([^\n]*\))?|#if[^\n]*|#endif)\s*)*[^{]*?\bfunc\b[^{]*\{", text[arguments:])
        if not signature or not re.search(r"\)\s*async\b", signature.group()):
            continue
        parts.append(text[rest:end])
        if arguments == end:
            parts.append(f"(.explored{limit})")
        else:
            name = re.match(r'\(\s*("(?:[^"\\]|\\.)*")\s*(,?)', text[end:])
            if name:
                parts.append(f"({name.group(1)}, .explored{limit}{name.group(2)}" + text[end + name.end() : arguments])
            else:
                parts.append(f"(.explored{limit}, " + text[end + 1 : arguments])
        rest = arguments
    return "".join(parts) + text[rest:]


def with_base(text, limit):
    """Replaces the base class, and makes the body of each asynchronous test one function that is explored.

    A test that another one calls, and that one, are left as they are.
    """
    text = re.sub(r"(class\s+\w+\s*:\s*)XCTestCase\b", r"\1ExploredTestCase", text)
    called = re.findall(r"await\s+(?:self\.)?(test\w*)\(", text)

    def explored(test):
        space, begin, name, throws, body = test.groups()
        if name in called or any(f"await {other}(" in body for other in called):
            return test.group()
        head = f"{space}{begin}{name}() async throws {{ func body() async{throws or ''} {{"
        return f"{head}\n{body}{space}}}; try await explored{limit} {{ try await body() }} }}\n"

    return re.sub(
        r"^([ \t]+)((?:@\w+\s+|public\s+|final\s+)*func\s+)(test\w*)\(\)\s+async(\s+throws)?\s*\{\n(.*?)^\1\}\n",
        explored,
        text,
        flags=re.M | re.S,
    )


def change(here, folder, limit):
    """Makes a package depend on this one, and its tests explored."""
    limit = "" if limit == "3000" else f"(.exhaustive(maxOrders: {limit}))"
    for link in LINKS:
        if (folder / LINKED).exists() and not (folder / link).exists():
            (folder / link).write_text((folder / LINKED).read_text())
    manifest = folder / "Package.swift"
    for other in folder.glob("Package@*.swift"):
        other.unlink()
    manifest.write_text(manifest.read_text() + MANIFEST % here)
    for path in folder.rglob("*.swift"):
        if "Tests" not in str(path.relative_to(folder)) or ".build" in path.parts:
            continue
        text = path.read_text()
        changed = with_base(with_trait(text, limit), limit)
        if changed != text:
            # A file may begin with comments alone.
            path.write_text(re.sub(r"^((?:@\S+ +)*import )", r"import RaceFreeFutureTesting\n\1", changed, count=1, flags=re.M))


def run(folder, log, name, limit, part):
    """Runs each test that is explored in a process of its own, and notes what it says."""
    package = ["swift", "test", "--skip-build", "--package-path", str(folder)]
    listed = subprocess.run(package + ["list"], capture_output=True, text=True, check=True).stdout.split("\n")
    path = subprocess.run(
        ["swift", "build", "--show-bin-path", "--package-path", str(folder)], capture_output=True, text=True, check=True
    ).stdout.strip()
    program = next(pathlib.Path(path).glob("*.xctest"))
    kept = pathlib.Path(log).with_suffix(".json")
    results = json.loads(kept.read_text())["results"] if part and kept.exists() else {}
    with open(log, "a" if part else "w") as output:
        for test in listed:
            if "/" not in test or part not in test or any(word in test for word in LEFT_OUT):
                continue
            result, text = result_of(program, test)
            if result is None:
                continue
            results[test] = result
            print(f"{test}: {result[0]}: {result[1]}", flush=True)
            output.write(f"##### {test}: {result[0]}: {result[1]}\n{text}\n")
            output.flush()
            kept.write_text(json.dumps({"name": name, "limit": limit, "results": results}))


def result_of(program, test):
    """Returns what a test came to, with the reason, and its output; no result if it isn't explored."""
    is_function = test.endswith(")")
    arguments = (
        ["--testing-library", "swift-testing", "--filter", "^" + re.escape(test) + "(/|$)"] if is_function else [test]
    )
    environment = os.environ | {"RACEFREEFUTURE_REPORTS": "1", "RACEFREEFUTURE_REPORT": f"{program.parents[3]}-pages"}
    process = subprocess.Popen(
        [program] + arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
        start_new_session=True,
    )
    try:
        text, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        return ("late", f"not over in {PATIENCE} s"), text
    return kind_of(text, process.returncode), text


def kind_of(text, status):
    """Returns what an output says, with the reason; nothing if no test was explored."""
    reports = [
        (verdict, " ".join(words.split()))
        for verdict, words in re.findall(
            r'explore\s+"[^"]*?"\s+(passed|INCONCLUSIVE|FAILED):\s+((?:[^\n]*\S[^\n]*\n?)*)', re.sub(r"\x1b\[\d+m", "", text)
        )
    ]
    for words in [words for verdict, words in reports if verdict == "FAILED"]:
        # Behind the place of the order in the search.
        sentence = re.sub(r"^order [0-9,]+, (in which each continues as long as it can|with \d+ switch(es)? from one that "
                          r"could have continued|drawn at random with seed \d+) ", "", words)
        if "didn't fail" in words:
            return "inconclusive", "not the same each time: something outlives an order"
        return ("inconclusive" if sentence.startswith("no end after") else "failed"), sentence
    if status < 0:
        return "died", signal.Signals(-status).name
    left = [words for verdict, words in reports if verdict == "INCONCLUSIVE"]
    if left:
        if "Nothing in it could vary" in left[0] and "control was left" not in left[0]:
            return "alone", "one task at a time"
        reason = re.search(r"control was left: (.*?)( What others|$)", left[0])
        return "inconclusive", reason.group(1) if reason else left[0]
    if status:
        return "failed", text.strip().split("\n")[-1].strip()
    if not reports:
        return None
    counts = ", ".join(re.match(r"[0-9,]+ orders?", words).group() for _, words in reports)
    return ("some" if any("not all that there are" in words for _, words in reports) else "all"), counts


def table(paths):
    """Prints one line for each package."""
    print("| package | tests | orders at most | pass in all orders | pass in that many | one task | inconclusive | fail | not over |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for path in paths:
        one = json.loads(pathlib.Path(path).read_text())
        kinds = [kind for kind, _ in one["results"].values()]
        count = lambda *names: sum(kinds.count(name) for name in names)
        cells = [one["name"], len(kinds), f"{int(one['limit']):,}", count("all"), count("some"), count("alone"), count("inconclusive")]
        cells += [count("failed"), count("late", "died")]
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    if sys.argv[1] == "change":
        change(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4])
    elif sys.argv[1] == "run":
        run(pathlib.Path(sys.argv[2]), *sys.argv[3:7])
    else:
        table(sys.argv[2:])
