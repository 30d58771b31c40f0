# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT
"""Checks what swift-format doesn't: each rule is a function below, told in its first sentence.

With the word orderings it writes the table of atomic accesses in Documentation/Design.md again, with the word locks that of
locks, and checks nothing.

No linter of prose that PyPI or Debian has takes phrases of one's own in Markdown and in Swift's comments, across lines:
vale's package downloads the program from elsewhere, proselint and codespell have lists of single words.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

problems = []


def fail(problem):
    problems.append(problem)


def found(*names):
    """Returns the files of the repository with these endings, also those that aren't committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [file for file in sorted(listed) if file.endswith(names) and pathlib.Path(file).is_file()]


def text(file):
    return pathlib.Path(file).read_text("utf-8")


def license(file, content):
    """The two-line license header is at the top, or behind the lines that have to come first."""
    header = r"^(//|#) Copyright \(c\) 20\d\d the RaceFreeFuture authors\n\1 SPDX-License-Identifier: MIT$"
    if not re.search(header, "\n".join(content.split("\n")[:5]), re.M):
        fail(f"{file}: the two-line license header is missing")


def length(file, content):
    """A Swift file has at most 400 lines, one of the tests 600."""
    most = 600 if "Tests/" in file else 400
    if (count := content.count("\n")) > most:
        fail(f"{file}: {count} lines, and {most} are enough")


def exit_tests(file, content):
    """Two exit tests run at a time, of all: their suites have a trait."""
    if file.startswith("Tests/") and "processExitsWith" in content and ".exitTests" not in content:
        fail(f"{file}: its exit tests lack the trait of Tests/TestSupport/ExitTests.swift")


def parameters(contents):
    """Comments tell of parameters, results and errors as swift-format wants it; but not of those that are the place of a call.

    It reads a copy without these, as it knows no exception for `fileID: StaticString = #fileID`.
    """
    place = re.compile(r"\s*(\w+): \w+ = #\1\b,?")
    with tempfile.TemporaryDirectory() as folder:
        copies = {f"{folder}/{number}.swift": file for number, file in enumerate(contents)}
        for copy, file in copies.items():
            pathlib.Path(copy).write_text(place.sub("", contents[file]), "utf-8")
        rules = '{"version": 1, "rules": {"ValidateDocumentationComments": true}}'
        command = ["swift", "format", "lint", "--parallel", "--configuration", rules, *copies]
        told = subprocess.run(command, capture_output=True, text=True).stderr
    for copy, number, problem in re.findall(r"^(.*?):(\d+):\d+: .*?\[ValidateDocumentationComments\] (.*)", told, re.M):
        fail(f"{copies[copy]}: {problem}")


DESIGN_NOTES = "Documentation/Design.md"


def lock_table(contents):
    """Returns a table of all locks, with what their comments say that they guard."""
    rows = ["| lock | guards |", "| --- | --- |"]
    declaration = r"((?:^ *//.*\n)*)^ *(?:private )?(?:static )?(?:let|var) (\w+)(?:: Locked<| = Locked[<(])"
    for file, content in sorted(contents.items()):
        if not re.match(r"Sources/RaceFreeFuture(Foundation)?/", file):
            continue
        for comment, name in re.findall(declaration, content, re.M):
            guards = re.search(r"\bGuards (.*)\.$", re.sub(r"\n? *//+ ?", " ", comment).strip())
            if guards is None:
                fail(f"{file}: the comment of the lock '{name}' says 'Guards', what it guards, and ends with a period")
            else:
                place = file.removeprefix("Sources/RaceFreeFuture/").removeprefix("Sources/")
                rows.append(f"| `{place}`, `{name}` | {guards[1]} |")
    return "\n".join(rows)


def locks(contents):
    """Each lock says what it guards, and Documentation/Design.md says the same."""
    if f"\n{lock_table(contents)}\n" not in text(DESIGN_NOTES):
        fail(f"{DESIGN_NOTES} differs from the comments of the locks; run python3 Scripts/shared/lint.py locks")


# A comment with all its lines.
COMMENT = re.compile(r"^ *//.*(?:\n *//.*)*|//.*", re.M)
NUMBER = r"[A-Z]\d+"


def position(file, content, start):
    return f"{file}:{content.count(chr(10), 0, start) + 1}"


def invariants(contents):
    """Each invariant is bold in one Swift file of the core and on Documentation/Design.md, in the same words.

    The page has its first sentence, and behind it the proof. One that is cited by its number is there.
    """
    page, stated, proved, cited = contents[DESIGN_NOTES], {}, {}, {}
    for file, content in sorted(contents.items()):
        if not file.startswith("Sources/RaceFreeFuture/") or not file.endswith(".swift"):
            continue
        for comment in COMMENT.finditer(content):
            words = re.sub(r"\n *(?=\S)", " ", re.sub(r"^ *//+ *", "", comment[0], flags=re.M))
            for number, sentences in re.findall(rf"\*\*({NUMBER})\*\* (.*?)(?= - |$)", words, re.M):
                place = position(file, content, comment.start() + comment[0].index(f"**{number}**"))
                if number in stated:
                    fail(f"{place}: {number} is stated in {stated[number][0]} already")
                stated.setdefault(number, (place, sentences))
            for number in re.findall(rf"\b{NUMBER}\b", words):
                cited.setdefault(number, position(file, content, comment.start()))
    for match in re.finditer(rf"^\*\*({NUMBER})\. (.*?)\*\*", page, re.M | re.S):
        number, words, place = match[1], " ".join(match[2].split()), position(DESIGN_NOTES, page, match.start())
        if number in proved:
            fail(f"{place}: {number} is in {proved[number]} already")
        elif number not in stated:
            fail(f"{place}: {number} is stated in no Swift file of the core")
        elif not words.endswith(".") or not stated[number][1].startswith(words):
            fail(f"{place}: {number} isn't the first sentence of {stated[number][0]}: {stated[number][1]}")
        proved[number] = place
    for number in sorted(stated.keys() - proved.keys()):
        fail(f"{stated[number][0]}: {number} isn't in {DESIGN_NOTES}, bold with its first sentence")
    for match in re.finditer(rf"\b{NUMBER}\b", NO_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), page)):
        cited.setdefault(match[0], position(DESIGN_NOTES, page, match.start()))
    letters = {number[0] for number in stated}
    for number in sorted(number for number in cited.keys() - stated.keys() if number[0] in letters):
        fail(f"{cited[number]}: {number} is cited, and stated in no Swift file of the core")


# Names of systems, compilers and other libraries, and files that are there for a while.
FOREIGN = (
    "SI_USER RTLD_DEFAULT POSIX_SPAWN_CLOEXEC_DEFAULT __interpose Task.immediate AtomicLazyReference onUndeliveredElement "
    "withTaskCancellationShield "
    "CancellationTokenRegistration.Dispose -DRFF_TSAN libsqlite3-dev .build-docs/site Scripts/api-breakages.txt"
).split()
DESIGN = re.compile(
    r"CONTRIBUTING\.md$|Documentation/(?!Site\.docc/|Comparison).*\.md$|Sources/C?RaceFreeFuture/(?!RaceFreeFuture\.docc/)"
)
COMMENTS = {".swift": r"//.*", ".h": r"//.*", ".c": r"//.*", ".sh": r"#.*", ".tla": r"\(\*.*?\*\)|\\\*[^\n]*"}


def spans(file, content):
    """Returns what a page, or the comments of a file, have in code font, with its line; not what is in a block of code."""
    is_block = False
    for line, words in enumerate(content.split("\n"), 1):
        words = words if file.endswith(".md") else words.partition("//")[2]
        if words.strip(" /").startswith("```"):
            is_block = not is_block
        elif not is_block:
            yield from ((line, span) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", words))


def names(contents, files):
    """A name in code font on a page of design, or in a comment of the core, is one in the code, or that of a file.

    Commands may name anything, and so may the page that compares other libraries.
    """
    known = {word for file in files for word in re.findall(r"\w+", file)}
    for file, content in contents.items():
        if comment := COMMENTS.get(pathlib.Path(file).suffix):
            known |= set(re.findall(r"\w+", re.sub(comment, "", content, flags=re.S if file.endswith(".tla") else 0)))
    for file, content in contents.items():
        if not DESIGN.match(file):
            continue
        for line, span in spans(file, content):
            if span in FOREIGN or span.startswith(("make ", "swift ", "python3 ", "brew ")):
                continue
            if re.fullmatch(r"[\w.+-]+(/[\w.+-]*)+|[\w.+-]+\.(swift|md|py|sh|tla|txt)", span):
                if not any(f"/{span.removeprefix('../')}" in f"/{name}" for name in files):
                    fail(f"{file}:{line}: there is no `{span}`")
            elif missing := [word for word in re.findall(r"(?<![\w…])[A-Za-z_]\w*", span) if word not in known]:
                fail(f"{file}:{line}: '{', '.join(missing)}' of `{span}` is in no code; one of others: FOREIGN in lint.py")


EXPORTS = "Sources/RaceFreeFutureTesting/Exports.swift"


def exports(file, content):
    """One file alone exports modules again, and has nothing else: so nothing stands on the explorer."""
    lines = [line for line in re.sub(r"//.*", "", content).split("\n") if line.strip()]
    if file == EXPORTS and not all(line.startswith("@_exported public import ") for line in lines):
        fail(f"{file}: it has nothing but what it exports")
    if file != EXPORTS and file.startswith("Sources/") and any("@_exported" in line for line in lines):
        fail(f"{file}: only {EXPORTS} exports a module again")


def bare_closures(file, content):
    """No lock guards a bare closure, an optional one, or a tuple with one: each turn would wrap it in another one.

    One in a struct, an enum or an array stays as it is.
    """
    code = re.sub(r"//.*", "", content)
    closure = re.compile("|".join(["->", *(rf"\b{name}\b" for name in re.findall(r"typealias (\w+) = .*->", code))]))
    for match in re.finditer(r"\b(?:Locked|Mutex)(?:<|\((\{))", code):
        if match[1] or closure.search(outermost(code[match.end() :])):
            line = code.count("\n", 0, match.start()) + 1
            fail(f"{file}:{line}: a lock guards a bare closure; see Locked.swift")


def outermost(code):
    """Returns what stands up to the end of the angle brackets, but for what is in square ones."""
    angles, squares, value = 1, 0, ""
    for before, character in zip(" " + code, code):
        squares += {"[": 1, "]": -1}.get(character, 0)
        angles += {"<": 1, ">": 0 if before == "-" else -1}.get(character, 0)
        if angles == 0:
            break
        value += character if squares == 0 else ""
    return value


KIND = r"(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)"
TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+|(?!private|fileprivate)[a-z]+\s+)*?" + KIND, re.M)
OWN = re.compile(r"^[ ]*(?:[a-z@]\w*\s+)*?" + KIND, re.M)
# What is interpolated into a string is lost with it.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|(?!""").)*"""|#"[^"]*"#|"(?:\\.|[^"\\\n])*"', re.S)


def floors(contents, module, page):
    """No room of a module, a folder, uses what is above it: names a type that a room there declares.

    The floors are a table in CONTRIBUTING.md below the name of the module; rooms on one floor don't use each other. A
    folder in a room is part of it, unless it is listed. What extensions add to a type isn't seen. The words for a floor
    name types of its rooms in code font, at least one.
    """
    root = f"Sources/{module}/"
    table = page.partition(f"\nThe floors of `{module}`")[2].partition("\n\nThe floors of")[0]
    rows = re.findall(r"^\| \d+ \| (.*?) \| (.*?) \|$", table.partition("\n## ")[0], re.M)
    floor = {room: number for number, (row, _) in enumerate(rows) for room in re.findall(r"`([^`]+)/`", row)}
    code = {file: NO_CODE.sub('""', content) for file, content in contents.items() if file.startswith(root)}
    code = {file: content for file, content in code.items() if ".docc/" not in file}
    room = {}
    for file in code:
        folders = file.removeprefix(root).split("/")[:-1]
        outer = ["/".join(folders[:depth]) for depth in range(len(folders), 0, -1)]
        room[file] = next((name for name in outer if name in floor), outer[0])
    home = {name: room[file] for file in code for name in TYPE.findall(code[file])}
    for number, (row, words) in enumerate(rows):
        types = re.findall(r"`(\w+)`", words)
        for name in types:
            if floor.get(home.get(name)) != number:
                fail(f"CONTRIBUTING.md: `{name}` isn't on floor {number + 1} of {module}, but in {home.get(name, 'no room')}")
        if not types and number in {floor.get(place) for place in home.values()}:
            fail(f"CONTRIBUTING.md: the words for floor {number + 1} of {module} name no type of {row}")
    for name in sorted(floor.keys() ^ set(room.values())):
        fail(f"CONTRIBUTING.md: {name} is " + ("no room" if name in floor else "on no floor"))
    upwards = {
        f"{room[file]} -> {home[name]}: {name}"
        for file in code
        # A type of the file's own may have the name of another room's.
        for name in (set(re.findall(r"\b[A-Z]\w*", code[file])) & home.keys()) - set(OWN.findall(code[file]))
        if home[name] != room[file] and floor.get(room[file], 0) <= floor.get(home[name], 0)
    }
    for arrow in sorted(upwards):
        fail(f"upwards: {arrow}")


ACCESS = re.compile(
    r"(\w+)\??\.(load|store|exchange|compareExchange|weakCompareExchange|add|subtract|bitwiseOr|bitwiseAnd)"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?ordering:\s*\.(\w+)"
)
TEST_TOOLS = ("Sources/RaceFreeFutureTestingTools/", "Sources/RaceFreeFutureExploring/")


def accesses(contents):
    """Returns how often each atomic access is there: of the library all, of its test tools those that aren't relaxed."""
    return collections.Counter(
        (f"`{pathlib.Path(file).stem}`", f"`{name}.{operation}`", ordering)
        for file, content in contents.items()
        if file.startswith("Sources/") and ".docc/" not in file
        for name, operation, ordering in ACCESS.findall(re.sub(r"//.*", "", content))
        if ordering != "relaxed" or not file.startswith(TEST_TOOLS)
    )


def reasons():
    """Returns what the table of Documentation/Design.md says of each access: how often it is there, and why that is enough."""
    rows = re.findall(r"^\| (`[\w+]+`) \| (`[\w.]+` \w+.*?) \| (.*?) ?\|$", text(DESIGN_NOTES), re.M)
    return {
        (file, access, ordering): (int(count or 1), why)
        for file, listed, why in rows
        for access, ordering, count in re.findall(r"(`[\w.]+`) (\w+)(?: × (\d+))?", listed)
    }


def orderings(contents):
    """Each atomic access has its ordering in the table of Documentation/Design.md, with the reason why it is enough.

    The reason for one that isn't relaxed names the place of the explored one: OrderingTests look for its ordering there.
    """
    listed, now = reasons(), accesses(contents)
    for key in sorted(now.keys() | listed.keys()):
        count, why = listed.get(key, (0, ""))
        if now[key] != count:
            fail(f"{DESIGN_NOTES}: {' '.join(key)}: the sources have it {now[key]} times; run python3 Scripts/shared/lint.py orderings")
        elif not why or key[2] != "relaxed" and not why.startswith("explored as `"):
            fail(f"{DESIGN_NOTES}: {' '.join(key)}: the last column lacks the reason, or the place of the explored one")


def renew_orderings(contents):
    """Writes the table of accesses again, with the reasons that are there."""
    old, rows = reasons(), {}
    for (file, access, ordering), count in sorted(accesses(contents).items()):
        why = old.get((file, access, ordering), (0, ""))[1]
        rows.setdefault((file, why), []).append(f"{access} {ordering}" + (f" × {count}" if count > 1 else ""))
    lines = ["| file | accesses | why that is enough |", "| --- | --- | --- |"]
    lines += [f"| {file} | {', '.join(listed)} | {why} |" for (file, why), listed in rows.items()]
    subprocess.run(["Scripts/shared/put.sh", DESIGN_NOTES, "accesses"], input="\n".join(lines), text=True, check=True)


TYPES = re.compile(r"^( *)((?:(?:@\w+(?:\([^)]*\))?|[a-z]+)\s+)*?)" + KIND, re.M)
PUBLIC = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s+(?:[a-z]+\s+)*?"
    r"(?:func|var|let|init|subscript|class|struct|enum|protocol|actor|typealias|case|associatedtype|macro)\b",
    re.M,
)


def sizes(contents, root="Sources/RaceFreeFuture/"):
    """The core doesn't grow: its sizes stand in floors.txt, and who makes one smaller lowers the number there."""
    parts = [content for file, content in contents.items() if file.startswith(root) and ".docc/" not in file]
    code = [NO_CODE.sub(lambda match: "" if match[0][0] == "/" else '""', content) for content in parts]
    types = [match for content in code for match in TYPES.finditer(content)]
    counted = {
        "code lines": sum(1 for content in code for line in content.split("\n") if line.strip()),
        "public declarations": sum(len(PUBLIC.findall(content)) for content in code),
        "own types at top level": sum(1 for match in types if not match[1] and "public" not in match[2]),
        "nested types": sum(1 for match in types if match[1]),
    }
    within_limits(counted)


def page_sizes(contents):
    """Pages don't grow either: who makes them shorter lowers the numbers in floors.txt. All count without generated tables."""
    written = re.compile(r"^<!-- [^\n]*: generated -->$.*?^<!-- [^\n]*: end -->$", re.M | re.S)
    pages = [written.sub("", content) for file, content in contents.items() if file.endswith(".md")]
    within_limits(
        {
            "words of the design notes": len(contents[DESIGN_NOTES].split()),
            "words of all pages": sum(len(page.split()) for page in pages),
        }
    )


def within_limits(counted):
    limits = dict(re.findall(r"^(.*): (\d+)$", text("Scripts/shared/floors.txt"), re.M))
    for name, count in counted.items():
        if count > int(limits.get(name, 0)):
            fail(f"grown: {count} {name}, and {limits.get(name, 0)} were enough (Scripts/shared/floors.txt)")


REJECTED = (
    "in line|time-outs?|hook(s|ed)? (it |them )?up|whoever|whomever|circles?|tak(en|es) back|hand(s|ed)? (it |them )?over"
    "|for ever|all the same|on the spot|in vain|anew|there and then|never not|straight away"
    # The spelling is American.
    "|colours?|favours?|neighbours?|licences?|centres?|honours?|modelled|travelled|catalogues?|analyse[ds]?|\w+isations?"
)
# A phrase may go on in the next line.
REJECTED = re.compile(rf"(?<![\w-])({REJECTED})(?![\w-])".replace(" ", r"(?: |\n[ >]*)"), re.I)
NO_PROSE = re.compile(r"^ *```.*?^ *```$|^<!-- [^\n]*: generated -->$.*?^<!-- [^\n]*: end -->$|`[^`\n]*`", re.M | re.S)


def words(file, content):
    """Prose, documentation comments and names of tests go without words that the glossary in Guarantees.md replaces, and British spelling."""
    if file.endswith(".swift"):
        kept = r"(?:func `|@(?:Test|Suite)\(\")([^`\"]+)" if "Tests/" in file else r"^ */// ?(.*)"
        content = "\n".join(" ".join(re.findall(kept, line)) for line in content.split("\n"))
    prose = NO_PROSE.sub(lambda match: re.sub(r"[^\n]+", "`", match[0]), content)
    for match in REJECTED.finditer(prose):
        line = prose.count("\n", 0, match.start()) + 1
        fail(f"{file}:{line}: '{match[0]}' isn't one of ours: see the glossary in Guarantees.md, or American spelling")


def widths(file, content):
    """Code in guides has at most 88 columns: more are cut off beside the sidebar."""
    for block in re.findall(r"^ *```swift$.*?^ *```$", content, re.M | re.S):
        for line in block.split("\n"):
            if len(line) > 88:
                fail(f"{file}: code of {len(line)} columns, and 88 are enough: {line.strip()}")


def seeded(check, content, count, file="sample.md"):
    """A check that can't fail is worth nothing: it has to find so many faults in this."""
    before = len(problems)
    check(file, content)
    found = problems[before:]
    del problems[before:]
    if len(found) != count:
        fail(f"lint.py: {check.__name__} doesn't see what it should")


def main():
    if sys.argv[1:] == ["orderings"]:
        return renew_orderings({file: text(file) for file in found(".swift")})
    if sys.argv[1:] == ["locks"]:
        table = lock_table({file: text(file) for file in found(".swift")})
        return subprocess.run(["Scripts/shared/put.sh", DESIGN_NOTES, "locks"], input=table, text=True, check=True)
    seeded(
        bare_closures,
        "typealias Act = () -> Void\nlet a = Locked<(() -> Void)?>(nil)\nlet b: Mutex<Act>\nlet c = Locked({ })\n"
        "let d = Locked<(\n  Int, () -> Int\n)>((1, { 1 }))\n"
        "let e = Locked<[() -> Void]>([])\nlet f: Mutex<[String: Act]> // Mutex<Act>\nlet g = Locked<State>(State { 1 })",
        4,
    )
    seeded(words, "It stands in line.\n`in line`\none inline handler\n```\nin line\n```\nAll\n  the same.\nin\n\nline", 2)
    seeded(words, "/// It is\n///   in vain.\nlet inVain = 1 // in vain", 1, "Sources/sample.swift")
    seeded(words, "func `it is in vain`() {\n// in vain\n@Test(\"anew\")", 2, "Tests/sample.swift")
    seeded(lambda file, content: lock_table({file: content}), "  let a = Locked(1)\n", 1, "Sources/RaceFreeFuture/a.swift")
    seeded(widths, "x" * 89 + "\n```swift\n" + "x" * 88 + "\n```\n```swift\n" + "x" * 89 + "\n```", 1)

    swift = found(".swift")
    if subprocess.run(["swift", "format", "lint", "--strict", "--parallel", *swift]).returncode:
        fail("swift format lint: see above. What a machine can repair: swift format --in-place --recursive Sources Tests")
    contents = {file: text(file) for file in found(".swift", ".md", ".tutorial", ".sh", ".py", ".c", ".h", ".ci/run")}
    for file, content in contents.items():
        # A tutorial's steps are shown as they are.
        if not file.endswith((".md", ".tutorial")) and ".docc/" not in file:
            license(file, content)
        if file.endswith(".swift"):
            length(file, content)
            exit_tests(file, content)
            exports(file, content)
            bare_closures(file, content)
        if file.endswith((".md", ".tutorial")) or file.startswith("Sources/") or "Tests/" in file:
            words(file, content)
        if ".docc/" in file and file.endswith(".md"):
            widths(file, content)
    sources = {file: content for file, content in contents.items() if file.endswith(".swift")}
    comment = "/// Adds.\n///\n/// - Parameter a: It.\npublic func add(\n  a: Int,\n  line: UInt = #line\n) {}\n"
    seeded(lambda file, content: parameters({file: content}), comment, 0)
    seeded(lambda file, content: parameters({file: content}), comment.replace("line: UInt = #line", "b: Int"), 1)
    for check in [parameters, locks, sizes, orderings]:
        check(sources)
    invariants(contents)
    page_sizes(contents)
    seeded(lambda file, content: page_sizes(contents | {file: content}), "word " * 10_000, 1)
    files, others = found(""), {file: text(file) for file in found(".tla")}
    names(contents | others, files)
    for module in ["RaceFreeFuture", "RaceFreeFutureFoundation", "RaceFreeFutureTestingTools", "RaceFreeFutureExploring"]:
        floors(sources, module, contents["CONTRIBUTING.md"])
    if not problems:
        upper = {"RaceFreeFuture": "Future", "RaceFreeFutureTestingTools": "RaceRun", "RaceFreeFutureExploring": "Explorer"}
        for (module, name), room in zip(upper.items(), ["Support", "Text", "Search"]):
            upwards = lambda file, content: floors(sources | {file: content}, module, contents["CONTRIBUTING.md"])
            seeded(upwards, f"let name: {name} // TestReport, Scope", 1, f"Sources/{module}/{room}/Sample.swift")
        table = lambda file, content: floors(sources, "RaceFreeFuture", content)
        page = contents["CONTRIBUTING.md"]
        seeded(table, page.replace("(`Locked`)", "(`Trampoline`)"), 1)
        seeded(table, re.sub(r"^\| 1 \| `Support/` \| .* \|$", "| 1 | `Support/` | the lock |", page, flags=re.M), 1)
        stated = lambda file, content: invariants(contents | {file: content})
        seeded(stated, "/// - **M1** It isn't so.\n/// - **M0** Nor this (K0).", 3, "Sources/RaceFreeFuture/Sample.swift")
        seeded(stated, contents[DESIGN_NOTES].replace("**K3. The thread", "**K3. A thread"), 1, DESIGN_NOTES)
        seeded(stated, contents[DESIGN_NOTES] + "\n**M1. It isn't so.** See D0.", 2, DESIGN_NOTES)
        named = lambda file, content: names(contents | others | {file: content}, files)
        seeded(named, "`nobodys > inLine`, `Kernel/None.swift`\n```\n`nobodys`\n```\n`make nobodys`", 2, "Documentation/A.md")
        seeded(named, "let a = 1 // `nobodys`\n/// ```\n/// `nobodys`\n/// ```", 1, "Sources/RaceFreeFuture/Sample.swift")
        seeded(exports, "@_exported public import RaceFreeFuture", 1, "Sources/RaceFreeFutureTestingTools/Sample.swift")
        seeded(exports, "@_exported public import A\n\nstruct B {}", 1, EXPORTS)
    if subprocess.run([sys.executable, "Scripts/shared/mutants.py", "check", "Scripts/shared/mutants.txt"]).returncode:
        fail("mutants.txt: see above")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(contents)} files are in form")


main()
