// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/base/error.hpp"
#include "acta/json/detail/decode.hpp"
#include "acta/json/detail/decode.inl.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/timestamp.hpp"

// The text of timestamps by pydantic 2's rules (speedate's), which report the first thing that is wrong.
namespace acta::inline ACTA_ABI {

namespace json_detail {

/// A timestamp, or why the text is not one.
struct TimestampReading {
    Timestamp value{};
    std::string_view type{};  // pydantic's; empty if the timestamp is valid
    std::string_view reason{};

    [[nodiscard]] std::string message() const {
        std::string out = "Input should be a valid datetime";
        if (type == "datetime_from_date_parsing") out += " or date";
        if (!reason.empty()) {
            out += ", ";
            out += reason;
        }
        return out;
    }
};

inline constexpr std::string_view after_9999 = "dates after 9999 are not supported as unix timestamps";
inline constexpr std::string_view before_0000 = "dates before 0000 are not supported as unix timestamps";

/// Midnight of the first of January.
constexpr std::chrono::local_time<std::chrono::microseconds> start_of(int year) {
    return std::chrono::local_days(std::chrono::year(year) / std::chrono::January / 1);
}

/// Refuses the year 0, which the grammar allows and the calendar lacks.
inline TimestampReading with_year(const Timestamp& value) {
    if (value.local < start_of(1)) return {{}, "datetime_parsing", "year 0 is out of range"};
    return {value, {}, {}};
}

/// Reads `YYYY-MM-DD`, and a time after it. Each step returns false if something is wrong.
class TimestampScanner {
public:
    explicit TimestampScanner(std::string_view text) : text_(text) {}

    [[nodiscard]] bool date() {
        int year = 0;
        int month = 0;
        int day = 0;
        if (text_.size() < 10) return fail("input is too short");
        const bool readable = digits(4, year, "invalid character in year") && dash() &&
                              digits(2, month, "invalid character in month") && dash() &&
                              digits(2, day, "invalid character in day");
        if (!readable) return false;
        if (month < 1 || month > 12) return fail("month value is outside expected range of 1-12");
        const std::chrono::year_month_day ymd{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                              std::chrono::day(static_cast<unsigned>(day))};
        if (!ymd.ok()) return fail("day value is outside expected range");
        value_.local = std::chrono::local_days(ymd);
        return true;
    }
    [[nodiscard]] bool time() {
        if (!at_any("Tt _")) return fail("invalid datetime separator, expected `T`, `t`, `_` or space");
        ++at_;
        return clock() && (at_ == text_.size() || zone()) && end();
    }
    [[nodiscard]] bool end() {
        return at_ == text_.size() || fail("unexpected extra characters at the end of the input");
    }

    [[nodiscard]] const Timestamp& value() const noexcept { return value_; }
    [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

private:
    bool fail(std::string_view reason) {
        reason_ = reason;
        return false;
    }
    [[nodiscard]] bool at_any(std::string_view set) const {
        return at_ < text_.size() && set.find(text_[at_]) != std::string_view::npos;
    }
    [[nodiscard]] bool at_digit() const { return at_any("0123456789"); }
    bool digits(int count, int& out, std::string_view reason) {
        for (; count > 0; --count, ++at_) {
            if (!at_digit()) return fail(reason);
            out = out * 10 + (text_[at_] - '0');
        }
        return true;
    }
    bool dash() {
        if (!at_any("-")) return fail("invalid date separator, expected `-`");
        ++at_;
        return true;
    }
    bool clock() {
        int hour = 0;
        int minute = 0;
        int second = 0;
        if (text_.size() - at_ < 5) return fail("input is too short");
        if (!digits(2, hour, "invalid character in hour")) return false;
        if (!at_any(":")) return fail("invalid time separator, expected `:`");
        ++at_;
        if (!digits(2, minute, "invalid character in minute")) return false;
        if (hour > 23) return fail("hour value is outside expected range of 0-23");
        if (minute > 59) return fail("minute value is outside expected range of 0-59");
        if (at_any(":")) {
            ++at_;
            if (!digits(2, second, "invalid character in second")) return false;
            if (second > 59) return fail("second value is outside expected range of 0-59");
            if (at_any(".,") && !fraction()) return false;
        }
        value_.local += std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
        return true;
    }
    bool fraction() {
        ++at_;
        if (!at_digit()) return fail("second fraction digits missing after `.`");
        int unit = 100'000;
        for (; at_digit(); ++at_, unit /= 10) value_.local += std::chrono::microseconds(unit * (text_[at_] - '0'));
        return true;
    }
    bool zone() {
        constexpr std::string_view minus = "\xE2\x88\x92";  // U+2212, which ISO 8601 also has
        if (at_any("Zz")) {
            ++at_;
            value_.offset = std::chrono::minutes(0);
            return true;
        }
        const bool wide = text_.substr(at_).starts_with(minus);
        if (!wide && !at_any("+-")) return fail("invalid timezone sign");
        const bool west = text_[at_] != '+';
        at_ += wide ? minus.size() : 1;
        int hour = 0;
        int minute = 0;
        if (!digits(2, hour, "invalid timezone hour")) return false;
        if (at_any(":")) ++at_;
        if (!digits(2, minute, "invalid timezone minute")) return false;
        if (minute > 59) return fail("timezone minute value is outside expected range of 0-59");
        if (hour > 23) return fail("timezone offset must be less than 24 hours");
        const std::chrono::minutes offset = std::chrono::hours(hour) + std::chrono::minutes(minute);
        value_.offset = west ? -offset : offset;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Timestamp value_{};
    std::string_view reason_{};
};

/// Returns the timestamp `value` seconds after 1970 or, beyond 2e10, milliseconds. One rule for numbers and text, even
/// where pydantic's two differ: a fraction counts forward from the whole number below it, and milliseconds stay
/// milliseconds.
inline TimestampReading timestamp_from_unix(double value) {
    constexpr double watershed = 2e10;
    constexpr double limit = 1e15;  // in milliseconds: beyond every valid year, and exact
    if (std::isnan(value)) return {{}, "datetime_parsing", "NaN values not permitted"};
    if (value > limit) return {{}, "datetime_parsing", after_9999};
    if (value < -limit) return {{}, "datetime_parsing", before_0000};
    const double unit = std::fabs(value) > watershed ? 1e3 : 1e6;
    const double whole = std::floor(value);
    const auto microseconds = static_cast<std::int64_t>(whole) * static_cast<std::int64_t>(unit) +
                              static_cast<std::int64_t>(std::round((value - whole) * unit));
    const Timestamp out =
        Timestamp::utc(std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(microseconds)));
    if (out.local >= start_of(10000)) return {{}, "datetime_parsing", after_9999};
    if (out.local < start_of(0)) return {{}, "datetime_parsing", before_0000};
    return with_year(out);
}

/// Reads a number in a text: an integer of 64 bits, or with a point, and then with an exponent if need be.
inline std::optional<double> unix_number(std::string_view text, bool& whole) {
    whole = text.find('.') == std::string_view::npos;
    double real = 0;
    if (!whole) {
        if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos || !text_to_float(text, real))
            return std::nullopt;
        return real;
    }
    std::int64_t integer = 0;
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    real = static_cast<double>(integer);
    return negative ? -real : real;
}

/// Strict mode accepts a date with a time and, like pydantic's, a number in a string, but not a date alone.
inline TimestampReading timestamp_from_text(std::string_view text, bool strict) {
    TimestampScanner full(text);
    if (full.date() && full.time()) return with_year(full.value());
    bool whole = false;
    if (const std::optional<double> number = unix_number(text, whole)) {
        TimestampReading out = timestamp_from_unix(*number);
        if (out.reason == after_9999 || out.reason == before_0000) {
            if (!strict) out.type = "datetime_from_date_parsing";
            if (whole) return out;
        } else {
            return out;
        }
    }
    if (strict) return {{}, "datetime_parsing", full.reason()};
    TimestampScanner day(text);
    if (day.date() && day.end()) return with_year(day.value());
    return {{}, "datetime_from_date_parsing", day.reason()};
}

inline TimestampReading timestamp_from_number(const Number& number, bool negative) {
    constexpr std::int64_t big =
        1'000'000'000'000'000'000;  // from 19 digits on pydantic no longer has a 64-bit integer
    switch (number.kind) {
        case Number::Kind::integer:
            if (number.integer > -big && number.integer < big)
                return timestamp_from_unix(static_cast<double>(number.integer));
            break;
        case Number::Kind::real: return timestamp_from_unix(number.real);
        case Number::Kind::real_too_large: return {{}, "datetime_parsing", negative ? before_0000 : after_9999};
        case Number::Kind::unsigned_integer:
        case Number::Kind::integer_too_large: break;
    }
    return {{}, "datetime_type", {}};
}

/// Writes at least `width` digits.
inline void append_padded(std::string& out, std::int64_t value, std::size_t width) {
    std::array<char, 24> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value < 0 ? -value : value);
    const auto size = static_cast<std::size_t>(result.ptr - buffer.data());
    if (value < 0) out += '-';
    if (size < width) out.append(width - size, '0');
    out.append(buffer.data(), size);
}

}  // namespace json_detail

ACTA_INLINE std::string to_string(const Timestamp& timestamp) {
    // By cycles of 400 years, because the calendar of std::chrono ends at the year 32767.
    constexpr std::int64_t cycle = std::int64_t{146'097} * 86'400 * 1'000'000;
    const std::int64_t since_1970 = timestamp.local.time_since_epoch().count();
    const std::int64_t cycles = since_1970 / cycle - (since_1970 % cycle < 0 ? 1 : 0);
    const std::chrono::microseconds rest(since_1970 % cycle + (since_1970 % cycle < 0 ? cycle : 0));
    const auto day = std::chrono::floor<std::chrono::days>(rest);
    const std::chrono::year_month_day date{std::chrono::local_days(day)};
    const std::chrono::hh_mm_ss time(rest - day);
    std::string out;
    const auto part = [&out](auto value, std::size_t width, std::string_view before = {}) {
        out += before;
        json_detail::append_padded(out, static_cast<std::int64_t>(value), width);
    };
    part(cycles * 400 + static_cast<int>(date.year()), 4);
    part(static_cast<unsigned>(date.month()), 2, "-");
    part(static_cast<unsigned>(date.day()), 2, "-");
    part(time.hours().count(), 2, "T");
    part(time.minutes().count(), 2, ":");
    part(time.seconds().count(), 2, ":");
    if (time.subseconds().count() != 0) part(time.subseconds().count(), 6, ".");
    if (!timestamp.offset) return out;
    const std::int64_t offset = timestamp.offset->count();
    if (offset == 0) return out + 'Z';
    part(offset < 0 ? -(offset / 60) : offset / 60, 2, offset < 0 ? "-" : "+");
    part(offset < 0 ? -(offset % 60) : offset % 60, 2, ":");
    return out;
}

ACTA_INLINE std::optional<Timestamp> parse_timestamp(std::string_view text, Strictness strictness) {
    const json_detail::TimestampReading reading =
        json_detail::timestamp_from_text(text, strictness == Strictness::strict);
    if (!reading.type.empty()) return std::nullopt;
    return reading.value;
}

ACTA_INLINE void Describe<Timestamp>::decode(json_detail::Decoder& d, Timestamp& out) {
    const json_detail::Token token = d.in.peek();
    const void* const at = d.in.where();
    json_detail::TimestampReading reading;
    if (token == json_detail::Token::string) {
        reading = json_detail::timestamp_from_text(d.in.read_text(), d.strict());
    } else if (token == json_detail::Token::number && !d.strict()) {
        const json_detail::Number number = d.in.read_number();
        const bool huge = number.kind == json_detail::Number::Kind::real_too_large;
        reading = json_detail::timestamp_from_number(number, huge && d.in.excerpt(at).starts_with('-'));
    } else {
        d.refuse("datetime_type", "Input should be a valid datetime");
        return;
    }
    if (reading.type.empty())
        out = reading.value;
    else
        d.issue(reading.type, reading.message(), at);
}

ACTA_INLINE void Describe<Timestamp>::encode(json_detail::Encoder& e, const Timestamp& value) {
    constexpr std::chrono::hours day(24);
    const std::chrono::minutes offset = value.offset.value_or(std::chrono::minutes(0));
    const bool good_year = value.local >= json_detail::start_of(1) && value.local < json_detail::start_of(10000);
    const bool good_offset = std::chrono::abs(offset) < day;
    if (!good_year || !good_offset) {
        Issue place;
        place.loc = json_detail::to_loc(e.path);
        const std::string pointer = place.pointer();
        throw EncodeError("Timestamp at '" + pointer + "' has " +
                              (good_year ? "an offset of a day or more" : "a year that is not in 1 to 9999") +
                              " and cannot be written as JSON",
                          pointer);
    }
    e.out.text(to_string(value));
}

ACTA_INLINE Json Describe<Timestamp>::schema() {
    Json out(Json::value_t::object);
    base::put(out, "format", base::text_json("date-time"));
    base::put(out, "type", base::text_json("string"));
    return out;
}

}  // namespace acta::inline ACTA_ABI
