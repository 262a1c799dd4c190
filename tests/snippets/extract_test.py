#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests extract.py and run.py. use: extract_test.py FOLDER COMPILER"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER, COMPILER = os.path.abspath(sys.argv[1]), sys.argv[2]


def extract(text, name="a.md"):
    """What extract.py prints, the programs that it wrote, and their entries."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    path = os.path.join(FOLDER, "root", name)
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    out = os.path.join(FOLDER, "out")
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "extract.py"), out, os.path.join(FOLDER, "root"), name],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return done.stderr, [], []
    with open(os.path.join(out, "programs.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    sources = []
    for program in manifest:
        with open(os.path.join(out, f"{program['number']}.cpp"), encoding="utf-8") as file:
            sources.append(file.read())
    return done.stdout, sources, manifest


def compile_and_run(number=1):
    out = os.path.join(FOLDER, "out")
    source, program = os.path.join(out, f"{number}.cpp"), os.path.join(out, f"snippet_{number}")
    built = subprocess.run([COMPILER, "-std=c++20", source, "-o", program], capture_output=True, text=True)
    if built.returncode != 0:
        return 1, built.stderr
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "run.py"), os.path.join(out, "programs.json"), os.path.join(out, "snippet_"), str(number)],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def check(good, what):
    if not good:
        sys.exit(f"extract_test.py: {what}")


HELLO = '```cpp\n#include <cstdio>\nstd::puts("hello");\n```\n'

# Statements run, and their output is compared.
_, sources, manifest = extract(f"# A\n{HELLO}\n<!-- output -->\n```text\nhello\n```\n")
check(manifest[0]["output"] == "hello" and manifest[0]["where"] == "a.md:3", "the output is not read")
code, printed = compile_and_run()
check(code == 0, f"a good snippet fails: {printed}")
extract(f"# A\n{HELLO}<!-- output -->\n```text\ngoodbye\n```\n")
code, printed = compile_and_run()
check(code != 0 and "-goodbye" in printed and "+hello" in printed, "a wrong output is not found")
extract('```cpp\n#include <cstdio>\nstd::puts("a\\nb");\n```\n<!-- output begins -->\n```text\na\n```\n')
code, printed = compile_and_run()
check(code == 0, f"the beginning of an output is not accepted: {printed}")
extract("```cpp\nthrow 1;\n```\n")
check(compile_and_run()[0] != 0, "a snippet that throws counts as good")

# A mistake is reported at its place in the document; a missing include is one.
extract("text\n\n```cpp\n#include <string>\n\nstd::string name = 1.0.0;\n```\n")
code, printed = compile_and_run()
check(code != 0 and "root/a.md:6:" in printed, f"a mistake is not reported at its line: {printed}")
extract(HELLO + '```cpp\nstd::puts("without its include");\n```\n')
check(compile_and_run(2)[0] != 0, "the includes of one snippet serve another")

# Definitions go to namespace scope, by themselves or by the word; what continues is one program.
_, sources, _ = extract(
    "```cpp\n#include <vector>\nstruct Point {\n    int x = 0;\n};\n\ntemplate <class T>\nT twice(T value) {\n"
    "    return value + value;\n}\nstd::vector<int> list{twice(1)};\nfor (int x : list) {\n    (void)x;\n}\n```\n"
    "```cpp continues\nPoint point{list[0]};\n```\n```cpp scope continues\nint answer = 42;\n```\n"
)
check(len(sources) == 1, "what continues is a program of its own")
scope, body = sources[0].split("static void snippet_1() {")
check("struct Point" in scope and "T twice" in scope and "int answer" in scope, "a definition is not at namespace scope")
check("list{twice(1)}" in body and "for (int" in body and "Point point{list[0]};" in body, "a statement is not in the body")
code, printed = compile_and_run()
check(code == 0, f"definitions and statements do not compile: {printed}")

# Whole programs stay as they are; no-run is compiled only.
printed, sources, manifest = extract("```cpp no-run\n#include <acta/acta.hpp>\nint main() { return 1; }\n```\n")
check(printed == "1 acta/acta.hpp compile\n" and not manifest[0]["run"], "no-run is not understood")
check("static void snippet" not in sources[0], "a whole program is wrapped")

# Other blocks are none of ours, and what cannot be meant is refused.
check(extract("```text\nx\n```\n```sh\nls\n```\n```cmake\nx\n```\n")[1] == [], "a block of another language is taken")
check("a.md:1: a snippet may be" in extract("```cpp norun\n```\n")[0], "a misspelt word is not refused")
check("without a snippet" in extract("<!-- output -->\n```text\n```\n")[0], "an output without a snippet is not refused")
check("no snippet before" in extract("```cpp continues\nint x;\n```\n")[0], "a snippet that continues nothing is not refused")

# Doc comments of a header.
_, sources, manifest = extract(
    "/// Adds.\n/// @code{.cpp}\n/// int three = 1 + 2;\n/// @endcode\nint add();\n\n"
    "    /// @code{.cpp}\n    /// if (true) {\n    ///     int four = 4;\n    /// }\n    /// @endcode\n"
    "/// @code{.cpp}\n/// #include <string>\n/// std::string text;\n/// @endcode\n",
    "include/acta/component/add.hpp",
)
check(len(sources) == 2, "snippets of one header with the same includes are not one program")
check(sources[0].count('#include "acta/component/add.hpp"') == 1, "the header is not included once")
check("    int four = 4;" in sources[0] and "snippet_2" in sources[0], "the second snippet is not a function of its own")
where = manifest[1]["where"]
check("<string>" in sources[1] and where == "include/acta/component/add.hpp:12", "a further include is lost")
check("without @endcode" in extract("/// @code{.cpp}\nint x;\n", "acta/a.hpp")[0], "@code without end is not refused")
print("the snippets are extracted as documented")
