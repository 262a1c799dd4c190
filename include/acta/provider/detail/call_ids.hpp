// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/utf8.hpp"

namespace acta::inline ACTA_ABI::provider_detail {

/// Ids of calls in a form that an API accepts, each the same throughout a list of messages.
class WireIds {
public:
    /// Ids have at most `longest` bytes; if `restricted`, letters, digits, `_` and `-` only.
    WireIds(std::size_t longest, bool restricted) : longest_(longest), restricted_(restricted) {}

    /// Returns `id` itself if it is legal and not in use for a different id, else a similar one. Logarithmic in the
    /// number of ids.
    [[nodiscard]] const std::string& of(const std::string& id) {
        const auto known = wire_.find(id);
        if (known != wire_.end()) return known->second;
        std::string base = legal(id);
        std::string out = base;
        for (std::size_t n = 2; !used_.insert(out).second; ++n) {
            const std::string tail = "_" + std::to_string(n);
            out = std::string(utf8::prefix(base, longest_ - tail.size())) + tail;
        }
        return wire_.emplace(id, std::move(out)).first->second;
    }

private:
    [[nodiscard]] std::string legal(std::string_view wanted) const {
        std::string id(utf8::prefix(wanted, longest_));
        if (restricted_) {
            const auto bad = [](char c) {
                return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                         c == '-');
            };
            std::replace_if(id.begin(), id.end(), bad, '_');
        }
        return id.empty() ? "call" : id;
    }

    std::size_t longest_;
    bool restricted_;
    std::map<std::string, std::string, std::less<>> wire_{};
    std::set<std::string, std::less<>> used_{};
};

}  // namespace acta::inline ACTA_ABI::provider_detail
