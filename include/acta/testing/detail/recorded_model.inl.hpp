// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
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
    bool is_used = false;
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

/// A recording in memory: a tree of parts, in which a request is the path to a node.
class Tree {
public:
    struct Node {
        std::uint32_t part = 0;
        std::string key{};                   // a digest of the path
        std::vector<std::size_t> answers{};  // by their indices
        std::vector<std::uint32_t> children{};
        std::size_t next = 0;  // the answer that is due
    };

    /// Returns the index of a part; nothing if there is none.
    [[nodiscard]] std::optional<std::uint32_t> find_part(const std::string& text) const {
        const auto found = parts_by_text_.find(text);
        if (found == parts_by_text_.end()) return std::nullopt;
        return found->second;
    }
    std::uint32_t add_part(std::string text) {
        const auto number = static_cast<std::uint32_t>(parts_.size());
        const auto [place, is_new] = parts_by_text_.emplace(std::move(text), number);
        if (is_new) parts_.push_back(&place->first);
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
        Node node{.part = part};
        node.key = base::sha256(nodes_[parent].key + *parts_[part]);
        nodes_.push_back(std::move(node));
        nodes_[parent].children.push_back(number);
        return number;
    }

    [[nodiscard]] Node& node(std::uint32_t number) { return nodes_[number]; }
    [[nodiscard]] const std::string& part(std::uint32_t number) const { return *parts_[number]; }
    [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }
    [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

private:
    [[nodiscard]] static std::uint64_t place_of(std::uint32_t parent, std::uint32_t part) noexcept {
        return std::uint64_t{parent} << 32U | part;
    }

    std::unordered_map<std::string, std::uint32_t> parts_by_text_{};
    std::vector<const std::string*> parts_{};
    std::unordered_map<std::uint64_t, std::uint32_t> nodes_by_place_{};
    std::vector<Node> nodes_{Node{}};
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
        if (is_new) write(Json{{"acta_recording", version}});
        check_written();
    }

    ChatCompletion ask(std::span<const ChatMessage> messages, const ChatOptions& options) {
        if (options_.mode != RecordingMode::record) {
            if (const std::optional<Answer> answer = take(messages, options)) {
                pass_on(*answer, options);
                return answer->completion;
            }
            if (options_.mode == RecordingMode::replay) throw NotRecorded(difference(request_of(messages, options)));
        }
        return ask_and_keep(messages, options);
    }

    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return answers_.size();
    }
    [[nodiscard]] std::size_t unused() const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(
            std::ranges::count_if(answers_, [](const Answer& one) { return !one.is_used; }));
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
        const auto same = std::ranges::mismatch(messages, last_).in1 - messages.begin();
        const auto begin = at == last_start_ ? static_cast<std::size_t>(same) : 0;
        last_start_ = *at;
        last_.resize(begin);
        last_nodes_.resize(begin);
        if (begin != 0) at = last_nodes_.back();
        for (std::size_t i = begin; i < messages.size(); ++i) {
            at = step(at, written(message_json(messages, i)));
            if (!at) return std::nullopt;
            last_.push_back(messages[i]);
            last_nodes_.push_back(*at);
        }
        return at;
    }
    [[nodiscard]] std::optional<Answer> take(std::span<const ChatMessage> messages, const ChatOptions& options) {
        const std::lock_guard lock(mutex_);
        const std::optional<std::uint32_t> at = find(messages, options);
        if (!at || tree_.node(*at).answers.empty()) return std::nullopt;
        Tree::Node& node = tree_.node(*at);
        Answer& answer = answers_[node.answers[node.next]];
        if (node.next + 1 < node.answers.size()) ++node.next;
        answer.is_used = true;
        return answer;
    }

    ChatCompletion ask_and_keep(std::span<const ChatMessage> messages, const ChatOptions& options) {
        Answer answer;
        answer.is_used = true;
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

    void keep(const std::vector<std::string>& request, Answer answer) {
        const std::lock_guard lock(mutex_);
        std::uint32_t at = 0;
        for (const std::string& text : request) {
            std::optional<std::uint32_t> part = tree_.find_part(text);
            if (!part) {
                part = tree_.add_part(text);
                out_ << R"({"part":)" << text << "}\n";
            }
            std::optional<std::uint32_t> node = tree_.find_node(at, *part);
            if (!node) {
                node = tree_.add_node(at, *part);
                write(Json{{"node", Json::array({at, *part})}});
            }
            at = *node;
        }
        JsonArray deltas;
        for (const ChatDelta& delta : answer.deltas) deltas.push_back(delta_json(delta));
        Json written{{"completion", to_json_value(answer.completion)}};
        if (!deltas.empty()) base::put(written, "deltas", Json(std::move(deltas)));
        const std::string text = dump(written, {.invalid_utf8 = InvalidUtf8::replace});
        out_ << base::concat(
            {R"({"to":)", std::to_string(at), R"(,"key":")", key_of(at, text), R"(","answer":)", text, "}\n"});
        tree_.node(at).answers.push_back(answers_.size());
        answers_.push_back(std::move(answer));
        check_written();
    }
    [[nodiscard]] std::string key_of(std::uint32_t node, const std::string& answer) {
        return base::base64(base::sha256(tree_.node(node).key + answer));
    }

    void write(const Json& line) { out_ << dump(line) << '\n'; }
    void check_written() {
        out_.flush();
        if (!out_) throw FileError("Cannot write '" + file_.string() + "'");
    }

    // Reading. A line has a few levels around what a request or an answer has.

    static constexpr std::size_t deepest = ParseOptions().max_depth + 16;

    void load() {
        const std::string all = base::read_file(file_);
        std::string_view rest = all;
        for (std::size_t number = 1; !rest.empty(); ++number) {
            const std::size_t end = rest.find('\n');
            const auto fail = [&](const std::string& what) {
                throw RecordingError(base::concat({called(), ", line ", std::to_string(number), ": ", what}));
            };
            if (end == std::string_view::npos) fail("the line is cut off");
            try {
                const Json line = parse<Json>(rest.substr(0, end), {.max_depth = deepest});
                if (const std::string wrong = number == 1 ? fault_of_first(line) : take_line(line); !wrong.empty())
                    fail(wrong);
            } catch (const ValidationError& error) {
                fail(error.issues().front().message);
            }
            rest.remove_prefix(end + 1);
        }
        if (all.empty()) throw RecordingError(called() + " is empty");
    }
    [[nodiscard]] static std::string fault_of_first(const Json& line) {
        const Json* const found = base::find_key(line, "acta_recording");
        if (found == nullptr) return "this is not a recording";
        return *found == Json(version) ? "" : "the version is " + dump(*found) + ", not " + std::to_string(version);
    }
    /// Returns what is wrong with a line.
    [[nodiscard]] std::string take_line(const Json& line) {
        const auto index = [&line](std::size_t i, std::size_t limit) -> std::optional<std::uint32_t> {
            const Json& node = line.at("node");
            if (!node.is_array() || node.size() != 2 || !node[i].is_number_unsigned()) return std::nullopt;
            const auto value = node[i].get<std::uint64_t>();
            if (value >= limit) return std::nullopt;
            return static_cast<std::uint32_t>(value);
        };
        if (const Json* const part = base::find_key(line, "part")) {
            tree_.add_part(dump(*part));
            return "";
        }
        if (line.is_object() && line.contains("node")) {
            const std::optional<std::uint32_t> parent = index(0, tree_.nodes());
            const std::optional<std::uint32_t> part = index(1, tree_.parts());
            if (!parent || !part || tree_.find_node(*parent, *part)) return "the node is not valid";
            tree_.add_node(*parent, *part);
            return "";
        }
        return take_answer(line);
    }
    [[nodiscard]] std::string take_answer(const Json& line) {
        const Json* const to = base::find_key(line, "to");
        const Json* const answer = base::find_key(line, "answer");
        if (to == nullptr || answer == nullptr || !to->is_number_unsigned() ||
            to->get<std::uint64_t>() >= tree_.nodes())
            return "the line is neither a part, nor a node, nor an answer";
        const auto node = static_cast<std::uint32_t>(to->get<std::uint64_t>());
        if (base::text_member(line, "key") != key_of(node, dump(*answer)))
            return "the answer, or what its request has, was changed: its key does not fit";
        Answer made;
        const Json* const completion = base::find_key(*answer, "completion");
        if (completion == nullptr) return "the answer has no completion";
        made.completion = validate<ChatCompletion>(*completion);
        if (const Json* const deltas = base::find_key(*answer, "deltas"); deltas != nullptr && deltas->is_array())
            for (const Json& one : base::array_of(*deltas)) made.deltas.push_back(delta_of(one));
        tree_.node(node).answers.push_back(answers_.size());
        answers_.push_back(std::move(made));
        return "";
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
        const std::vector<std::uint32_t>& children = tree_.node(at).children;
        const std::optional<Json> asked =
            i < request.size() ? std::optional(parse<Json>(request[i], {.max_depth = deepest})) : std::nullopt;
        std::vector<std::string> lines;
        for (const std::uint32_t child : children) {
            const Json recorded = parse<Json>(tree_.part(tree_.node(child).part), {.max_depth = deepest});
            testing_detail::ValueDifferences own(most_lines);
            own.add(&recorded, asked ? &*asked : nullptr, where);
            if (!lines.empty() && own.all().size() >= lines.size()) continue;
            lines.clear();
            for (const testing_detail::ValueDifference& one : own.all())
                lines.push_back(base::concat({one.path, ": recorded ", testing_detail::excerpt(one.expected),
                                              ", asked ", testing_detail::excerpt(one.found)}));
        }
        if (children.empty()) lines.push_back(where + ": nothing is recorded from here on");
        for (const std::string& line : lines) out += "\n" + line;
        return out;
    }

    const AnyChatModel model_;
    const std::filesystem::path file_;
    const RecordingOptions options_;
    mutable std::mutex mutex_{};
    std::ofstream out_{};
    Tree tree_{};
    std::vector<Answer> answers_{};
    ToolList tools_{};  // of the last request
    std::string tools_text_{};
    // The last request that was looked up, as far as it was found, and its nodes; `last_start_` is that of its options
    // and tools.
    std::uint32_t last_start_ = 0;
    std::vector<ChatMessage> last_{};
    std::vector<std::uint32_t> last_nodes_{};
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
