#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a terminal with the text of standard input as an SVG file on standard output.

The README's picture, from the folder of the repository:

    explore=build/test/examples/explore
    options="--question 'where is main defined' --interrupt-at 1 --feedback 'Sizes do not matter.'"
    (echo "\\$ explore $options harbour"; eval "$explore $options tests/data/examples/harbour" | sed -n '2,/^Answer/p') \\
        | python3 docs/pictures/terminal.py > docs/pictures/run.svg
"""
import html
import sys
import textwrap

COLUMNS, FONT, LINE, MARGIN, BAR = 104, 13, 18, 16, 28
CHARACTER = FONT * 0.602  # the width of a character of the usual monospaced fonts

lines = []
for line in sys.stdin.read().expandtabs().splitlines():
    lines += textwrap.wrap(line, COLUMNS, subsequent_indent="    ") or [""]

width = round(COLUMNS * CHARACTER + 2 * MARGIN)
height = BAR + len(lines) * LINE + 2 * MARGIN
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
print(f'<rect width="{width}" height="{height}" rx="8" fill="#1b1f27"/>')
for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
    print(f'<circle cx="{MARGIN + 6 + i * 20}" cy="{BAR // 2 + 3}" r="6" fill="{colour}"/>')
print(f'<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{FONT}"')
print('   fill="#d8dee9" xml:space="preserve">')
for i, line in enumerate(lines):
    if line:
        print(f'<text x="{MARGIN}" y="{BAR + MARGIN + (i + 1) * LINE - 5}">{html.escape(line, quote=False)}</text>')
print("</g>\n</svg>")
