#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the conformance suite of the Model Context Protocol on a client, in a network namespace of its own.

use: run.py CLIENT FOLDER

Installs the suite and a node that it runs with into FOLDER. Every scenario that a revision requires passes without a
warning, but for those in expected.yaml. Exits with 77 if the suite cannot be run here.
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
REVISIONS = {"2026-07-28": 8, "2025-11-25": 5}  # how many scenarios of a client are without OAuth


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


def run(client, folder, revision, required):
    """Returns whether the scenarios of a revision ended as they should."""
    modules = folder / "node_modules"
    results = folder / ("client-" + revision)
    shutil.rmtree(results, ignore_errors=True)
    suite = [str(modules / NODE.split("@")[0] / "bin" / "node"),
             str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"),
             "client", "--command", client, "--requirements", revision, "-o", str(results),
             "--expected-failures", str(Path(__file__).parent / "expected.yaml")]
    alone = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    done = subprocess.run(alone + suite, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    passed = []
    for checks in sorted(results.glob("*/checks.json")):
        states = {check["status"] for check in json.loads(checks.read_text())}
        name = checks.parent.name.rsplit("-202", 1)[0]
        good = not states & {"FAILURE", "WARNING"}
        if good and not name.startswith("auth"):
            passed.append(name)
        if not name.startswith("auth"):
            print(revision, name, "passed" if good else "FAILED")
    if done.returncode != 0 or len(passed) < required:
        print(done.stdout[-4000:], done.stderr[-2000:])
        return False
    return True


def main():
    client, folder = sys.argv[1], Path(sys.argv[2])
    if subprocess.run(["unshare", "-rn", "ip", "link", "set", "lo", "up"], check=False,
                      capture_output=True).returncode != 0:
        skip("a network namespace cannot be made here")
    install(folder)
    good = [run(client, folder, revision, required) for revision, required in REVISIONS.items()]
    sys.exit(0 if all(good) else 1)


os.environ.pop("http_proxy", None)
main()
