#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Puts small faults into the headers of a component, and says which of them its tests notice.

    tests/mutate.py COMPONENT... [--seed N] [--count N] [--jobs N] [--only KIND] [--preset PRESET]

A fault is a mutant: an operator, half of a condition, a constant, a statement or two arguments are changed, by
rules and at places that the seed chooses. All of a component are compiled in at once, in a copy of the sources below
build/mutants, and one of them is made active by the variable ACTA_MUTANT. Each test case runs once without one, to see
which places it reaches; then each mutant runs the test cases that reach it, the quickest first, until one fails, ends
otherwise or takes ten times as long. Those that no test notices survive: they are printed, with what was changed.
tests/equivalent.tsv lists survivors that change nothing, with the reason. A lock that is left out is a race, which only
ThreadSanitizer notices each time: `--only lock` leaves them out, and wants `--preset tsan`.

Needs libclang and its Python module (Debian: python3-clang-16), beside what the tests need.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

try:
    from clang import cindex
    from clang.cindex import CursorKind
except ImportError:
    sys.exit("mutate.py needs the Python module of libclang, such as Debian's python3-clang-16, and its /usr/bin/python3")

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
# The test programs of a component that has more than one.
PROGRAMS = {"agent": ("agent", "agent_by_hand"), "json": ("json", "portable")}

# What is compiled in: a place is reached, and its mutant is active, or not. Constant expressions have no mutants.
SWITCH = r"""
#ifndef ACTA_MUTANT_SWITCH
#define ACTA_MUTANT_SWITCH
#include <cstdio>
#include <cstdlib>
namespace acta_mutants {
struct Places {
    static constexpr int most = 4096;
    int active = -1;
    bool reached[most] = {};
    Places() {
        if (const char* const one = std::getenv("ACTA_MUTANT")) active = std::atoi(one);
    }
    ~Places() {
        const char* const name = std::getenv("ACTA_MUTANT_REACHED");
        std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "a");
        if (file == nullptr) return;
        for (int i = 0; i < most; ++i)
            if (reached[i]) std::fprintf(file, "%d\n", i);
        std::fclose(file);
    }
};
inline Places places;
inline bool is_active(int n) noexcept {
    bool& reached = places.reached[n];
    if (!__atomic_load_n(&reached, __ATOMIC_RELAXED)) __atomic_store_n(&reached, true, __ATOMIC_RELAXED);
    return places.active == n;
}
constexpr bool on(int n) noexcept { return !__builtin_is_constant_evaluated() && is_active(n); }
}  // namespace acta_mutants
#endif
"""


@dataclasses.dataclass
class Edit:
    """A change of a source, in bytes."""

    start: int
    end: int
    text: bytes


@dataclasses.dataclass
class Mutant:
    file: str  # below include/
    line: int
    kind: str
    before: str
    after: str
    edits: list
    start: int
    end: int
    before_lines: int = 0  # the lines that it spans, but for the first
    number: int = -1
    verdict: str = ""
    by: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.before!r} -> {self.after!r}"


# Finding places -----------------------------------------------------------------------------------------------------

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
COMMUTATIVE = {"saturated_sum", "min", "max", "swap", "equal", "equals_ignoring_case", "expect_equal", "same_members",
               "same_value", "require_epoch"}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.LAMBDA_EXPR,
}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}


def kind_of(node):
    """Returns the kind of a node; nothing if the Python module does not know it, such as a concept."""
    try:
        return node.kind
    except ValueError:
        return None


def as_bool(text: bytes) -> bytes:
    return b"static_cast<bool>(" + text + b")"


class Finder:
    """Finds the mutants of one header."""

    def __init__(self, name: str, text: bytes):
        self.name = name
        self.text = text
        self.mutants = []

    def part(self, node) -> bytes:
        return self.text[node.extent.start.offset : node.extent.end.offset]

    def is_here(self, node) -> bool:
        """Whether the node is written here as it stands, not made by a macro."""
        start, end = node.extent.start, node.extent.end
        if start.file is None or end.file is None or start.file.name != end.file.name:
            return False
        tokens = self.part(node)
        return bool(tokens) and not re.search(rb"\b(ACTA_[A-Z_]+|CATCH|assert|static_assert)\b", tokens)

    def add(self, node, kind, before, after, edits) -> None:
        start, end = node.extent.start.offset, node.extent.end.offset
        line = node.extent.start.line
        shown = [one if isinstance(one, str) else one.decode("utf-8", "replace") for one in (before, after)]
        shown = [re.sub(r"^static_cast<bool>\((.*)\)$", r"\1", " ".join(one.split())) for one in shown]
        one = Mutant(self.name, line, kind, shown[0], shown[1], edits, start, end)
        one.before_lines = self.text[start:end].count(b"\n")
        self.mutants.append(one)

    def replace(self, node, kind, after: bytes) -> None:
        """A mutant that is another expression of the same type."""
        before = self.part(node)
        if b"//" in after:  # a comment, or a text that has one: its end would be lost
            return
        start, end = node.extent.start.offset, node.extent.end.offset
        after = b" ".join(after.splitlines())
        edits = [
            Edit(start, start, b"(::acta_mutants::on(@) ? (" + after + b") : ("),
            Edit(end, end, b"))"),
        ]
        self.add(node, kind, before, after, edits)

    def operator_of(self, node):
        """Returns the operator of a binary expression, and its two sides."""
        sides = list(node.get_children())
        if len(sides) != 2:
            return None
        left, right = sides
        between = self.text[left.extent.end.offset : right.extent.start.offset]
        operator = between.decode("utf-8", "replace").strip()
        if not re.fullmatch(r"[-+*/%<>=!&|^]+", operator):
            return None
        return operator, left, right

    def walk(self, node, parents) -> None:
        kind = kind_of(node)
        if kind in (None, CursorKind.TYPE_ALIAS_DECL, CursorKind.STATIC_ASSERT):
            return
        if kind == CursorKind.VAR_DECL and re.match(rb"(static\s+|inline\s+)*constexpr\b", self.part(node)):
            return self.constant_variable(node)
        if kind == CursorKind.IF_STMT and re.match(rb"if\s+constexpr\b", self.part(node)):
            children = list(node.get_children())[1:]
        else:
            children = list(node.get_children())
        if self.is_here(node):
            self.look_at(node, kind, parents)
        for child in children:
            self.walk(child, [*parents, node])

    def look_at(self, node, kind, parents) -> None:
        if kind == CursorKind.BINARY_OPERATOR:
            self.binary(node)
        elif kind == CursorKind.INTEGER_LITERAL:
            self.integer(node, parents)
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
            self.boolean(node, parents)
        elif kind == CursorKind.UNARY_OPERATOR:
            text = self.part(node)
            if text.startswith(b"!") and not text.startswith(b"!="):
                self.replace(node, "negation left out", as_bool(text[1:]))
        elif kind == CursorKind.CALL_EXPR:
            self.call(node)
        elif kind == CursorKind.VAR_DECL:
            self.lock(node)
        elif kind == CursorKind.COMPOUND_STMT:
            for statement in node.get_children():
                if self.is_here(statement):
                    self.statement(statement)
        elif kind == CursorKind.IF_STMT:
            branches = list(node.get_children())
            if len(branches) in (2, 3) and self.is_here(branches[1]) and kind_of(branches[1]) != CursorKind.COMPOUND_STMT:
                self.statement(branches[1])

    def binary(self, node) -> None:
        found = self.operator_of(node)
        if found is None:
            return
        operator, left, right = found
        a, b = self.part(left), self.part(right)
        if operator in ("&&", "||"):
            self.replace(node, "half of a condition", as_bool(a))
            self.replace(node, "half of a condition", as_bool(b))
        elif operator in COMPARISONS:
            other = COMPARISONS[operator].encode()
            self.replace(node, "comparison", a + b" " + other + b" " + b)
        elif operator in ARITHMETIC and b'"' not in a and b'"' not in b:
            other = ARITHMETIC[operator].encode()
            self.replace(node, "arithmetic", a + b" " + other + b" " + b)

    def integer(self, node, parents) -> None:
        text = self.part(node)
        above = kind_of(parents[-1]) if parents else None
        if above in (CursorKind.CASE_STMT, CursorKind.TEMPLATE_NON_TYPE_PARAMETER, CursorKind.ENUM_CONSTANT_DECL):
            return
        if re.fullmatch(rb"\d+[uU]?[lL]*", text):
            self.constant(node, b"1" if text == b"0" else text + b" + 1")

    def boolean(self, node, parents) -> None:
        text = self.part(node)
        if text in (b"true", b"false"):
            self.constant(node, b"false" if text == b"true" else b"true")

    def constant(self, node, after: bytes) -> None:
        """A mutant that is another constant, which is shown with its line: alone it would not say which one it is."""
        self.replace(node, "constant", after)
        start, end = node.extent.start.offset, node.extent.end.offset
        first, last = self.text.rfind(b"\n", 0, start) + 1, self.text.find(b"\n", end)
        around = [self.text[first:start], self.text[end:last]]
        shown = [b" ".join(one.join(around).split()).decode("utf-8", "replace") for one in (self.text[start:end], after)]
        self.mutants[-1].before, self.mutants[-1].after = shown

    def constant_variable(self, node) -> None:
        """A named bound, which becomes a variable. Where it must be a constant expression, that does not compile."""
        text = self.part(node)
        found = re.search(rb"=\s*(\d[\d']*[uU]?[lL]*)$", text)
        word = re.search(rb"\bconstexpr\b", text)
        if not found or not word or not self.is_here(node):
            return
        if re.search(rb"\[(\w+::)*" + node.spelling.encode() + rb"\b", self.text):  # the size of an array
            return
        start = node.extent.start.offset
        is_member = node.semantic_parent is not None and kind_of(node.semantic_parent) in CLASSES
        value = b"(::acta_mutants::is_active(@) ? " + found[1] + b" + 1 : " + found[1] + b")"
        edits = [
            Edit(start + word.start(), start + word.end(), b"inline const" if is_member else b"const"),
            Edit(start + found.start(1), start + found.end(1), value),
        ]
        self.add(node, "bound", text, text[: found.start(1)] + found[1] + b" + 1", edits)

    def lock(self, node) -> None:
        """A lock that is not taken."""
        text = self.part(node)
        found = re.fullmatch(rb"(const )?std::(?:lock_guard|unique_lock) (\w+)\((.*)\)", text, re.DOTALL)
        if found:
            mutex = found[3]
            whole = b"%sstd::unique_lock %s = ::acta_mutants::on(@) ? std::unique_lock(%s, std::defer_lock) : std::unique_lock(%s)"
            edit = Edit(node.extent.start.offset, node.extent.end.offset, whole % (found[1] or b"", found[2], mutex, mutex))
            self.add(node, "lock", text, b"", [edit])

    def call(self, node) -> None:
        """A comparison of values of classes, or two arguments of a function."""
        arguments = [one for one in node.get_arguments() if one is not None]
        operator = node.spelling.removeprefix("operator")
        if operator in COMPARISONS and len(arguments) == 2:
            a, b = (self.part(one) for one in arguments)
            between = self.text[arguments[0].extent.end.offset : arguments[1].extent.start.offset]
            if between.strip() == operator.encode():
                self.replace(node, "comparison", a + b" " + COMPARISONS[operator].encode() + b" " + b)
        elif node.spelling.isidentifier() and node.spelling not in COMMUTATIVE:
            self.arguments(node)

    def arguments(self, node) -> None:
        arguments = [one for one in node.get_arguments() if one is not None]
        texts = [self.part(one) for one in arguments]
        if len(arguments) < 2 or any(not self.is_here(one) for one in arguments):
            return
        for i in range(len(arguments) - 1):
            first, second = arguments[i], arguments[i + 1]
            types = [one.type.get_canonical().spelling.replace("const ", "").replace(" &", "") for one in (first, second)]
            if types[0] != types[1] or "<dependent type>" in types or texts[i] == texts[i + 1] or b"move" in texts[i] + texts[i + 1]:
                continue
            base, end = node.extent.start.offset, first.extent.start.offset
            whole = self.part(node)
            a = first.extent.start.offset - base, first.extent.end.offset - base
            b = second.extent.start.offset - base, second.extent.end.offset - base
            if not 0 <= a[0] < a[1] <= b[0] < b[1] <= len(whole):
                continue
            after = whole[: a[0]] + texts[i + 1] + whole[a[1] : b[0]] + texts[i] + whole[b[1] :]
            if b"move" in whole:
                continue
            self.replace(node, "swapped arguments", after)
            return

    def statement(self, node) -> None:
        if kind_of(node) in (CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.UNARY_OPERATOR) or (
            kind_of(node) == CursorKind.UNEXPOSED_EXPR
        ):
            start, end = node.extent.start.offset, node.extent.end.offset
            if self.text[end : end + 1] != b";":
                return
            self.add(node, "statement left out", self.part(node), "", self.left_out(start, end + 1))
        elif kind_of(node) == CursorKind.RETURN_STMT and self.part(node).strip() == b"return":
            start = node.extent.start.offset
            whole = self.text[self.text.rfind(b"\n", 0, start) + 1 : self.text.find(b"\n", start)]  # to tell it from others
            end = self.text.index(b";", start) + 1
            self.add(node, "return left out", whole, "", self.left_out(start, end))

    @staticmethod
    def left_out(start: int, end: int) -> list:
        """In braces, so that an `else` that follows stays that of the `if` before."""
        return [Edit(start, start, b"{ if (!::acta_mutants::on(@)) "), Edit(end, end, b" }")]


def mutants_of(component: str) -> list:
    """Returns all mutants of a component, in the order of its sources."""
    folder = ROOT / "include" / "acta" / component
    headers = sorted(folder.rglob("*.hpp"))
    if not headers:
        sys.exit(f"mutate.py: {folder} has no headers")
    names = {str(path): str(path.relative_to(ROOT / "include")) for path in headers}
    public = [name for name in names.values() if "/detail/" not in name]  # which include the others
    source = "".join(f'#include "{name}"\n' for name in public)
    arguments = ["-std=c++20", f"-I{ROOT}/include", "-fparse-all-comments", "-isystem", "/usr/include/postgresql"]
    unit = cindex.Index.create().parse("all.cpp", arguments, unsaved_files=[("all.cpp", source)])
    errors = [one for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
    if errors:
        sys.exit(f"mutate.py: libclang cannot read {component}: {errors[0]}")
    finders = {path: Finder(name, pathlib.Path(path).read_bytes()) for path, name in names.items()}

    def visit(node) -> None:
        for child in node.get_children():
            file = child.location.file
            if file is not None and file.name not in finders or kind_of(child) is None:
                continue
            if kind_of(child) in FUNCTIONS and file is not None:
                if "consteval" not in finders[file.name].part(child)[:200].decode("utf-8", "replace"):
                    for body in child.get_children():
                        if kind_of(body) == CursorKind.COMPOUND_STMT:
                            finders[file.name].walk(body, [child])
            elif kind_of(child) == CursorKind.VAR_DECL and file is not None:
                finders[file.name].walk(child, [])
            else:
                visit(child)

    visit(unit.cursor)
    found = {}
    for finder in finders.values():
        for one in finder.mutants:
            found.setdefault((one.file, one.start, one.end, one.kind, one.after), one)
    return list(found.values())


def chosen(mutants: list, seed: int, count: int) -> list:
    """Chooses as many, evenly among the kinds, and none inside of another one."""
    order = random.Random(seed)
    by_kind = {}
    for one in mutants:
        by_kind.setdefault(one.kind, []).append(one)
    for some in by_kind.values():
        order.shuffle(some)
    out = []
    while len(out) < count and any(by_kind.values()):
        for kind in sorted(by_kind):
            while by_kind[kind] and len(out) < count:
                one = by_kind[kind].pop()
                if all(one.file != other.file or one.end <= other.start or other.end <= one.start for other in out):
                    out.append(one)
                    break
    out.sort(key=lambda one: (one.file, one.start))
    for number, one in enumerate(out):
        one.number = number
    return out


# Building -----------------------------------------------------------------------------------------------------------


def write_copy(copy: pathlib.Path, mutants: list) -> None:
    """Writes the sources with these mutants."""
    for file in sorted({one.file for one in mutants}):
        text = (ROOT / "include" / file).read_bytes()
        edits = []
        for one in mutants:
            if one.file == file:
                edits += [Edit(edit.start, edit.end, edit.text.replace(b"@", str(one.number).encode())) for edit in one.edits]
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        target = copy / "include" / file
        if target.read_bytes() != text:
            target.write_bytes(text)


def run(command, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def without_broken(mutants: list, output: str) -> list:
    """Returns those whose lines no error of the compiler names."""
    lines = set()
    # An error in a library, or in a header without mutants: also the places of acta that led to it.
    what = r"error|required|in .{1,3}constexpr|note: .{1,80} was not initialized with a constant expression"
    for file, line in re.findall(rf"\binclude/(acta/[^:\n]+):(\d+):\d+:\s+(?:{what})", output):
        lines.add((file, int(line)))

    def is_broken(one) -> bool:
        last = one.line + one.before_lines
        return any(file == one.file and one.line <= line <= last for file, line in lines)

    return [one for one in mutants if not is_broken(one)]


def flags_of(preset: str) -> str:
    """The compiler's flags of a preset, which one that it inherits may have set."""
    presets = {}
    for name in ("CMakePresets.json", ".ci/presets.json"):
        presets |= {one["name"]: one for one in json.loads((ROOT / name).read_text())["configurePresets"]}
    while preset:
        flags = presets[preset].get("cacheVariables", {}).get("CMAKE_CXX_FLAGS")
        if flags is not None:
            return flags
        preset = presets[preset].get("inherits")
    return ""


def build(component: str, mutants: list, jobs: int, preset: str = "dev"):
    """Compiles the tests of a component with these mutants, and returns the programs and those that could be compiled."""
    copy = WORK / component
    copy.mkdir(parents=True, exist_ok=True)
    files = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT).stdout.split("\0")
    for old in [*copy.glob("include/**/*.hpp"), *copy.glob("tests/**/*.cpp")]:
        if str(old.relative_to(copy)) not in files:
            old.unlink()  # removed or renamed since the last time
    for name in filter(None, files):
        source, target = ROOT / name, copy / name
        if not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copy2(source, target)
    switch = copy / "switch.hpp"
    if not switch.exists() or switch.read_text() != SWITCH:
        switch.write_text(SWITCH)
    write_copy(copy, mutants)
    names = [f"acta_{name}_tests" for name in PROGRAMS.get(component, (component,))]
    flags = flags_of(preset)
    configured = run(
        [
            *("cmake", "--preset", preset),
            f"-DCMAKE_CXX_FLAGS={flags} -include {switch} -w",
            f"-DACTA_SHARED_DATA_DIR={ROOT}/../shared/data",
        ],
        cwd=copy,
    )
    if configured.returncode != 0:
        sys.exit(configured.stdout)
    command = ["cmake", "--build", f"build/{preset}", f"-j{jobs}", "--target", *names, "--", "-k", "0"]
    for _ in range(20):
        built = run(command, cwd=copy)
        if built.returncode == 0:
            return [copy / "build" / preset / "tests" / name for name in names], mutants
        left = without_broken(mutants, built.stdout)
        print(f"{component}: {len(mutants) - len(left)} mutants do not compile", file=sys.stderr)
        if len(left) == len(mutants):
            sys.exit(built.stdout[-6000:])
        mutants = left
        reset(copy)
        write_copy(copy, mutants)
    sys.exit(f"mutate.py: the mutants of {component} cannot be compiled")


def reset(copy: pathlib.Path) -> None:
    for source in (ROOT / "include").rglob("*.hpp"):
        target = copy / source.relative_to(ROOT)
        if target.read_bytes() != source.read_bytes():
            shutil.copy2(source, target)


# Running ------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Test:
    program: pathlib.Path
    name: str
    seconds: float = 0
    reaches: frozenset = frozenset()


def escaped(name: str) -> str:
    return re.sub(r"([\\,\[\]*\"~])", r"\\\1", name)


def run_test(test: Test, environment: dict, timeout: float):
    """Returns whether the test passes, and its seconds."""
    start = time.monotonic()
    process = subprocess.Popen(
        [test.program, escaped(test.name)],
        cwd=test.program.parent,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        passed = process.wait(timeout) == 0
    except subprocess.TimeoutExpired:
        passed = False
    finally:
        try:
            os.killpg(process.pid, 9)  # with what it has started
        except ProcessLookupError:
            pass
        process.wait()
    return passed, time.monotonic() - start


def tests_of(programs: list, jobs: int) -> list:
    """Returns the test cases that pass, each with the mutants that it reaches."""
    tests = []
    for program in programs:
        names = run([program, "--list-test-names-only"]).stdout.splitlines()
        tests += [Test(program, one) for one in names if one.strip()]

    def look(test: Test):
        reached = WORK / f"reached-{os.getpid()}-{abs(hash((test.program, test.name)))}"
        passed, test.seconds = run_test(test, {"ACTA_MUTANT_REACHED": str(reached)}, 300)
        if reached.exists():
            test.reaches = frozenset(int(one) for one in reached.read_text().split())
            reached.unlink()
        if not passed:
            print(f"without a mutant, this fails: {test.name}", file=sys.stderr)
        return test if passed else None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [one for one in pool.map(look, tests) if one is not None]


def judge(mutants: list, tests: list, jobs: int) -> None:
    """Finds out which mutants are noticed, and by which test."""

    def try_one(mutant: Mutant) -> None:
        reaching = sorted((one for one in tests if mutant.number in one.reaches), key=lambda one: one.seconds)
        mutant.verdict = "survived" if reaching else "not reached"
        for test in reaching:
            passed, _ = run_test(test, {"ACTA_MUTANT": str(mutant.number)}, 10 * test.seconds + 5)
            if not passed:
                mutant.verdict, mutant.by = "noticed", test.name
                return

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(try_one, mutants))


# The report ---------------------------------------------------------------------------------------------------------


def equivalents() -> dict:
    """Returns the reasons of mutants that change nothing, by file, kind, before and after."""
    path = ROOT / "tests" / "equivalent.tsv"
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(row.split("\t")[:4]): row.split("\t")[4] for row in rows if row and not row.startswith("#")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("components", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="the most mutants of a component")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", metavar="KIND", help="mutants of this kind alone, such as lock")
    parser.add_argument("--preset", default="dev", help="how the tests are built, such as tsan")
    options = parser.parse_args()
    library = next(pathlib.Path("/usr/lib/llvm-16/lib").glob("libclang-16*.so.1"), None)
    if library is not None:
        cindex.Config.set_library_file(str(library))
    WORK.mkdir(parents=True, exist_ok=True)
    known = equivalents()
    rows = []
    for component in options.components:
        everything = mutants_of(component)
        everything = [one for one in everything if (one.kind == options.only if options.only else one.kind != "lock")]
        mutants = chosen(everything, options.seed, options.count)
        programs, mutants = build(component, mutants, options.jobs, options.preset)
        judge(mutants, tests_of(programs, options.jobs), options.jobs)
        same = [one for one in mutants if (one.file, one.kind, one.before, one.after) in known and one.verdict != "noticed"]
        left = [one for one in mutants if one.verdict != "noticed" and one not in same]
        noticed = len(mutants) - len(same) - len(left)
        for one in left:
            print(f"{one.verdict}: {one}", flush=True)
        rows.append((component, len(everything), len(mutants), len(same), noticed, len(left)))
        print(f"{component}: {noticed} of {noticed + len(left)} noticed", file=sys.stderr, flush=True)
    print(f"\n| component (seed {options.seed}) | places | mutants | equivalent | noticed | not noticed | noticed of the others |")
    print("|---|---|---|---|---|---|---|")
    for name, places, mutants, same, noticed, left in rows:
        share = 100 * noticed / max(noticed + left, 1)
        print(f"| {name} | {places} | {mutants} | {same} | {noticed} | {left} | {share:.0f} % |")


if __name__ == "__main__":
    main()
