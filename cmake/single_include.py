#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes acta.hpp and acta_all.hpp, each of which holds everything it needs but nlohmann/json.hpp.

    python3 cmake/single_include.py FOLDER [--list]

acta.hpp is include/acta/acta.hpp with all that it includes; acta_all.hpp has every public header that needs no library
but nlohmann_json. One source may include both: what stands in the first is left out of the second.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
OWN = re.compile(r'^\s*#\s*include "(acta/[^"]+)"')
OTHER = re.compile(r"^\s*#\s*include <([^>]+)>")
# Others' libraries have their headers in a folder, but for SQLite and libpq. The system's that acta uses stand under #if, for some systems only.
LIBRARY = re.compile(r"^(?!nlohmann/|sys/|netinet/|arpa/)\w[\w-]*/|^sqlite3[.]h$|^libpq-fe[.]h$")
COMPILED = re.compile(r"^\s*#\s*(ifndef|ifdef|if !defined\(|if defined\()\s*ACTA_COMPILED\b")
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|endif)\b")


def lines_of(header):
    return (INCLUDE / header).read_text(encoding="utf-8").splitlines()


def needs_library(header, seen):
    """Whether a header, or one that it includes, needs another library than nlohmann_json."""
    if header in seen:
        return False
    seen.add(header)
    for line in lines_of(header):
        other = OTHER.match(line)
        if other and LIBRARY.match(other.group(1)):
            return True
        own = OWN.match(line)
        if own and needs_library(own.group(1), seen):
            return True
    return False


def without_library():
    """The lines of a header without what is only for acta::compiled: that library needs the tree of headers."""
    def keep(header):
        if header == "acta/version.hpp":  # where ACTA_INLINE is defined; its #else has to stay
            return lines_of(header)
        kept, skipped = [], []  # skipped: for each open condition, "drop" with its text, "unwrap" without its ends
        for line in lines_of(header):
            compiled = COMPILED.match(line)
            if compiled:
                skipped.append("unwrap" if "ifndef" in compiled.group(1) or "!" in compiled.group(1) else "drop")
                continue
            condition = CONDITION.match(line)
            if condition and condition.group(1) != "endif":
                skipped.append("keep")
            elif condition and skipped.pop() != "keep":
                continue
            elif re.match(r"^\s*#\s*el", line) and skipped and skipped[-1] != "keep":
                sys.exit(f"{header}: #else or #elif of ACTA_COMPILED is not understood")
            if "drop" not in skipped:
                kept.append(line)
        return kept
    return keep


class Writer:
    """Puts headers into one text, each once, where the preprocessor would put it."""

    def __init__(self):
        self.done = set()
        self.standard = set()
        self.text = []
        self.lines = without_library()

    def add(self, header):
        if header in self.done:
            return
        lines = self.lines(header)
        once = "#pragma once" in lines
        if once:
            self.done.add(header)
        guard = "ACTA_SINGLE_" + re.sub(r"\W", "_", header.removeprefix("acta/")).upper()
        self.text += ["", f"// --- {header}"]
        if once:
            self.text += [f"#ifndef {guard}", f"#define {guard}"]
        depth = 0
        for line in lines:
            condition = CONDITION.match(line)
            if condition:
                depth += -1 if condition.group(1) == "endif" else 1
            if line == "#pragma once" or line.startswith("// SPDX-License-Identifier"):
                continue
            own, other = OWN.match(line), OTHER.match(line)
            if own:
                self.add(own.group(1))
            elif other and depth == 0:
                if other.group(1) not in self.standard:
                    self.standard.add(other.group(1))
                    self.text.append(line)
            else:
                self.text.append(line)
        if once:
            self.text.append(f"#endif  // {guard}")


def version():
    text = "\n".join(lines_of("acta/version.hpp"))
    return ".".join(re.search(rf"ACTA_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def beginning(name, what):
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    return ["// SPDX-License-Identifier: MIT", f"// acta {version()}, {name}: {what}.",
            "// Made from the headers under include/acta by cmake/single_include.py; change those.", "//",
            *(f"// {line}".rstrip() for line in licence), "",
            "#if defined(ACTA_COMPILED)",
            '#error "acta: acta::compiled goes with the headers in include/acta, not with this one"', "#endif"]


def write(folder, name, what, headers):
    writer = Writer()
    for header in headers:
        writer.add(header)
    text = "\n".join(beginning(name, what) + writer.text) + "\n"
    text = re.sub(r"\n{3,}", "\n\n", text)
    (folder / name).write_text(text, encoding="utf-8")
    return writer.done


def public_headers():
    for path in sorted(INCLUDE.glob("acta/**/*.hpp")):
        header = path.relative_to(INCLUDE).as_posix()
        if header == "acta/src.hpp":  # for the tree of headers
            continue
        if "/detail/" not in header and not needs_library(header, set()):
            yield header


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where to write the two files")
    parser.add_argument("--list", action="store_true", help="print the public headers that each of the two holds")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, what, headers in (
            ("acta.hpp", "what most sources of an agent need", ["acta/acta.hpp"]),
            ("acta_all.hpp", "everything that needs nlohmann_json alone", list(public_headers()))):
        done = write(arguments.folder, name, what, headers)
        if arguments.list:
            print("\n".join(f"{name} {header}" for header in sorted(done) if "/detail/" not in header))


if __name__ == "__main__":
    main()
