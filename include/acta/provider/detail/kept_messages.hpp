// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/messages_writer.hpp"
#include "acta/provider/detail/wire.hpp"

// The messages of a request, which are written after those that a request before has in common with it.
namespace acta::inline ACTA_ABI::provider_detail {

/// What was written of the first messages of a run's requests.
struct KeptMessages : chat_extension::KeptState {
    explicit KeptMessages(std::shared_ptr<const RequestTools> of) : tools(std::move(of)) {}

    std::shared_ptr<const RequestTools> tools;  ///< Each codec has others: they identify it, too.
    std::string text = "[";                     ///< The array, without its end.

    /// Adds the elements of an array to it, if there are any.
    void add(std::string_view array) {
        if (array.size() == 2) return;
        if (text.size() > 1) text += ',';
        text.append(array, 1, array.size() - 2);
    }
};

/// Returns an array, as JSON, whose elements a function writes; `key` is its place in errors.
template <class Write>
[[nodiscard]] std::string array_text(std::string_view key, const Write& write) {
    const Written whole{[&](codec::Encoder& e) {
        const codec::Encoder::Step in(e, key);
        e.out.begin_array();
        write(e);
        e.out.end_array();
    }};
    std::string out;
    dump_to(whole, [&out](std::string_view piece) { out += piece; });
    return out;
}

/// Takes what was written of the first messages with these tools, if it can be used, else nothing written. Sets `first`
/// to the number of these messages. If writing the others fails, it is lost.
template <class Kept>
[[nodiscard]] std::shared_ptr<Kept> take_kept(chat_extension::KeptRequest::Written& written,
                                              std::span<const ChatMessage> messages,
                                              const std::shared_ptr<const RequestTools>& tools, std::size_t& first) {
    const auto state = std::static_pointer_cast<KeptMessages>(std::exchange(written.state, nullptr));
    first = std::exchange(written.count, 0);
    const bool begins_step = first == messages.size() || messages[first].role != ChatRole::tool;
    if (state != nullptr && state->tools == tools && (begins_step || Kept::takes_results_alone))
        return std::static_pointer_cast<Kept>(state);
    first = 0;
    return std::make_shared<Kept>(tools);
}

struct KeptArray : KeptMessages {
    using KeptMessages::KeptMessages;
    static constexpr bool takes_results_alone = false;  // the results of a step are written with its calls

    std::unique_ptr<MessagesWriter> writer{};
};

using NewMessagesWriter = std::function<std::unique_ptr<MessagesWriter>(const ToolNames*)>;

/// Writes the messages of a request as the array that is its member `key`.
inline void write_messages(codec::Encoder& e, std::string_view key, std::span<const ChatMessage> messages,
                           const ChatOptions& options, const std::shared_ptr<const RequestTools>& tools,
                           const NewMessagesWriter& new_writer) {
    const auto write_rest = [&](chat_extension::KeptRequest::Written& written) {
        std::size_t first = 0;
        const auto kept = take_kept<KeptArray>(written, messages, tools, first);
        if (kept->writer == nullptr) kept->writer = new_writer(&tools->names);
        bool is_settled = false;
        kept->add(array_text(key, [&](codec::Encoder& part) {
            kept->writer->write(part, messages.subspan(first));
            is_settled = kept->writer->is_settled();
            if (!is_settled) kept->writer->end(part);
        }));
        kept->text += ']';
        e.out.raw(kept->text);
        if (!is_settled) return;
        kept->text.pop_back();
        written = {kept, messages.size()};
    };
    if (options.kept != nullptr && options.kept->use(messages.data(), messages.size(), write_rest)) return;
    const auto writer = new_writer(&tools->names);
    e.out.begin_array();
    writer->write(e, messages);
    writer->end(e);
    e.out.end_array();
}

}  // namespace acta::inline ACTA_ABI::provider_detail
