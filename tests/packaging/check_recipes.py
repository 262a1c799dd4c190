#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_recipes.py CHECKOUT CMAKE: what can be said of the recipes for vcpkg and Conan without those programs."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
cmake = sys.argv[2]
recipes = root / "cmake" / "packaging"
problems = []


def expect(holds, problem):
    if not holds:
        problems.append(problem)


def version_of_acta():
    text = (root / "include/acta/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(rf"ACTA_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def check_vcpkg():
    port = json.loads((recipes / "vcpkg/acta/vcpkg.json").read_text(encoding="utf-8"))
    expect(port["version"] == version_of_acta(), f"vcpkg.json is for {port['version']}, acta is {version_of_acta()}")
    portfile = (recipes / "vcpkg/acta/portfile.cmake").read_text(encoding="utf-8")
    options = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    for feature in port["features"]:
        option = f"ACTA_{feature.upper()}"
        expect(f"{feature} {option}" in portfile, f"portfile.cmake leaves out the feature {feature}")
        expect(f"option({option} " in options, f"vcpkg.json has the feature {feature}; CMakeLists.txt has no {option}")
    # CMake reads a whole file before it runs the first line of it; the functions of vcpkg do nothing here.
    functions = sorted(set(re.findall(r"^(vcpkg_\w+)\(", portfile, re.MULTILINE)))
    stubs = "".join(f"function({name})\nendfunction()\n" for name in functions)
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "port.cmake"
        script.write_text("cmake_minimum_required(VERSION 3.25)\n" + stubs + portfile.replace("CMAKE_CURRENT_LIST_DIR", "PORT_DIR"), encoding="utf-8")
        run = subprocess.run([cmake, f"-DPORT_DIR={recipes / 'vcpkg/acta'}", f"-DCURRENT_PACKAGES_DIR={folder}/packages",
                              "-DPORT=acta", "-DFEATURES=core", "-P", script], capture_output=True, text=True)
        expect(run.returncode == 0, f"portfile.cmake: {run.stderr.strip()}")


def check_conan():
    for recipe in ("conan/conanfile.py", "conan/test_package/conanfile.py"):
        path = recipes / recipe
        try:
            compile(path.read_text(encoding="utf-8"), str(path), "exec")
        except SyntaxError as error:
            problems.append(f"{recipe}: {error}")
    text = (recipes / "conan/conanfile.py").read_text(encoding="utf-8")
    for component in ("yaml", "client", "icu", "sqlite", "postgres"):
        expect(f'("{component}", ' in text, f"conanfile.py leaves out the component {component}")


def check_debian():
    first = (recipes / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
    expect(first.startswith(f"acta ({version_of_acta()}-"), f"debian/changelog begins with {first}")


check_vcpkg()
check_conan()
check_debian()
sys.exit("\n".join(problems) if problems else 0)
