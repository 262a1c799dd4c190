// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "acta/version.hpp"

// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
namespace acta::inline ACTA_ABI::http {

/// Splits a stream of server-sent events, which may arrive in any parts. Linear time; memory for one event.
///
/// @code{.cpp}
/// #include <cassert>
/// acta::http::EventStreamReader events;
/// std::string data;
/// events.add("data: one\n\ndata: two\n\n", [&](std::string_view event) { data += event; });
/// assert(data == "onetwo");
/// @endcode
class EventStreamReader {
public:
    /// Calls `use(data)` for each event with data that ends in `bytes`. Lines end with LF, CR or both.
    template <class Use>
    void add(std::string_view bytes, const Use& use) {
        if (after_cr_ && !bytes.empty()) {
            if (bytes.front() == '\n') bytes.remove_prefix(1);
            after_cr_ = false;
        }
        while (!bytes.empty()) {
            const std::size_t end = bytes.find_first_of("\r\n");
            line_.append(bytes.substr(0, end));
            if (end == std::string_view::npos) return;
            const bool cr = bytes[end] == '\r';
            bytes.remove_prefix(end + 1);
            if (cr && bytes.empty()) after_cr_ = true;
            if (cr && !bytes.empty() && bytes.front() == '\n') bytes.remove_prefix(1);
            if (take_line()) use(std::string_view(std::exchange(data_, {})));
        }
    }
    /// Returns the data of an event not terminated by an empty line: some servers close the connection first.
    [[nodiscard]] std::string rest() {
        if (!line_.empty()) static_cast<void>(take_line());
        static_cast<void>(take_line());
        has_data_ = false;
        return std::exchange(data_, {});
    }

private:
    /// Returns whether the line ended an event with data.
    bool take_line() {
        std::string line = std::exchange(line_, {});
        std::string_view text = line;
        if (std::exchange(first_, false) && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        if (text.empty()) return std::exchange(has_data_, false);
        const std::size_t colon = text.find(':');
        if (text.substr(0, colon) != "data") return false;  // a comment, or a field of no use here
        std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (has_data_) data_ += '\n';
        data_ += value;
        has_data_ = true;
        return false;
    }

    std::string line_{};
    std::string data_{};
    bool has_data_ = false;
    bool after_cr_ = false;
    bool first_ = true;
};

}  // namespace acta::inline ACTA_ABI::http
