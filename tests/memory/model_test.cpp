// SPDX-License-Identifier: MIT
#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"
#include "support/temp_folder.hpp"

// Reading and writing: either there is a whole value or text, or `std::bad_alloc` and nothing else.
namespace {

using acta::Json;
using histories::History;
using histories::long_text;

const std::string document =
    R"({"a": [1, -2.5, true, null, "a text that is too long for a string itself"], "b": {"c": {},
    "d": [[], {"e": "\u4eac and a longer text with escapes\n"}]}, "f": 1, "f": 3, "12345678901234567890": 18446744073709551615})";

template <class T>
void refused(const std::string& text) {
    try {
        static_cast<void>(acta::parse<T>(text));
    } catch (const acta::ValidationError& error) {
        if (error.issues().empty()) throw;
    }
}

}  // namespace

TEST_CASE("without memory a history is not read and not written") {
    const History history = histories::every_kind();
    const std::string text = acta::dump(history);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::parse<History>(text)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::dump(history)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::dump(history, {.indent = 2})); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::to_json_value(history)); });
    const Json value = acta::to_json_value(history);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::validate<History>(value)); });
}

TEST_CASE("without memory a sink gets the beginning of the text at most") {
    std::vector<std::string> values(3000, long_text);
    const std::string whole = acta::dump(values);
    std::string taken;
    taken.reserve(whole.size());
    const auto write = [&](int) {
        taken.clear();
        acta::dump_to(values, [&](std::string_view piece) { taken += piece; });
    };
    const auto check = [&](int, bool thrown) -> std::string {
        return thrown ? (whole.starts_with(taken) ? "" : "another text") : (taken == whole ? "" : "not all");
    };
    CHECK_OUT_OF_MEMORY([] { return 0; }, write, check);
}

TEST_CASE("without memory a JSON value is neither read nor written") {
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::parse<Json>(document)); });
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::parse<acta::JsonObject>(document)); });
    const Json value = acta::parse<Json>(document);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::dump(value)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::validate<Json>(value)); });
}

TEST_CASE("without memory the issues of a document are all reported, or none") {
    CHECK_OUT_OF_MEMORY(
        [] { refused<History>(R"({"episodes": [{"action": 3, "result": {"status": "x"}}, 5], "cursor": "y"})"); });
    CHECK_OUT_OF_MEMORY([] { refused<Json>(document + "]"); });
    CHECK_OUT_OF_MEMORY([] { refused<std::vector<int>>(R"([1, "two", 3.5, 99999999999, [4]])"); });
}

TEST_CASE("without memory a watched reading throws what an unwatched one throws") {
    class Count : public acta::Observer {
    public:
        int events = 0;

    private:
        void on_event(const acta::Event&) override { ++events; }
    };
    Count observer;
    const auto thrown = [](acta::Observer* watcher, memory::Shortage shortage) {
        const memory::Tried tried = memory::out_of_memory(shortage, [&] {
            try {
                static_cast<void>(acta::parse<std::vector<int>>(R"([1, "two"])", {.observer = watcher}));
            } catch (const acta::ValidationError& error) {
                if (error.issues().size() != 1) throw;
            }
        });
        return tried.allocations - tried.survived;
    };
    CHECK(thrown(&observer, memory::Shortage::once) == thrown(nullptr, memory::Shortage::once));
    // The event allocates its first two fields before the reading does anything.
    constexpr auto from_then_on = memory::Shortage::from_then_on;
    CHECK(thrown(&observer, from_then_on) <= thrown(nullptr, from_then_on) + 2);
    CHECK(observer.events > 0);
}

TEST_CASE("without memory a reply of a tool is not read") {
    const std::string text = R"({"type": "error", "message": "a message that is longer than the others are, by far",
        "session_id": "0123456789-0123456789", "error": "no_such_agent", "details": {"id": 17}})";
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::parse_tool_response(text)); });
    const acta::ToolResponse reply = acta::parse_tool_response(text);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::dump(reply)); });
    CHECK_OUT_OF_MEMORY(
        [] { static_cast<void>(acta::parse_tool_response(R"({"type": "of_tomorrow", "message": {"more": []}})")); });
}

TEST_CASE("without memory there is no schema") {
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::schema<History>()); });
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::schema<acta::AssistantFunctionCall>()); });
}

TEST_CASE("without memory a file is the old or the new one, and no other is left beside it") {
    const TempFolder folder;
    const auto path = folder / "history.json";
    const History before = histories::every_kind();
    History after = before;
    after.register_result(histories::success());
    const std::string old_text = acta::dump(before);
    const std::string new_text = acta::dump(after);
    acta::save(before, path);
    const auto save = [&](int) { acta::save(after, path); };
    const auto check = [&](int, bool thrown) -> std::string {
        const std::string found = read_file(path);
        acta::save(before, path);
        if (folder.files() != 1) return "there are other files";
        return found == (thrown ? old_text : new_text) ? "" : "the file is torn, or the error is wrong";
    };
    CHECK_OUT_OF_MEMORY([] { return 0; }, save, check);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::load<History>(path)); });
}
