// SPDX-License-Identifier: MIT
#pragma once

#include "acta/json/dump.hpp"
#include "acta/store/detail/call_log.hpp"

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE std::string digest(const JsonObject& arguments) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char byte : dump(arguments)) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, hash >>= 4U) *digit = "0123456789abcdef"[hash & 15U];
    return out;
}

ACTA_INLINE void CallLog::open(std::uint64_t seq, bool with_snapshot) noexcept {
    action_ = seq;
    may_have_begun_ = with_snapshot;
    calls_.clear();
}

ACTA_INLINE std::string CallLog::key(std::string_view history, std::string_view id, std::size_t index) const {
    const auto found = calls_.find(id);
    if (found != calls_.end() && !found->second.key.empty()) return found->second.key;
    return std::string(history) + '/' + std::to_string(action_) + '/' + std::to_string(index);
}

ACTA_INLINE void CallLog::look_up(OpenCall& call) const {
    call.begun = may_have_begun_;
    const auto found = calls_.find(call.call.id);
    if (found == calls_.end()) return;
    call.begun = may_have_begun_ || !found->second.key.empty();
    call.idempotency_key = found->second.key;
    call.decision = found->second.decision;
}

ACTA_INLINE CallLog::Entry& CallLog::at(std::string_view id) {
    const auto found = calls_.find(id);
    return found != calls_.end() ? found->second : calls_.try_emplace(std::string(id)).first->second;
}

}  // namespace acta::inline ACTA_ABI::store_detail
