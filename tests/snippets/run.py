#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs that extract.py wrote and CMake built, each in an empty folder, and compares their output.

use: run.py PROGRAMS_JSON PREFIX NUMBER...     the program of a number is PREFIX<number>
"""
import difflib
import json
import os
import subprocess
import sys
import tempfile


# Programs of the documents are run as on the machine of a developer: where CI is set, nothing is recorded.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "CI"}


def problem_of(program, executable):
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([executable], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "did not end within a minute"
    if done.returncode != 0:
        return f"ended with {done.returncode}\n{done.stderr.decode(errors='replace')}"
    if program["output"] is None:
        return None
    expected = program["output"].rstrip("\n")
    printed = done.stdout.decode(errors="replace").replace("\r\n", "\n").rstrip("\n")
    if printed == expected or program["begins"] and printed.startswith(expected):
        return None
    if program["begins"]:
        printed = "\n".join(printed.split("\n")[: expected.count("\n") + 1])
    where = program["where"].rsplit(":", 1)[0] + ":" + str(program["output_line"])
    lines = difflib.unified_diff(expected.split("\n"), printed.split("\n"), where, "printed", lineterm="")
    return "does not print what the document says\n" + "\n".join(lines)


def main():
    manifest, prefix, numbers = sys.argv[1], os.path.abspath(sys.argv[2]), {int(number) for number in sys.argv[3:]}
    with open(manifest, encoding="utf-8") as file:
        programs = json.load(file)
    bad = ran = 0
    for program in programs:
        if program["number"] not in numbers:
            print(f"{program['where']}: skipped, it needs a library that is not here")
        elif program["run"]:
            ran += 1
            problem = problem_of(program, prefix + str(program["number"]))
            if problem:
                bad += 1
                print(f"{program['where']}: the snippet {problem}")
    print(f"{len(programs)} programs, {ran} were run, {bad} of them failed")
    sys.exit(1 if bad else 0)


main()
