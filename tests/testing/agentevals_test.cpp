// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/testing/trajectory_match.hpp"
#include "support/catch.hpp"
#include "support/npm.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// The package agentevals of npm, which peers/agentevals.mjs asks.
namespace {

using acta::AssistantFunctionCall;
using acta::ChatMessage;
using acta::ChatRole;
using acta::Json;
using acta::JsonObject;
using acta::testing::ArgumentMatch;
using acta::testing::trajectory_match;
using acta::testing::TrajectoryMatchOptions;
using acta::testing::TrajectoryOrder;

constexpr std::array<std::string_view, 4> order_names{"strict", "unordered", "subset", "superset"};
constexpr std::array<std::string_view, 4> argument_names{"exact", "ignore", "subset", "superset"};

std::size_t query_of(const JsonObject& arguments) {
    const Json* const query = acta::base::find_key(arguments, "query");
    return query != nullptr && !query->is_null() ? 1 : 0;
}

/// The functions of peers/agentevals.mjs.
acta::testing::ArgumentRule function_named(const std::string& name) {
    if (name == "as_many") return [](const JsonObject& a, const JsonObject& b) { return a.size() == b.size(); };
    if (name == "fewer") return [](const JsonObject& a, const JsonObject& b) { return a.size() <= b.size(); };
    return [](const JsonObject& a, const JsonObject& b) { return query_of(a) < query_of(b); };
}

std::size_t index_of(const std::array<std::string_view, 4>& names, std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return i;
    }
    throw std::logic_error("unknown mode");
}

ArgumentMatch arguments_named(std::string_view name) {
    return static_cast<ArgumentMatch>(index_of(argument_names, name));
}

/// Options as peers/agentevals.mjs reads them.
TrajectoryMatchOptions options_of(const Json& one) {
    TrajectoryMatchOptions options{
        .order = static_cast<TrajectoryOrder>(index_of(order_names, one.at("order").get<std::string>())),
        .arguments = arguments_named(one.at("arguments").get<std::string>())};
    if (!one.contains("tools")) return options;
    for (const auto& [name, rule] : one.at("tools").items()) {
        if (rule.is_string())
            options.tools.emplace(name, arguments_named(rule.get<std::string>()));
        else if (rule.is_array())
            options.tools.emplace(name, rule.get<std::vector<std::string>>());
        else
            options.tools.emplace(name, function_named(rule.at("function").get<std::string>()));
    }
    return options;
}

/// Whether pairing and direction cannot make a difference.
bool is_symmetric(const Json& one) {
    const auto is = [](const Json& rule) { return rule.is_array() || rule == "exact" || rule == "ignore"; };
    bool all = is(one.at("arguments"));
    if (one.contains("tools")) {
        for (const Json& rule : one.at("tools")) all = all && is(rule);
    }
    return all;
}

/// Runs, and others that differ from them, the same on every machine.
class RandomPairs {
public:
    explicit RandomPairs(std::uint32_t seed) : random_(seed) {}

    /// A line for peers/agentevals.mjs.
    Json pair() {
        ids_ = 0;
        std::vector<ChatMessage> expected = messages();
        std::vector<ChatMessage> actual = chance(15) ? messages() : expected;
        const std::size_t changes = below(4);
        for (std::size_t i = 0; i < changes; ++i) change(actual);
        Json out;
        out["actual"] = acta::to_json_value(actual);
        out["expected"] = acta::to_json_value(expected);
        out["cases"] = Json::array();
        const Json tools = rules();
        for (const std::string_view order : order_names) {
            for (const std::string_view arguments : argument_names) {
                Json one = Json::object();
                one["order"] = std::string(order);
                one["arguments"] = std::string(arguments);
                if (!tools.is_null()) one["tools"] = tools;
                out["cases"].push_back(one);
            }
        }
        return out;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    bool chance(std::size_t percent) { return below(100) < percent; }
    template <std::size_t N>
    std::string_view one_of(const std::array<std::string_view, N>& values) {
        return values[below(N)];
    }

    std::string name() { return std::string(one_of<4>({"search", "search", "search", "book"})); }
    std::string key() { return std::string(one_of<3>({"query", "limit", "place"})); }

    /// An empty object or an index as a key is equal to a list in agentevals.
    Json value(std::size_t depth = 0) {
        if (chance(40)) return chance(50) ? Json(1) : Json("tides");
        switch (below(depth < 2 ? 9 : 7)) {
            case 0: return nullptr;
            case 1: return chance(50);
            case 2: return 1;
            case 3: return 1.0;
            case 4: return 2.5;
            case 5: return "tides";
            case 6: return "";
            case 7: {
                Json list = Json::array();
                const std::size_t count = below(3);
                for (std::size_t i = 0; i < count; ++i) list.push_back(value(depth + 1));
                return list;
            }
            default: {
                Json object = Json::object();
                object["city"] = value(depth + 1);
                if (chance(50)) object["pier"] = value(depth + 1);
                return object;
            }
        }
    }

    JsonObject arguments() {
        JsonObject out;
        const std::size_t count = below(4);
        for (std::size_t i = 0; i < count; ++i) {
            std::string to = key();
            out[to] = value();
        }
        return out;
    }

    acta::AssistantToolCall call() {
        acta::AssistantToolCall out{"id_" + std::to_string(ids_++), {name(), {}}};
        out.function.arguments = arguments();
        return out;
    }

    /// A run with at most five calls, of which all orders are tried.
    std::vector<ChatMessage> messages() {
        std::vector<ChatMessage> out;
        const std::size_t count = below(6);
        std::size_t calls = 0;
        for (std::size_t i = 0; i < count; ++i) {
            out.push_back(message());
            if (out.back().role != ChatRole::assistant) continue;
            for (std::size_t n = below(4); n > 0 && calls < 5; --n, ++calls) out.back().tool_calls.push_back(call());
        }
        return out;
    }

    ChatMessage message() {
        switch (below(6)) {
            case 0: return ChatMessage::system("Be brief.");
            case 1: return ChatMessage::user("When is high water?");
            case 2: return ChatMessage::tool("id_" + std::to_string(ids_), "12:15");
            default: return ChatMessage::assistant("Look.");
        }
    }

    void change(std::vector<ChatMessage>& run) {
        if (run.empty()) return run.push_back(message());
        const std::size_t at = below(run.size());
        ChatMessage& one = run[at];
        switch (below(9)) {
            case 0: one.content = "At noon."; break;
            case 1: run.erase(run.begin() + static_cast<std::ptrdiff_t>(at)); break;
            case 2: run.insert(run.begin(), message()); break;
            case 3: {
                ChatMessage other = message();
                one.role = one.tool_calls.empty() ? other.role : one.role;
                break;
            }
            default: change_calls(one.tool_calls);
        }
    }

    void change_calls(std::vector<acta::AssistantToolCall>& calls) {
        if (calls.empty()) return;
        if (chance(25)) std::reverse(calls.begin(), calls.end());
        const std::size_t at = below(calls.size());
        acta::AssistantToolCall& one = calls[at];
        switch (below(6)) {
            case 0: one.id = "other"; break;
            case 1: one.function.name = name(); break;
            case 2: std::swap(one, calls.front()); break;
            case 3: calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(at)); break;
            default: change_arguments(one.function.arguments);
        }
    }

    void change_arguments(JsonObject& of) {
        const std::string at = key();
        if (chance(40)) {
            of[at] = value();
        } else if (chance(50)) {
            JsonObject rest;
            for (const auto& [name, value] : of) {
                if (name != at) rest[name] = value;
            }
            of = rest;
        } else {
            of = JsonObject(of.rbegin(), of.rend());  // in another order
        }
    }

    /// Rules for some tools, or null.
    Json rules() {
        if (chance(50)) return nullptr;
        Json out = Json::object();
        const std::size_t count = below(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string tool = name();
            switch (below(3)) {
                case 0: out[tool] = std::string(one_of(argument_names)); break;
                case 1: {
                    Json names = Json::array();
                    for (std::size_t n = below(3); n > 0; --n)
                        names.push_back(std::string(one_of<5>({"query", "limit", "place", "place.city", "place.0"})));
                    out[tool] = names;
                    break;
                }
                default:
                    out[tool] = Json::object();
                    out[tool]["function"] = std::string(one_of<3>({"as_many", "fewer", "null_query"}));
            }
        }
        return out;
    }

    std::mt19937 random_;
    std::size_t ids_ = 0;
};

/// What agentevals says of each line.
std::vector<std::string> ask_agentevals(const std::vector<std::string>& lines) {
    const TempFolder folder;
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(folder / "pairs", text);
    const std::string command = "node '" + paths::source("tests/testing/peers/agentevals.mjs") + "' '" +
                                npm::folder("agentevals").string() + "' <'" + (folder / "pairs").string() + "' >'" +
                                (folder / "results").string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("agentevals.mjs failed");
    std::vector<std::string> out;
    std::ifstream in(folder / "results");
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

bool acta_says(const Json& pair, const Json& one) {
    const auto side = [&](const char* name) { return acta::validate<std::vector<ChatMessage>>(pair.at(name)); };
    return trajectory_match(side("actual"), side("expected"), options_of(one)).matches;
}

std::optional<std::string> problem() {
    return npm::problem("agentevals",
                        "agentevals@0.0.7 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @langchain/openai@1.5.8 "
                        "langchain@1.5.14 langsmith@0.12.0 openevals@0.1.5",
                        "20.0");
}

/// Where acta departs: what agentevals says, `t`, `f` or `e` for an error, and whether the calls fit in acta.
struct Departure {
    std::string actual{};
    std::string expected{};
    std::string options{};
    std::string agentevals{};
    bool acta = false;
};

std::string calls(const std::vector<std::pair<std::string, std::string>>& made) {
    Json list = Json::array();
    for (const auto& [name, arguments] : made)
        list.push_back({{"id", "1"}, {"type", "function"}, {"function", {{"name", name}, {"arguments", arguments}}}});
    return acta::dump(Json::array({{{"role", "assistant"}, {"content", ""}, {"tool_calls", list}}}));
}

std::string call(const std::string& arguments) { return calls({{"f", arguments}}); }

std::string object_call(const std::string& name) {
    return R"([{"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": )"
           R"({"arguments": {"a": 1}, "name": ")" +
           name + R"("}}]}])";
}

const std::string exact = R"({"order": "strict", "arguments": "exact"})";
const std::string by_name = R"({"order": "strict", "arguments": "exact", "tools": {"f": ["a.b"]}})";

const std::vector<Departure> departures{
    // Modes of arguments in the orders that compare the other way.
    {call(R"({"a": 1})"), call(R"({"a": 1, "b": 2})"), R"({"order": "subset", "arguments": "subset"})", "f", true},
    {call(R"({"a": 1})"), call(R"({"a": 1, "b": 2})"), R"({"order": "subset", "arguments": "superset"})", "t", false},
    {call(R"({"a": 1})"), call(R"({"a": 1, "b": 2})"), R"({"order": "unordered", "arguments": "subset"})", "f", true},
    {call(R"({"a": 1})"), call(R"({"a": 1, "b": 2})"),
     R"({"order": "subset", "arguments": "superset", "tools": {"f": {"function": "fewer"}}})", "f", true},
    // A call that takes the first that fits.
    {calls({{"f", R"({"a": 1, "b": 2})"}, {"f", R"({"a": 1})"}}),
     calls({{"f", R"({"a": 1})"}, {"f", R"({"a": 1, "b": 2})"}}), R"({"order": "superset", "arguments": "superset"})",
     "f", true},
    {calls({{"f", "{}"}, {"f", R"({"a": 1})"}}), calls({{"f", R"({"a": 1})"}, {"f", "{}"}}),
     R"({"order": "strict", "arguments": "subset"})", "f", true},
    // Values of JavaScript.
    {call(R"({"a": []})"), call(R"({"a": {}})"), exact, "t", false},
    {call(R"({"a": ["x"]})"), call(R"({"a": {"0": "x"}})"), exact, "t", false},
    {call(R"({"a": 9007199254740993})"), call(R"({"a": 9007199254740992})"), exact, "t", false},
    {call(R"({"a.b": 1})"), call(R"({"a.b": 2})"), by_name, "t", false},
    {call(R"({"__proto__": {}})"), call("{}"), R"({"order": "strict", "arguments": "subset"})", "t", false},
    {calls({{"toString", "{}"}}), calls({{"toString", R"({"a": 1})"}}), by_name, "t", false},
    // Arguments that are not text.
    {object_call("f"), object_call("g"), R"({"order": "unordered", "arguments": "exact"})", "t", false},
    {object_call("f"), call(R"({"a": 1})"), exact, "e", true},
    // Messages that acta reads as the same.
    {R"([{"role": "developer", "content": ""}])", R"([{"role": "system", "content": ""}])", exact, "f", true},
    {R"([{"role": "assistant", "content": "", "tool_calls": []}])", R"([{"role": "assistant", "content": ""}])", exact,
     "f", true},
};

}  // namespace

TEST_CASE("agentevals says the same of 10 000 pairs of runs", "[full]") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    RandomPairs random(20260918);
    std::vector<std::string> lines;
    for (int i = 0; i < 10'000; ++i) lines.push_back(acta::dump(random.pair()));
    const std::vector<std::string> results = ask_agentevals(lines);
    REQUIRE(results.size() == lines.size());
    std::size_t fit = 0;
    std::size_t departed = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json pair = acta::parse<Json>(lines[i]);
        std::istringstream words(results[i]);
        for (const Json& one : pair.at("cases")) {
            std::string word;
            words >> word;
            const bool fits = acta_says(pair, one);
            fit += fits ? 1 : 0;
            departed += (word.at(0) == 't') != fits ? 1 : 0;
            const bool may_depart = !is_symmetric(one);
            if ((word.at(1) == 't') == fits && (may_depart || word.at(0) == word.at(1))) continue;
            ++wrong;
            if (wrong < 5) FAIL_CHECK(acta::dump(one) << " of " << lines[i] << ": " << word << ", acta: " << fits);
        }
    }
    CHECK(wrong == 0);
    CAPTURE(fit, departed);
    CHECK(fit > 40'000);
    CHECK(fit < 120'000);
    CHECK(departed > 500);
    CHECK(departed < 20'000);
}

TEST_CASE("acta departs from agentevals where its table says so", "[full]") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    std::vector<std::string> lines;
    for (const Departure& one : departures)
        lines.push_back(R"({"actual": )" + one.actual + R"(, "expected": )" + one.expected + R"(, "cases": [)" +
                        one.options + "]}");
    const std::vector<std::string> results = ask_agentevals(lines);
    REQUIRE(results.size() == departures.size());
    for (std::size_t i = 0; i < departures.size(); ++i) {
        INFO(lines[i]);
        CHECK(results[i].substr(0, 1) == departures[i].agentevals);
        const Json pair = acta::parse<Json>(lines[i]);
        CHECK(acta_says(pair, pair.at("cases").at(0)) == departures[i].acta);
    }
    for (const char* const arguments : {"[1]", "{", "1"})
        CHECK_THROWS_AS(acta::parse<std::vector<ChatMessage>>(call(arguments)), acta::ValidationError);
}
