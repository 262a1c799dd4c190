// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/compress/detail/extractive_facts.hpp"
#include "support/catch.hpp"

namespace {

using acta::compress_detail::call_texts;
using acta::compress_detail::error_sign;
using acta::compress_detail::ErrorSign;
using acta::compress_detail::Fact;
using acta::compress_detail::FactKind;
using acta::compress_detail::FactScanner;
using acta::compress_detail::FactTable;
using acta::compress_detail::Origin;
using acta::compress_detail::shared_words;
using acta::compress_detail::short_calls;
using acta::compress_detail::words_of;

std::vector<std::string> facts(std::string_view text, FactKind kind, bool escapes = false) {
    std::vector<std::string> found;
    FactScanner scanner(text, escapes);
    for (Fact fact = scanner.next(); fact.kind != FactKind::none; fact = scanner.next()) {
        if (fact.kind == kind) found.emplace_back(fact.text);
    }
    return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("paths are known by slashes and extensions") {
    CHECK(facts("see src/main.cpp:12, ./a, ../b/c, ~/notes and /etc/hosts.", FactKind::path) ==
          Texts{"src/main.cpp:12", "./a", "../b/c", "~/notes", "/etc/hosts"});
    CHECK(facts("README.md and setup.py, docs/", FactKind::path) == Texts{"README.md", "setup.py", "docs/"});
    CHECK(facts("C:\\temp\\a.txt", FactKind::path) == Texts{"C:\\temp\\a.txt"});
    CHECK(facts("отчёт.txt", FactKind::path) == Texts{"отчёт.txt"});
    CHECK(facts("n/a, e.g. this, self.name, ', '.join(x), x.y(1), end.Then", FactKind::path).empty());
}

TEST_CASE("numbers are known with sign, decimals, units and dates") {
    CHECK(facts("8.2 -3 10ms 50% 2024-05-01 12:30 (7)", FactKind::number) ==
          Texts{"8.2", "-3", "10ms", "50%", "2024-05-01", "12:30", "7"});
    CHECK(facts("port:8080 x=9", FactKind::number) == Texts{"8080", "9"});
    CHECK(facts("E999 py3 -", FactKind::number).empty());
}

TEST_CASE("identifiers and addresses are known") {
    CHECK(facts("td_field TimeDelta E999 dt.timedelta __init__ word Word", FactKind::identifier) ==
          Texts{"td_field", "TimeDelta", "E999", "dt.timedelta", "__init__"});
    CHECK(facts("(https://example.org/a?b=c&d=1#e), ftp://x.", FactKind::url) ==
          Texts{"https://example.org/a?b=c&d=1#e", "ftp://x"});
    CHECK(facts("https://пример.рф/путь, https://example.org看潮汐 https://a.b/é…", FactKind::url) ==
          Texts{"https://пример.рф/путь", "https://example.org", "https://a.b/é"});
}

TEST_CASE("the numbers of listed lines are a range") {
    FactTable table;
    CHECK(table.add("7:x", Origin::body) == 0);
    for (int i = 8; i < 40; ++i) static_cast<void>(table.add(std::to_string(i) + ": y", Origin::body));
    static_cast<void>(table.add("100| z", Origin::body));
    CHECK(table.listings() == Texts{"lines 7-39"});
    CHECK(table.entries().empty());
}

TEST_CASE("the escapes of Python's spelling end a word") {
    CHECK(facts(R"('a.py\nb.py\tc_d')", FactKind::path, true) == Texts{"a.py", "b.py"});
}

TEST_CASE("a table of facts does not grow beyond its bound") {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "n" + std::to_string(i) + ".txt " + std::to_string(i) + " ";
    FactTable table;
    CHECK(table.add(text, Origin::body) == 10000);
    CHECK(table.entries().size() == 2 * 384);
}

TEST_CASE("errors are distinguished from text that is about something else") {
    CHECK(error_sign("KeyError: 'x'") == ErrorSign::report);
    CHECK(error_sign("FAILED tests/a.py") == ErrorSign::report);
    CHECK(error_sign("- E999 IndentationError: unexpected indent") == ErrorSign::report);
    CHECK(error_sign("src/a.cpp:7:3: error: expected ';'") == ErrorSign::report);
    CHECK(error_sign("raise ValueError(msg)") == ErrorSign::mention);
    CHECK(error_sign("it was refused") == ErrorSign::mention);
    CHECK(error_sign("terrors of the sea") == ErrorSign::none);
    CHECK(error_sign("") == ErrorSign::none);
    CHECK(error_sign("发生错误") == ErrorSign::report);
    CHECK(error_sign("Файл не удалось открыть") == ErrorSign::report);
    CHECK(error_sign("всё хорошо") == ErrorSign::none);
}

TEST_CASE("words are folded, and ideographs are taken in pairs") {
    CHECK(words_of("The tide, the Tide", 48) == words_of("tide THE", 48));
    CHECK(words_of("潮汐表", 48).size() == 2);
    CHECK(shared_words(words_of("潮汐表", 48), words_of("看潮汐", 48)) == 1);
    CHECK(words_of("", 48).empty());
    CHECK(words_of("\x1b[31mred\x1b[0m tide", 48) == words_of("red tide", 48));
    CHECK(words_of(std::string(1000, 'a') + " b c d", 2).size() == 2);
}

TEST_CASE("calls are spelled as Python spells them, the first four of them") {
    std::vector<acta::AssistantFunctionCall> all = {{"f", {{"a", "x, y)"}, {"b", acta::JsonArray{1, "2"}}}}, {"g", {}}};
    CHECK(short_calls(call_texts(all), all.size(), {}) == "f(a='x, y)', b=[1, '2']), g()");
    CHECK(short_calls(call_texts(all), all.size(), {1, 1, 120}) == "f(a='x, y)', \xE2\x80\xA6) and 1 more");
    all.assign(7, {"h", {}});
    CHECK(call_texts(all).size() == 4);
    CHECK(short_calls(call_texts(all), all.size(), {}) == "h(), h(), h(), h() and 3 more");
    all = {{"write", {{"mode", "w"}, {"content", std::string(100000, 'x')}, {"path", "p"}}}};
    CHECK(call_texts(all)[0].arguments[1].second.size() < 5000);
    CHECK(short_calls(call_texts(all), 1, {1, 1, 40}) == "write(path='p', \xE2\x80\xA6)");
    CHECK(short_calls({}, 0, {}).empty());
}
