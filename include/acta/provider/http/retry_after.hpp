// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "acta/provider/http/detail/curl.hpp"

namespace acta::inline ACTA_ABI::http {

/// Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date in any of its three forms. A date is
/// measured from `date`, the response's own `Date` header, as our clock may be wrong; without one, from `now`. A date
/// in the past results in 0, more than ten years in ten years, and anything else in nothing.
[[nodiscard]] inline std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value,
                                                                                std::string_view date,
                                                                                std::time_t now) {
    using std::chrono::seconds;
    constexpr std::int64_t longest = std::int64_t{10} * 365 * 24 * 3600;
    if (value.empty()) return std::nullopt;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (value.find_first_not_of("0123456789") == std::string_view::npos)
        return seconds(error == std::errc() && count < longest ? count : longest);
    const std::time_t wanted = curl_getdate(std::string(value).c_str(), nullptr);
    if (wanted < 0) return std::nullopt;
    const std::time_t sent = date.empty() ? std::time_t{-1} : curl_getdate(std::string(date).c_str(), nullptr);
    count = static_cast<std::int64_t>(wanted) - static_cast<std::int64_t>(sent < 0 ? now : sent);
    return seconds(count < 0 ? 0 : count < longest ? count : longest);
}

}  // namespace acta::inline ACTA_ABI::http
