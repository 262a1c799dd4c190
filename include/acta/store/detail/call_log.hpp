// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/history/open_call.hpp"

namespace acta::inline ACTA_ABI::store_detail {

/// What the records say of the calls of the open step, and the history does not.
class CallLog {
public:
    /// The record of this number opened a step. One that came with a snapshot may have begun its calls before.
    void open(std::uint64_t seq, bool with_snapshot = false) noexcept;
    /// Makes room for what is said of a call, so that saying it needs no memory.
    void reserve(std::string_view id) { static_cast<void>(calls_.try_emplace(std::string(id))); }
    /// A call began with this key.
    void begin(std::string_view id, std::string key) { at(id).key = std::move(key); }
    void decide(std::string_view id, std::optional<CallDecision> decision) { at(id).decision = std::move(decision); }

    /// Returns the key of a call: that with which it began, or a new one.
    [[nodiscard]] std::string key(std::string_view history, std::string_view id, std::size_t index) const;
    void look_up(OpenCall& call) const;

private:
    struct Entry {
        std::string key{};  // empty if it has not begun
        std::optional<CallDecision> decision{};
    };

    [[nodiscard]] Entry& at(std::string_view id);

    std::uint64_t action_ = 0;
    bool may_have_begun_ = false;
    std::map<std::string, Entry, std::less<>> calls_{};
};

/// A digest of a call's arguments, by which a decision is bound to them: FNV-1a, 64 bits, in hexadecimal digits. It
/// tells arguments apart that were changed, not those that somebody made to be taken for others.
[[nodiscard]] std::string digest(const JsonObject& arguments);

}  // namespace acta::inline ACTA_ABI::store_detail

#ifndef ACTA_COMPILED
#include "acta/store/detail/call_log.inl.hpp"
#endif
