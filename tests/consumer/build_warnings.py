#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""build_warnings.py ROOT WORK COMPILER [-I FOLDER ...]: compiles the README's programs and some examples as a user might
who has acta's headers in the include path, not as system headers, and makes all warnings errors: at -O0, -O2 and -O3
(which inlines more and warns of more), header-only and with ACTA_COMPILED. Prints what a compiler says."""
import concurrent.futures
import pathlib
import subprocess
import sys

EXAMPLES = ["quickstart.cpp", "skills.cpp", "chat_agent.cpp", "tool_responses.cpp"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def main() -> int:
    root, work, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    includes = ["-I", str(root / "include"), *sys.argv[4:]]
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, root / "tests/snippets/extract.py", work, root, "README.md"],
                   check=True, stdout=subprocess.DEVNULL)
    sources = sorted(work.glob("*.cpp")) + [root / "examples" / name for name in EXAMPLES]
    runs = [(source, level, mode) for source in sources for level in ["-O0", "-O2", "-O3"]
            for mode in [[], ["-DACTA_COMPILED"]]]

    def compile_one(run: tuple[pathlib.Path, str, list[str]]) -> tuple[str, str]:
        source, level, mode = run
        command = [compiler, "-std=c++20", level, *WARNINGS, *mode, *includes, "-c", str(source), "-o", "/dev/null"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        said = done.stdout or ("" if done.returncode == 0 else f"exit code {done.returncode}\n")
        return " ".join([source.name, level, *mode]), said

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [(name, said) for name, said in pool.map(compile_one, runs) if said]
    for name, said in faults:
        print(f"{name}:\n{said}")
    print(f"{len(runs) - len(faults)} of {len(runs)} compile without a warning")
    return 1 if faults or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
