# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Puts small faults into a copy of the core, and of the explorer's calls, and finds out which the tests notice.

mutants.py check LIST: lists the faults that don't match the sources.
mutants.py copy LIST COPY: copies the sources with their tests, and puts every fault into the copy, each behind a switch.
mutants.py run LIST PROGRAM RECORD [PATTERN]: runs the tests once for each fault, puts each result into the file RECORD,
and prints a page in Markdown. Results of other faults are taken from there; "not run" if there is none.

The list is read by `read`, which describes its form. The tools that exist for Swift, such as Muter, make faults of a few
general kinds (another operator, a call that is left out); each of these breaks a rule of the core, and says which.
"""

import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

Fault = collections.namedtuple("Fault", "number file name text suites reason note")
# How much of the processor a run may use, how long it may do nothing, and how long a test waits, in seconds. The latter two
# are doubled until, without a fault, all tests take less than one waits, and do nothing for a fifth of that time at most.
# A run that does nearly nothing, such as looking once a second whether something has come, ends after ten times as long.
LIMIT, IDLE, PATIENCE = 60, 20, 12
Result = collections.namedtuple("Result", "kind message seconds pause", defaults=("", 0, 0))
# Those that are repeated many times or take long; the tests of the explorer, which notice nothing of the core.
SLOW = ["Stress", "Races", "MemoryTests", "Explored", "Chain", "RaceFreeFutureTestingTests"]
# Those that are left out at first, unless they are named, and that a fault is shown to if others don't notice it.
LATE = ["History"]

CORE = "Sources/RaceFreeFuture"
FOLDERS = [
    CORE,
    "Sources/CRaceFreeFuture",
    "Sources/RaceFreeFutureTesting",
    "Sources/RaceFreeFutureTestingTools",
    "Sources/RaceFreeFutureExploring",
    "Sources/CExploring",
    "Tests/RaceFreeFutureTests",
    "Tests/RaceFreeFutureTestingTests/Exploring/Dispatch",
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
SWITCH_OF_C = """char *getenv(const char *);
int atoi(const char *);
static int mutant(int number) { return getenv("RACEFREEFUTURE_MUTANT") && atoi(getenv("RACEFREEFUTURE_MUTANT")) == number; }
"""
# The rest of the package isn't copied.
REST = """
package.products.removeAll { $0.name.hasSuffix("Foundation") }
package.targets.removeAll { $0.name.contains("FutureFoundation") }
package.targets.removeAll { $0.name == "CSignals" }
"""


def read(path):
    """Returns the faults of a list.

    A line `# File: suites` names a file of the core, or of another folder of the sources, Swift or C, and the suites that
    are likely to notice its faults. Below it,
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
        file = f"{CORE if pathlib.Path(CORE, fault.file).exists() else 'Sources'}/{fault.file}"
        try:
            sources[file] = sources.get(file) or pathlib.Path(file).read_text("utf-8")
            edits[file].append((*find(fault, sources[file]), fault.number))
        except FileNotFoundError:
            wrong.append(f"{fault.file}: {fault.name}: there is no such file")
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        sys.exit("\n".join([f"{path}: these faults don't match the sources:", *wrong]))
    return {
        file: SWITCH_OF_C * file.endswith(".c") + switched(source, 0, len(source), edits[file])
        for file, source in sources.items()
    }


def copy(path, target):
    """Writes the files that have changed, so that the others aren't compiled again."""
    faulty = check(path)
    texts = {"Package.swift": pathlib.Path("Package.swift").read_text("utf-8") + REST}
    for file in (pathlib.Path(file) for file in faulty if file.endswith(".swift")):
        texts[str(pathlib.Path(*file.parts[:2], "Mutant.swift"))] = SWITCH
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
        if is_expression:
            text += f"(mutant({number}) ? ({new}) : ({old}))"
        else:
            # Where nothing was, the next statement follows on the same line.
            text += f"if (mutant({number})) {{ {new} }} else {{ {old} }}" + ("" if old.strip() else "; ")
        at = last
    return text + source[at:end]


def cpu_time(session):
    """Returns the processor time of a session's processes, in seconds; None where the system has no such files."""
    times = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[3] == str(session):
            times += map(int, fields[11:13])
    return sum(times) / os.sysconf("SC_CLK_TCK") if times else None


def tests(program, number, selection, scale=1):
    """Runs tests with a fault; the result has the first message, the seconds it took, and those of the longest pause."""
    environment = dict(
        os.environ,
        RACEFREEFUTURE_MUTANT=str(number),
        RACEFREEFUTURE_ITERATIONS="0.02",
        RACEFREEFUTURE_PATIENCE=str(PATIENCE * scale / 60),
        RACEFREEFUTURE_SEED="1",
        SWIFT_BACKTRACE="enable=no",
    )
    command = [program, "--testing-library", "swift-testing", *selection]
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True
        )

        def message():
            output.seek(0)
            text = output.read().decode(errors="replace")
            found = re.search(r"✘\S* Test (.*?)(?: with \d+ test cases?)? recorded an issue|Fatal error: (.*)", text)
            return found and (found[1] or found[2])

        def result(kind, message=""):
            # Also what a test program leaves behind.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            return Result(kind, message, round(time.monotonic() - began, 1), round(pause, 1))

        worked, last, pause = began, None, 0
        while process.poll() is None:
            # The first message is enough.
            if found := message():
                return result("killed", found)
            now, used = time.monotonic(), cpu_time(process.pid)
            pause = max(pause, now - worked)
            if used is None or used != last:
                worked, last = now, used
            is_idle = now - worked > IDLE * scale or now - began > 10 * IDLE * scale
            if (now - began if used is None else used) > LIMIT or is_idle:
                return result("timed out")
            time.sleep(0.2)
        if process.returncode == 0:
            return result("survived")
        return result("killed", message() or f"the program ended with {process.returncode}")


@functools.cache
def is_slow(program, selection, scale):
    """Returns whether the machine is too busy for these limits."""
    clean = tests(program, 0, selection, scale)
    if scale > 100:
        sys.exit(f"without a fault: {clean}, {selection}")
    return clean.kind != "survived" or max(clean.seconds / PATIENCE, 5 * clean.pause / IDLE) > scale


def judge(program, number, selection, scale):
    """Runs tests with a fault; what a test that waited in vain says is believed only if the machine isn't slow."""
    while True:
        result = tests(program, number, selection, scale)
        if result.kind != "killed" or result.seconds < PATIENCE * scale or not is_slow(program, selection, scale):
            return result
        scale *= 2


def run(path, program, record, pattern=""):
    """Prints the page; fails if a fault that nothing notices, or a time limit alone, has no sentence."""
    faults = read(path)
    rest = ("--skip", "|".join(SLOW))
    scale = 1
    while is_slow(program, rest, scale):
        scale *= 2
    print(f"limits times {scale}", file=sys.stderr)
    results = {}
    if pathlib.Path(record).exists():
        for line in pathlib.Path(record).read_text("utf-8").splitlines():
            *fault, result = json.loads(line)
            results[tuple(fault)] = Result(*result)

    def first(fault):
        left_out = "|".join(name for name in SLOW + LATE if name not in fault.suites)
        return fault, judge(program, fault.number, ("--filter", fault.suites, "--skip", left_out), scale)

    def second(fault):
        result = judge(program, fault.number, rest, scale)
        return fault, result._replace(kind="killed elsewhere") if result.kind == "killed" else result

    chosen = [fault for fault in faults if re.search(pattern, f"{fault.file}: {fault.name}")]
    undecided = chosen
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as jobs, open(record, "a", encoding="utf-8") as kept:
        for step in first, second:
            runs = [jobs.submit(step, fault) for fault in undecided]
            undecided = []
            for fault, result in (run.result() for run in concurrent.futures.as_completed(runs)):
                print(f"{result.kind:16} {result.seconds:5} s  {fault.file}: {fault.name}  {result.message}", file=sys.stderr)
                if step is first and result.kind == "survived":
                    undecided.append(fault)
                else:
                    results[fault.file, fault.name, fault.text] = result
                    print(json.dumps((fault.file, fault.name, fault.text, result)), file=kept, flush=True)

    kinds = {}
    for fault in faults:
        result = results.get((fault.file, fault.name, fault.text), Result("not run"))
        kinds[fault] = "equivalent" if result.kind == "survived" and fault.reason else result.kind
        if fault.reason and kinds[fault] not in ("equivalent", "not run"):
            print(f"listed as equivalent, and yet noticed: {fault.name}  {result.message}", file=sys.stderr)
    count = lambda *wanted, file=None: sum(kind in wanted and file in (None, fault.file) for fault, kind in kinds.items())
    columns = ("killed", "killed elsewhere", "timed out", "equivalent", "survived")
    columns += ("not run",) if count("not run") else ()
    print("| " + " | ".join(columns).replace("killed elsewhere", "by tests of other files") + " | all |")
    print("| " + "---: | " * (len(columns) + 1))
    print("| " + " | ".join(str(count(kind)) for kind in columns) + f" | {len(faults)} |")
    titles = {"survived": "Survived", "timed out": "Noticed by the time limit alone", "equivalent": "Equivalent"}
    for wanted, title in titles.items():
        if count(wanted):
            print(f"\n## {title}\n\n| file | fault | |\n| --- | --- | --- |")
            for fault in (fault for fault, kind in kinds.items() if kind == wanted):
                print(f"| `{fault.file}` | {fault.name} | {fault.reason or fault.note} |")
    print("\n## By file\n\n| file | faults | killed | equivalent |\n| --- | ---: | ---: | ---: |")
    for file in dict.fromkeys(fault.file for fault in faults):
        of = functools.partial(count, file=file)
        print(f"| `{file}` | {of(*columns)} | {of('killed', 'killed elsewhere')} | {of('equivalent')} |")
    if any(not fault.note and kinds[fault] in ("survived", "timed out") for fault in chosen):
        sys.exit(1)


if __name__ == "__main__":
    {"check": check, "copy": copy, "run": run}[sys.argv[1]](*sys.argv[2:])
