// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/compress/detail/extractive_facts.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "support/bounds.hpp"
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

/// All facts with their kinds: `path a.py, number 3`.
std::string kinds(std::string_view text, bool escapes = false) {
    constexpr const char* names[] = {"none", "line", "identifier", "number", "path", "url"};
    std::string out;
    FactScanner scanner(text, escapes);
    for (Fact fact = scanner.next(); fact.kind != FactKind::none; fact = scanner.next())
        out +=
            (out.empty() ? "" : ", ") + std::string(names[static_cast<int>(fact.kind)]) + " " + std::string(fact.text);
    return out;
}

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

TEST_CASE("what a word is made of tells its kind") {
    struct Row {
        std::string_view text;
        std::string_view expected;
    };
    for (const Row& row : std::vector<Row>{
             // A capital after a small letter makes a name, two capitals do not.
             {"aB zB Ab AB HTtp", "identifier aB, identifier zB"},
             {"a_b a1 _1 ___ ... /", "identifier a_b, identifier a1, number _1"},
             // Hyphens and at signs before a word are not part of it, a sign before a number is.
             {"-foo_bar --long_name @user_name -@x_y",
              "identifier foo_bar, identifier long_name, "
              "identifier user_name, identifier x_y"},
             {"-5 @5 -a -", "number -5, number @5"},
             {"a_b. a_b- a_b@ a_b.-", "identifier a_b, identifier a_b, identifier a_b, identifier a_b"},
             // Extensions
             {"a.b ab.c a.bc a.bcde .env", "path ab.c, path a.bc, path a.bcde, path .env"},
             {"a.bcdef ab.Abc ab.b_c a.123",
              "identifier a.bcdef, identifier ab.Abc, identifier ab.b_c, "
              "identifier a.123"},
             {"a.12x a.TXT a.mp3", "path a.12x, path a.TXT, path a.mp3"},
             {"a.Bc a.12 a.Bcd .bashrc", "identifier a.Bcd"},
             {"self.ab this.ab cls.ab selfx.ab",
              "identifier self.ab, identifier this.ab, identifier cls.ab, "
              "path selfx.ab"},
             {"ab.cd( abc.de( .py( .py3x1( .py3x1", "identifier ab.cd, identifier abc.de, identifier .py3x1"},
             // Slashes
             {"a/b ab/c a/b/c a.b/c a_b/c", "identifier ab/c, path a/b/c, path a.b/c, path a_b/c"},
             {"a/ /a ./a ~/a ~a 1/2", "path a/, path /a, path ./a, path ~/a, number 1/2"},
             {"a\\b \\", "path a\\b"},
             {"a.b/c_d ~a_b", "path a.b/c_d, identifier a_b"},
             // Numbers
             {"3abcd 3abcde -3abcd -3abcde", "number 3abcd, identifier 3abcde, number -3abcd, identifier -3abcde"},
             {"5% %5 a%", "number 5%, number 5"},
             {"a.py:7 key:7 12:30 12:x 3:4:5 ab:",
              "identifier a.py:7, number 7, number 12:30, number 12, number 3:4:5"},
             // Addresses, and drives of Windows
             {"ab://c D:\\e ab:\\c_d", "url ab://c, path D:\\e, path \\c_d"},
             {"ab://c|d_e x://y;f_g x://y,g_h x://y\th_i",
              "url ab://c, identifier d_e, url x://y, identifier f_g, url x://y, identifier g_h, url x://y, "
              "identifier h_i"}}) {
        INFO(row.text);
        CHECK(kinds(row.text) == row.expected);
    }
    CHECK(kinds("x://y\x80 a_b") == "url x://y, identifier a_b");
    CHECK(kinds(R"(C:\temp x://a\nb_c)", true) == "url x://a, identifier b_c");
    CHECK(kinds("\x1b[31ma_b\x1b[0m 7") == "identifier a_b, number 7");
    below_at_above(256, [](std::size_t size) { return kinds(std::string(size - 1, 'a') + "1") != ""; });
}

TEST_CASE("a number at the beginning of a line, with a mark behind it, is that of the line") {
    struct Row {
        std::string_view text;
        std::string_view expected;
    };
    for (const Row& row : std::vector<Row>{{"7: a", "line 7"},
                                           {"7| a", "line 7"},
                                           {"7\ta", "line 7"},
                                           {" \t7: a", "line 7"},
                                           {"a\n7: b\r8: c", "line 7, line 8"},
                                           {"123456789: a", "line 123456789"},
                                           {"1234567890: a", "number 1234567890"},
                                           {"7 a", "number 7"},
                                           {"7", "number 7"},
                                           {"7.5: a", "number 7.5"},
                                           {"(7: a", "number 7"},
                                           {"a 7: b", "number 7"}}) {
        INFO(row.text);
        CHECK(kinds(row.text) == row.expected);
    }
    using acta::compress_detail::is_listed_line;
    for (const char* const listed : {"7: a", "7|", "7\ta", "123456789: a"}) CHECK(is_listed_line(listed));
    for (const char* const other : {"", "7", "7 a", ": a", "1234567890: a", "a7: b"})
        CHECK_FALSE(is_listed_line(other));
}

TEST_CASE("ideographs are those of scripts without blanks") {
    const std::vector<std::pair<char32_t, char32_t>> ranges{
        {0x2E80, 0xA4CF}, {0xF900, 0xFAFF}, {0xFF00, 0xFFEF}, {0x20000, 0x3FFFF}};
    for (const auto& [first, last] : ranges) {
        INFO(static_cast<std::uint32_t>(first));
        using acta::compress_detail::is_ideographic;
        CHECK_FALSE(is_ideographic(first - 1));
        CHECK(is_ideographic(first));
        CHECK(is_ideographic(last));
        CHECK_FALSE(is_ideographic(last + 1));
    }
}

TEST_CASE("a table of facts says where each was found, and how often") {
    FactTable table;
    CHECK(table.add("a_b c_d 8", Origin::call) == 3);
    CHECK(table.add("c_d e_f e_f 9", Origin::body, true) == 4);
    CHECK(table.add("a_b 8", Origin::reasoning) == 2);
    CHECK(table.add("g_h", Origin::reasoning) == 1);
    CHECK(table.add("a_b", Origin::call) == 1);  // what was topical stays so
    std::string found;
    for (const FactTable::Entry& entry : table.entries())
        found += std::string(entry.fact.text) + " " + std::to_string(entry.count) + " " +
                 std::to_string(static_cast<int>(entry.origin)) + (entry.topical ? " topical\n" : "\n");
    CHECK(found == "a_b 3 1 topical\nc_d 2 2 topical\n8 2 1 topical\ne_f 2 2\ng_h 1 0\n");
}

TEST_CASE("the numbers of listed lines are a range") {
    FactTable table;
    CHECK(table.add("7:x", Origin::body) == 0);
    for (int i = 8; i < 40; ++i) static_cast<void>(table.add(std::to_string(i) + ": y", Origin::body));
    static_cast<void>(table.add("100| z", Origin::body));
    CHECK(table.listings() == Texts{"lines 7-39"});
    CHECK(table.entries().empty());
    FactTable many;  // of ten ranges the first eight
    for (int i = 0; i < 10; ++i)
        static_cast<void>(
            many.add(std::to_string(10 * i) + ": x\n" + std::to_string(10 * i + 1) + ": y", Origin::body));
    CHECK(many.listings().size() == 8);
    CHECK(many.listings().back() == "lines 70-71");
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
    CHECK(error_sign("fail") == ErrorSign::report);
    CHECK(error_sign("err") == ErrorSign::none);
    CHECK(error_sign("a cannot:") == ErrorSign::report);
    CHECK(error_sign("a cannot") == ErrorSign::mention);
    CHECK(error_sign("Exception: x") == ErrorSign::mention);
    CHECK(error_sign("KeyException in x") == ErrorSign::report);
    CHECK(error_sign("\x1b[31mError\x1b[0m x") == ErrorSign::report);
    CHECK(error_sign("\x1b[31ma error") == ErrorSign::mention);
    CHECK(error_sign("é error 错误") == ErrorSign::report);
    CHECK(error_sign("é error") == ErrorSign::report);
    CHECK(error_sign("é a error") == ErrorSign::mention);
}

TEST_CASE("words are folded, and ideographs are taken in pairs") {
    CHECK(words_of("The tide, the Tide", 48) == words_of("tide THE", 48));
    CHECK(words_of("潮汐表", 48).size() == 2);
    CHECK(shared_words(words_of("潮汐表", 48), words_of("看潮汐", 48)) == 1);
    CHECK(words_of("", 48).empty());
    CHECK(words_of("\x1b[31mred\x1b[0m tide", 48) == words_of("red tide", 48));
    CHECK(words_of(std::string(1000, 'a') + " b c d", 2).size() == 2);
    CHECK(words_of("a b c", 3).size() == 3);
    CHECK(words_of("潮汐表汐", 2).size() == 2);
    CHECK(words_of("a_1 a_1, a_2", 48).size() == 2);
    // A single ideograph does not count as a word, with or without letters beside it.
    CHECK(words_of("潮 汐", 48).empty());
    CHECK(words_of("a潮b汐表c", 48).size() == 4);
    CHECK(words_of("a潮b汐表c", 48) == words_of("c a 汐表 b", 48));
    CHECK(shared_words(words_of("a b c d", 48), words_of("x d b", 48)) == 2);
    CHECK(shared_words(words_of("x", 48), words_of("a b", 48)) == 0);
}

TEST_CASE("a control sequence of a terminal ends with its final byte") {
    using acta::compress_detail::control_sequence_end;
    struct Row {
        std::string_view text;
        std::size_t end;
    };
    for (const Row& row : std::vector<Row>{{"\x1B[m", 3},
                                           {"\x1B[31mx", 5},
                                           {"\x1B[@x", 3},
                                           {"\x1B[~x", 3},
                                           {"\x1B[ mx", 4},
                                           {"\x1B[?25hx", 6},
                                           {"\x1B[\x7F", 0},
                                           {"\x1B[\x1Fm", 0},
                                           {"\x1B", 0},
                                           {"\x1B[", 0},
                                           {"\x1B[3", 0},
                                           {"\x1BMm", 0},
                                           {"x[m", 0}}) {
        INFO(row.text.substr(1));
        CHECK(control_sequence_end(row.text, 0) == row.end);
    }
}

TEST_CASE("texts are put into a line and shortened between words") {
    using acta::compress_detail::has_line_break;
    using acta::compress_detail::has_word;
    using acta::compress_detail::one_line;
    using acta::compress_detail::shorten;
    CHECK(one_line(" a\x1F"
                   "b\x7F"
                   "c\xC2\x9F"
                   "d\xC2\xA0"
                   "e\xC2\xA1!\t") == "a b c d e\xC2\xA1!");
    for (const char* const broken : {"a\n", "\ra", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"})
        CHECK(has_line_break(broken));
    CHECK_FALSE(has_line_break("a\t\v\f b"));
    for (const char* const word : {"a", "- 7", "潮", "\x1B[31mx"}) CHECK(has_word(word));
    for (const char* const none : {"", "-_.", "\x1B[31m", "\x1B[0m*\x1B[m"}) CHECK_FALSE(has_word(none));
    CHECK(shorten("aaaaaaaaaaaa", 12) == "aaaaaaaaaaaa");
    CHECK(shorten("aaaaaaaaaaaaa", 12) == "aaaaaaaaaaaa\xE2\x80\xA6");
    CHECK(shorten("aaaaaaaa bbbbb", 12) == "aaaaaaaa\xE2\x80\xA6");  // the last third is given up for it, no more
    CHECK(shorten("aaaaaaa bbbbbb", 12) == "aaaaaaa bbbb\xE2\x80\xA6");
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
    // The first bytes of a long value are enough.
    for (const std::size_t size : {std::size_t{4096}, std::size_t{4097}}) {
        all = {{"f", {{"a", std::string(size, 'x')}}}};
        CHECK(call_texts(all)[0].arguments[0].second.size() == 4096 + 2);
    }
}

TEST_CASE("names, arguments and values of calls are shortened, and the main argument is shown in any case") {
    const auto shown = [](const acta::AssistantFunctionCall& call, acta::compress_detail::CallLimits limits = {}) {
        return short_calls(call_texts({call}), 1, limits);
    };
    const std::string dots = "\xE2\x80\xA6";
    CHECK(shown({std::string(64, 'f'), {}}) == std::string(64, 'f') + "()");
    CHECK(shown({std::string(65, 'f'), {}}) == std::string(64, 'f') + dots + "()");
    CHECK(shown({"f" + std::string(254, ' ') + "gh", {}}) == "f g()");
    CHECK(shown({"f", {{std::string(32, 'a'), 1}}}) == "f(" + std::string(32, 'a') + "=1)");
    CHECK(shown({"f", {{std::string(33, 'a'), 1}}}) == "f(" + std::string(32, 'a') + dots + "=1)");
    CHECK(shown({"f", {{"a" + std::string(126, ' ') + "bc", 1}}}) == "f(a b=1)");
    CHECK(shown({"f", {{"a", std::string(118, 'x')}}}) == "f(a='" + std::string(118, 'x') + "')");
    CHECK(shown({"f", {{"a", std::string(119, 'x')}}}) == "f(a='" + std::string(119, 'x') + dots + "')");
    CHECK(shown({"f", {{"a", std::string(200, '\'')}}}).ends_with("'" + dots + "\")"));
    CHECK(shown({"f", {{"a", acta::JsonArray(50, 1)}}}, {4, 8, 10}) == "f(a=[1, 1, 1," + dots + ")");
    const acta::JsonObject three{{"a", 1}, {"b", 2}, {"path", 3}};
    CHECK(shown({"f", three}, {4, 3, 120}) == "f(a=1, b=2, path=3)");
    CHECK(shown({"f", three}, {4, 2, 120}) == "f(a=1, path=3, " + dots + ")");
    CHECK(shown({"f", three}, {4, 1, 120}) == "f(path=3, " + dots + ")");
    CHECK(shown({"f", three}, {4, 0, 120}) == "f(" + dots + ")");
    CHECK(shown({"f", {{"query", 1}, {"path", 2}}}, {4, 1, 120}) == "f(path=2, " + dots + ")");
    CHECK(shown({"f", {{"a", 1}, {"b", 2}}}, {4, 1, 120}) == "f(a=1, " + dots + ")");
    CHECK(short_calls(call_texts({{"f", {}}, {"g", {}}}), 2, {1, 8, 120}) == "f() and 1 more");
}

TEST_CASE("a step as texts has its reason and its error, once") {
    const auto body = [](const acta::ActionResult& result, std::vector<acta::ToolResult> calls = {}) {
        acta::SummaryStep step;
        step.result = result;
        step.tool_results = std::move(calls);
        acta::compress_detail::StepText text;
        text.read(step);
        Texts out{text.failed ? "failed" : "succeeded"};
        for (const auto& part : text.body) out.push_back(std::string(part.label) + "|" + std::string(part.text));
        return out;
    };
    const auto error = [](const std::string& reason, std::optional<std::string> repr) {
        acta::ActionErrorResult out{.reason = reason};
        if (repr) out.error = acta::ErrorInfo{.repr = *std::move(repr)};
        return out;
    };
    CHECK(body(error("no", {})) == Texts{"failed", "|no"});
    CHECK(body(error("no", "")) == Texts{"failed", "|no"});
    CHECK(body(error("no", "E('no')")) == Texts{"failed", "|E('no')"});
    CHECK(body(error("why", "E('no')")) == Texts{"failed", "|why", "|E('no')"});
    CHECK(body(error("", "E('no')")) == Texts{"failed", "|E('no')"});
    CHECK(body(acta::ActionInterruptedByHuman{"Stop."}) == Texts{"failed", "|Stop."});
    const acta::ActionResult done = acta::ActionSuccessResult{.outputs = "done"};
    CHECK(body(done) == Texts{"succeeded", "|done"});
    CHECK(body(done, {{"a", done}}) == Texts{"succeeded", "|done"});
    CHECK(body(done, {{"a", done}, {"b", error("no", {})}}) == Texts{"succeeded", "a|done", "b|Action failed: 'no'"});
}
