# SPDX-License-Identifier: MIT
"""Checks the page in include/acta/view/detail/ (page.hpp, page_script.hpp): its size, and the hashes in its policy.

python3 cmake/view_page.py           sets the hashes, after a change of the style or the script
python3 cmake/view_page.py --check   fails if they are wrong
"""

import base64
import hashlib
import pathlib
import re
import sys

LIMIT = 60_000  # bytes of the page without its data
PIECE = 16_380  # bytes of one string literal that every compiler takes

HEADER = pathlib.Path(__file__).resolve().parent.parent / "include/acta/view/detail/page.hpp"  # with the policy
SCRIPT = HEADER.with_name("page_script.hpp")


def hash_of(page: str, element: str) -> str:
    found = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
    if len(found) != 1:
        sys.exit(f"{HEADER.name}: expected one <{element}>, not {len(found)}")
    return "sha256-" + base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()


def main() -> None:
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    header = HEADER.read_text(encoding="utf-8")
    pieces = re.findall(r'R"~page~\((.*?)\)~page~"', header + SCRIPT.read_text(encoding="utf-8"), re.DOTALL)
    for piece in pieces:
        if len(piece.encode()) > PIECE:
            sys.exit(f"{HEADER.name}: a string literal of {len(piece.encode())} bytes, and the limit is {PIECE}: split it")
    page = "".join(pieces)
    if len(page.encode()) > LIMIT:
        sys.exit(f"{HEADER.name}: {len(page.encode())} bytes, and the limit is {LIMIT}")
    changed = header
    for element in ("style", "script"):
        changed, count = re.subn(f"{element}-src 'sha256-[^']*'", f"{element}-src '{hash_of(page, element)}'", changed)
        if count != 1:
            sys.exit(f"{HEADER.name}: expected one {element}-src in the policy, not {count}")
    if changed == header:
        return
    if sys.argv[1:]:
        sys.exit(f"{HEADER.name}: the policy has other hashes than the style and the script: run cmake/view_page.py")
    HEADER.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    main()
