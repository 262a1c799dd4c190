// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/base/sha256.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/testing/detail/message_json.hpp"
#include "acta/testing/detail/value_difference.hpp"
#include "acta/testing/golden_run.hpp"
#include "acta/testing/recorded_model.hpp"

namespace acta::inline ACTA_ABI::recording_detail {

using testing::NotRecorded;
using testing::RecordingError;
using testing::RecordingMode;
using testing::RecordingOptions;
using testing_detail::message_json;
using testing_detail::sorted;

/// An answer, and the parts of its stream, if it had one.
struct Answer {
    ChatCompletion completion{};
    std::vector<ChatDelta> deltas{};
};

/// 128 bits of the SHA-256 of a text.
using Digest = std::array<char, 16>;

[[nodiscard]] ACTA_INLINE Digest digest_of(std::string_view text) {
    Digest out{};
    base::sha256(text).copy(out.data(), out.size());
    return out;
}
[[nodiscard]] inline std::string_view view_of(const Digest& digest) noexcept { return {digest.data(), digest.size()}; }

/// Tells a text from others in this process, faster than a digest does.
struct TextHash {
    explicit TextHash(std::string_view text) noexcept
        : whole(std::hash<std::string_view>()(text)),
          end(std::hash<std::string_view>()(text.substr(text.size() / 2))) {}

    std::size_t whole;
    std::size_t end;

    friend bool operator==(const TextHash&, const TextHash&) = default;
};
struct HashOfHash {
    [[nodiscard]] std::size_t operator()(const TextHash& of) const noexcept { return of.whole; }
};

ACTA_INLINE void redact(Json& value, const Redactor& redactor) {
    if (value.is_string()) {
        std::string text = redactor(base::text_of(value));
        base::clean(text);
        value = base::text_json(text);
    } else if (value.is_structured()) {
        for (Json& one : value) redact(one, redactor);
    }
}

[[nodiscard]] ACTA_INLINE Json options_json(const ChatOptions& options, const std::vector<std::string>& ignored) {
    Json out = base::new_object();
    const auto put = [&](std::string_view name, const auto& value) {
        if (value && std::ranges::find(ignored, name) == ignored.end()) base::put(out, name, Json(*value));
    };
    put("model", options.model);
    put("temperature", options.temperature);
    put("max_tokens", options.max_tokens);
    std::optional<Json> choice;
    if (options.tool_choice != ToolChoice()) {
        constexpr std::array<std::string_view, 4> kinds{"automatic", "none", "required", "named"};
        choice = Json{{"kind", kinds[static_cast<std::size_t>(options.tool_choice.kind)]},
                      {"name", options.tool_choice.name}};
    }
    put("tool_choice", choice);
    put("response_schema", options.response_schema ? std::optional(sorted(*options.response_schema)) : std::nullopt);
    return out;
}

// Answers.

[[nodiscard]] ACTA_INLINE Json delta_json(const ChatDelta& delta) {
    if (const auto* const text = std::get_if<TextDelta>(&delta)) return Json{{"text", text->text}};
    if (const auto* const reasoning = std::get_if<ReasoningDelta>(&delta)) return Json{{"reasoning", reasoning->text}};
    if (const auto* const call = std::get_if<CallDelta>(&delta))
        return Json{{"call", call->index}, {"id", call->id}, {"name", call->name}, {"arguments", call->arguments}};
    return Json{{"restarted", true}};
}

[[nodiscard]] ACTA_INLINE ChatDelta delta_of(const Json& value) {
    if (value.contains("text")) return TextDelta{base::text_member(value, "text")};
    if (value.contains("reasoning")) return ReasoningDelta{base::text_member(value, "reasoning")};
    if (const Json* const index = base::find_key(value, "call"))
        return CallDelta{static_cast<std::size_t>(base::whole_number(*index).value_or(0)),
                         base::text_member(value, "id"), base::text_member(value, "name"),
                         base::text_member(value, "arguments")};
    return AnswerRestarted{};
}

ACTA_INLINE void pass_on(const Answer& answer, const ChatOptions& options) {
    if (answer.deltas.empty()) return chat_extension::stream(answer.completion, options);
    for (const ChatDelta& delta : answer.deltas) {
        const auto* const words = std::get_if<TextDelta>(&delta);
        if (options.on_text && words != nullptr) options.on_text(words->text);
        if (options.on_event) options.on_event(delta);
    }
}

[[nodiscard]] ACTA_INLINE std::string json_of(const Answer& answer) {
    Json out{{"completion", to_json_value(answer.completion)}};
    JsonArray deltas;
    for (const ChatDelta& delta : answer.deltas) deltas.push_back(delta_json(delta));
    if (!deltas.empty()) base::put(out, "deltas", Json(std::move(deltas)));
    return dump(out, {.invalid_utf8 = InvalidUtf8::replace});
}
/// An answer as it is written.
struct AnswerDocument {
    ChatCompletion completion{};
    std::vector<Json> deltas{};
};
/// The line of an answer.
struct AnswerLine {
    AnswerDocument answer{};
};

[[nodiscard]] ACTA_INLINE Answer answer_of(AnswerDocument document) {
    Answer out{std::move(document.completion), {}};
    for (const Json& one : document.deltas) out.deltas.push_back(delta_of(one));
    return out;
}

}  // namespace acta::inline ACTA_ABI::recording_detail

template <>
struct acta::Describe<acta::recording_detail::AnswerDocument> {
    using T = acta::recording_detail::AnswerDocument;
    static constexpr auto fields =
        acta::fields(required("completion", &T::completion), omit_if_empty("deltas", &T::deltas));
};
template <>
struct acta::Describe<acta::recording_detail::AnswerLine> {
    using T = acta::recording_detail::AnswerLine;
    static constexpr auto fields = acta::fields(required("answer", &T::answer));
};

namespace acta::inline ACTA_ABI::recording_detail {

/// Tells a message from others in the time that reading it takes, and without a copy of it.
class Fingerprint {
public:
    Fingerprint() = default;
    explicit Fingerprint(const ChatMessage& message) {
        add(std::size_t{static_cast<unsigned char>(message.role)} * 2 + (message.is_error ? 1 : 0));
        add(message.content);
        add(message.tool_call_id);
        add(message.reasoning_content.value_or(""));
        add(std::size_t{message.reasoning_content ? 1U : 0U});
        add(message.parts.size());
        for (const ContentPart& part : message.parts) {
            for (const std::string* const text :
                 {&part.type, &part.text, &part.media_type, &part.data, &part.url, &part.name})
                add(*text);
            add(part.extra);
        }
        for (const AssistantToolCall& call : message.tool_calls) {
            add(call.id);
            add(call.function.name);
            add(call.function.arguments);
        }
    }

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

private:
    void add(std::size_t hash) noexcept { hash_ = (hash_ ^ hash) * 0x9E3779B97F4A7C15U + (hash_ >> 29U); }
    void add(std::string_view text) noexcept {
        add(std::hash<std::string_view>()(text));
        size_ += text.size();
    }
    void add(const JsonObject& object) {
        add(object.size());
        for (const auto& [name, value] : object) {
            add(name);
            add(std::hash<Json>()(value));
        }
    }

    std::uint64_t hash_ = 0;
    std::uint64_t size_ = 0;
};

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A recording in memory: a tree of parts, in which a request is the path to a node. The texts of the parts and the
/// answers are in the file. Children of a node, and answers to a request, are chains.
class Tree {
public:
    struct Part {
        Digest digest{};
        std::uint64_t at = 0;  // in the file, where its line begins
    };
    struct Node {
        Digest key{};  // of the path
        std::uint32_t part = 0;
        std::uint32_t child = none;
        std::uint32_t sibling = none;
        std::uint32_t due = none;   // the next answer
        std::uint32_t last = none;  // the last answer
    };
    struct StoredAnswer {
        std::uint64_t at = 0;       // in the file, where its line begins
        std::size_t hash = 0;       // of the line
        std::uint32_t next = none;  // to the same request
        bool is_used = false;
    };

    /// Returns the index of a part; nothing if there is none.
    [[nodiscard]] std::optional<std::uint32_t> find_part(std::string_view text) const {
        const auto found = parts_by_text_.find(TextHash(text));
        if (found == parts_by_text_.end()) return std::nullopt;
        return found->second;
    }
    std::uint32_t add_part(std::string_view text, std::uint64_t at) {
        const auto [place, is_new] = parts_by_text_.emplace(TextHash(text), static_cast<std::uint32_t>(parts_.size()));
        if (is_new) parts_.push_back({digest_of(text), at});
        return place->second;
    }
    [[nodiscard]] std::optional<std::uint32_t> find_node(std::uint32_t parent, std::uint32_t part) const {
        const auto found = nodes_by_place_.find(place_of(parent, part));
        if (found == nodes_by_place_.end()) return std::nullopt;
        return found->second;
    }
    std::uint32_t add_node(std::uint32_t parent, std::uint32_t part) {
        const auto number = static_cast<std::uint32_t>(nodes_.size());
        nodes_by_place_.emplace(place_of(parent, part), number);
        const std::string path = base::concat({view_of(nodes_[parent].key), view_of(parts_[part].digest)});
        nodes_.push_back({.key = digest_of(path), .part = part, .sibling = nodes_[parent].child});
        nodes_[parent].child = number;
        return number;
    }
    void add_answer(std::uint32_t to, std::uint64_t at, std::string_view line) {
        const auto number = static_cast<std::uint32_t>(answers_.size());
        answers_.push_back({.at = at, .hash = std::hash<std::string_view>()(line)});
        Node& node = nodes_[to];
        if (node.last == none)
            node.due = number;
        else
            answers_[node.last].next = number;
        node.last = number;
    }
    /// Returns the answer that is due at a node; nothing if it has none.
    [[nodiscard]] std::optional<StoredAnswer> take(std::uint32_t from) {
        Node& node = nodes_[from];
        if (node.due == none) return std::nullopt;
        StoredAnswer& answer = answers_[node.due];
        if (answer.next != none) node.due = answer.next;
        answer.is_used = true;
        return answer;
    }

    /// Frees memory that only a recording that grows would use.
    void shrink() {
        parts_.shrink_to_fit();
        nodes_.shrink_to_fit();
        answers_.shrink_to_fit();
        parts_by_text_.rehash(0);
        nodes_by_place_.rehash(0);
    }

    [[nodiscard]] const Node& node(std::uint32_t number) const { return nodes_[number]; }
    [[nodiscard]] const Part& part(std::uint32_t number) const { return parts_[number]; }
    [[nodiscard]] const std::vector<StoredAnswer>& answers() const noexcept { return answers_; }
    [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }
    [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

private:
    [[nodiscard]] static std::uint64_t place_of(std::uint32_t parent, std::uint32_t part) noexcept {
        return std::uint64_t{parent} << 32U | part;
    }

    std::unordered_map<TextHash, std::uint32_t, HashOfHash> parts_by_text_{};
    std::vector<Part> parts_{};
    std::unordered_map<std::uint64_t, std::uint32_t> nodes_by_place_{};
    std::vector<Node> nodes_{Node{}};
    std::vector<StoredAnswer> answers_{};
};

/// A recording and its file.
class State {
public:
    State(AnyChatModel model, const std::filesystem::path& file, RecordingOptions options)
        : model_(std::move(model)), file_(file), options_(std::move(options)) {
        for (const std::string& name : options_.ignored)
            if (std::ranges::find(known_options, name) == known_options.end())
                throw RecordingError("a recording knows no option '" + name + "' of a request");
        const bool writes = options_.mode != RecordingMode::replay;
        if (writes && !model_) throw RecordingError(called() + " cannot be recorded without a model");
        if (writes && testing_detail::is_ci())
            throw RecordingError(called() + " is not recorded where the environment has CI");
        std::error_code error;
        const bool is_new =
            options_.mode == RecordingMode::record || (writes && !std::filesystem::exists(file_, error));
        if (!is_new) load();
        if (!writes) return;
        out_.open(file_, is_new ? std::ios::binary | std::ios::trunc : std::ios::binary | std::ios::app);
        if (is_new) write(dump(Json{{"acta_recording", version}}));
        check_written();
        if (is_new) open_to_read();
    }

    ChatCompletion ask(std::span<const ChatMessage> messages, const ChatOptions& options) {
        if (options_.mode != RecordingMode::record) {
            if (std::optional<Answer> answer = take(messages, options)) {
                pass_on(*answer, options);
                return std::move(answer->completion);
            }
            if (options_.mode == RecordingMode::replay) throw NotRecorded(difference(request_of(messages, options)));
        }
        return ask_and_keep(messages, options);
    }

    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return tree_.answers().size();
    }
    [[nodiscard]] std::size_t unused() const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::ranges::count(tree_.answers(), false, &Tree::StoredAnswer::is_used));
    }

private:
    static constexpr int version = 1;
    static constexpr std::size_t most_lines = 9;  // that say how a request differs
    static constexpr std::array<std::string_view, 6> known_options{"model",       "temperature", "max_tokens",
                                                                   "tool_choice", "tools",       "response_schema"};

    [[nodiscard]] std::string called() const { return "the recording '" + file_.string() + "'"; }

    // The parts of a request: options, tools, and messages.

    [[nodiscard]] std::string written(Json part) const {
        if (options_.redactor) redact(part, options_.redactor);
        return dump(part, {.invalid_utf8 = InvalidUtf8::replace});
    }
    [[nodiscard]] std::string text_of(const ChatOptions& options) const {
        return written(options_json(options, options_.ignored));
    }
    /// Called with `mutex_` locked.
    [[nodiscard]] const std::string& text_of(const ToolList& tools) {
        if (tools_text_.empty() || !tools.is_same(tools_)) {
            const bool counts = std::ranges::find(options_.ignored, "tools") == options_.ignored.end();
            tools_text_ = written(counts ? sorted(to_json_value(tools.all())) : Json(JsonArray()));
            tools_ = tools;
        }
        return tools_text_;
    }
    [[nodiscard]] std::vector<std::string> request_of(std::span<const ChatMessage> messages,
                                                      const ChatOptions& options) {
        std::vector<std::string> out{text_of(options)};
        {
            const std::lock_guard lock(mutex_);
            out.push_back(text_of(options.tools));
        }
        for (std::size_t i = 0; i < messages.size(); ++i) out.push_back(written(message_json(messages, i)));
        return out;
    }

    [[nodiscard]] std::optional<std::uint32_t> step(std::optional<std::uint32_t> from, const std::string& text) const {
        const std::optional<std::uint32_t> part = from ? tree_.find_part(text) : std::nullopt;
        return part ? tree_.find_node(*from, *part) : std::nullopt;
    }
    /// Returns the node of a request; nothing if there is none. Messages that the last request began with too are not
    /// looked up again.
    [[nodiscard]] std::optional<std::uint32_t> find(std::span<const ChatMessage> messages, const ChatOptions& options) {
        std::optional<std::uint32_t> at = step(step(0, text_of(options)), text_of(options.tools));
        if (!at) return std::nullopt;
        std::size_t i = 0;
        if (at == last_start_)
            while (i < std::min(messages.size(), last_.size()) && last_[i].print == Fingerprint(messages[i])) ++i;
        last_start_ = *at;
        last_.resize(i);
        if (i != 0) at = last_.back().node;
        for (; i < messages.size(); ++i) {
            at = step(at, written(message_json(messages, i)));
            if (!at) return std::nullopt;
            last_.push_back({Fingerprint(messages[i]), *at});
        }
        return at;
    }
    [[nodiscard]] std::optional<Answer> take(std::span<const ChatMessage> messages, const ChatOptions& options) {
        std::unique_lock lock(mutex_);
        const std::optional<std::uint32_t> at = find(messages, options);
        const std::optional<Tree::StoredAnswer> stored = at ? tree_.take(*at) : std::nullopt;
        if (!stored) return std::nullopt;
        const std::string line = line_at(stored->at);
        lock.unlock();
        if (std::hash<std::string_view>()(line) != stored->hash)
            throw RecordingError(called() + " was changed while it was replayed");
        return answer_of(parse<AnswerLine>(line, {.max_depth = deepest}).answer);
    }

    ChatCompletion ask_and_keep(std::span<const ChatMessage> messages, const ChatOptions& options) {
        Answer answer;
        ChatOptions own = options;
        if (options.on_text || options.on_event) {
            own.on_text = {};
            own.restart = options.restart && options.on_event;  // as where there is `on_text` alone
            own.on_event = [&](const ChatDelta& delta) {
                answer.deltas.push_back(delta);
                const auto* const words = std::get_if<TextDelta>(&delta);
                if (options.on_text && words != nullptr) options.on_text(words->text);
                if (options.on_event) options.on_event(delta);
            };
        }
        ChatCompletion completion = model_(messages, own);
        answer.completion = completion;
        if (options_.redactor) {
            Json value = to_json_value(completion);
            redact(value, options_.redactor);
            answer.completion = validate<ChatCompletion>(value);
            if (answer.completion != completion) answer.deltas.clear();  // a secret may be in two parts of it
        }
        keep(request_of(messages, options), std::move(answer));
        return completion;
    }

    void keep(const std::vector<std::string>& request, const Answer& answer) {
        const std::lock_guard lock(mutex_);
        std::uint32_t at = 0;
        for (const std::string& text : request) {
            std::optional<std::uint32_t> part = tree_.find_part(text);
            if (!part) {
                part = tree_.add_part(text, size_);
                write(base::concat({R"({"part":)", text, "}"}));
            }
            std::optional<std::uint32_t> node = tree_.find_node(at, *part);
            if (!node) {
                node = tree_.add_node(at, *part);
                write(dump(Json{{"node", Json::array({at, *part})}}));
            }
            at = *node;
        }
        const std::string text = json_of(answer);
        const std::string line = base::concat({R"({"to":)", std::to_string(at), R"(,"key":")",
                                               key_of(tree_.node(at).key, text), R"(","answer":)", text, "}"});
        write(line);
        tree_.add_answer(at, size_ - 1 - line.size(), line);
        check_written();
    }
    [[nodiscard]] static std::string key_of(const Digest& request, const std::string& answer) {
        return base::base64(base::sha256(base::concat({view_of(request), answer})));
    }

    void write(std::string_view line) {
        out_ << line << '\n';
        size_ += line.size() + 1;
    }
    void check_written() {
        out_.flush();
        if (!out_) throw FileError("Cannot write '" + file_.string() + "'");
    }

    // Reading. A line has a few levels around what a request or an answer has.

    static constexpr std::size_t deepest = ParseOptions().max_depth + 16;

    void load() {
        open_to_read();
        std::size_t number = 0;
        for (std::string text; std::getline(in_, text); size_ += text.size() + 1) {
            ++number;
            const auto fail = [&](const std::string& what) {
                throw RecordingError(base::concat({called(), ", line ", std::to_string(number), ": ", what}));
            };
            if (in_.eof()) fail("the line is cut off");
            try {
                const Json line = parse<Json>(text, {.max_depth = deepest});
                const std::string wrong = number == 1 ? fault_of_first(line) : take_line(line, text);
                if (!wrong.empty()) fail(wrong);
            } catch (const ValidationError& error) {
                fail(error.issues().front().message);
            }
        }
        if (in_.bad()) throw FileError("Cannot read '" + file_.string() + "'");
        if (number == 0) throw RecordingError(called() + " is empty");
        if (options_.mode == RecordingMode::replay) tree_.shrink();
    }
    [[nodiscard]] static std::string fault_of_first(const Json& line) {
        const Json* const found = base::find_key(line, "acta_recording");
        if (found == nullptr) return "this is not a recording";
        return *found == Json(version) ? "" : "the version is " + dump(*found) + ", not " + std::to_string(version);
    }
    /// Returns what is wrong with a line.
    [[nodiscard]] std::string take_line(const Json& line, std::string_view text) {
        const auto index = [&line](std::size_t i, std::size_t limit) -> std::optional<std::uint32_t> {
            const Json& node = line.at("node");
            if (!node.is_array() || node.size() != 2 || !node[i].is_number_unsigned()) return std::nullopt;
            const auto value = node[i].get<std::uint64_t>();
            if (value >= limit) return std::nullopt;
            return static_cast<std::uint32_t>(value);
        };
        if (const Json* const part = base::find_key(line, "part")) {
            tree_.add_part(dump(*part), size_);
            return "";
        }
        if (line.is_object() && line.contains("node")) {
            const std::optional<std::uint32_t> parent = index(0, tree_.nodes());
            const std::optional<std::uint32_t> part = index(1, tree_.parts());
            if (!parent || !part || tree_.find_node(*parent, *part)) return "the node is not valid";
            tree_.add_node(*parent, *part);
            return "";
        }
        const Json* const to = base::find_key(line, "to");
        if (to == nullptr || !to->is_number_unsigned() || to->get<std::uint64_t>() >= tree_.nodes())
            return "the line is neither a part, nor a node, nor an answer";
        const auto node = static_cast<std::uint32_t>(to->get<std::uint64_t>());
        const Json* const answer = base::find_key(line, "answer");
        if (answer == nullptr || base::text_member(line, "key") != key_of(tree_.node(node).key, dump(*answer)))
            return "the answer, or what its request has, was changed: its key does not fit";
        if (!answer->is_object() || !answer->contains("completion")) return "the answer has no completion";
        static_cast<void>(answer_of(validate<AnswerDocument>(*answer)));
        tree_.add_answer(node, size_, text);
        return "";
    }
    void open_to_read() {
        in_.open(file_, std::ios::binary);
        if (!in_) throw FileError("Cannot read '" + file_.string() + "'");
    }
    /// Returns a line of the file; nothing if it is not there.
    [[nodiscard]] std::string line_at(std::uint64_t place) {
        std::string out;
        in_.clear();
        in_.seekg(static_cast<std::streamoff>(place));
        std::getline(in_, out);
        return out;
    }

    /// Returns how a request differs from the nearest one of the recording.
    [[nodiscard]] std::string difference(const std::vector<std::string>& request) {
        const std::lock_guard lock(mutex_);
        std::uint32_t at = 0;
        std::size_t i = 0;
        for (; i < request.size(); ++i) {
            const std::optional<std::uint32_t> node = step(at, request[i]);
            if (!node) break;
            at = *node;
        }
        const std::string where = i == 0 ? "/options" : i == 1 ? "/tools" : "/messages/" + std::to_string(i - 2);
        std::string out = called() + " has no answer to this request";
        const std::optional<Json> asked =
            i < request.size() ? std::optional(parse<Json>(request[i], {.max_depth = deepest})) : std::nullopt;
        std::vector<std::string> lines;
        std::uint32_t child = tree_.node(at).child;
        if (child == none) lines.push_back(where + ": nothing is recorded from here on");
        for (; child != none; child = tree_.node(child).sibling) {
            const std::optional<Json> recorded = text_of(tree_.part(tree_.node(child).part));
            if (!recorded) continue;  // another process has changed the file
            testing_detail::ValueDifferences own(most_lines);
            own.add(&*recorded, asked ? &*asked : nullptr, where);
            if (!lines.empty() && own.all().size() > lines.size()) continue;
            lines.clear();
            for (const testing_detail::ValueDifference& one : own.all())
                lines.push_back(base::concat({one.path, ": recorded ", testing_detail::excerpt(one.expected),
                                              ", asked ", testing_detail::excerpt(one.found)}));
        }
        for (const std::string& line : lines) out += "\n" + line;
        return out;
    }
    /// Reads a part again.
    [[nodiscard]] std::optional<Json> text_of(const Tree::Part& part) {
        try {
            const Json line = parse<Json>(line_at(part.at), {.max_depth = deepest});
            const Json* const found = base::find_key(line, "part");
            if (found != nullptr && digest_of(dump(*found)) == part.digest) return *found;
        } catch (const ValidationError&) {
        }
        return std::nullopt;
    }

    const AnyChatModel model_;
    const std::filesystem::path file_;
    const RecordingOptions options_;
    mutable std::mutex mutex_{};
    std::ifstream in_{};
    std::ofstream out_{};
    std::uint64_t size_ = 0;  // of the file
    Tree tree_{};
    ToolList tools_{};  // of the last request
    std::string tools_text_{};
    struct FoundMessage {
        Fingerprint print{};
        std::uint32_t node = 0;
    };
    // The last request that was looked up, as far as it was found; `last_start_` is the node of its options and tools.
    std::uint32_t last_start_ = 0;
    std::vector<FoundMessage> last_{};
};

}  // namespace acta::inline ACTA_ABI::recording_detail

namespace acta::inline ACTA_ABI::testing {

ACTA_INLINE RecordedChatModel::RecordedChatModel(const std::filesystem::path& file, RecordingOptions options)
    : RecordedChatModel(AnyChatModel(), file, std::move(options)) {}
ACTA_INLINE RecordedChatModel::RecordedChatModel(AnyChatModel model, const std::filesystem::path& file,
                                                 RecordingOptions options)
    : state_(std::make_shared<recording_detail::State>(std::move(model), file, std::move(options))) {}
ACTA_INLINE ChatCompletion RecordedChatModel::operator()(std::span<const ChatMessage> messages,
                                                         const ChatOptions& options) const {
    return state_->ask(messages, options);
}
ACTA_INLINE std::size_t RecordedChatModel::size() const { return state_->size(); }
ACTA_INLINE std::size_t RecordedChatModel::unused() const { return state_->unused(); }

}  // namespace acta::inline ACTA_ABI::testing
