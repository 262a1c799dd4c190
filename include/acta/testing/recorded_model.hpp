// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/observe/observer.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::recording_detail {
class State;
}

namespace acta::inline ACTA_ABI::testing {

/// A recording cannot be read or made; `what()` names the file, and the line if there is one.
class RecordingError : public Error {
public:
    using Error::Error;
};

/// A request, or a call of `RecordedSkills`, is not in a recording; `what()` says how it differs from what is there.
class NotRecorded : public testing::RecordingError {
public:
    using RecordingError::RecordingError;
};

/// What a model does with its recording.
enum class RecordingMode {
    replay,  ///< Answers from the recording alone.
    record,  ///< Asks the model each time, and replaces the recording.
    fill     ///< Answers from the recording, and asks the model for what it lacks, which is added.
};

/// Options of a recording.
struct RecordingOptions {
    RecordingMode mode = RecordingMode::replay;  ///< What is done with it.
    /// Applied to each text, but not to keys, before it is written, and to a request before it is looked up, so that it
    /// also removes what differs from run to run, such as times.
    Redactor redactor{};
    /// Options of a request that do not count: `model`, `temperature`, `max_tokens`, `tool_choice`, `tools`,
    /// `response_schema`.
    std::vector<std::string> ignored{};
};

/// A model whose answers are recorded in a file, so that tests ask it without a network. Copies share the recording;
/// several threads may ask at the same time.
///
/// A request is found by its messages and options. Ids of calls and data of providers (`ChatMessage::extra`) do not
/// count, nor does the order of keys in arguments. A request that was recorded several times has its answers in their
/// order, and the last one from then on. Parts of a stream are replayed to `ChatOptions::on_text` and `on_event` as
/// they came. A look-up takes time in proportion to the request, whatever the size of the recording. Texts stay in the
/// file, which must not be changed as long as the model is used, and are read when they are asked for.
///
/// The file has JSON lines, which docs/reference/testing.md describes.
///
/// @code{.cpp}
/// acta::ScriptedChatModel live;
/// live.reply("At 12:15.");
/// const std::vector<acta::ChatMessage> question{acta::ChatMessage::user("When is high water?")};
/// const std::filesystem::path file = std::filesystem::temp_directory_path() / "acta_high_water.jsonl";
/// using acta::testing::RecordedChatModel;
/// static_cast<void>(RecordedChatModel(live, file, {.mode = acta::testing::RecordingMode::record})(question, {}));
/// assert(RecordedChatModel(file)(question, {}).message.content == "At 12:15.");
/// std::filesystem::remove(file);
/// @endcode
class RecordedChatModel {
public:
    /// Replays a file. Throws `FileError`, and `RecordingError` if it is not a recording.
    explicit RecordedChatModel(const std::filesystem::path& file, RecordingOptions options = {});
    /// Wraps a model. In the modes `record` and `fill` the file need not exist. Throws as above, and in these modes
    /// `RecordingError` if the environment has a value of `CI` other than `false`: tests of changes record nothing.
    RecordedChatModel(AnyChatModel model, const std::filesystem::path& file, RecordingOptions options = {});

    /// Answers. Throws `NotRecorded` if the answer is not there and the model is not asked, what the model throws,
    /// `FileError` if an answer cannot be written, and `RecordingError` if the file was changed since it was opened.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const;

    /// Returns the number of recorded answers.
    [[nodiscard]] std::size_t size() const;
    /// Returns the number of recorded answers that were not asked for.
    [[nodiscard]] std::size_t unused() const;

private:
    std::shared_ptr<recording_detail::State> state_;
};

}  // namespace acta::inline ACTA_ABI::testing

#ifndef ACTA_COMPILED
#include "acta/testing/detail/recorded_model.inl.hpp"
#endif
