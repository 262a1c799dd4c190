#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs.py <the repository>

Compares the documents with the sources, as far as that can be done without understanding either:

- a citation such as docs/reference/json.md, "Unions" names a document and one of its titles, in comments as well;
- a link of a document leads to a file of the repository, and to a title of it.

Prints each disagreement with its file and line. check_docs_test.py has a wrong example for each rule.
"""

import re
import sys
from pathlib import Path

BREAK = r"\s*\n\s*(?:(?:///?|#)\s*)?"  # between two lines of a comment
CITATION = re.compile(rf'\b(docs/[\w/]+\.md)(?:,(?:{BREAK}|\s)"([^"]+)")?')
LINK = re.compile(r"\]\(([^)\s]+)\)")
TITLE = re.compile(r"^#{1,6} (.+?) *$", re.MULTILINE)
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.MULTILINE | re.DOTALL)
SOURCES = ("include/**/*.hpp", "modules/*", "tests/**/*.?pp", "tests/**/*.py", "tests/**/*.cmake", "tests/**/*.txt",
           "examples/**/*.?pp", "tools/**/*.?pp", "cmake/**/*.py", "cmake/**/*.cmake", "cmake/**/*.dox")
NOT_OURS = ("tests/data/", "tests/golden/", "tests/check_docs")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def blank(match):
    """The same number of characters and lines, without the content."""
    return re.sub(r"[^\n]", " ", match.group(0))


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
        self.titles = {name: TITLE.findall(FENCE.sub(blank, text)) for name, text in self.documents.items()}

    def problem(self, name, line, text):
        self.problems.append(f"{name}:{line}: {text}")

    def citations(self):
        for name, text in {**self.sources, **self.documents}.items():
            if name == "docs/comparison.md":  # cites the documents of other projects
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


def main():
    check = Check(Path(sys.argv[1]).resolve())
    check.citations()
    check.links()
    if check.problems:
        sys.exit("\n".join(check.problems))
    print(f"{len(check.documents)} documents agree with the sources")


main()
