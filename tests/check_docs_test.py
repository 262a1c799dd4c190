#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs_test.py <a folder to work in>

Each rule of check_docs.py against documents that break it, and against ones that do not.
"""

import shutil
import subprocess
import sys
from pathlib import Path

CHECK = Path(__file__).resolve().parent / "check_docs.py"
WORK = Path(sys.argv[1])

GOOD = {
    "README.md": "# acta\n\nSee [the limits](docs/limits.md#what-is-bounded) and [json](docs/reference/json.md).\n",
    "docs/limits.md": "# Limits\n\n## What is *bounded*\n\n```text\n# no title\n```\n",
    "docs/reference/json.md": "# json\n\n## Unions\n\n[up](../limits.md)\n",
    "include/acta/json/parse.hpp": '// docs/reference/json.md, "Unions".\n/// A reader (docs/reference/json.md,\n/// "Unions").\n',
}

failures = []


def expect(report, **changes):
    """check_docs.py reports this, or nothing, of the good files with these changes: name=(old, new)."""
    shutil.rmtree(WORK, ignore_errors=True)
    files = dict(GOOD)
    for key, (old, new) in changes.items():
        name = next(name for name in files if Path(name).stem == key)
        assert old in files[name], (name, old)
        files[name] = files[name].replace(old, new)
    for name, text in files.items():
        (WORK / name).parent.mkdir(parents=True, exist_ok=True)
        (WORK / name).write_text(text, encoding="utf-8")
    run = subprocess.run([sys.executable, CHECK, WORK], capture_output=True, text=True, check=False)
    if (report == "") != (run.returncode == 0) or report not in run.stderr:
        failures.append(f"expected: {report or 'nothing'}\nof: {changes}\ncame: {run.stdout}{run.stderr}")


expect("")
expect('include/acta/json/parse.hpp:1: docs/reference/json.md has no title "Members"', parse=('"Unions".\n', '"Members".\n'))
expect('include/acta/json/parse.hpp:2: docs/reference/json.md has no title "Members"', parse=('/// "Unions"', '/// "Members"'))
expect("parse.hpp:1: there is no document docs/behaviour.md", parse=("docs/reference/json.md, \"Unions\".", "docs/behaviour.md"))
expect('json.md has no title "Unions"', json=("## Unions", "```text\n## Unions\n```"))
expect("README.md:3: the link to docs/limit.md leads nowhere", README=("docs/limits.md#what-is-bounded", "docs/limit.md"))
expect("README.md:3: docs/limits.md has no title with the anchor #no-title", README=("#what-is-bounded", "#no-title"))
expect("docs/reference/json.md:5: the link to limits.md leads nowhere", json=("../limits.md", "limits.md"))

shutil.rmtree(WORK, ignore_errors=True)
if failures:
    sys.exit("\n\n".join(failures))
