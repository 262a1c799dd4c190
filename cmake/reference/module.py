#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes modules/acta.cppm, or compares it: module.py XML_FOLDER [--check]

The module exports the public names of the API reference and those that the extension headers take from a component's
internals, unless they need a library other than nlohmann_json. XML_FOLDER is the output of Doxygen: see
cmake/Reference.cmake.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
sys.dont_write_bytecode = True
from single_include import public_headers  # noqa: E402

MODULE = ROOT / "modules" / "acta.cppm"
NAMES = {"typedef", "variable", "function", "enum"}
TAKEN = re.compile(r"^using (?:\w+_detail|\w+_extension)::(\w+);")
OPENED = re.compile(r"^namespace ([\w: ]+) \{$")
CLOSED = re.compile(r"^\}  // namespace")

HEAD = """\
// SPDX-License-Identifier: MIT
// The module acta: everything that needs nlohmann_json alone. Written by cmake/reference/module.py from the reference.
//
// Macros are not part of a module: a source that uses ACTA_DESCRIBE also includes acta/describe/describe.hpp, and
// one that uses nlohmann::json by its own name includes nlohmann/json.hpp. A program may both import and include acta.
module;

"""

# The templates of acta and of nlohmann_json compare what the standard library has, wherever they are instantiated.
TAIL = """
#if defined(__clang__) && __clang_major__ < 19
// Before clang 19 an operator that a template finds by its arguments has to be visible where the program imports acta.
// Not `==` and `<`, of which std::variant has friends, which could no longer be declared there.
export namespace std {
using std::operator<=>;
using std::operator+;
using std::operator<<;
namespace chrono {
using std::chrono::operator==;
using std::chrono::operator<=>;
using std::chrono::operator<;
using std::chrono::operator+;
using std::chrono::operator-;
}  // namespace chrono
}  // namespace std
#endif
"""


def short(name):
    name = name.rpartition("::")[2]
    return name if name.startswith("operator") else name.split("<")[0].strip()


def documented_names(xml, headers):
    """The names of each namespace that the reference has, as {namespace: names}."""
    names = {}

    def add(namespace, name, element):
        location = element.find("location")
        if location is not None and location.get("declfile", location.get("file")) in headers:
            names.setdefault(namespace, set()).add(name)

    for path in sorted(xml.glob("namespaceacta*.xml")):
        compound = xml_root(path).find("compounddef")
        namespace = compound.find("compoundname").text
        for member in compound.iter("memberdef"):
            if member.get("kind") in NAMES and member.get("static") != "yes":
                add(namespace, short(member.find("name").text), member)
        for inner in compound.findall("innerclass"):
            add(namespace, short(inner.text), xml_root(xml / f"{inner.get('refid')}.xml").find("compounddef"))
    for path in sorted(xml.glob("conceptacta*.xml")):  # Doxygen 1.9 does not list them in their namespace
        concept = xml_root(path).find("compounddef")
        namespace, _, name = concept.find("compoundname").text.rpartition("::")
        add(namespace, name, concept)
    return names


def xml_root(path):
    return xml.etree.ElementTree.parse(path).getroot()


def taken_names(headers):
    for header in headers:
        inside = []
        for line in (ROOT / "include" / header).read_text(encoding="utf-8").splitlines():
            opened, taken = OPENED.match(line), TAKEN.match(line)
            if opened:
                inside.append(opened.group(1).replace("inline ACTA_ABI", "").strip(":").replace("::::", "::"))
            elif CLOSED.match(line):
                inside.pop()
            elif taken:
                yield "::".join(inside), taken.group(1)


def module_text(xml_folder):
    headers = set(public_headers())
    names = documented_names(xml_folder, headers)
    for namespace, name in taken_names(headers):
        names.setdefault(namespace, set()).add(name)
    text = HEAD + "".join(f'#include "{header}"\n' for header in sorted(headers)) + "\nexport module acta;\n"
    names.pop("acta::base", None)  # for components only, as its header says
    for namespace in sorted(names):
        text += f"\nexport namespace {namespace} {{\n"
        text += "".join(f"using {namespace}::{name};\n" for name in sorted(names[namespace]) if name[:1].isalpha())
        text += f"}}  // namespace {namespace}\n"
    return text + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("xml", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the file would change")
    arguments = parser.parse_args()
    text = module_text(arguments.xml)
    if not arguments.check:
        MODULE.parent.mkdir(exist_ok=True)
        MODULE.write_text(text, encoding="utf-8")
    elif not MODULE.exists() or MODULE.read_text(encoding="utf-8") != text:
        sys.exit(f"modules/acta.cppm is not what the headers say: python3 cmake/reference/module.py {arguments.xml}")


main()
