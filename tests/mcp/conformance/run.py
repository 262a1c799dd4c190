#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the conformance suite of the Model Context Protocol on a client or a server, in a network namespace of its own.

use: run.py client|server PROGRAM FOLDER [SCENARIO ...]

Installs the suite and a node that it runs with into FOLDER. Every scenario that a revision requires passes without a
warning, but for those in expected.yaml; with SCENARIOs, these are run in the newest revision. Exits with 77 if the
suite cannot be run here.
"""
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = "node-linux-{}@24.22.3".format({"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "none"))
PORT = "8123"
# How many scenarios of a revision pass: all that it requires but OAuth, and some that it does not require.
REVISIONS = {"client": {"2026-07-28": 8, "2025-11-25": 5}, "server": {"2026-07-28": 40, "2025-11-25": 32}}


def skip(reason):
    print("acta test skipped:", reason)
    sys.exit(77)


def install(folder):
    packages = SUITE + " " + NODE
    done = folder / "installed"
    if done.exists() and done.read_text() == packages:
        return
    if shutil.which("npm") is None:
        skip("there is no npm")
    folder.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", "--ignore-scripts",
               "--fetch-retries=1", "--fetch-timeout=60000", SUITE, NODE]
    installed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if installed.returncode != 0:
        skip("npm cannot install " + packages + ": " + installed.stderr[-300:])
    done.write_text(packages)


def passed_in(results, revision):
    """Returns how many scenarios passed without a warning, and prints them all but those of OAuth."""
    passed = 0
    for checks in sorted(results.glob("*/checks.json")):
        states = {check["status"] for check in json.loads(checks.read_text())}
        name = checks.parent.name.rsplit("-202", 1)[0]
        good = "SUCCESS" in states and not states & {"FAILURE", "WARNING"}
        passed += good and not name.startswith("auth")
        if not name.startswith("auth"):
            print(revision, name, "passed" if good else "failed: " + ", ".join(sorted(states)))
    return passed


def run(kind, program, folder, arguments, name):
    """Runs the suite; returns whether it is content, and where its results are."""
    modules = folder / "node_modules"
    results = folder / (kind + "-" + name)
    shutil.rmtree(results, ignore_errors=True)
    subject = ["--command", program] if kind == "client" else ["--url", "http://localhost:" + PORT + "/mcp"]
    suite = [str(modules / NODE.split("@")[0] / "bin" / "node"),
             str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"),
             kind, *subject, *arguments, "-o", str(results),
             "--expected-failures", str(Path(__file__).parent / "expected.yaml")]
    done = subprocess.run(suite, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-2000:])
    return done.returncode == 0, results


def inside(kind, program, folder, scenarios):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    server = None
    if kind == "server":
        server = subprocess.Popen([program, PORT], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        server.stdout.readline()  # it listens
    good = True
    if scenarios:
        for scenario in scenarios:
            content, results = run(kind, program, folder, ["--scenario", scenario, "--spec-version", "2026-07-28"],
                                   scenario)
            good = content and passed_in(results, scenario) == 1 and good
    else:
        for revision, wanted in REVISIONS[kind].items():
            content, results = run(kind, program, folder, ["--requirements", revision], revision)
            good = content and passed_in(results, revision) >= wanted and good
    if server is not None:
        server.kill()
        server.wait()
    sys.exit(0 if good else 1)


def main():
    kind, program, folder, scenarios = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
    if os.environ.get("ACTA_CONFORMANCE_INSIDE"):
        inside(kind, program, folder, scenarios)
    if subprocess.run(["unshare", "-rn", "ip", "link", "set", "lo", "up"], check=False,
                      capture_output=True).returncode != 0:
        skip("a network namespace cannot be made here")
    install(folder)
    os.environ["ACTA_CONFORMANCE_INSIDE"] = "1"
    os.execvp("unshare", ["unshare", "-rn", sys.executable, *sys.argv])


main()
