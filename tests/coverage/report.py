#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py SOURCES BUILD: lines and branches of include/acta that were reached, by component, and as HTML.

gcovr reads what the programs of BUILD left, and writes the HTML. Between the two its numbers are put right:
- One program is compiled with ACTA_NO_SIMD and has other functions of the same names, over which gcovr 5 stumbles. So it
  is read by itself, and the lines are put together here.
- A branch that an exception would take is none that a test can be asked for. gcov marks it only in programs that came by,
  so that --exclude-throw-branches would keep it wherever another program did not: it is left out here, once all are
  together, and with it the other half of the pair, which only says that the call returned.
- Inline functions that are in no program are listed: there are no lines of them to count.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

sources, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
include = sources / "include" / "acta"
out = build / "coverage"
out.mkdir(exist_ok=True)


def gcovr(name, *arguments):
    trace = out / f"{name}.json"
    subprocess.run(
        ["gcovr", "--root", sources, "--object-directory", build, "--filter", f"{include}/", "--exclude-unreachable-branches",
         "--json", trace, *arguments], check=True)
    return json.loads(trace.read_text())


def functions(trace):
    return {(f["file"], x["lineno"]): x["name"] for f in trace["files"] for x in f["functions"]}


programs = gcovr("programs", "--exclude-directories", ".*(acta_portable_tests|acta_all_headers).*", build)
portable = gcovr("portable", build / "tests/CMakeFiles/acta_portable_tests.dir")
headers = gcovr("headers", build / "tests/headers/CMakeFiles/acta_all_headers.dir")

# Lines by file and number; of each the count and its branches by their order.
files = collections.defaultdict(dict)
for trace in (programs, portable):
    for file in trace["files"]:
        for line in file["lines"]:
            if line.get("gcovr/noncode") or line.get("gcovr/excluded"):  # gcovr 5 has the first, later ones the second
                continue
            seen = files[file["file"]].setdefault(line["line_number"], {**line, "count": 0, "branches": []})
            seen["count"] += line["count"]
            for i, branch in enumerate(line["branches"]):
                if i == len(seen["branches"]):
                    seen["branches"].append({**branch, "count": 0})
                seen["branches"][i]["count"] += branch["count"]
                seen["branches"][i]["throw"] |= branch["throw"]
for lines in files.values():
    for line in lines.values():
        kept = []
        for branch in line["branches"]:
            if not branch["throw"]:
                kept.append(branch)
            elif kept and kept[-1]["fallthrough"]:
                kept.pop()
        line["branches"] = kept

merged = {**programs, "files": [{"file": name, "lines": [lines[n] for n in sorted(lines)], "functions": []}
                                for name, lines in sorted(files.items())]}
(out / "merged.json").write_text(json.dumps(merged))
subprocess.run(["gcovr", "--root", sources, "--add-tracefile", out / "merged.json", "--html-details", out / "index.html"],
               check=True)

components = collections.Counter()
for name, lines in files.items():
    component = pathlib.Path(name).relative_to("include/acta").parts[0]
    for key in (component, "all"):
        for line in lines.values():
            components[key, "lines"] += 1
            components[key, "lines hit"] += line["count"] > 0
            components[key, "branches"] += len(line["branches"])
            components[key, "branches hit"] += sum(branch["count"] > 0 for branch in line["branches"])


def share(key, what):
    hit, all_of_them = components[key, what + " hit"], components[key, what]
    return f"{100 * hit / max(all_of_them, 1):5.1f} % of {all_of_them:6}"


for key in sorted({key for key, _ in components} - {"all"}) + ["all"]:
    print(f"{key:14} lines {share(key, 'lines')}   branches {share(key, 'branches')}")

# What the compiler evaluates is never in a program, nor are comparisons that nobody makes.
unused = []
called = functions(programs) | functions(portable)
for (file, number), name in sorted(functions(headers).items()):
    text = (sources / file).read_text().splitlines()[number - 1]
    if (file, number) not in called and not re.search(r"\bconst(expr|eval)\b|= default;|lambda|operator\(\)|\b_Z", text + " " + name):
        unused.append(f"  {file}:{number}: {name}")
print("\n".join(["in no program:", *unused] if unused else []))
print(f"{out / 'index.html'} shows each line")
