#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Doxygen's INPUT_FILTER: prints a header as Doxygen should read it, with as many lines as it has.

- `namespace acta::inline ACTA_ABI` becomes `namespace acta`: that is what users write, and Doxygen 1.9 does not know the syntax.
- Specialisations of Describe for acta's own types are left out: the reference of a struct is the struct. So are those of
  nlohmann::adl_serializer, whose scope Doxygen does not find.
- Declarations of instances (`extern template`, which stand under ACTA_COMPILED) are left out: Doxygen takes those of
  functions for further functions.
- Deduction guides are left out: Doxygen 1.9 takes them for functions.
- The comment above the namespace says what the header is for. It becomes the documentation of the file, or of the
  namespace where that is one of its own.
- `<chrono>` in a comment is a header and no HTML, and a quote inside `...` does not end it.
- Functions that are defaulted or deleted document themselves.
"""
import re
import sys

SPECIALISATION = re.compile(r"^( *)(?:struct|class) (?:acta::)?(?:Describe|nlohmann::adl_serializer)<")
DEDUCTION_GUIDE = re.compile(
    r"(?m)^(?:///.*\n)*(?:template <.*>\n(?: +requires.*\n)?)?(?:explicit )?[A-Z]\w*\([^;]*?\)\s*->\s*[^;]*;"
)
INSTANCES = re.compile(r"(?m)^#if defined\(ACTA_COMPILED\)(?s:.*?)^#endif$")
DEFAULTED = re.compile(r"^ .*\) *(?:const *)?(?:noexcept *)?= (default|delete);$")
DOCUMENTED = re.compile(r"^ *(?:///|\*/)")


def leave_out_specialisations(lines):
    for first, line in enumerate(lines):
        match = SPECIALISATION.match(line)
        if not match:
            continue
        last = first
        if not line.rstrip().endswith((";", "{}")):
            while last + 1 < len(lines) and not lines[last].startswith(match.group(1) + "};"):
                last += 1
        begin = first  # the template head, the requires-clause and the comment stand above
        while begin > 0 and re.match(r"^ *(?:template <|requires|///)", lines[begin - 1]):
            begin -= 1
        lines[begin : last + 1] = [""] * (last + 1 - begin)


def comment_above(lines, i):
    begin = i
    while begin > 0 and re.match(r"^//(?!/)", lines[begin - 1]):
        begin -= 1
    return range(begin, i)


def document_namespaces(lines):
    for i, line in enumerate(lines):
        match = re.match(r"^namespace acta(::[a-z0-9_:]+)? \{", line)
        if not match:
            continue
        comment = comment_above(lines, i)
        if match.group(1):
            for j in comment:
                lines[j] = "/" + lines[j]
        elif comment and comment[0] > 2 and lines[1] == "#pragma once":
            lines[0] = "/// @file"
            lines[1] = "/// " + " ".join(lines[j][2:].strip() for j in comment)
        if comment:
            return


def document_defaulted(lines):
    for i, line in enumerate(lines):
        match = DEFAULTED.match(line)
        if not match or DOCUMENTED.match(lines[i - 1]):
            continue
        if "operator==(" in line:
            what = "Compares member by member."
        elif "operator<=>(" in line:
            what = "Orders member by member."
        else:
            what = "Defaulted." if match.group(1) == "default" else "Deleted."
        lines[i] += "  ///< " + what


def escape_comments(lines):
    for i, line in enumerate(lines):
        code, slashes, comment = line.partition("///")
        if slashes:
            spans = comment.split("`")
            if len(spans) % 2 == 1:  # Doxygen takes `it's` for code only between double backticks
                spans[1::2] = [f"`{span}`" if "'" in span else span for span in spans[1::2]]
            spans[::2] = [re.sub(r"<([a-z_./]+)>", r"&lt;\1&gt;", span) for span in spans[::2]]
            lines[i] = code + slashes + "`".join(spans)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    text = text.replace("acta::inline ACTA_ABI", "acta")
    text = DEDUCTION_GUIDE.sub(lambda guide: "\n" * guide.group().count("\n"), text)
    text = INSTANCES.sub(lambda instances: "\n" * instances.group().count("\n"), text)
    lines = text.split("\n")
    leave_out_specialisations(lines)
    document_namespaces(lines)
    document_defaulted(lines)
    escape_comments(lines)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write("\n".join(lines))


main()
