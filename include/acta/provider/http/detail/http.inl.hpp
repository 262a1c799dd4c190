// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "acta/base/unicode.hpp"
#include "acta/provider/http/http.hpp"

namespace acta::inline ACTA_ABI {

namespace http_detail {

/// Reads an IPv4 address as `inet_aton` does: one to four parts (decimal, octal after `0`, hexadecimal after `0x`), the
/// last of which fills the remaining bytes. Nothing if it is a name.
[[nodiscard]] ACTA_INLINE std::optional<std::uint32_t> read_ipv4(std::string_view text) {
    std::uint32_t out = 0;
    for (unsigned bits = 32;; bits -= 8) {
        const std::size_t dot = text.find('.');
        std::string_view part = text.substr(0, dot);
        const int base = part.starts_with("0x") ? 16 : part.starts_with('0') ? 8 : 10;
        if (base == 16) part.remove_prefix(2);
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
        if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
        if (dot == std::string_view::npos)
            return std::uint64_t{value} >> bits == 0 ? std::optional(out | value) : std::nullopt;
        if (value > 255 || bits == 8) return std::nullopt;
        out |= value << (bits - 8);
        text.remove_prefix(dot + 1);
    }
}

[[nodiscard]] ACTA_INLINE bool is_loopback_ipv4(std::string_view text) {
    const std::optional<std::uint32_t> address = read_ipv4(text);
    return address && *address >> 24 == 127;  // RFC 1122, section 3.2.1.3
}

/// Returns whether an IPv6 address is `::1` in any spelling, or a loopback IPv4 address mapped to IPv6. An invalid
/// address may pass, as no transport connects to it.
[[nodiscard]] ACTA_INLINE bool is_loopback_ipv6(std::string_view text) {
    const std::size_t first = text.find_first_not_of("0:");
    if (first == std::string_view::npos || text.find(':') >= first) return false;
    text.remove_prefix(first);
    if (text == "1") return true;
    if (!text.starts_with("ffff:")) return false;
    text.remove_prefix(5);
    if (text.find('.') != std::string_view::npos) return is_loopback_ipv4(text);
    return text.size() > 5 && text.starts_with("7f") && text.find(':') == 4 && text.rfind(':') == 4;
}

/// Returns whether a byte is a blank or a control character.
[[nodiscard]] inline bool is_blank(char c) noexcept { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; }

/// Returns what a byte is that no URL has.
[[nodiscard]] ACTA_INLINE std::string name_of_bad_byte(char c) {
    switch (c) {
        case ' ': return "a blank";
        case '\t': return "a tab";
        case '\r':
        case '\n': return "a line end";
        case '\\': return "a backslash";
        default: break;
    }
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    return std::string("a control character (0x") + digits[byte >> 4U] + digits[byte & 0xFU] + ")";
}

/// Returns what is wrong with a host that begins at a byte of a URL; nothing if it is valid.
[[nodiscard]] ACTA_INLINE std::string host_problem(std::string_view host, std::size_t at) {
    if (host.empty()) return "it has no host";
    if (host.starts_with('[')) {
        const bool is_closed = host.size() > 2 && host.ends_with(']');
        constexpr std::string_view legal = "0123456789abcdefABCDEF:.";
        if (is_closed && host.substr(1, host.size() - 2).find_first_not_of(legal) == std::string_view::npos) return {};
        return "its host is not an IPv6 address in brackets";
    }
    // A name with letters beyond ASCII is left to the transport.
    const auto is_legal = [](char c) {
        return ascii::is_alnum(c) || c == '.' || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    const auto bad = std::find_if_not(host.begin(), host.end(), is_legal);
    if (bad == host.end()) return {};
    at += static_cast<std::size_t>(bad - host.begin());
    return "it has a character at byte " + std::to_string(at) + " that a host cannot have";
}

/// Reads a URL, and returns what is wrong with it; nothing if it is valid. No part of it is in what is returned.
[[nodiscard]] ACTA_INLINE std::string read_url(std::string_view text, http::Url& out) {
    const auto bad = std::find_if(text.begin(), text.end(), [](char c) { return is_blank(c) || c == '\\'; });
    if (bad != text.end()) return "it has " + name_of_bad_byte(*bad) + " at byte " + std::to_string(bad - text.begin());
    const std::size_t mark = text.find("://");
    for (const char c : text.substr(0, mark)) out.scheme += ascii::to_lower(c);
    if (mark == std::string_view::npos || (out.scheme != "http" && out.scheme != "https"))
        return "it must begin with http:// or https://";
    text.remove_prefix(mark + 3);
    text = text.substr(0, text.find('#'));
    if (const std::size_t at = text.find('?'); at != std::string_view::npos) {
        out.query = text.substr(at + 1);
        text = text.substr(0, at);
    }
    const std::size_t slash = std::min(text.find('/'), text.size());
    out.path = text.substr(slash);
    std::string_view host = text.substr(0, slash);
    if (const std::size_t colon = host.find_last_of(":]"); colon != std::string_view::npos && host[colon] == ':') {
        out.port = host.substr(colon + 1);
        host = host.substr(0, colon);
        const char* const end = out.port.data() + out.port.size();
        std::uint16_t number = 0;
        const auto read = std::from_chars(out.port.data(), end, number);
        if (!out.port.empty() && (out.port.size() > 5 || read.ec != std::errc() || read.ptr != end))
            return "its port is not a number up to 65535";
    }
    if (std::string problem = host_problem(host, mark + 3); !problem.empty()) return problem;
    for (const char c : host) out.host += ascii::to_lower(c);
    if (const auto address = read_ipv4(out.host)) {
        out.host.clear();
        for (const unsigned shift : {24U, 16U, 8U, 0U})
            out.host += (out.host.empty() ? "" : ".") + std::to_string(*address >> shift & 0xFFU);
    }
    return {};
}

/// Reads a number of digits; one beyond 64 bits is the largest that there is.
template <class Duration>
[[nodiscard]] Duration read_count(std::string_view digits) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return error == std::errc() ? Duration(count) : Duration::max();
}

/// Reads a date in one of the three forms of RFC 9110, section 5.6.7.
[[nodiscard]] ACTA_INLINE std::optional<std::int64_t> read_date(const std::string& text) {
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char name[4] = {};
    unsigned day = 0;
    unsigned year = 0;
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
    const char* const in = text.c_str();
    // NOLINTBEGIN(cert-err34-c): the widths keep the numbers in range
    if (std::sscanf(in, "%*[A-Za-z], %2u %3s %4u %2u:%2u:%2u", &day, name, &year, &hour, &minute, &second) != 6 &&
        std::sscanf(in, "%*[A-Za-z], %2u-%3s-%4u %2u:%2u:%2u", &day, name, &year, &hour, &minute, &second) != 6 &&
        std::sscanf(in, "%*[A-Za-z] %3s %2u %2u:%2u:%2u %4u", name, &day, &hour, &minute, &second, &year) != 6)
        return std::nullopt;
    // NOLINTEND(cert-err34-c)
    if (year < 100) year += year < 70 ? 2000 : 1900;
    const std::size_t at = months.find(name);
    if (at == std::string_view::npos || at % 3 != 0 || year < 1970) return std::nullopt;
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(static_cast<unsigned>(at / 3 + 1)),
                                           std::chrono::day(day));
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    const auto time = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute);
    return std::chrono::seconds(time.time_since_epoch()).count() + second;
}

}  // namespace http_detail

namespace http {

ACTA_INLINE std::optional<Url> Url::parse(std::string_view text) {
    Url out;
    if (!http_detail::read_url(text, out).empty()) return std::nullopt;
    return out;
}

ACTA_INLINE std::string Url::problem(std::string_view text) {
    Url ignored;
    return http_detail::read_url(text, ignored);
}

ACTA_INLINE bool Url::has_blank(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), http_detail::is_blank);
}

ACTA_INLINE bool Url::has_credentials(std::string_view text) noexcept {
    const std::size_t mark = text.find("://");
    if (mark == std::string_view::npos) return false;
    text.remove_prefix(mark + 3);
    return text.substr(0, text.find_first_of("/?#")).find('@') != std::string_view::npos;
}

ACTA_INLINE std::string Url::text(bool with_query) const {
    std::string out = scheme + "://" + host;
    if (!port.empty()) out += ":" + port;
    out += path;
    if (with_query && !query.empty()) out += "?" + query;
    return out;
}

ACTA_INLINE std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
    if (value == nullptr) return std::nullopt;
    return std::string(value);
}

ACTA_INLINE bool is_this_machine(std::string_view host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        return http_detail::is_loopback_ipv6(host.substr(1, host.size() - 2));
    if (host.ends_with('.')) host.remove_suffix(1);
    if (host == "localhost" || host.ends_with(".localhost")) return true;
    return http_detail::is_loopback_ipv4(host);
}

ACTA_INLINE std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, std::string_view date,
                                                                       std::time_t now) {
    using std::chrono::seconds;
    constexpr std::int64_t longest = std::int64_t{10} * 365 * 24 * 3600;
    if (value.empty()) return std::nullopt;
    if (value.find_first_not_of("0123456789") == std::string_view::npos)
        return std::min(http_detail::read_count<seconds>(value), seconds(longest));
    const std::optional<std::int64_t> wanted = http_detail::read_date(std::string(value));
    if (!wanted) return std::nullopt;
    const std::int64_t from = http_detail::read_date(std::string(date)).value_or(static_cast<std::int64_t>(now));
    const std::int64_t count = *wanted - from;
    return seconds(std::clamp<std::int64_t>(count, 0, longest));
}

ACTA_INLINE std::string EventStreamReader::rest() {
    if (!line_.empty()) static_cast<void>(take_line());
    static_cast<void>(take_line());
    return std::exchange(data_, {});
}

ACTA_INLINE bool EventStreamReader::take_line() {
    const std::string line = std::exchange(line_, {});
    std::string_view text = line;
    if (std::exchange(first_, false) && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.empty()) {
        event_ = std::exchange(name_, {});
        last_id_ = id_;
        return std::exchange(has_data_, false);
    }
    const std::size_t colon = text.find(':');
    const std::string_view field = text.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") name_ = value;
    if (field == "id" && value.find('\0') == std::string_view::npos) id_ = value;
    if (field == "retry" && !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos)
        retry_ = http_detail::read_count<std::chrono::milliseconds>(value);
    if (field != "data") return false;  // also a comment, and fields that mean nothing
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
    return false;
}

}  // namespace http

}  // namespace acta::inline ACTA_ABI
