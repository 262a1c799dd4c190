// SPDX-License-Identifier: MIT
#include "acta/testing/trajectory_match.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using acta::AssistantFunctionCall;
using acta::ChatMessage;
using acta::Json;
using acta::JsonObject;
using acta::testing::ArgumentMatch;
using acta::testing::trajectory_match;
using acta::testing::TrajectoryMatch;
using acta::testing::TrajectoryMatchOptions;
using acta::testing::TrajectoryOrder;
using acta::testing::TrajectorySteps;

using Calls = std::vector<AssistantFunctionCall>;

const Calls run{{"search", {{"query", "tides"}}}, {"book", {{"room", "A"}, {"nights", 2}}}, {"confirm", {}}};

ChatMessage calling(const Calls& calls, const std::string& text = {}) {
    ChatMessage message = ChatMessage::assistant(text);
    for (const AssistantFunctionCall& call : calls)
        message.tool_calls.push_back({"id_" + text + std::to_string(message.tool_calls.size()), call});
    return message;
}

/// One call with these arguments, expected with those.
bool fits(const JsonObject& actual, const JsonObject& expected, ArgumentMatch arguments = ArgumentMatch::exact) {
    return trajectory_match(Calls{{"f", actual}}, Calls{{"f", expected}}, {.arguments = arguments}).matches;
}

bool fits_by_names(const JsonObject& actual, const JsonObject& expected, const std::vector<std::string>& names) {
    return trajectory_match(Calls{{"f", actual}}, Calls{{"f", expected}}, {.tools = {{"f", names}}}).matches;
}

/// Whether the calls fit in each of the four orders, as `s` strict, `u` unordered, `b` subset and `p` superset.
std::string orders(const TrajectorySteps& actual, const TrajectorySteps& expected) {
    std::string out;
    for (const auto& [order, letter] : {std::pair(TrajectoryOrder::strict, 's'),
                                        {TrajectoryOrder::unordered, 'u'},
                                        {TrajectoryOrder::subset, 'b'},
                                        {TrajectoryOrder::superset, 'p'}}) {
        const TrajectoryMatch match = trajectory_match(actual, expected, {.order = order});
        CHECK(match.matches == (!match.step && !match.missing));
        CHECK_FALSE(match.message.empty());
        if (match) out += letter;
    }
    return out;
}

}  // namespace

TEST_CASE("each order of a trajectory notices what it is for") {
    Calls swapped{run[1], run[0], run[2]};
    Calls fewer{run[0], run[2]};
    Calls more = run;
    more.push_back({"pay", {}});
    Calls twice{run[0], run[0], run[1], run[2]};
    Calls renamed = run;
    renamed[1].name = "reserve";
    Calls changed = run;
    changed[1].arguments["nights"] = 3;

    CHECK(orders(run, run) == "subp");
    CHECK(orders(swapped, run) == "ubp");
    CHECK(orders(fewer, run) == "b");
    CHECK(orders(more, run) == "p");
    CHECK(orders(twice, run) == "p");
    CHECK(orders(run, twice) == "b");
    CHECK(orders(renamed, run).empty());
    CHECK(orders(changed, run).empty());
}

TEST_CASE("a run without calls fits no calls") {
    CHECK(orders({}, {}) == "subp");
    CHECK(orders({}, run) == "b");
    CHECK(orders(run, {}) == "p");
    CHECK(orders(std::vector{ChatMessage::user("Hello")}, {}) == "subp");
    CHECK(orders(acta::EpisodicActionHistory<>(), {}) == "subp");
    CHECK(orders(std::vector<ChatMessage>(), std::vector{ChatMessage::user("Hello")}) == "ubp");
}

TEST_CASE("a strict match of messages compares roles and calls, not texts, ids and results") {
    const std::vector<ChatMessage> expected{ChatMessage::user("Book."), calling({run[0], run[1]}, "Look."),
                                            ChatMessage::tool("a", "3"), ChatMessage::tool("b", "A"),
                                            ChatMessage::assistant("Done.")};
    std::vector<ChatMessage> actual{ChatMessage::user("Book a room."), calling({run[1], run[0]}, "Now."),
                                    ChatMessage::tool("c", "4", true), ChatMessage::tool("d", "B"),
                                    ChatMessage::assistant("Ready.")};
    CHECK(orders(actual, expected) == "subp");

    SECTION("a role") {
        actual[0] = ChatMessage::system("Book a room.");
        const TrajectoryMatch match = trajectory_match(actual, expected);
        CHECK(match.step == 0);
        CHECK(match.missing == 0);
        CHECK_THAT(match.message, contains_text("message 1 is system, expected user"));
        CHECK(orders(actual, expected) == "ubp");
    }
    SECTION("a message that is missing") {
        actual.pop_back();
        const TrajectoryMatch match = trajectory_match(actual, expected);
        CHECK_FALSE(match.step);
        CHECK(match.missing == 4);
        CHECK_THAT(match.message, contains_text("missing assistant\n"));
    }
    SECTION("a message too many") {
        actual.push_back(ChatMessage::user("Thanks."));
        const TrajectoryMatch match = trajectory_match(actual, expected);
        CHECK(match.step == 5);
        CHECK_FALSE(match.missing);
        CHECK_THAT(match.message, contains_text("message 6 is user, which is not expected"));
    }
    SECTION("calls in other messages") {
        actual = {actual[0], calling({run[0]}), actual[2], calling({run[1]}), actual[4]};
        CHECK(trajectory_match(actual, expected).step == 1);
        CHECK(orders(actual, expected) == "ubp");
    }
    SECTION("a call in a message without calls") {
        actual.back() = calling({run[2]});
        CHECK(trajectory_match(actual, expected).step == 4);
        CHECK(orders(actual, expected) == "p");
    }
}

TEST_CASE("a list of calls is expected of a run whatever messages it has") {
    std::vector<ChatMessage> actual{ChatMessage::user("Book."), calling({run[1], run[0]}), ChatMessage::tool("a", "3"),
                                    calling({run[2]}), ChatMessage::assistant("Done.")};
    CHECK(orders(actual, run) == "subp");  // the first two run in parallel
    CHECK(orders(run, actual) == "subp");
    CHECK(orders(actual, Calls{run[0], run[2], run[1]}) == "ubp");

    const TrajectoryMatch match = trajectory_match(actual, Calls{run[0], run[1], {"pay", {}}});
    CHECK(match.step == 2);
    CHECK(match.missing == 2);
    CHECK(trajectory_match(actual, Calls{run[0], run[1]}).step == 2);
    CHECK(trajectory_match(actual, Calls{run[0], run[1], run[2], run[2]}).missing == 3);
    CHECK(trajectory_match(actual, Calls{run[0]}).step == 0);
}

TEST_CASE("histories of any kind are runs") {
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("Book."));
    acta::ActionProposal<> proposal{.thoughts = "Look."};
    acta::set_calls(proposal, {run[0], run[1]});
    history.register_action(proposal);
    history.register_result(acta::ActionSuccessResult{.outputs = 3});
    history.register_action({.thoughts = "Confirm.", .use_tool = run[2]});  // without a result

    CHECK(orders(history, run) == "subp");
    CHECK(orders(history, history) == "subp");
    CHECK(orders(history, acta::to_messages(history)) == "subp");
    CHECK(orders(acta::HistoryView(history), {{"search", {{"query", "tides"}}}, run[1], run[2]}) == "subp");
    const acta::SharedHistory<> shared(history);
    CHECK(orders(shared, run) == "subp");
    history.register_result(acta::ActionErrorResult{.reason = "closed"});
    history.register_answer("Done.");
    CHECK(orders(history, run) == "subp");
    CHECK(orders(history, acta::to_messages(shared.snapshot())) == "ubp");
}

TEST_CASE("arguments are compared by each mode") {
    const JsonObject some{{"a", 1}};
    const JsonObject more{{"b", 2}, {"a", 1}};
    const JsonObject other{{"a", 2}};
    struct Row {
        ArgumentMatch match = ArgumentMatch::exact;
        bool equal = true, fewer = false, added = false, changed = false;
    };
    for (const Row& row : {Row{ArgumentMatch::exact}, Row{ArgumentMatch::ignore, true, true, true, true},
                           Row{ArgumentMatch::subset, true, true, false, false},
                           Row{ArgumentMatch::superset, true, false, true, false}}) {
        CHECK(fits(more, {{"a", 1}, {"b", 2}}, row.match) == row.equal);  // in another order
        CHECK(fits(some, more, row.match) == row.fewer);
        CHECK(fits(more, some, row.match) == row.added);
        CHECK(fits(some, other, row.match) == row.changed);
        CHECK(fits({}, {}, row.match));
    }
}

TEST_CASE("the mode of arguments has the same direction in every order") {
    const Calls actual{{"f", {{"a", 1}}}};
    const Calls expected{{"f", {{"a", 1}, {"b", 2}}}};
    for (const TrajectoryOrder order :
         {TrajectoryOrder::strict, TrajectoryOrder::unordered, TrajectoryOrder::subset, TrajectoryOrder::superset}) {
        CHECK(trajectory_match(actual, expected, {order, ArgumentMatch::subset}));
        CHECK_FALSE(trajectory_match(actual, expected, {order, ArgumentMatch::superset}));
        CHECK_FALSE(trajectory_match(expected, actual, {order, ArgumentMatch::subset}));
        const auto first_is_smaller = [](const JsonObject& one, const JsonObject& two) {
            return one.size() < two.size();
        };
        CHECK(trajectory_match(actual, expected, {.order = order, .tools = {{"f", first_is_smaller}}}));
    }
}

TEST_CASE("values of arguments are equal as JSON is") {
    const auto same = [](const Json& a, const Json& b) {
        CHECK(fits({{"x", a}}, {{"x", b}}) == fits({{"x", b}}, {{"x", a}}));
        return fits({{"x", a}}, {{"x", b}});
    };
    const auto nested = [](const char* text) { return acta::parse<Json>(text); };
    CHECK(same(1, 1.0));
    CHECK(same(-1, -1.0));
    CHECK(same(std::uint64_t{7}, std::int64_t{7}));
    CHECK_FALSE(same(std::numeric_limits<std::uint64_t>::max(), -1));
    CHECK_FALSE(same(std::int64_t{9007199254740993}, std::int64_t{9007199254740992}));
    CHECK_FALSE(same(1, "1"));
    CHECK_FALSE(same(1, true));
    CHECK_FALSE(same(nullptr, false));
    CHECK(
        same(nested(R"({"a": {"b": [1, {"c": null}]}, "d": 2})"), nested(R"({"d": 2, "a": {"b": [1, {"c": null}]}})")));
    CHECK_FALSE(same(nested(R"({"a": [1, 2]})"), nested(R"({"a": [2, 1]})")));
    CHECK_FALSE(same(nested(R"({"a": [1, 2]})"), nested(R"({"a": [1]})")));
    CHECK_FALSE(same(nested(R"({"a": null})"), nested("{}")));
    CHECK_FALSE(same(nested("[]"), nested("{}")));
    CHECK_FALSE(same("tides", "Tides"));
}

TEST_CASE("rules of tools replace the mode of arguments") {
    const Calls actual{{"search", {{"query", "tides"}, {"limit", 3}}}, {"book", {{"room", "a"}}}, {"confirm", {}}};
    const Calls expected{{"search", {{"query", "tides"}, {"limit", 9}}}, {"book", {{"room", "A"}}}, {"confirm", {}}};
    const auto ignores_case = [](const JsonObject& one, const JsonObject& two) {
        return one.at("room").get<std::string>() == "a" && two.at("room").get<std::string>() == "A";
    };
    CHECK_FALSE(trajectory_match(actual, expected));
    CHECK(trajectory_match(actual, expected, {.tools = {{"search", {"query"}}, {"book", ignores_case}}}));
    CHECK(trajectory_match(actual, expected, {.tools = {{"search", ArgumentMatch::ignore}, {"book", ignores_case}}}));
    CHECK_FALSE(
        trajectory_match(actual, expected, {.tools = {{"search", {"query", "limit"}}, {"book", ignores_case}}}));
    CHECK_FALSE(trajectory_match(actual, expected, {.tools = {{"search", {"query"}}, {"unknown", ignores_case}}}));
    CHECK_FALSE(trajectory_match(actual, expected,
                                 {.arguments = ArgumentMatch::ignore, .tools = {{"book", ArgumentMatch::exact}}}));
    CHECK(trajectory_match(Calls{{"toString", {}}}, Calls{{"toString", {{"a", 1}}}}, {.tools = {{"book", {"room"}}}})
              .step == 0);
    const Calls other{{"search", {{"query", "tides"}, {"limit", 3}, {"page", 1}}}};
    CHECK(trajectory_match(other, Calls{actual[0]}, {.tools = {{"search", {"query", "limit"}}}}));
    CHECK_FALSE(trajectory_match(other, Calls{expected[0]}, {.tools = {{"search", {"query", "limit"}}}}));
    CHECK(trajectory_match(other, Calls{expected[0]}, {.tools = {{"search", {}}}}));
    const auto throws = [](const JsonObject&, const JsonObject&) -> bool { throw std::runtime_error("tide"); };
    CHECK_THROWS_AS(trajectory_match(actual, expected, {.tools = {{"search", throws}}}), std::runtime_error);
}

TEST_CASE("names of arguments are paths") {
    const JsonObject one{{"place", {{"city", "Brest"}, {"pier", 1}}}, {"days", {1, 2}}, {"a.b", 1}};
    const JsonObject two{{"place", {{"city", "Brest"}, {"pier", 2}}}, {"days", {1, 3}}, {"a.b", 2}};
    CHECK(fits_by_names(one, two, {}));
    CHECK(fits_by_names(one, two, {"place.city", "days.0"}));
    CHECK_FALSE(fits_by_names(one, two, {"place"}));
    CHECK_FALSE(fits_by_names(one, two, {"place.city", "place.pier"}));
    CHECK_FALSE(fits_by_names(one, two, {"days.1"}));
    CHECK_FALSE(fits_by_names(one, two, {"a.b"}));
    CHECK(fits_by_names(one, two, {"days.2", "days.00", "days.-1", "days.x", "days.", "place.city.x", "x.y", ""}));
    CHECK(fits_by_names({{"a", nullptr}}, {}, {"a"}));
    CHECK_FALSE(fits_by_names({{"a", 0}}, {}, {"a"}));
}

TEST_CASE("calls are paired so that all fit if that is possible") {
    // The first expected call could take either, the second only the first.
    const Calls actual{{"f", {{"a", 1}, {"b", 2}}}, {"f", {{"a", 1}}}};
    const Calls expected{{"f", {{"a", 1}}}, {"f", {{"a", 1}, {"b", 2}}}};
    for (const TrajectoryOrder order :
         {TrajectoryOrder::unordered, TrajectoryOrder::subset, TrajectoryOrder::superset}) {
        CHECK(trajectory_match(actual, expected, {order, ArgumentMatch::superset}));
        CHECK(trajectory_match(expected, actual, {order, ArgumentMatch::subset}));
    }
    const std::vector<ChatMessage> messages{calling(actual)};
    CHECK(trajectory_match(messages, std::vector{calling(expected)}, {.arguments = ArgumentMatch::superset}));
    CHECK(trajectory_match(messages, expected, {.arguments = ArgumentMatch::superset}));
}

TEST_CASE("the message shows the run and what does not fit") {
    const std::vector<ChatMessage> actual{ChatMessage::user("Book\na room."), calling({run[0]}),
                                          ChatMessage::tool("c", "3 results"), calling({run[1]})};
    Calls expected{run[0], run[1]};
    CHECK(trajectory_match(actual, expected).message ==
          "the run fits (strict)\n"
          "    1. search(query='tides')\n"
          "    2. book(room='A', nights=2)");
    expected[1].arguments = {{"room", "B"}, {"name", "Ada"}};
    CHECK(trajectory_match(actual, expected).message ==
          "the run does not fit (strict): call 2 is book(room='A', nights=2), expected book(room='B', name='Ada')"
          " (different arguments: room, nights, name)\n"
          "    1. search(query='tides')\n"
          "  > 2. book(room='A', nights=2)");
    const std::vector<ChatMessage> wanted{ChatMessage::user(""), calling({run[2]})};
    CHECK(trajectory_match(actual, wanted).message ==
          "the run does not fit (strict): message 2 is assistant: search(query='tides'), expected assistant: "
          "confirm()\n"
          "    1. user: Book a room.\n"
          "  > 2. assistant: search(query='tides')\n"
          "    3. tool: 3 results\n"
          "    4. assistant: book(room='A', nights=2)");
    const TrajectoryMatch match = trajectory_match(run, expected, {.order = TrajectoryOrder::superset});
    CHECK(match.step == 1);  // a call of the tool that is missing
    CHECK(match.missing == 1);
    CHECK_THAT(match.message, starts_with_text("the run does not fit (superset): call 2 is book("));
    CHECK(trajectory_match({}, expected).message == "the run does not fit (strict): missing search(query='tides')");
    CHECK(trajectory_match(run, {}).message ==
          "the run does not fit (strict): call 1 is search(query='tides'), which is not expected\n"
          "  > 1. search(query='tides')\n"
          "    2. book(room='A', nights=2)\n"
          "    3. confirm()");
}

TEST_CASE("the message of a long run has the lines around the place, each shortened") {
    Calls actual;
    for (int i = 0; i < 1000; ++i) actual.push_back({"step", {{"i", i}, {"text", std::string(500, 'x')}}});
    Calls expected = actual;
    expected[500].arguments["i"] = -1;
    const TrajectoryMatch match = trajectory_match(actual, expected);
    CHECK(match.step == 500);
    CHECK_THAT(match.message, contains_text("\n    ... 495 before\n") && contains_text("\n  > 501. step(i=500,") &&
                                  ends_with_text("\n    ... 494 after") && contains_text("(different arguments: i)"));
    CHECK(match.message.size() < 4000);
    CHECK(std::ranges::count(match.message, '\n') == 13);

    // Five lines before and after, and how many there are besides.
    const auto around = [](std::size_t calls, std::size_t place) {
        Calls wanted(calls, {"step", {}});
        Calls made = wanted;
        made[place].name = "other";
        return trajectory_match(made, wanted).message;
    };
    CHECK_THAT(around(11, 5), !contains_text("...") && contains_text("\n    1. step()\n") &&
                                  contains_text("\n  > 6. other()\n") && ends_with_text("\n    11. step()"));
    CHECK_THAT(around(12, 5), !contains_text("before") && ends_with_text("\n    11. step()\n    ... 1 after"));
    CHECK_THAT(around(12, 6),
               contains_text("\n    ... 1 before\n    2. step()\n") && ends_with_text("\n    12. step()"));
    // A call has at most 200 bytes, a name of an argument 40.
    for (const std::size_t more : {0U, 1U}) {
        const std::string value(200 - std::string_view("f(a='')").size() + more, 'x');
        const std::string name(40 + more, 'n');
        const Calls one{{"f", {{"a", value}}}};
        const std::string end = more == 0 ? "x')" : "xx'...";
        CHECK_THAT(trajectory_match(one, one).message, ends_with_text(end));
        CHECK_THAT(trajectory_match(Calls{{"f", {{name, 1}}}}, Calls{{"f", {}}}).message,
                   contains_text("(different arguments: " + std::string(40, 'n') + (more == 0 ? ")" : "...)")));
        const std::vector<ChatMessage> text{ChatMessage::user(std::string(80 + more, 't'))};
        CHECK_THAT(trajectory_match(text, text).message,
                   ends_with_text("user: " + std::string(80, 't') + (more == 0 ? "" : "...")));
    }

    std::vector<ChatMessage> said{ChatMessage::user(std::string(79, 'x') + "\xC3\xA4\xFF")};
    CHECK(trajectory_match(said, said).message ==
          "the run fits (strict)\n    1. user: " + std::string(79, 'x') + "...");
    said = {calling({{"draw\n", {{"image", "data:image/png;base64," + std::string(400, 'A')}}}})};
    CHECK_THAT(trajectory_match(said, said).message, ends_with_text("draw (image='<image/png, 300 bytes>')"));
}

TEST_CASE("many calls of one tool are paired in time") {
    Calls actual;
    Calls expected;
    for (int i = 0; i < 400; ++i) {
        actual.push_back({"step", {{"i", i}}});
        expected.push_back({"step", {{"i", 399 - i}}});
    }
    CHECK(orders(actual, expected) == "ubp");
    expected.insert(expected.end(), 200, {"step", {}});
    CHECK(trajectory_match(actual, expected, {TrajectoryOrder::subset, ArgumentMatch::superset}));
    CHECK(trajectory_match(actual, expected, {TrajectoryOrder::superset, ArgumentMatch::ignore}).missing == 400);
}

TEST_CASE("a test framework prints the message of a trajectory") {
    const TrajectoryMatch match = trajectory_match(run, {});
    std::ostringstream out;
    out << match;
    CHECK(out.str() == match.message);
    CHECK(Catch::Detail::stringify(match) == match.message);
    CHECK_FALSE(match);
    CHECK(trajectory_match(run, run));
    CHECK_FALSE(std::is_convertible_v<TrajectoryMatch, bool>);
    CHECK_FALSE(std::is_convertible_v<TrajectoryMatch, std::string>);
    CHECK(match == trajectory_match(run, {}));
}
