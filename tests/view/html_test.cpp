// SPDX-License-Identifier: MIT
// What stands in the page; page_test.cpp has what a browser makes of it.
#include "acta/view/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "view/runs.hpp"

namespace {

using acta::Json;
using runs::page_of;

/// The lines of the page's data: its head, a line for each row, its end.
std::vector<Json> data_of(const std::string& page) {
    constexpr std::string_view before = "<script id=\"data\" type=\"text/plain\">";
    const std::size_t from = page.find(before) + before.size();
    const std::string data = page.substr(from, page.find("</script>", from) - from);
    std::vector<Json> lines;
    std::size_t at = 0;
    while (at <= data.size()) {
        const std::size_t end = std::min(data.find('\n', at), data.size());
        lines.push_back(Json::parse(data.substr(at, end - at)));
        at = end + 1;
    }
    return lines;
}

runs::History one_step(const std::string& thoughts, const Json& outputs) {
    runs::History history;
    history.register_action({.thoughts = thoughts, .use_tool = {"look", {{"at", "it"}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = outputs});
    return history;
}

struct Plan {
    std::string aim{};
    [[nodiscard]] std::string summary() const { return "The aim: " + aim; }
};

acta::ActionErrorResult long_error() {
    return {.reason = std::string(1000, 'r'), .error = acta::ErrorInfo::make("E", "m")};
}

}  // namespace

template <>
struct acta::Describe<Plan> {
    static constexpr auto fields = acta::fields(required("aim", &Plan::aim));
};

TEST_CASE("The page has a line for what it shows at once, for each row, and for its end") {
    const auto data = data_of(page_of(runs::tides(), {.title = "Tides"}));
    REQUIRE(data.size() == 12);
    CHECK(data[0]["title"] == "Tides");
    CHECK(data[0]["kinds"] == "SUseseiUsA");
    CHECK(data[0]["tools"].dump() == R"(["web_search","fetch","read_file","send_mail"])");
    CHECK(data[0]["calls"].dump() == "[[0],[1],[1],[2,2],[3],[2]]");
    CHECK(data[0]["ms"].dump() == "[null,null,1200.0,30000.0,800.0,100.0,5000.0,null,60.0,null]");
    CHECK(data[0]["tokens"][2] == 940);
    CHECK(data[0]["totals"]["steps"] == 6);
    CHECK(data[1]["message"]["content"] == "You are an agent who knows the sea.");
    CHECK(acta::dump(data[3]["episode"]) == acta::dump(lvalue(runs::tides())[0]));
    CHECK(data[6]["ids"].dump() == R"(["call_0","call_1"])");
    CHECK(data[11].dump() == R"({"cuts":0})");
}

TEST_CASE("The page has the lines of runs within a run after its own, numbered in their order") {
    const auto data = data_of(page_of(runs::crew()));
    CHECK(data[0]["runs"].dump() == "[[0,0],[0,1],[1,2]]");
    CHECK(data[0]["kinds"] == "UesA");
    REQUIRE(data.size() == 1 + 4 + (1 + 4) + (1 + 2) + 1 + (1 + 3) + 1);
    CHECK(data[5]["run"] == 0);
    CHECK(data[5]["call"] == "call_0");
    CHECK(data[5]["kinds"] == "UseA");
    CHECK(data[5]["runs"].dump() == "[[0,3]]");
    CHECK(data[10]["call"] == "call_1");
    CHECK(data[10]["end"] == "failed: the connection was lost");
    CHECK(data[13]["raw"].dump() == R"({"form":"of another program"})");
    CHECK(data[14]["run"] == 3);
    CHECK(data[14]["kinds"] == "UsA");
    CHECK(data[16]["episode"]["result"]["outputs"] == "6.9 m at 04:12, deepwater");
    CHECK(data.back().dump() == R"({"cuts":0})");
}

TEST_CASE("A page cuts what is longer than its limit") {
    below_at_above("an output, arguments, thoughts or a message in a page", std::size_t{64} * 1024,
                   [](std::size_t bytes) {
                       const std::string exact(bytes, 'x');
                       return data_of(page_of(one_step("t", exact), {}))[1]["episode"]["result"]["outputs"] == exact;
                   });
}

TEST_CASE("The page redacts and cuts runs within a run as well") {
    acta::HtmlOptions options;
    options.redactor = [](std::string_view text) {
        std::string out(text);
        for (std::size_t at = out.find("deepwater"); at != out.npos; at = out.find("deepwater"))
            out.replace(at, 9, "*");
        return out;
    };
    options.max_output_bytes = 12;
    const std::string page = page_of(runs::crew(), options);
    CHECK(page.find("deepwater") == page.npos);
    CHECK(data_of(page).back()["cuts"] > 5);
    // Runs nested deeper than JSON may be are one that cannot be read.
    runs::History history = one_step("a", "b");
    for (int i = 0; i < 100; ++i) {
        auto record = history.record();
        record.sub_runs = {{0, history.tool_call_ids(0)[0], acta::to_json_value(history)}};
        history = runs::History(std::move(record));
    }
    CHECK(data_of(page_of(history)).back().contains("cuts"));
}

TEST_CASE("The page states no tokens, time or cost that no step has") {
    const Json head = data_of(page_of(one_step("a", "b")))[0];
    CHECK_FALSE(head.contains("tokens"));
    CHECK_FALSE(head.contains("ms"));
    CHECK_FALSE(head.contains("cost"));
}

TEST_CASE("The page keeps feedback that waits and the rolling summary") {
    runs::History history = one_step("a", "b");
    history.append_user_feedback("Slower.");
    auto record = history.record();
    record.rolling_summary = acta::RollingSummary{.text = "It looked.", .first = 0, .last = 0};
    const Json head = data_of(page_of(runs::History(record)))[0];
    CHECK(head["pending"].dump() == R"(["Slower."])");
    CHECK(head["rolling"]["text"] == "It looked.");
}

TEST_CASE("The page has no text of a run outside of its JSON") {
    const std::string hostile = page_of(runs::hostile(), {.title = runs::hostile_texts().front()});
    const std::string empty = page_of({});
    const auto count = [](std::string_view page, std::string_view words) {
        std::size_t n = 0;
        for (std::size_t at = page.find(words); at != page.npos; at = page.find(words, at + 1)) ++n;
        return n;
    };
    CHECK(count(hostile, "<") == count(empty, "<"));
    CHECK(std::none_of(hostile.begin(), hostile.end(),
                       [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f; }));
    const auto data = data_of(hostile);
    CHECK(data[0]["title"] == runs::hostile_texts().front());
    const auto& texts = runs::hostile_texts();
    for (std::size_t i = 0; i < texts.size(); ++i) CHECK(data[1 + 3 * i]["message"]["content"] == texts[i]);
}

TEST_CASE("The page has the beginning of what is long, and says how much was cut") {
    const auto data = data_of(page_of(one_step("short", std::string(99, 'x') + "\xE2\x82\xAC"
                                                                               "end"),
                                      {.max_output_bytes = 100}));
    const Json& episode = data[1]["episode"];
    CHECK(episode["result"]["outputs"] == std::string(99, 'x') + "\n[cut: 6 more bytes]");
    CHECK(episode["result"]["status"] == "success");
    CHECK(episode["action"]["thoughts"] == "short");
    CHECK(data.back().dump() == R"({"cuts":1})");
}

TEST_CASE("The page has the first items of long lists and objects") {
    const Json list{"aaaaa", "bbbbb", "ccccc", "ddddd"};
    const Json object{{"a", "xxxxx"}, {"b", "yyyyy"}, {"c", "zzzzz"}};
    const auto of = [](const Json& outputs) {
        const auto data = data_of(page_of(one_step("t", outputs), {.max_output_bytes = 10}));
        return data[1]["episode"]["result"]["outputs"].dump();
    };
    CHECK(of(list) == R"(["aaaaa","bbbbb","[cut: 2 more items]"])");
    CHECK(of(object) == R"({"a":"xxxxx","b":"yyy\n[cut: 2 more bytes]","…":"[cut: 1 more members]"})");
    const Json empty(std::vector<std::string>(1000));
    CHECK(data_of(page_of(one_step("t", empty), {.max_output_bytes = 10}))[1]["episode"]["result"]["outputs"].size() ==
          11);
}

TEST_CASE("A long error keeps its status in the page, in parallel calls too") {
    acta::ActionProposal<> both{.thoughts = "Both."};
    acta::set_calls(both, {{"a", {}}, {"b", {}}});
    runs::History history;
    history.register_action(both);
    history.register_result("call_0", long_error());
    history.register_result("call_1", long_error());
    const Json episode = data_of(page_of(history, {.max_output_bytes = 50}))[1]["episode"];
    CHECK(episode["result"]["status"] == "error");
    CHECK(episode["tool_results"][0]["tool_call_id"] == "call_0");
    CHECK(episode["tool_results"][1]["result"]["status"] == "error");
    CHECK(episode["tool_results"][1]["result"]["reason"] == std::string(50, 'r') + "\n[cut: 950 more bytes]");
}

TEST_CASE("The page is redacted before it is cut") {
    const std::string secret = "sk-0123456789abcdef";
    runs::History history = one_step("Use " + secret, {{"key", secret}, {secret, 1}});
    history.register_message(acta::ChatMessage::user(secret));
    history.append_user_feedback(secret);
    const std::string page =
        page_of(history, {.title = secret,
                          .redactor = [](std::string_view text) { return acta::mask_secrets(text); },
                          .max_output_bytes = 12});
    CHECK_THAT(page, !contains_text("sk-0"));
    CHECK(data_of(page)[1]["episode"]["action"]["thoughts"] == "Use [secret]");
}

TEST_CASE("The page has placeholders for binary content") {
    const std::string data(4000, 'A');
    const runs::History history =
        one_step("Look at data:image/png;base64," + data, {{"mimeType", "image/png"}, {"data", data}});
    const std::string page = page_of(history);
    CHECK_THAT(page, !contains_text("AAAAAAAA"));
    CHECK_THAT(page, contains_text("\\u003cimage/png, 3000 bytes>"));
}

TEST_CASE("The page shows bytes that are not UTF-8 and numbers that JSON has not") {
    const Json outputs{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan(""),
                       1.5};
    const auto data = data_of(page_of(one_step("bad \xFF\xC3 byte", outputs)));
    CHECK(data[1]["episode"]["action"]["thoughts"] == "bad \xEF\xBF\xBD\xEF\xBF\xBD byte");
    CHECK(data[1]["episode"]["result"]["outputs"].dump() == R"(["Infinity","-Infinity","NaN",1.5])");
}

TEST_CASE("The page cuts what is nested too deeply for a browser") {
    Json deep = "core";
    for (int i = 0; i < 3000; ++i) {
        Json around = Json::array();
        around.push_back(std::move(deep));
        deep = std::move(around);
    }
    const std::string page = page_of(one_step("t", deep));
    CHECK_THAT(page, contains_text("[cut: what is nested deeper]"));
    CHECK_THAT(page, !contains_text("core"));
    // Lists and objects alike, whose innermost is shown if it is empty.
    for (const bool is_list : {true, false}) {
        std::size_t most = 0;
        for (std::size_t levels = 150; levels < 250; ++levels) {
            const auto nested = [&](Json value, std::size_t count) {
                for (; count != 0; --count) {
                    Json around = is_list ? Json(Json::value_t::array) : Json(Json::value_t::object);
                    if (is_list)
                        around.push_back(std::move(value));
                    else
                        around["k"] = std::move(value);
                    value = std::move(around);
                }
                return value;
            };
            const auto cuts = [&](const Json& outputs) {
                return page_of(one_step("t", outputs)).find("[cut: what is nested deeper]") != std::string::npos;
            };
            if (!cuts(nested("core", levels))) {
                most = levels;
                CHECK_FALSE(cuts(nested(Json(Json::value_t::array), levels)));
                CHECK_FALSE(cuts(nested(Json(Json::value_t::object), levels)));
            }
        }
        CHECK(most == 199);
    }
}

TEST_CASE("The page shows proposals of other types") {
    acta::EpisodicActionHistory<acta::ActionProposal<Plan>> history;
    history.register_action({.thoughts = {.aim = "tides"}, .use_tool = {"search", {{"query", "tides"}}}});
    std::string page;
    acta::to_html(history, [&page](std::string_view piece) { page += piece; });
    const Json step = data_of(page)[1];
    CHECK(step["thoughts"] == "The aim: tides");
    CHECK_FALSE(step.contains("calls"));
    CHECK(step["episode"]["action"]["thoughts"]["aim"] == "tides");
    CHECK(step["episode"]["result"] == nullptr);
}

TEST_CASE("The page shows a history that several threads share") {
    acta::SharedHistory<> shared(runs::tides());
    std::string page;
    acta::to_html(shared, [&page](std::string_view piece) { page += piece; });
    CHECK(page == page_of(runs::tides()));
}

TEST_CASE("The page comes in pieces, and never as a whole") {
    const runs::History history = runs::counting(2000, 2000);
    std::size_t most = 0;
    std::size_t all = 0;
    acta::to_html(history, [&](std::string_view piece) {
        most = std::max(most, piece.size());
        all += piece.size();
    });
    CHECK(all > 4'000'000);
    CHECK(most < 250'000);
}

TEST_CASE("A time that JSON cannot hold is refused") {
    runs::History history = one_step("a", "b");
    const auto far = acta::parse_timestamp("9999-12-31T00:00:00Z").value() + std::chrono::hours(24 * 400);
    history.set_metrics(0, {.started_at = far});
    CHECK_THROWS_AS(page_of(history), acta::EncodeError);
}
