#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts fresh figures into docs/benchmarks.md.

    python3 tests/bench/document.py --bench build/bench/tests/bench [--compile-cost [OPTION...]]
    python3 tests/bench/document.py --stores build/bench/tests/bench
    python3 tests/bench/document.py --loop build/bench/tests/bench
    python3 tests/bench/document.py --mcp build/bench/tests/bench
    python3 tests/bench/document.py --runs build/bench/tests/bench
    python3 tests/bench/document.py --view build/bench/tests/bench
    python3 tests/bench/document.py --readers build/bench/tests/bench

Runs acta_bench and acta_bench_portable from that folder, or acta_bench_stores, acta_bench_loop, acta_bench_mcp,
acta_bench_runs, or view/measure.mjs with acta_bench_view,
and measure.py with the options, and puts what they print between the marks of the page; --readers runs acta_bench_readers, for docs/limits.md. What is not asked for stays as it is.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/benchmarks.md"
LIMITS = ROOT / "docs/limits.md"


def output_of(command):
    print(" ".join(map(str, command)), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"{command[0]} ended with {done.returncode}: look at what is marked in the tables", file=sys.stderr)
    return done.stdout.strip()


def replaced(page, name, text):
    begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    if begin not in page or end not in page:
        sys.exit(f"{PAGE}: no marks for {name}")
    return page[: page.index(begin) + len(begin)] + "\n" + text + "\n" + page[page.index(end) :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=pathlib.Path, help="the folder of the two programs")
    parser.add_argument("--stores", type=pathlib.Path, help="the folder of acta_bench_stores, where it writes its files")
    parser.add_argument("--loop", type=pathlib.Path, help="the folder of acta_bench_loop")
    parser.add_argument("--mcp", type=pathlib.Path, help="the folder of acta_bench_mcp")
    parser.add_argument("--runs", type=pathlib.Path, help="the folder of acta_bench_runs")
    parser.add_argument("--view", type=pathlib.Path, help="the folder of acta_bench_view, where pages are written")
    parser.add_argument("--readers", type=pathlib.Path, help="the folder of acta_bench_readers")
    parser.add_argument("--compile-cost", nargs=argparse.REMAINDER, metavar="OPTION", help="last: for measure.py")
    options = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    if options.bench:
        tables = output_of([options.bench / "acta_bench"]) + "\n\n" + output_of([options.bench / "acta_bench_portable"])
        page = replaced(page, "tables", tables)
    if options.stores:
        stores = output_of([options.stores / "acta_bench_stores", f"--folder={options.stores}"])
        page = replaced(page, "stores", stores)
    if options.loop:
        page = replaced(page, "loop", output_of([options.loop / "acta_bench_loop"]))
    if options.mcp:
        page = replaced(page, "mcp", output_of([options.mcp / "acta_bench_mcp"]))
    if options.runs:
        page = replaced(page, "runs", output_of([options.runs / "acta_bench_runs"]))
    if options.view:
        page = replaced(page, "view", output_of(["node", ROOT / "tests/bench/view/measure.mjs", options.view]))
    if options.compile_cost is not None:
        command = [sys.executable, ROOT / "tests/compile_cost/measure.py", *options.compile_cost]
        page = replaced(page, "compile cost", output_of(command))
    PAGE.write_text(page, encoding="utf-8")
    if options.readers:
        limits = LIMITS.read_text(encoding="utf-8")
        LIMITS.write_text(replaced(limits, "readers", output_of([options.readers / "acta_bench_readers"])), "utf-8")


if __name__ == "__main__":
    main()
