// SPDX-License-Identifier: MIT
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/repr.hpp"
#include "acta/text/byte_pair.hpp"
#include "acta/text/chunks.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"
#include "text/data.hpp"
#if defined(ACTA_HAS_YAML)
#include "acta/skill/yaml.hpp"
#endif

// Texts of models and of other systems, read and written without memory.
namespace {

using histories::History;

const std::string calls = R"(I will search for it:
```python
search(query="the tides of the north sea, all of them", limit=3, options={"deep": [1, 2.5, None], 'x': "\u4eac"})
[first(a="a text that is too long for a string itself"), second.one(b=(1, 2), c={"s"})]
```)";

History closed() {
    History history = histories::every_kind();
    history.close_open_episode(histories::success());
    return history;
}

}  // namespace

TEST_CASE("without memory a call is not read") {
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::parse_call(calls)); });
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::parse_calls(calls)); });
    CHECK_OUT_OF_MEMORY([] { static_cast<void>(acta::parse_arguments("search", calls)); });
    CHECK_OUT_OF_MEMORY([] {
        try {
            static_cast<void>(acta::parse_call("search(query=\"an unreadable call, since it is not closed, and long"));
        } catch (const acta::CallSyntaxError&) {
        }
    });
}

TEST_CASE("without memory a value has no text in Python's spelling") {
    const acta::Json value =
        acta::parse<acta::Json>(R"({"a": ["it's \"long\" enough for an allocation", 1.5e300, null]})");
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::python_repr(value)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::python_str(value)); });
}

TEST_CASE("without memory a text is not split") {
    std::string text;
    for (int i = 0; i < 30; ++i) text += "Mr. Sentence number " + std::to_string(i) + " has come. ";
    acta::ChunkOptions options;
    options.max_tokens = 50;
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::split_into_chunks(text, options)); });
}

TEST_CASE("without memory a history is not a list of messages, and a list is not a history") {
    const History history = closed();
    const auto messages = acta::to_messages(history);
    const acta::MessageOptions budget{.budget = acta::PromptOptions{.max_tokens = 100, .max_full_tokens = 100}};
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::to_messages(history)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::to_messages(history, budget)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::history_from_messages(messages)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::openai::to_wire(messages)); });
    const acta::Json anthropic(acta::anthropic::to_wire(messages));
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::anthropic::to_wire(messages)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::anthropic::from_wire(anthropic)); });
    const std::string text = acta::dump(acta::openai::to_wire(messages));
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::parse_trajectory(text)); });
}

TEST_CASE("without memory a history is no trajectory, and no trajectory is a history") {
    const History history = closed();
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::atif::to_document(history)); });
    const std::string text = acta::dump(acta::atif::to_document(history));
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::parse_trajectory(text)); });
    const std::string run = R"({"trajectory": [{"action": "ls --all --long", "observation": "README.md and other files",
        "thought": "Let me look at what there is in the folder."}], "history": [{"role": "user", "content": "Go on."}],
        "info": {"exit_status": "submitted"}})";
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::parse_trajectory(run)); });
}

TEST_CASE("without memory a text has no tokens, and a file of ranks makes no tokenizer") {
    const auto path = acta_test::text_data() / "small.tiktoken";
    constexpr auto encoding = acta::TokenEncoding::o200k_base;
    const auto tokenizer = acta::BytePairTokenizer::from_file(path, encoding);
    const std::string text =
        "The tides of the north sea, all 23 of them: \xE4\xBA\xAC\xE4\xBA\xAC, and a looooooooong word.";
    const auto tokens = tokenizer.encode(text);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer(text)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer.encode(text)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer.decode(tokens)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::BytePairTokenizer::from_file(path, encoding)); });
}

#if defined(ACTA_HAS_YAML)
TEST_CASE("without memory a YAML text is not read") {
    const std::string text =
        "name: a name too long for a string itself\nlist: [1, 2.5, null, {deep: yes}]\nfolded: >\n  a\n  b\n";
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::yaml_to_json(text)); });
}
#endif
