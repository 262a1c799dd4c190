// SPDX-License-Identifier: MIT
// Recordings of a model's answers: a file of any bytes is read, or refused with a documented error. And the lines of
// the input are a conversation, which is recorded and replayed as it was.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/testing/recorded_model.hpp"
#include "fuzz.hpp"

namespace {

namespace fs = std::filesystem;
using acta::ChatMessage;
using acta::testing::RecordedChatModel;
using acta::testing::RecordingMode;

const fs::path& file() {
    static const fs::path path = fs::temp_directory_path() / ("acta_fuzz_" + std::to_string(::getpid()) + ".jsonl");
    return path;
}

void read_any(std::string_view text) {
    std::ofstream(file(), std::ios::binary) << text;
    try {
        const RecordedChatModel model(file());
        static_cast<void>(model.size());
        static_cast<void>(model(std::vector{ChatMessage::user("a")}, {}));
    } catch (const acta::testing::RecordingError&) {
    }
}

/// Answers with the last message, and calls a tool with it.
acta::ChatCompletion echo(std::span<const ChatMessage> messages, const acta::ChatOptions&) {
    acta::ChatCompletion out;
    out.message.content = messages.back().content;
    out.message.tool_calls.emplace().push_back({"id", {"echo", {{"text", out.message.content}}}});
    return out;
}

void record_and_replay(std::string_view text) {
    std::vector<ChatMessage> messages;
    std::vector<acta::ChatCompletion> answers;
    {
        const RecordedChatModel model(echo, file(), {.mode = RecordingMode::record});
        while (!text.empty() && messages.size() < 40) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            messages.push_back(text.starts_with('t') ? ChatMessage::tool("id", std::string(text.substr(0, end)))
                                                     : ChatMessage::user(std::string(text.substr(0, end))));
            text.remove_prefix(std::min(end + 1, text.size()));
            answers.push_back(model(messages, {}));
            messages.push_back(answers.back().message);
        }
    }
    const RecordedChatModel replayed(file());
    fuzz::require(replayed.size() == answers.size(), "answers are lost");
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto request = std::span(messages).first(2 * i + 1);
        const std::string content = replayed(request, {}).message.content;
        fuzz::require(
            content.size() >= answers[i].message.content.size() || content.find("\xEF\xBF\xBD") != content.npos,
            "another answer", content);
    }
    fuzz::require(replayed.unused() == 0, "answers are left");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bool records = ::unsetenv("CI") == 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    read_any(text);
    if (records && size < 4000) record_and_replay(text);
    fs::remove(file());
    return 0;
}
