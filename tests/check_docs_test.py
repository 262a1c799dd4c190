#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs_test.py <a folder to work in>

Each rule of check_docs.py against documents that break it, and against ones that do not.
"""

import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from check_docs import problems_of  # noqa: E402

WORK = Path(sys.argv[1])

HEAD = "namespace acta::inline ACTA_ABI {\n"


def in_namespace(name, text):
    return HEAD.replace(" {", f"::{name} {{") + text + "\n}\n"


GOOD = {
    "README.md": "# acta\n\nSee [the limits](docs/limits.md#what-is-bounded) and [json](docs/reference/json.md).\n",
    "docs/limits.md": """\
# Limits

## What is *bounded*

`ParseOptions::max_bytes`, `openai::Options::key`, `StoreError::found`, `Other::member`; `acta/json/json.hpp`,
`json/json.hpp`.

```text
# no title
```

## Bounds

| what | bound | where | test |
|---|---|---|---|
| `size` | 2 MiB, as a text | `ParseOptions::max_bytes` | `tests/json/size_test.cpp` |
| paths | 8 | `sqlite::Options::path`, fixed | |
| time | 10 seconds | `openai::Options::timeout` | |
| depth | at most 5 | `ParseOptions::max_bytes` | |
""",
    "tests/json/size_test.cpp": 'below_at_above(\n    "size", 2, f);\n',
    "docs/reference/README.md": "# Reference\n\n[base](base.md) [describe](describe.md) [json](json.md) [schema](schema.md)\n",
    "docs/reference/base.md": """\
# base

## Errors

| error | thrown when |
|---|---|
| `Error` | misuse |
| `StoreError` | a store fails |
| – `StoreGone` | it was erased |
| `http::Error` | a request fails |

## Others

| `NoError` | in another table |
""",
    "docs/reference/describe.md": """\
# describe

## Constraints

| option | applies to | issue | schema |
|---|---|---|---|
| `length` | text | `too_long` | `maxLength` |
""",
    "docs/reference/schema.md": """\
# schema

## Validator

| keyword | type |
|---|---|
| `maxItems` | `too_long` |
| `const` | `missing` |
""",
    "docs/reference/json.md": """\
# json

## Conversions

| wanted | lax also accepts | issues |
|---|---|---|
| integer | `true` | `int_type`, `missing` |
| bool | `1` | `bool_type` |

## Issues

### acta's own codes

| `type` | reported when |
|---|---|
| `atif_field`, `too_large` | a document is wrong |

## Unions

[up](../limits.md)
""",
    "include/acta/base/error.hpp": HEAD + "class Error : public std::runtime_error {\n};\n}\n",
    "include/acta/base/store_error.hpp": HEAD + "class StoreError : public Error {\n    int found() const;\n};\n"
    "class StoreGone : public StoreError {\n};\n}\n",
    "include/acta/base/http_error.hpp": in_namespace("http", "class Error : public acta::Error {\n};"),
    "include/acta/base/detail/lost.hpp": HEAD + "class Lost : public StoreError {\n};\n}\n",
    "include/acta/base/openai.hpp": in_namespace(
        "openai", "struct Options {\n    int key = 0;\n    std::chrono::milliseconds timeout{10'000};\n};"),
    "include/acta/base/sqlite.hpp": in_namespace("sqlite", "struct Options {\n    int path = 8;\n};"),
    "include/acta/describe/length.hpp": HEAD + 'void f() { d.issue("too_long", words("at most, {", n), where); }\n}\n',
    "tests/language.tsv": "# comment\n\\bis no \\w+\tis not\t\\bthere is no \\w+\n\\bgoes on\\b\tcontinues\n",
    "include/acta/json/json.hpp": """\
// docs/reference/json.md, "Unions".
/// A reader (docs/reference/json.md,
/// "Unions"). See acta/base/error.hpp.
namespace acta::inline ACTA_ABI {
struct ParseOptions {
    std::size_t max_bytes = std::size_t{2} * 1024 * 1024;  // not max_size
};
inline void f() {
    d.refuse("int_type", "See https://example.org"); d.issue("bool_type", "Input should be a valid boolean");
    refuse({&place, "content"}, "missing", "Field required", block);
    issue.type = "too_large";
    add(loc, "atif_field", "words");
}
}
""",
}

failures = []


def expect(report, *changes):
    """check_docs.py reports this, or nothing, of the good files with these changes: (name, old, new)."""
    files = dict(GOOD)
    for name, old, new in changes:  # a new file replaces nothing
        assert old in files.get(name, ""), (name, old)
        files[name] = files.get(name, "").replace(old, new, 1)
    shutil.rmtree(WORK, ignore_errors=True)
    for name, text in files.items():
        (WORK / name).parent.mkdir(parents=True, exist_ok=True)
        (WORK / name).write_text(text, encoding="utf-8")
    problems, _ = problems_of(WORK)
    if problems != ([report] if report else []):
        failures.append(f"expected: {report or 'nothing'}\nof: {changes}\ncame: {problems}")


expect("")

readme, limits, index = "README.md", "docs/limits.md", "docs/reference/README.md"
base, describe, json, schema = (f"docs/reference/{name}.md" for name in ("base", "describe", "json", "schema"))
parse, store_error = "include/acta/json/json.hpp", "include/acta/base/store_error.hpp"

# Citations and links.
expect(f'{parse}:1: {json} has no title "Members"', (parse, '"Unions".\n', '"Members".\n'))
expect(f'{parse}:2: {json} has no title "Members"', (parse, '/// "Unions"', '/// "Members"'))
expect(f"{parse}:1: there is no document docs/behaviour.md", (parse, f'{json}, "Unions".', "docs/behaviour.md"))
expect(f"{readme}:3: the link to docs/limit.md leads nowhere", (readme, f"{limits}#what-is-bounded", "docs/limit.md"))
expect(f"{readme}:3: {limits} has no title with the anchor #no-title", (readme, "#what-is-bounded", "#no-title"))
expect(f"{json}:20: the link to limits.md leads nowhere", (json, "../limits.md", "limits.md"))

# Files and members.
expect(f"{limits}:6: there is no file json/read.hpp", (limits, "`json/json.hpp`", "`json/read.hpp`"))
expect(f"{limits}:6: there is no file tests/read.py", (limits, "`json/json.hpp`", "`tests/read.py`"))
expect(f"{parse}:3: there is no header acta/base/errors.hpp", (parse, "acta/base/error.hpp", "acta/base/errors.hpp"))
expect(f"{limits}:5: ParseOptions has no member max_size", (limits, "max_bytes", "max_size"))
expect(f"{limits}:5: ReadOptions has no member max_bytes", (limits, "ParseOptions", "ReadOptions"))
expect(f"{limits}:5: openai::Options has no member path", (limits, "Options::key", "Options::path"))
expect("", (limits, "openai::Options::key", "Options::path"))
expect("", (limits, "StoreError::found", "StoreGone::found"))  # of its base

# Bounds.
sized = "tests/json/size_test.cpp"
expect(f'{limits}:16: {sized} has no below_at_above("size")', (sized, "below_at_above", "at_above"))
expect(f'{sized}:1: {limits} has no row "depths"', (sized, "below", 'below_at_above("depths", 1, f);\nbelow'))
expect(f"{limits}:17: the test of this limit is {sized}", (sized, "below", 'below_at_above("paths", 1, f);\nbelow'))
for bound, member, value in (("2 MiB", "ParseOptions::max_bytes", "2 * 1024 * 1024"),
                             ("8", "sqlite::Options::path", "8"), ("10 seconds", "openai::Options::timeout", "10000")):
    line = 1 + GOOD[limits][:GOOD[limits].index(f"| {bound}")].count("\n")
    expect(f"{limits}:{line}: {member} is {value} by default", (limits, f"| {bound}", "| 7"))

# Components.
expect(f"{index}:1: the index does not list json.md", (index, "[json](json.md)", ""))
expect(f"{index}:1: there is no page for the component chat", ("include/acta/chat/message.hpp", "", "// chat\n"))

# Errors.
expect(f"{base}:1: the table of errors lacks StoreGone ({store_error})",
       (base, "| – `StoreGone` | it was erased |\n", ""))
expect(f"{base}:1: the table of errors lacks http::Error (include/acta/base/http_error.hpp)",
       (base, "| `http::Error` | a request fails |\n", ""))
expect(f"{base}:9: StoreGone derives from StoreError, and not from Error", (base, "– `StoreGone`", "`StoreGone`"))
for wrong in ("StoreLost", "Lost"):  # one that does not exist, and one of a detail header
    expect(f"{base}:9: {wrong} is not a class of a public header that derives from acta::Error",
           (base, "| – `StoreGone` |", f"| – `{wrong}` | it is lost |\n| – `StoreGone` |"))

# Codes of issues.
neither = f"is neither here nor in {describe} or {schema}"
for code in ("int_type", "bool_type", "too_large", "atif_field"):
    expect(f"{json}:1: the code {code} of {parse} {neither}", (json, f"`{code}`", "it"))
expect(f"{json}:1: the code too_long of include/acta/describe/length.hpp {neither}",
       (describe, "`too_long`", "it"), (schema, "`too_long`", "it"))
expect("", (describe, "`too_long`", "it"))
expect(f"{json}:1: the code missing of {parse} {neither}", (json, "`missing`", "it"), (schema, "`missing`", "it"))
expect(f"{schema}:8: no header has the code too_much", (schema, "`missing`", "`missing`, `too_much`"))
expect(f"{json}:7: no header has the code int_kind", (json, "`int_type`", "`int_type`, `int_kind`"))
expect(f"{json}:16: no header has the code atif_step", (json, "`atif_field`", "`atif_field`, `atif_step`"))
expect(f"{describe}:7: no header has the code too_short", (describe, "`too_long`", "`too_long`, `too_short`"))

# Lines of the programs that are compared.
comparison = "docs/comparison.md"


def compared(table_says, lines):
    program = "// a comment\n\n" + "f();\n" * lines
    return (comparison, "", "## Lines of code\n\n| task | acta |\n|---|---|\n"
            f"| approval | {table_says} |\n\n```cpp no-run\n{program}```\n")


expect("", compared(25, 25))
expect(f"{comparison}:5: the program for approval has 2 lines", compared(3, 2))
expect(f"{comparison}:5: the program for approval has more than 25 lines", compared(26, 26))
expect(f"{comparison}:1: 1 tasks, but 2 programs", compared(2, 2), (comparison, "## Lines", "```cpp\n```\n\n## Lines"))

# Headers in comments, and their width.
expect(f"{parse}:2: there is no header json/read.hpp", (parse, "A reader", "A reader of json/read.hpp"))
expect("", (parse, "A reader", "A reader of base/error.hpp, error.hpp and nlohmann/json.hpp"))
expect("", (parse, "inline void f", '#include "read.hpp"\ninline void f'))  # compilers see that
expect(f"{parse}:3: a comment of 121 columns", (parse, '/// "Unions"', "/// " + "x" * 117 + '\n/// "Unions"'),
       (parse, f'{json},\n', "json,\n"))
expect("", (parse, "struct", "// https://" + "x" * 117 + "\nstruct"))

# Language: in comments, strings and documents, over ends of lines, and not in code.
expect(f'{parse}:5: "is no class": is not', (parse, "struct", "/// It is no\n/// class.\nstruct"))
expect(f'{parse}:6: "goes on": continues', (parse, "not max_size", "it goes\n// on"))
expect(f'{parse}:12: "goes on": continues', (parse, '"words"', '"it goes "\n    "on"'))
expect(f'{readme}:3: "goes on": continues', (readme, "See", "It goes\non. See"))
expect("", (parse, '"words"', '"it", is no, "there is no "\n    "word"'), (readme, "See", "`It goes on` See"),
       (limits, "# no title", "it goes on"), (parse, "// not", "// there is no"))

shutil.rmtree(WORK, ignore_errors=True)
if failures:
    sys.exit("\n\n".join(failures))
