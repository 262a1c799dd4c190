# SPDX-License-Identifier: MIT
"""Writes include/acta/view/detail/page.hpp from include/acta/view/page.html.

python3 cmake/view_page.py            writes it
python3 cmake/view_page.py --check    fails unless it is what would be written
"""

import base64
import hashlib
import pathlib
import re
import sys

LIMIT = 60_000  # bytes of the page without its data
PIECE = 12_000  # bytes of one string literal: compilers need not take more than 65 536

ROOT = pathlib.Path(__file__).resolve().parent.parent / "include/acta/view"


def hash_of(page: str, element: str) -> str:
    found = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
    if len(found) != 1:
        sys.exit(f"page.html: expected one <{element}>, not {len(found)}")
    return "sha256-" + base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()


def literal(text: str) -> str:
    pieces = []
    while text:
        end = len(text) if len(text) <= PIECE else text.rindex("\n", 0, PIECE) + 1
        pieces.append(f'R"~page~({text[:end]})~page~"')
        text = text[end:]
    return "\n".join(pieces)


def header() -> str:
    page = (ROOT / "page.html").read_text(encoding="utf-8")
    if len(page.encode()) > LIMIT:
        sys.exit(f"page.html: {len(page.encode())} bytes, and the limit is {LIMIT}")
    for element in ("style", "script"):
        mark = f"@{element}@"
        if page.count(mark) != 1:
            sys.exit(f"page.html: expected {mark} once")
        page = page.replace(mark, hash_of(page, element))
    if page.count("@data@") != 1:
        sys.exit("page.html: expected @data@ once")
    before, after = page.split("@data@")
    return f"""// SPDX-License-Identifier: MIT
// Written by cmake/view_page.py from acta/view/page.html.
// clang-format off
#pragma once

#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::view_detail {{

/// The page up to its data.
inline constexpr std::string_view page_before =
{literal(before)};

/// The page after its data.
inline constexpr std::string_view page_after =
{literal(after)};

}}  // namespace acta::inline ACTA_ABI::view_detail
"""


def main() -> None:
    target = ROOT / "detail/page.hpp"
    text = header()
    if sys.argv[1:] == ["--check"]:
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            sys.exit("detail/page.hpp is not what page.html makes: run python3 cmake/view_page.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
