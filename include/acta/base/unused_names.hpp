// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "acta/base/unicode.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Makes names that are not in use yet, of at most `longest` bytes: of `name` the first free one of `name`, `name_2`,
/// `name_3` and so on. No name may become free again. It remembers the numbers that it has tried, since many names may
/// begin with the same `longest` bytes.
class UnusedNames {
public:
    /// `longest` must be more than 22, the longest number with its mark.
    explicit UnusedNames(std::size_t longest) : longest_(longest) {}

    /// Returns a name for which `is_used` returns false. In all calls together, it is called once for each name that is
    /// made or in use, and once more for each call.
    template <class IsUsed>
    [[nodiscard]] std::string make(const std::string& name, const IsUsed& is_used) {
        if (!is_used(name)) return name;
        std::size_t first = 2;
        std::size_t end = 10;
        for (std::size_t digits = 1;; ++digits, first = end, end *= 10) {
            const std::string begin = std::string(utf8::prefix(name, longest_ - 1 - digits)) + "_";
            std::size_t& next = next_.try_emplace({begin, digits}, first).first->second;
            while (next < end) {
                std::string out = begin + std::to_string(next++);
                if (!is_used(out)) return out;
            }
        }
    }

private:
    std::size_t longest_;
    std::map<std::pair<std::string, std::size_t>, std::size_t> next_{};  // number, by what is before it and its digits
};

}  // namespace acta::inline ACTA_ABI::base
