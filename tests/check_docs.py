#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs.py <the repository>

Compares the documents with the sources, as far as that can be done without understanding either:

- a citation such as docs/reference/json.md, "Unions" names a document and one of its titles, in comments as well;
- a link of a document leads to a file of the repository, and to a title of it;
- a file that a document names, or a header that a source names, exists;
- `Options::member` and the like name a member that the class has;
- the bounds in docs/limits.md are the defaults of the options that it names;
- each row there names the test that calls below_at_above with the row's first words, and each such call has a row;
- docs/reference has a page for each component, and its index lists them;
- the table of errors in docs/reference/base.md has every class of the public headers that derives from acta::Error;
- the codes of issues in docs/reference/json.md, describe.md and schema.md are those in the headers;
- the programs in docs/comparison.md have as many lines as its table says, and not too many;
- a header that a comment names exists, and no comment is wider than 120 columns;
- comments and strings of headers, examples and tools, and the documents, do not use the phrases of tests/language.tsv.

Prints each disagreement with its file and line. check_docs_test.py has a wrong example for each rule.
"""

import math
import re
import sys
from itertools import islice
from pathlib import Path

BREAK = r"\s*\n\s*(?:(?:///?|#)\s*)?"  # between two lines of a comment
CITATION = re.compile(rf'(?<!\]\()(?<![\w/])(docs/[\w/]+\.md)(?:,(?:{BREAK}|\s)"([^"]+)")?')
LINK = re.compile(r"\]\(([^)\s]+)\)")
TITLE = re.compile(r"^#{1,6} (.+?) *$", re.MULTILINE)
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:hpp|cpp|cppm|py|cmake|sh|mjs)")
HEADER = re.compile(r"\bacta/(?:\w+/)*\w+(?:\.inl)?\.hpp\b")
MEMBER = re.compile(r"\b((?:\w+::)*)([A-Z]\w+)::(\w+)")
CLASS = re.compile(r"\b(?:class|struct|enum(?: class)?) (\w+)(?: final)?(?: : ([^{;()]*?))? \{")
NAMESPACE = re.compile(r"^namespace acta::inline ACTA_ABI((?:::\w+)*) \{", re.MULTILINE)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(rf"({STRING.pattern})|//[^\n]*")
PROSE = re.compile(rf"""'(?:[^'\\\n]|\\.)'|R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|{STRING.pattern}|//[^\n]*""", re.DOTALL)
ANY_HEADER = re.compile(r"(?<![\w/.-])(?!acta/)(?:\w+/)*\w+(?:\.inl)?\.hpp\b")
ISSUE_CODE = re.compile(r"[a-z]+(?:_[a-z]+)*")
BOUND = re.compile(r"(\d+)(?: (KiB|MiB|seconds|minutes)\b)?")
UNITS = {None: 1, "KiB": 1024, "MiB": 1024 * 1024, "seconds": 1000, "minutes": 60 * 1000}  # times in milliseconds
SOURCES = ("include/**/*.hpp", "modules/*", "tests/**/*.?pp", "tests/**/*.py", "tests/**/*.cmake", "tests/**/*.txt",
           "examples/**/*.?pp", "tools/**/*.?pp", "cmake/**/*.py", "cmake/**/*.cmake", "cmake/**/*.dox")
MOST_LINES = 25  # of a program there
COMPARISON = "docs/comparison.md"  # cites the documents and files of other projects
WIDEST = 120  # columns of a comment
NOT_OURS = ("tests/data/", "tests/golden/", "tests/check_docs")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def blank(match):
    """The same number of characters and lines, without the content."""
    return re.sub(r"[^\n]", " ", match.group(0))


def erase(match):
    """Something that no phrase matches, with the same lines."""
    return re.sub(r"\S", "\0", match.group(0))


def prose_of_source(text):
    """The comments and strings of a source, except for raw ones, and nothing else that a phrase matches."""
    def content(match):
        found = match.group(0)
        return " " + found[1:-1] + " " if found[0] == '"' else re.sub("^///?<?", lambda mark: " " * len(mark[0]), found)

    out, last = [], 0
    for match in PROSE.finditer(text):
        if match.group(0).startswith(('"', "/")):
            out += [re.sub(r"\S", "\0", text[last:match.start()]), content(match)]
            last = match.end()
    return "".join(out) + re.sub(r"\S", "\0", text[last:])


def prose_of_document(text):
    return CODE.sub(erase, FENCE.sub(erase, text))


def phrases_of(path):
    """The rows of the table of phrases: (pattern, advice, what is allowed)."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [(re.compile(row[0]), row[1], re.compile(row[2]) if row[2:] else None) for row in rows]


def anchor(title):
    """The anchor that GitHub gives to a title."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Check:
    def __init__(self, root):
        self.root = root
        self.problems = []
        self.documents = {}
        for pattern in ("*.md", "docs/**/*.md", "cmake/**/*.md"):
            for path in sorted(root.glob(pattern)):
                self.documents[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
        self.sources = {}
        for pattern in SOURCES:
            for path in sorted(root.glob(pattern)):
                name = path.relative_to(root).as_posix()
                if path.is_file() and not name.startswith(NOT_OURS):
                    self.sources[name] = path.read_text(encoding="utf-8", errors="replace")
        self.headers = {name.removeprefix("include/"): COMMENT.sub(r"\1", text)
                        for name, text in self.sources.items() if name.startswith("include/")}
        self.titles = {name: TITLE.findall(FENCE.sub(blank, text)) for name, text in self.documents.items()}

    def problem(self, name, line, text):
        self.problems.append(f"{name}:{line}: {text}")

    def citations(self):
        for name, text in {**self.sources, **self.documents}.items():
            if name == COMPARISON:
                continue
            for match in CITATION.finditer(text):
                document, title = match.group(1), re.sub(BREAK, " ", match.group(2) or "")
                if document not in self.documents:
                    self.problem(name, line_of(text, match.start()), f"there is no document {document}")
                elif title and title not in self.titles[document]:
                    self.problem(name, line_of(text, match.start()), f'{document} has no title "{title}"')

    def links(self):
        for name, text in self.documents.items():
            folder = (self.root / name).parent
            for match in LINK.finditer(FENCE.sub(blank, text)):
                target, _, title = match.group(1).partition("#")
                if ":" in target:
                    continue
                path = (folder / target).resolve() if target else self.root / name
                line = line_of(text, match.start())
                if not path.exists():
                    self.problem(name, line, f"the link to {match.group(1)} leads nowhere")
                    continue
                other = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None
                if title and other in self.titles and title not in map(anchor, self.titles[other]):
                    self.problem(name, line, f"{other} has no title with the anchor #{title}")

    def files(self):
        """What documents name in backquotes, and headers that sources name."""
        for name, text in self.documents.items():
            if name == COMPARISON:
                continue
            for match in CODE.finditer(FENCE.sub(blank, text)):
                path = match.group(1)
                if FILE.fullmatch(path) and not path.startswith("nlohmann/") and not any(
                        (self.root / folder / path).exists() for folder in ("", "include", "include/acta")):
                    self.problem(name, line_of(text, match.start()), f"there is no file {path}")
        for name, text in {**self.sources, **self.documents}.items():
            if name.startswith("tests/"):  # which makes headers of its own
                continue
            for match in HEADER.finditer(text):
                if match.group(0) not in self.headers:
                    self.problem(name, line_of(text, match.start()), f"there is no header {match.group(0)}")

    def bodies_of(self, wanted):
        """The definitions of these classes: name to (namespace, bases, body)."""
        bodies = {}
        for text in self.headers.values():
            if not any(name in text for name in wanted):
                continue
            spaces = [(match.start(), match.group(1).removeprefix("::")) for match in NAMESPACE.finditer(text)]
            text = STRING.sub(blank, text)
            for match in CLASS.finditer(text):
                if match.group(1) not in wanted:
                    continue
                depth, end = 1, match.end()
                while depth > 0 and end < len(text):
                    depth += {"{": 1, "}": -1}.get(text[end], 0)
                    end += 1
                space = next((name for start, name in reversed(spaces) if start < match.start()), "")
                bases = re.findall(r"\w+", re.sub(r"\b(?:public|final)\b|<[^>]*>", "", match.group(2) or ""))
                bodies.setdefault(match.group(1), []).append((space, bases, text[match.end():end]))
        return bodies

    def members(self):
        named = []
        for name, text in self.documents.items():
            for code in CODE.finditer(FENCE.sub(blank, text)):
                for match in MEMBER.finditer(code.group(1)):
                    space, owner, member = match.groups()
                    space = space.removeprefix("acta::").removesuffix("::")
                    named.append((name, line_of(text, code.start()), space, owner, member))
        self.bodies = bodies = self.bodies_of({owner for _, _, _, owner, _ in named})
        bases = {base for found in bodies.values() for _, all_bases, _ in found for base in all_bases}
        bodies = {**self.bodies_of(bases), **bodies}

        def has(owner, space, member):
            return any(re.search(rf"\b{member}\b", body) or any(has(base, "", member) for base in all_bases)
                       for found, all_bases, body in bodies.get(owner, []) if not space or found == space)

        for name, line, space, owner, member in named:
            known = owner in bodies or owner.endswith(("Options", "Error"))
            if known and not has(owner, space, member):
                full = f"{space}::{owner}" if space else owner
                self.problem(name, line, f"{full} has no member {member}")

    def bounds(self):
        """After members(): the table of docs/limits.md, with | what | bound | where |."""
        for line, cells in self.rows("docs/limits.md", "Bounds"):
            bound = BOUND.match(cells[1])
            for match in MEMBER.finditer(cells[2]) if bound else ():
                space, owner, member = match.groups()
                for found, _, body in self.bodies.get(owner, []):
                    default = re.search(rf"\b{member}(?: = |\{{)([^;]*?)\}}?;", body)
                    if not default or space and found != space.removesuffix("::"):
                        continue
                    value = re.sub(r"std::size_t\{(\d+)\}", r"\1", default.group(1)).replace("'", "")
                    factors = [int(factor) for factor in re.findall(r"\d+", value)]
                    expected = int(bound.group(1)) * UNITS[bound.group(2)]
                    if re.fullmatch(r"\d+(?: \* \d+)*", value) and math.prod(factors) != expected:
                        self.problem("docs/limits.md", line, f"{space}{owner}::{member} is {value} by default")

    def tests_of_bounds(self):
        """The last column of the table of bounds: a test for each row, and a row for each test."""
        calls = {}  # by what they test, the files
        for name, text in self.sources.items():
            for what in re.findall(r'\bbelow_at_above\(\s*"([^"]*)"', text):
                calls.setdefault(what, []).append(name)
        for line, cells in self.rows("docs/limits.md", "Bounds"):
            what, test = cells[0].replace("`", ""), cells[3].strip("`") if len(cells) > 3 else ""
            found = calls.pop(what, [])
            if test and test not in found:
                self.problem("docs/limits.md", line, f'{test} has no below_at_above("{what}")')
            elif found and not test:
                self.problem("docs/limits.md", line, f"the test of this limit is {found[0]}")
        for what, files in sorted(calls.items()):
            self.problem(files[0], 1, f'docs/limits.md has no row "{what}"')

    def components(self):
        index = "docs/reference/README.md"
        folders = {name.split("/")[1] for name in self.headers if name.count("/") > 1}
        for folder in sorted(folders):
            if f"docs/reference/{folder}.md" not in self.documents:
                self.problem(index, 1, f"there is no page for the component {folder}")
        for page in sorted(self.documents):
            name = page.removeprefix("docs/reference/")
            if name != page and page != index and f"({name})" not in self.documents.get(index, ""):
                self.problem(index, 1, f"the index does not list {name}")

    def rows(self, document, title):
        """The rows of the tables below a title: (line, cells)."""
        text = self.documents.get(document, "")
        found = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
        if not found:
            self.problem(document, 1, f'there is no title "{title}", whose table is compared with the headers')
            return
        end = re.compile(r"^#+ ", re.MULTILINE).search(text, found.end())
        section = text[found.end():end.start() if end else len(text)]
        for match in re.finditer(r"^\| (.*) \|$(?!\n\|-)", section, re.MULTILINE):
            yield line_of(text, found.end() + match.start()), match.group(1).split(" | ")

    def errors(self):
        page = "docs/reference/base.md"
        bases = {"Error": ("", "acta/base/error.hpp")}
        for name, text in self.headers.items():
            if "/detail/" in name:  # thrown as their bases
                continue
            spaces = [(match.start(), match.group(1).removeprefix("::")) for match in NAMESPACE.finditer(text)]
            for match in re.finditer(r"^class (\w+)(?: final)? : public ([\w:]+) \{", text, re.MULTILINE):
                space = next((found for start, found in reversed(spaces) if start < match.start()), "")
                full = f"{space}::{match.group(1)}" if space else match.group(1)
                bases[full] = (match.group(2).removeprefix("acta::"), name)
        thrown, before = {}, None
        while len(thrown) != before:
            before = len(thrown)
            thrown.update({name: where for name, where in bases.items() if name == "Error" or where[0] in thrown})
        listed, parents = {}, ["Error"]
        for line, cells in self.rows(page, "Errors"):
            match = re.fullmatch(r"((?:– )*)`([\w:]+)`", cells[0])
            if not match:
                continue
            name = match.group(2)
            del parents[len(match.group(1)) // 2 + 1:]
            expected = parents[-1]
            parents.append(name)
            listed[name] = line
            if name not in thrown:
                self.problem(page, line, f"{name} is not a class of a public header that derives from acta::Error")
            elif name != "Error" and thrown[name][0] != expected:
                self.problem(page, line, f"{name} derives from {thrown[name][0]}, and not from {expected}")
        for name in sorted(thrown.keys() - listed.keys()):
            self.problem(page, 1, f"the table of errors lacks {name} (include/{thrown[name][1]})")

    def codes(self):
        page, other, schemas = (f"docs/reference/{name}.md" for name in ("json", "describe", "schema"))
        named = set(CODE.findall("".join(self.documents.get(one, "") for one in (page, other, schemas))))
        used, literals = {}, set()
        for name, text in self.headers.items():
            literals.update(literal[1:-1] for literal in STRING.findall(text))
            for match in re.finditer(r"\b(?:issue|add_issue|refuse|warn)\(", text):
                for code in re.findall(r'(?:^|,\s*)"([^"]*)"(?=\s*,)', outer_arguments(text, match.end())):
                    if ISSUE_CODE.fullmatch(code):
                        used.setdefault(code, f"include/{name}")
            for code in re.findall(r'\btype = "(?=\w+_)(\w+)";|\{\{\}, "(\w+)"|"(atif_\w+)"', text):
                used.setdefault("".join(code), f"include/{name}")
        for code in sorted(used.keys() - named):
            self.problem(page, 1, f"the code {code} of {used[code]} is neither here nor in {other} or {schemas}")
        tables = ((page, "acta's own codes", 0), (page, "Conversions", 2), (other, "Constraints", 2), (schemas, "Validator", 1))
        for document, title, column in tables:
            for line, cells in self.rows(document, title):
                for code in CODE.findall(cells[column]) if len(cells) > column else []:
                    if ISSUE_CODE.fullmatch(code) and code not in literals:
                        self.problem(document, line, f"no header has the code {code}")

    def programs(self):
        text = self.documents.get(COMPARISON)
        if text is None:
            return
        counts = [sum(1 for line in program.split("\n") if line.strip() and not line.strip().startswith("//"))
                  for program in re.findall(r"^```cpp[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]
        rows = list(self.rows(COMPARISON, "Lines of code"))
        if len(rows) != len(counts):
            return self.problem(COMPARISON, 1, f"{len(rows)} tasks, but {len(counts)} programs")
        for (line, cells), count in zip(rows, counts):
            if cells[1:2] != [str(count)]:
                self.problem(COMPARISON, line, f"the program for {cells[0]} has {count} lines")
            elif count > MOST_LINES:
                self.problem(COMPARISON, line, f"the program for {cells[0]} has more than {MOST_LINES} lines")


    def comments(self):
        paths = ["/" + name for name in self.sources]
        for name, text in self.sources.items():
            if not name.endswith("pp"):
                continue
            for number, line in enumerate(text.split("\n"), 1):
                if len(line) > WIDEST and re.search("^ *//|///<", line) and "://" not in line:
                    self.problem(name, number, f"a comment of {len(line)} columns")
                comment = line.partition("//")[2] if "//" in line and "#include" not in line else ""
                for header in ANY_HEADER.findall(comment):
                    if "nlohmann/" not in header and not any(path.endswith("/" + header) for path in paths):
                        self.problem(name, number, f"there is no header {header}")

    def language(self):
        phrases = phrases_of(self.root / "tests/language.tsv")
        proses = {name: prose_of_source(text) for name, text in self.sources.items()
                  if name.startswith(("include/", "examples/", "tools/"))}
        proses.update({name: prose_of_document(text) for name, text in self.documents.items()})
        for name, prose in proses.items():
            text = " ".join(prose.split())  # phrases go beyond the end of a line
            for pattern, advice, allowed in phrases:
                for match in pattern.finditer(text):
                    if allowed and any(found.start() <= match.start() and match.end() <= found.end()
                                       for found in allowed.finditer(text)):
                        continue
                    before = len(text[:match.start()].replace(" ", ""))
                    at = next(islice(re.finditer(r"\S", prose), before, None))
                    self.problem(name, line_of(prose, at.start()), f'"{match.group(0)}": {advice}')


def outer_arguments(text, at):
    """The arguments of a call from this place on, without what stands in brackets inside them."""
    out, depth, inside = [], 1, False
    while at < len(text) and depth > 0:
        c = text[at]
        if inside:
            inside = c != '"' or text[at - 1] == "\\"
        elif c == '"':
            inside = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if depth == 1:
            out.append(c)
        at += 1
    return "".join(out)


def problems_of(root):
    """What is wrong in this repository, and how many documents it has."""
    check = Check(Path(root).resolve())
    for rule in (check.citations, check.links, check.files, check.members, check.bounds, check.tests_of_bounds, check.components,
                 check.errors, check.codes, check.programs, check.comments, check.language):
        rule()
    return check.problems, len(check.documents)


def main():
    problems, count = problems_of(sys.argv[1])
    if problems:
        sys.exit("\n".join(problems))
    print(f"{count} documents agree with the sources")


if __name__ == "__main__":
    main()
