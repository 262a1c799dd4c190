// SPDX-License-Identifier: MIT
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// What a record cannot have is left out of a message, with a note, and nothing else is.
namespace {

using acta::Json;
using acta::JsonObject;

/// Lists within each other.
Json lists(std::size_t levels) {
    Json out = 1;
    for (std::size_t i = 0; i < levels; ++i) out = Json::array({out});
    return out;
}
const Json too_deep = lists(100);
const std::string why = ": Input should be nested at most 100 levels deep";

/// The `extra` of a message once it can be recorded; its notes are `{"acta": {"not_recorded": [...]}}`.
std::string recorded(const JsonObject& extra) {
    acta::AssistantChatMessage message{.content = "Hm."};
    message.extra = extra;
    const bool was = acta::chat_extension::is_recordable(message);
    acta::ChatMessage other = acta::ChatMessage::assistant("Hm.");
    other.extra = extra;
    acta::chat_extension::make_recordable(message);
    acta::chat_extension::make_recordable(other);
    CHECK(acta::chat_extension::is_recordable(message));
    CHECK(other.extra == message.extra);
    CHECK(was == acta::chat_extension::not_recorded(message.extra).empty());
    CHECK(acta::parse<acta::AssistantChatMessage>(acta::dump(message)) == message);
    return acta::dump(message.extra);
}
/// A message of the assistant in both types.
struct ChatPair {
    acta::AssistantChatMessage answer{.content = "Hm."};
    acta::ChatMessage message = acta::ChatMessage::assistant("Hm.");
    void set_calls(const std::vector<acta::AssistantToolCall>& calls) {
        answer.tool_calls = calls;
        message.tool_calls = calls;
    }
};
std::string noted(const std::string& place, const std::string& rest = "") {
    return R"({"acta":{"not_recorded":[")" + place + why + "\"]}" + rest + "}";
}

}  // namespace

TEST_CASE("members that are too deep are left out of what providers keep, and noted") {
    CHECK(recorded({{"openai", {{"a", 1}}}}) == R"({"openai":{"a":1}})");
    CHECK(recorded({{"openai", {{"a", 1}, {"deep", too_deep}}}}) == noted("openai.deep", R"(,"openai":{"a":1})"));
    CHECK(recorded({{"openai", {{"deep", too_deep}}}, {"b", 2}}) == noted("openai.deep", R"(,"b":2)"));
    CHECK(recorded({{"deep", too_deep}}) == noted("deep"));
    CHECK(recorded({{"deep", too_deep}, {"acta", 1}}) == noted("deep"));
    CHECK(recorded({{"deep", too_deep}, {"acta", {{"own", 1}}}}) ==
          R"({"acta":{"own":1,"not_recorded":["deep)" + why + "\"]}}");
    // A second time adds to the notes.
    CHECK(recorded({{"deep", too_deep}, {"acta", {{"not_recorded", {"old"}}}}}) ==
          R"({"acta":{"not_recorded":["old","deep)" + why + "\"]}}");
    // Of the items of a list, and of what they have, only what is too deep.
    const auto item = [](const Json& member) { return Json{{"type", "text"}, {"a", 1}, {"b", member}}; };
    CHECK(recorded({{"p", {{"items", {item(2), item(too_deep)}}}}}) ==
          noted("p.items[1].b", R"(,"p":{"items":[{"type":"text","a":1,"b":2},{"type":"text","a":1}]})"));
    CHECK(recorded({{"p", {{"one", item(too_deep)}}}}) == noted("p.one.b", R"(,"p":{"one":{"type":"text","a":1}})"));
    CHECK(recorded({{"p", {{"items", {item(2), too_deep, "x"}}}}}) ==
          noted("p.items[1]", R"(,"p":{"items":[{"type":"text","a":1,"b":2},null,"x"]})"));
    CHECK(recorded({{"p", {{"tool_calls", {{{"id", "a"}, {"deep", too_deep}}}}}}}) ==
          noted("p.tool_calls[0].deep", R"(,"p":{"tool_calls":[{"id":"a"}]})"));
    // A list of other objects, and of none, is left out as a whole.
    CHECK(recorded({{"p", {{"others", {{{"id", "a"}, {"deep", too_deep}}}}, {"k", 1}}}}) ==
          noted("p.others", R"(,"p":{"k":1})"));
    CHECK(recorded({{"p", {{"lists", {too_deep}}, {"k", 1}}}}) == noted("p.lists", R"(,"p":{"k":1})"));
}

TEST_CASE("items are looked into four lists deep") {
    const auto nested_items = [](int depth) {
        Json out = too_deep;
        for (int i = depth; i > 0; --i) out = Json{{"type", "t"}, {"k" + std::to_string(i), out}};
        return recorded({{"p", {{"x", out}}}});
    };
    CHECK_THAT(nested_items(3), contains_text("p.x.k1.k2.k3:"));
    CHECK_THAT(nested_items(4), contains_text("p.x.k1.k2.k3.k4:"));
    CHECK_THAT(nested_items(5), contains_text("p.x.k1.k2.k3.k4:"));  // with all that it has
    const auto nested_lists = [](int depth) {
        Json out = {{"type", "t"}, {"deep", too_deep}};
        for (; depth > 0; --depth) out = Json{{"type", "t"}, {"k", Json::array({out})}};
        return recorded({{"p", {{"x", out}}}});
    };
    CHECK_THAT(nested_lists(2), contains_text("p.x.k[0].k[0].deep:"));
    CHECK_THAT(nested_lists(3), contains_text("p.x.k[0].k[0].k[0].deep:"));
    CHECK_THAT(nested_lists(4), contains_text("p.x.k[0].k[0].k[0].k:"));
    // A list inside of a list of items is left out as a whole, from the same depth on as it would be elsewhere.
    const Json item{{"type", "t"}, {"a", 1}};
    CHECK(recorded({{"p", {{"k", {item, Json::array({Json{{"type", "t"}, {"deep", too_deep}}})}}}}}) ==
          noted("p.k[1]", R"(,"p":{"k":[{"type":"t","a":1},null]})"));
    below_at_above(97, [&](std::size_t levels) {
        return recorded({{"p", {{"k", {item, lists(levels)}}}}}).find("not_recorded") == std::string::npos;
    });
    below_at_above(97, [&](std::size_t levels) {
        return recorded({{"p", {{"k", {item, lists(levels), too_deep}}}}}).find("p.k[1]") == std::string::npos;
    });
}

TEST_CASE("notes are few and short") {
    below_at_above("notes of what a message does not record", 20, [](std::size_t count) {
        JsonObject extra;
        for (std::size_t i = 0; i < count; ++i) extra.emplace("deep" + std::to_string(i), Json(too_deep));
        acta::AssistantChatMessage message;
        message.extra = extra;
        acta::chat_extension::make_recordable(message);
        const std::vector<std::string> notes = acta::chat_extension::not_recorded(message.extra);
        CHECK((notes.size() == count || notes.back() == "and 1 more"));
        return notes.back() != "and 1 more";
    });
    below_at_above("place in a note of what a message does not record", 200, [](std::size_t bytes) {
        const std::string key(bytes, 'k');
        return recorded({{key, too_deep}}) == noted(key);
    });
}

TEST_CASE("arguments that no record can have are kept as a text that is cut, with the reason") {
    const auto made = [](JsonObject arguments) {
        acta::AssistantFunctionCall call{"f\xFF", std::move(arguments)};
        acta::chat_extension::make_recordable(call);
        CHECK(call.name == "f\uFFFD");
        return call.arguments;
    };
    CHECK(made({{"a", 1}, {"b\xFF", "c\xFF"}}) == JsonObject{{"a", 1}, {"b\uFFFD", "c\uFFFD"}});
    below_at_above("nesting of arguments, outputs, labels and the extra of messages in a record", 100,
                   [&](std::size_t levels) {
                       return made({{"a", lists(levels - 1)}}).count("a") == 1;
                   });
    const JsonObject kept = made({{"a", too_deep}});
    std::string place = "a";
    for (int i = 0; i < 99; ++i) place += ".0";
    CHECK(*acta::chat_extension::unreadable_reason(kept) == place + why);
    CHECK(*acta::chat_extension::unreadable_arguments(kept) ==
          "{\"a\":" + std::string(100, '[') + "1" + std::string(100, ']') + "}");
    const std::string long_text(2000, 'x');
    const JsonObject cut = made({{"a", long_text}, {"b", std::numeric_limits<double>::infinity()}});
    CHECK(acta::chat_extension::unreadable_arguments(cut)->size() == 1000);
    CHECK(*acta::chat_extension::unreadable_reason(cut) == "b: Input should be a finite number");
}

TEST_CASE("all texts of a message are made fit for a record") {
    const std::string bad = "a\xFF";
    const std::string good = "a\uFFFD";
    acta::ChatMessage message = acta::ChatMessage::assistant(bad);
    message.reasoning_content = bad;
    message.extra = {{bad, bad}};
    message.tool_calls = {{bad + std::string("\0b\0", 3), {bad, {{bad, bad}}}}};
    acta::AssistantChatMessage answer{.content = bad, .tool_calls = message.tool_calls, .reasoning_content = bad};
    acta::chat_extension::make_recordable(answer);
    message.parts = {{.type = bad, .text = bad, .media_type = bad, .data = bad, .url = bad, .name = bad}};
    message.parts.front().extra = {{bad, too_deep}, {"k", bad}};
    acta::chat_extension::make_recordable(message);
    CHECK(message.content == good);
    CHECK(message.reasoning_content == good);
    CHECK(message.tool_calls.front() == acta::AssistantToolCall{good + "\uFFFDb\uFFFD", {good, {{good, good}}}});
    CHECK(answer == acta::AssistantChatMessage{good, message.tool_calls, good, {}});
    acta::ContentPart part{.type = good, .text = good, .media_type = good, .data = good, .url = good, .name = good};
    part.extra = {{"k", good}};
    CHECK(message.parts.front() == part);
    CHECK(acta::dump(message.extra) == R"({"acta":{"not_recorded":["parts[0].a�)" + why + R"("]},"a�":"a�"})");
    // The text of a part that only one API has is its JSON, and changes with it.
    acta::ChatMessage said;
    said.parts = {{.type = "chart", .extra = {{"anthropic", {{"deep", too_deep}, {"a", 1}}}}}};
    said.content = acta::parts_text(said.parts);
    acta::ChatMessage own = said;
    own.content = "My own words.";
    acta::chat_extension::make_recordable(said);
    CHECK(said.content == acta::parts_text(said.parts));
    acta::chat_extension::make_recordable(own);
    CHECK(own.content == "My own words.");
}

TEST_CASE("a message with a call or a part that no record can have is not recordable") {
    using acta::chat_extension::is_recordable;
    ChatPair pair;
    CHECK(is_recordable(pair.answer));
    CHECK(is_recordable(pair.message));
    pair.message.parts = {{.type = "chart", .extra = {{"a", too_deep}}}};
    CHECK_FALSE(is_recordable(pair.message));
    pair = {};
    pair.set_calls({{"a", {"f", {}}}, {"b", {"f", {{"x", 1}}}}});
    CHECK(is_recordable(pair.answer));
    CHECK(is_recordable(pair.message));
    pair.set_calls({{"a", {"f", {}}}, {"b", {"f", {{"x", too_deep}}}}});
    CHECK_FALSE(is_recordable(pair.answer));
    CHECK_FALSE(is_recordable(pair.message));
    const auto notes = [](const JsonObject& extra) { return acta::chat_extension::not_recorded(extra); };
    CHECK(notes({{"acta", {{"not_recorded", {"a", 1, "b"}}}}}) == std::vector<std::string>{"a", "b"});
    CHECK(notes({{"acta", {{"not_recorded", "a"}}}}).empty());
    CHECK(notes({{"acta", 1}}).empty());
}

TEST_CASE("words that state the outcome of a call are known") {
    using acta::chat_extension::has_answer_words;
    for (const char* const text :
         {"The action did not finish; it has no result.", "See the result of the step as a whole.",
          "Result of the step as a whole: 1", "The user interrupted the action; their feedback follows.",
          "Action failed: 'x'", "The user interrupted the action with the following feedback: \"no\""})
        CHECK(has_answer_words(text));
    for (const char* const text : {"", "It failed.", "The action did not finish; it has no result. ",
                                   "See the result of the step as a whole. ", "Result of the step as a whole",
                                   "The user interrupted the action; their feedback follows. x", "Action failed: x"})
        CHECK_FALSE(has_answer_words(text));
}
