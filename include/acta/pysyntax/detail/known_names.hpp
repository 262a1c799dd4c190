// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/pysyntax/detail/call_finder.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// A known name in a text.
struct KnownName {
    std::size_t begin = 0;    // a namespace of tools included
    std::string_view name{};  // empty if there is none
    std::size_t scanned = 0;  // bytes that were searched for it
};

/// The names that may be called.
class KnownNames {
public:
    explicit KnownNames(std::vector<std::string> names) : names_(std::move(names)) {
        std::sort(names_.begin(), names_.end());
        for (const std::string& name : names_) {
            if (has_length_.size() <= name.size()) has_length_.resize(name.size() + 1);
            has_length_[name.size()] = true;
        }
    }

    /// Returns the longest known name that ends at `end` and is not a part of a longer one. Never looks past a
    /// parenthesis, nor further than the longest name.
    [[nodiscard]] KnownName before(std::string_view text, std::size_t end) const {
        KnownName found;
        for (std::size_t begin = end; begin != 0 && end - begin + 1 < has_length_.size();) {
            --begin;
            ++found.scanned;
            if (text[begin] == '(') break;
            if (!has_length_[end - begin]) continue;
            const std::string_view name = text.substr(begin, end - begin);
            if (!std::binary_search(names_.begin(), names_.end(), name, std::less<>())) continue;
            const std::size_t start = call_begin(text, begin, name);
            if (start != std::string_view::npos) found = {start, name, found.scanned};
        }
        return found;
    }

private:
    std::vector<std::string> names_;
    std::vector<bool> has_length_{};  // whether any name has that many bytes
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
