// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

namespace json_detail {
class Decoder;
class Encoder;
}  // namespace json_detail

struct Timestamp;

/// Returns the timestamp as pydantic prints it: `2024-02-29T23:59:58.250000+05:30`, with a fraction only if there is
/// one. Years that JSON cannot hold (before 1, after 9999) are also printed, with a sign or as many digits as they
/// need.
[[nodiscard]] std::string to_string(const Timestamp& timestamp);

/// A date and time as written: the local time, and its offset from UTC if the text has one (docs/reference/json.md,
/// "Timestamps").
///
/// `==` compares the members, so 12:00Z and 13:00+01:00 differ; compare `instant()` for the moment in time.
///
/// @code{.cpp}
/// #include <iostream>
/// const auto noon = acta::parse_timestamp("2024-02-29T12:00:00Z").value();
/// const auto one = acta::parse_timestamp("2024-02-29T13:00:00+01:00").value();
/// std::cout << (noon == one) << (noon.instant() == one.instant()) << "\n";  // 01
/// std::cout << noon + std::chrono::hours(24) << "\n";                       // 2024-03-01T12:00:00Z
/// @endcode
struct Timestamp {
    std::chrono::local_time<std::chrono::microseconds> local{};  ///< The local time; by default 1970-01-01T00:00:00.
    std::optional<std::chrono::minutes> offset{};  ///< Ahead of UTC. Empty: naive, of no known zone. 0: printed as `Z`.

    /// Returns the moment in time; empty if the timestamp is naive.
    [[nodiscard]] constexpr std::optional<std::chrono::sys_time<std::chrono::microseconds>> instant() const {
        if (!offset) return std::nullopt;
        return std::chrono::sys_time<std::chrono::microseconds>(local.time_since_epoch() - *offset);
    }

    /// Returns `instant` as a timestamp with offset 0.
    [[nodiscard]] static constexpr Timestamp utc(std::chrono::sys_time<std::chrono::microseconds> instant) {
        return {std::chrono::local_time<std::chrono::microseconds>(instant.time_since_epoch()),
                std::chrono::minutes(0)};
    }
    /// Returns the system clock's time in UTC.
    [[nodiscard]] static Timestamp now() {
        return utc(std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()));
    }

    /// Moves the local time forward; the offset does not change.
    constexpr Timestamp& operator+=(std::chrono::microseconds duration) {
        local += duration;
        return *this;
    }
    /// Moves the local time back; the offset does not change.
    constexpr Timestamp& operator-=(std::chrono::microseconds duration) {
        local -= duration;
        return *this;
    }
    /// Returns the timestamp that is later by `duration`, with the same offset.
    friend constexpr Timestamp operator+(Timestamp timestamp, std::chrono::microseconds duration) {
        return timestamp += duration;
    }
    /// Returns the timestamp that is later by `duration`, with the same offset.
    friend constexpr Timestamp operator+(std::chrono::microseconds duration, Timestamp timestamp) {
        return timestamp += duration;
    }
    /// Returns the timestamp that is earlier by `duration`, with the same offset.
    friend constexpr Timestamp operator-(Timestamp timestamp, std::chrono::microseconds duration) {
        return timestamp -= duration;
    }
    friend constexpr bool operator==(const Timestamp&, const Timestamp&) = default;
    /// Prints `to_string(timestamp)`.
    friend std::ostream& operator<<(std::ostream& out, const Timestamp& timestamp) {
        return out << to_string(timestamp);
    }
};

/// Reads the text of a timestamp by the rules of `parse`: a date and time, a date, or (in lax mode) a number of seconds
/// since 1970, which beyond 2e10 counts milliseconds. Empty if the text is not a timestamp.
[[nodiscard]] std::optional<Timestamp> parse_timestamp(std::string_view text, Strictness strictness = Strictness::lax);

template <>
struct Describe<Timestamp> {
    static constexpr bool custom_codec = true;
    static void decode(json_detail::Decoder& d, Timestamp& out);
    /// Throws `EncodeError` if the year is not in 1 to 9999 or the offset is not less than a day.
    static void encode(json_detail::Encoder& e, const Timestamp& value);
    static Json schema();
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/json/detail/timestamp.inl.hpp"
#endif
