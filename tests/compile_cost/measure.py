#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What acta costs to compile: processor time, peak memory and object size of one source for each way to use it.

    python3 tests/compile_cost/measure.py [--repeat 5] [--compiler g++] [--only PATTERN] [--include DIR]...

Prints a Markdown table. Compilers run one at a time, all sources once in each round, and the best of the rounds counts:
whatever else the machine does can only make a source look dearer. Seconds are of the processor, not of the clock. With
--include twice the same sources are measured with either folder, interleaved, which compares two states of the headers.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASELINE = "nlohmann/json.hpp"
NLOHMANN_MODEL = "history, nlohmann_json"
COMPILED = ", with acta::compiled"

# Headers that only a user with the library of their own includes.
NEEDS_LIBRARY = {"acta/text/icu_sentences.hpp": "unicode/brkiter.h", "acta/skill/yaml.hpp": "yaml-cpp/yaml.h"}


def includes_of(header, pattern):
    """What a header includes itself, in its order."""
    return re.findall(rf"^#include {pattern}", header.read_text(encoding="utf-8"), re.MULTILINE)


def components_of(include):
    """For each component, the headers that users include: those in acta.hpp, its umbrella header, or else all."""
    named = includes_of(include / "acta/acta.hpp", r'"(acta/\w+/[\w.]+)"')
    components = {}
    for folder in sorted(path for path in (include / "acta").iterdir() if path.is_dir()):
        umbrella = f"acta/{folder.name}/{folder.name}.hpp"
        headers = [name for name in named if name.startswith(f"acta/{folder.name}/")]
        if not headers and (include / umbrella).exists():
            headers = [umbrella]
        if not headers:
            paths = list(folder.glob("*.hpp")) or [path for path in folder.rglob("*.hpp") if "detail" not in path.parts]
            headers = sorted(str(path.relative_to(include)) for path in paths)
        components[folder.name] = [name for name in headers if name not in NEEDS_LIBRARY]
    return components


def text_of(headers):
    return "".join(f"#include {name}\n" if name[0] == "<" else f'#include "{name}"\n' for name in headers)


def sources_of(include):
    """Name -> text or file, in the order of the table."""
    standard = [f"<{name}>" for name in includes_of(include / "acta/fwd.hpp", r"<([\w.]+)>")]
    sources = {
        BASELINE: text_of(["<nlohmann/json.hpp>"]),
        "the standard headers of fwd.hpp": text_of(standard),
        "acta/fwd.hpp": text_of(["acta/fwd.hpp"]),
    }
    for component, headers in components_of(include).items():
        sources[f"component {component}"] = text_of(headers)
    sources["acta/acta.hpp"] = text_of(["acta/acta.hpp"])
    sources[NLOHMANN_MODEL] = HERE / "history_nlohmann.cpp"
    sources["the same structs, acta"] = HERE / "history_described.cpp"
    sources["history, acta"] = HERE / "history_acta.cpp"
    examples = HERE.parent.parent / "examples"
    sources["examples/quickstart.cpp"] = examples / "quickstart.cpp"
    sources["examples/chat_agent.cpp"] = examples / "chat_agent.cpp"
    for name in ["acta/acta.hpp", "the same structs, acta", "examples/quickstart.cpp", "examples/chat_agent.cpp"]:
        sources[name + COMPILED] = sources[name]
    return sources


def run(command):
    """Seconds of the processor, peak memory in MB, and what went wrong, if anything."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        wrong = said.read().decode(errors="replace") if process.returncode else None
    kilobytes = usage.ru_maxrss / 1024 if sys.platform == "darwin" else usage.ru_maxrss
    return usage.ru_utime + usage.ru_stime, kilobytes * 1024 / 1e6, wrong


def object_size(path):
    """Code and data in KB, or None where there is no `size`."""
    if shutil.which("size") is None:
        return None
    said = subprocess.run(["size", path], capture_output=True, text=True, check=True).stdout
    text, data = said.split("\n")[1].split()[:2]
    return (int(text) + int(data)) / 1000


class Case:
    """One source at one level with one folder of headers."""

    def __init__(self, name, source, include, level, work, options):
        if isinstance(source, str):
            path = work / (re.sub(r"\W+", "_", f"{name} {include}") + ".cpp")
            path.write_text(source, encoding="utf-8")
            source = path
        self.name = name
        self.include = include
        self.level = level
        self.object = work / "out.o"
        self.command = [options.compiler, "-std=c++20", f"-{level}", f"-I{include}", *options.flag]
        if name.endswith(COMPILED):
            self.command.append("-DACTA_COMPILED")
        self.command += ["-c", str(source), "-o", str(self.object)]
        self.seconds = self.memory = float("inf")
        self.size = None
        self.left_out = False

    def compile(self):
        if self.left_out:
            return
        seconds, memory, wrong = run(self.command)
        if wrong is not None:
            if re.search(r"curl/curl\.h.*(No such file|not found)", wrong):
                self.left_out = True
                return
            sys.exit(f"{' '.join(self.command)}\n{wrong}")
        self.seconds = min(self.seconds, seconds)
        self.memory = min(self.memory, memory)
        self.size = object_size(self.object)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--repeat", type=int, default=5, help="rounds, of which the best counts (default: 5)")
    parser.add_argument("--only", action="append", help="rows with this in their names, or that match it")
    parser.add_argument("--levels", default="O0,O2", help="optimisation levels (default: O0,O2)")
    parser.add_argument("--include", action="append", type=pathlib.Path, help="the folder that has acta/; twice: both")
    parser.add_argument("--flag", action="append", default=[], help="one more for the compiler, as --flag=-O1")
    parser.add_argument("--budget", action="store_true", help="only the rows with acta::compiled that have an aim")
    parser.add_argument("--list", action="store_true", help="only say which headers each row includes")
    options = parser.parse_args()
    if options.budget:
        options.only = [row for row, other, _, _ in AIMS if other == BASELINE]
    options.include = options.include or [HERE.parent.parent / "include"]
    options.levels = options.levels.split(",")
    if options.repeat < 1:
        parser.error("--repeat: at least 1")
    for include in options.include:
        if not (include / "acta/acta.hpp").exists():
            parser.error(f"--include: no acta/acta.hpp in {include}")
    if shutil.which(options.compiler) is None:
        parser.error(f"--compiler: there is no {options.compiler}")
    return options


def wanted(name, only):
    if only and name == NLOHMANN_MODEL and all(COMPILED in part for part in only):
        return False
    fixed = (BASELINE, NLOHMANN_MODEL)  # what the others are compared with
    return not only or name in fixed or any(part in name or fnmatch.fnmatch(name, part) for part in only)


def ratio(case, base, what):
    own, other = getattr(case, what), getattr(base, what) if base else None
    return f" ({own / other:.2f})" if own and other else ""


def table(rows, cases, options):
    several = len(options.include) > 1
    heads = [f"-{level}: {what}" for level in options.levels for what in ("s", "MB", "object, KB")]
    print("| | " + " | ".join(heads) + " |\n|---" + "|---" * len(heads) + "|")
    for name in rows:
        for include in options.include:
            cells = []
            for level in options.levels:
                case = cases[name, include, level]
                base = cases.get((BASELINE, include, level))
                if case.left_out:
                    cells += ["no libcurl", "", ""]
                    continue
                cells.append(f"{case.seconds:.2f}{ratio(case, base, 'seconds')}")
                cells.append(f"{case.memory:.0f}{ratio(case, base, 'memory')}")
                cells.append("" if case.size is None else f"{case.size:.0f}")
            label = f"{name} [{include}]" if several else name
            print(f"| {label} | " + " | ".join(cells) + " |")
    print(f"\nIn brackets: to {BASELINE}. Best of {options.repeat}, processor time.")


AIMS = [  # row, compared with, what, at most: at all levels, or by level
    ("acta/fwd.hpp", "the standard headers of fwd.hpp", "seconds", 1.1),
    ("acta/fwd.hpp", "the standard headers of fwd.hpp", "memory", 1.1),
    ("acta/acta.hpp" + COMPILED, BASELINE, "seconds", 2.1),
    ("examples/quickstart.cpp" + COMPILED, BASELINE, "seconds", {"O0": 2.8, "O2": 3.5}),
    ("examples/chat_agent.cpp" + COMPILED, BASELINE, "seconds", {"O0": 3.6, "O2": 4.5}),
    ("history, acta", NLOHMANN_MODEL, "seconds", 1.0),
    ("history, acta", NLOHMANN_MODEL, "memory", 1.0),
    ("history, acta", NLOHMANN_MODEL, "size", 1.0),
    ("the same structs, acta", NLOHMANN_MODEL, "seconds", 1.0),
    ("the same structs, acta", NLOHMANN_MODEL, "memory", 1.0),
    ("the same structs, acta", NLOHMANN_MODEL, "size", 1.0),
]


def aims(cases, options):
    several = len(options.include) > 1
    heads = " | ".join(f"-{level}" for level in options.levels)
    print(f"\n| aim | at most | {heads} |\n|---|---" + "|---" * len(options.levels) + "|")
    for row, other, what, aim in AIMS:
        limits = {level: aim.get(level, max(aim.values())) if isinstance(aim, dict) else aim for level in options.levels}
        for include in options.include:
            cells = []
            for level in options.levels:
                most = limits[level]
                case, base = (cases.get((name, include, level)) for name in (row, other))
                if not case or not base or not getattr(case, what) or not getattr(base, what):
                    continue
                found = getattr(case, what) / getattr(base, what)
                mark = " OVER BUDGET" if options.budget else ""
                cells.append(f"{found:.2f}" if found <= most else f"**{found:.2f}**{mark}")
            if cells:
                label = f" [{include}]" if several else ""
                limit = ", ".join(f"{one:.1f}" for one in sorted(set(limits.values())))
                print(f"| {row} to {other}, {what}{label} | {limit} | " + " | ".join(cells) + " |")


def main():
    options = arguments()
    if options.list:
        for component, headers in components_of(options.include[0]).items():
            print(f"component {component}: {' '.join(headers)}")
        return
    rows = [name for name in sources_of(options.include[0]) if wanted(name, options.only)]
    with tempfile.TemporaryDirectory() as folder:
        cases = {
            (name, include, level): Case(name, source, include, level, pathlib.Path(folder), options)
            for include in options.include
            for name, source in sources_of(include).items()
            if name in rows
            for level in options.levels
        }
        order = sorted(cases, key=lambda key: (rows.index(key[0]), key[2]))
        for done in range(options.repeat):
            for key in order:
                cases[key].compile()
            print(f"round {done + 1} of {options.repeat}", file=sys.stderr)
        version = subprocess.run([options.compiler, "--version"], capture_output=True, text=True, check=True).stdout
        print(version.split("\n")[0] + "\n")
        table(rows, cases, options)
        aims(cases, options)


if __name__ == "__main__":
    main()
