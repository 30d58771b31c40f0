# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Puts small faults into a copy of the core, and finds out which of them the tests notice.

mutants.py check LIST: lists the faults that don't match the sources.
mutants.py copy LIST COPY: copies the core with its tests, and puts every fault into the copy, each behind a switch.
mutants.py run LIST PROGRAM [PATTERN]: runs the tests once for each fault, and prints a page in Markdown.

The list is read by `read`, which describes its form.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

Fault = collections.namedtuple("Fault", "number file name text suites reason note")
# How long a run may take, and how long it may do nothing, in seconds; waits in tests give up before that.
LIMIT, IDLE, PATIENCE = 120, 20, 0.2
# Those that are repeated many times or take long.
SLOW = ["Stress", "Races", "MemoryTests", "Explored", "Chain"]
# Those that are left out at first, unless they are named, and that a fault is shown to if others don't notice it.
LATE = ["History"]

CORE = "Sources/RaceFreeFuture"
FOLDERS = [
    CORE,
    "Sources/RaceFreeFutureRuntime",
    "Sources/RaceFreeFutureTesting",
    "Sources/RaceFreeFutureTestingTools",
    "Sources/RaceFreeFutureExploring",
    "Tests/RaceFreeFutureTests",
    "Tests/TestEnvironment",
    "Tests/TestSupport",
]
SWITCH = """
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

private let switchedOn = unsafe getenv("RACEFREEFUTURE_MUTANT").map { unsafe atoi($0) } ?? 0

@usableFromInline func mutant(_ number: Int32) -> Bool { number == switchedOn }
"""
# The rest of the package isn't copied.
REST = """
package.products.removeAll { $0.name.hasSuffix("Foundation") }
package.targets.removeAll { $0.name.hasPrefix("RaceFreeFutureFoundation") || $0.name == "RaceFreeFutureTestingTests" }
"""


def read(path):
    """Returns the faults of a list.

    A line `# File: suites` names a file of the sources, and the suites that are likely to notice its faults. Below it,
    `- sentence` begins a fault, and indented lines are its text: a piece of the file, in which `[[old ~> new]]` marks an
    expression and `{{old ~> new}}` statements. White space doesn't count. A line that begins with `=` tells why no test
    can notice the fault, one with `?` why none does.
    """
    faults, file, suites = [], None, None
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("## ") or not line.strip():
            continue
        if line.startswith("# "):
            file, suites = line[2:].split(": ", 1)
        elif line.startswith("- "):
            faults.append(Fault(len(faults) + 1, file, line[2:], "", suites, "", ""))
        elif line.startswith("  = "):
            faults[-1] = faults[-1]._replace(reason=line[4:])
        elif line.startswith("  ? "):
            faults[-1] = faults[-1]._replace(note=line[4:])
        elif line.startswith("  "):
            faults[-1] = faults[-1]._replace(text=f"{faults[-1].text} {line.strip()}".strip())
        else:
            sys.exit(f"{path}: what is this? {line}")
    twice = [name for name, count in collections.Counter(fault.name for fault in faults).items() if count > 1]
    return faults if not twice else sys.exit(f"{path}: two faults have the same sentence: {twice[0]}")


def find(fault, source):
    """Returns the place of the marked text in a file, whether that is an expression, and its replacement.

    Fails with a message if the text isn't there once.
    """
    match = re.fullmatch(r"(.*?)(\[\[|\{\{)(.*?) ~>(.*?)(\]\]|\}\})(.*)", fault.text)
    if not match:
        raise ValueError(f"{fault.file}: {fault.name}: no text is marked")
    before, opening, old, new, _, after = match.groups()
    spaced = [r"\s+".join(map(re.escape, part.split())) for part in (before, old, after)]
    places = list(re.finditer(rf"{spaced[0]}\s*({spaced[1]})\s*{spaced[2]}", source))
    if len(places) != 1:
        raise ValueError(
            f"{fault.file}: {fault.name}: the text is there {len(places)} times, and once is right: {fault.text}"
        )
    return places[0].span(1), opening == "[[", new.strip()


def check(path):
    """Returns the files that have faults, with their switches; fails, and names all faults that don't match."""
    sources, edits, wrong = {}, collections.defaultdict(list), []
    for fault in read(path):
        file = f"{CORE}/{fault.file}"
        try:
            sources[file] = sources.get(file) or pathlib.Path(file).read_text("utf-8")
            edits[file].append((*find(fault, sources[file]), fault.number))
        except FileNotFoundError:
            wrong.append(f"{fault.file}: {fault.name}: there is no such file")
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        sys.exit("\n".join([f"{path}: these faults don't match the sources:", *wrong]))
    return {file: switched(source, 0, len(source), edits[file]) for file, source in sources.items()}


def copy(path, target):
    """Writes the files that have changed, so that the others aren't compiled again."""
    faulty = check(path)
    texts = {f"{CORE}/Mutant.swift": SWITCH, "Package.swift": pathlib.Path("Package.swift").read_text("utf-8") + REST}
    for file in (file for folder in FOLDERS for file in sorted(pathlib.Path(folder).rglob("*")) if file.is_file()):
        texts[str(file)] = faulty.get(str(file)) or file.read_text("utf-8")
    target = pathlib.Path(target)
    for file in (file for folder in FOLDERS for file in pathlib.Path(target, folder).rglob("*")):
        if file.is_file() and str(file.relative_to(target)) not in texts:
            file.unlink()
    if not (target / "Documentation").exists():
        # Of the specification a test reads the graphs of states.
        target.mkdir(parents=True, exist_ok=True)
        (target / "Documentation").symlink_to(pathlib.Path("Documentation").resolve())
    for file, text in texts.items():
        place = target / file
        if not place.exists() or place.read_text("utf-8") != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")


def switched(source, start, end, edits):
    """Returns a part of a source with its switches, the innermost last."""
    edits = sorted(edits, key=lambda edit: (edit[0][0], -edit[0][1]))
    text, at = "", start
    while edits:
        (first, last), is_expression, new, number = edits.pop(0)
        inner = [edit for edit in edits if edit[0][0] < last]
        if any(edit[0][1] > last for edit in inner):
            sys.exit(f"two faults overlap: {source[first:last]}")
        edits = [edit for edit in edits if edit[0][0] >= last]
        old = switched(source, first, last, inner)
        text += source[at:first]
        text += f"(mutant({number}) ? ({new}) : ({old}))" if is_expression else f"if mutant({number}) {{ {new} }} else {{ {old} }}"
        at = last
    return text + source[at:end]


def cpu_time(process):
    """Returns the processor time that a process has used; None where the system has no such file."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return None


def tests(program, number, selection):
    """Runs tests with a fault; returns the kind of the result, the first message, and the seconds it took."""
    environment = dict(
        os.environ,
        RACEFREEFUTURE_MUTANT=str(number),
        RACEFREEFUTURE_ITERATIONS="0.02",
        RACEFREEFUTURE_PATIENCE=str(PATIENCE),
        RACEFREEFUTURE_SEED="1",
        SWIFT_BACKTRACE="enable=no",
    )
    command = [program, "--testing-library", "swift-testing", *selection]
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True
        )

        def result():
            output.seek(0)
            text = output.read().decode(errors="replace")
            found = re.search(r"✘\S* Test (.*?)(?: with \d+ test cases?)? recorded an issue|Fatal error: (.*)", text)
            return found and (found[1] or found[2])

        def stop():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

        worked, last = began, None
        while process.poll() is None:
            # The first message is enough.
            if message := result():
                stop()
                return "killed", message, time.monotonic() - began
            now, used = time.monotonic(), cpu_time(process.pid)
            if used is None or used != last:
                worked, last = now, used
            if now - began > LIMIT or now - worked > IDLE:
                stop()
                return "timed out", "", now - began
            time.sleep(0.1)
        # What a test program leaves behind.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        message = result()
    if process.returncode == 0:
        return "survived", "", time.monotonic() - began
    return "killed", message or f"the program ended with {process.returncode}", time.monotonic() - began


def run(path, program, pattern=""):
    """Prints the page; fails if a fault that nothing notices, or a time limit alone, has no sentence."""
    faults = [fault for fault in read(path) if re.search(pattern, f"{fault.file}: {fault.name}")]
    rest = ["--skip", "|".join(SLOW)]
    kind, message, _ = tests(program, 0, rest)
    if kind != "survived":
        sys.exit(f"without a fault: {kind}, {message}")
    results = collections.defaultdict(list)

    def first(fault):
        left_out = "|".join(name for name in SLOW + LATE if name not in fault.suites)
        return fault, *tests(program, fault.number, ["--filter", fault.suites, "--skip", left_out])

    def second(fault):
        return fault, *tests(program, fault.number, rest)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as jobs:
        undecided = []
        for fault, kind, message, seconds in jobs.map(first, faults):
            print(f"{kind:10} {seconds:5.1f} s  {fault.file}: {fault.name}  {message}", file=sys.stderr, flush=True)
            if kind == "survived":
                undecided.append(fault)
            else:
                results[kind].append((fault, message))
        for fault, kind, message, seconds in jobs.map(second, undecided):
            print(f"{kind:10} {seconds:5.1f} s  {fault.file}: {fault.name}  {message}", file=sys.stderr, flush=True)
            if kind == "killed":
                kind = "killed elsewhere"
            elif kind == "survived" and fault.reason:
                kind = "equivalent"
            results[kind].append((fault, message))
    for fault, message in results["killed"] + results["killed elsewhere"] + results["timed out"]:
        if fault.reason:
            print(f"listed as equivalent, and yet noticed: {fault.name}  {message}", file=sys.stderr)

    count = lambda *kinds: sum(len(results[kind]) for kind in kinds)
    print("| killed | by tests of other files | timed out | equivalent | survived | all |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    kinds = ("killed", "killed elsewhere", "timed out", "equivalent", "survived")
    print("| " + " | ".join(str(count(kind)) for kind in kinds) + f" | {len(faults)} |")
    for kind, title in (("survived", "Survived"), ("timed out", "Noticed by the time limit alone"), ("equivalent", "Equivalent")):
        if results[kind]:
            print(f"\n## {title}\n\n| file | fault | |\n| --- | --- | --- |")
            for fault, _ in results[kind]:
                print(f"| `{fault.file}` | {fault.name} | {fault.reason or fault.note} |")
    print("\n## By file\n\n| file | faults | killed | equivalent |\n| --- | ---: | ---: | ---: |")
    for file in dict.fromkeys(fault.file for fault in faults):
        of = lambda *kinds: sum(fault.file == file for kind in kinds for fault, _ in results[kind])
        print(f"| `{file}` | {of(*kinds)} | {of('killed', 'killed elsewhere')} | {of('equivalent')} |")
    if any(not fault.note for kind in ("survived", "timed out") for fault, _ in results[kind]):
        sys.exit(1)


if __name__ == "__main__":
    {"check": check, "copy": copy, "run": run}[sys.argv[1]](*sys.argv[2:])
