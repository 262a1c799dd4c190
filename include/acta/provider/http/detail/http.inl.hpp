// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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
    if (first == std::string_view::npos || first == 0 || text.find(':') >= first) return false;
    text.remove_prefix(first);
    if (text == "1") return true;
    if (!text.starts_with("ffff:")) return false;
    text.remove_prefix(5);
    if (text.find('.') != std::string_view::npos) return is_loopback_ipv4(text);
    return text.size() > 5 && text.starts_with("7f") && text.find(':') == 4 && text.rfind(':') == 4;
}

[[nodiscard]] ACTA_INLINE bool is_host(std::string_view host) {
    if (host.starts_with('[')) {
        return host.size() > 2 && host.ends_with(']') &&
               host.substr(1, host.size() - 2).find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
    }
    // A name with letters beyond ASCII is left to the transport.
    const auto is_legal = [](char c) {
        return ascii::is_alnum(c) || c == '.' || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    return !host.empty() && std::all_of(host.begin(), host.end(), is_legal);
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
    if (at == std::string_view::npos || at % 3 != 0 || year < 1970 || year > 9999) return std::nullopt;
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(static_cast<unsigned>(at / 3 + 1)),
                                           std::chrono::day(day));
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    const auto time = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute);
    return std::chrono::seconds(time.time_since_epoch()).count() + second;
}

/// A text without escapes, and where each of its bytes was before.
struct Unescaped {
    std::string text{};
    std::vector<std::size_t> from{};  // with one more, the end; empty if all are where they were

    [[nodiscard]] std::size_t origin(std::size_t i) const { return from.empty() ? i : from[i]; }
    [[nodiscard]] bool has_escapes() const noexcept { return text.find_first_of("\\%&") != std::string::npos; }
};

/// Reads up to `digits` digits at `at` and moves it; nothing if there is none.
[[nodiscard]] ACTA_INLINE std::optional<std::uint32_t> read_digits(std::string_view text, std::size_t& at, int base,
                                                                   std::size_t digits) {
    std::uint32_t value = 0;
    const char* const begin = text.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + std::min(digits, text.size() - at), value, base);
    if (error != std::errc() || end == begin) return std::nullopt;
    at += static_cast<std::size_t>(end - begin);
    return value;
}

/// Reads an escape of JSON (`\\/`, `\\u002f`), of URLs (`%2f`) or of HTML (`&#47;`, `&amp;`) at `at`, and moves it past
/// the escape; nothing if there is none.
[[nodiscard]] ACTA_INLINE std::optional<char32_t> read_escape(std::string_view text, std::size_t& at) {
    std::size_t next = at + 1;
    std::optional<std::uint32_t> value;
    if (next >= text.size()) return std::nullopt;
    if (text[at] == '%') {
        value = read_digits(text, next, 16, 2);
        if (next != at + 3) return std::nullopt;
    } else if (text[at] == '\\') {
        const char kind = text[next++];
        const std::size_t digits = kind == 'u' ? 4 : 2;
        if (kind == '/' || kind == '\\' || kind == '"' || kind == '\'')
            value = static_cast<unsigned char>(kind);
        else if ((kind == 'u' || kind == 'x') && next + digits <= text.size())
            value = read_digits(text, next, 16, digits);
    } else if (text[at] == '&' && text[next] == '#') {
        const bool is_hex = ++next < text.size() && ascii::to_lower(text[next]) == 'x';
        if (is_hex) ++next;
        if (next < text.size()) value = read_digits(text, next, is_hex ? 16 : 10, 8);
        if (value && next < text.size() && text[next] == ';') ++next;
    } else if (text[at] == '&') {
        constexpr std::pair<std::string_view, char> names[] = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
        for (const auto& [name, meaning] : names) {
            if (!text.substr(at).starts_with(name)) continue;
            value = static_cast<unsigned char>(meaning);
            next = at + name.size();
        }
    }
    if (!value || *value > 0x7F) return std::nullopt;  // secrets are ASCII
    at = next;
    return *value;
}

/// Decodes escapes, once.
[[nodiscard]] ACTA_INLINE Unescaped unescape(const Unescaped& in) {
    Unescaped out;
    for (std::size_t at = 0; at < in.text.size();) {
        out.from.push_back(in.origin(at));
        const char c = in.text[at];
        const auto escape = c == '%' || c == '\\' || c == '&' ? read_escape(in.text, at) : std::nullopt;
        out.text += escape ? static_cast<char>(*escape) : in.text[at++];
    }
    out.from.push_back(in.origin(in.text.size()));
    return out;
}

/// Decodes base64, of either alphabet and without padding.
[[nodiscard]] ACTA_INLINE std::string decode_base64(std::string_view text) {
    std::string out;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::uint32_t value = ascii::is_upper(c)       ? static_cast<std::uint32_t>(c - 'A')
                                    : ascii::is_lower(c)     ? static_cast<std::uint32_t>(c - 'a' + 26)
                                    : ascii::is_digit(c)     ? static_cast<std::uint32_t>(c - '0' + 52)
                                    : (c == '+' || c == '-') ? 62U
                                                             : 63U;
        bits = (bits << 6U) | value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(static_cast<unsigned char>((bits >> count) & 0xFFU));
    }
    return out;
}

/// Finds words that `is_secret` recognises when they are decoded, wherever in them base64 begins.
template <class IsSecret>
void find_base64(const Unescaped& in, const IsSecret& is_secret,
                 std::vector<std::pair<std::size_t, std::size_t>>& found) {
    constexpr std::string_view others = "+/-_";
    const auto is_letter = [&](char c) { return ascii::is_alnum(c) || others.find(c) != std::string_view::npos; };
    for (std::size_t at = 0; at < in.text.size();) {
        const std::size_t begin = at;
        while (at < in.text.size() && is_letter(in.text[at])) ++at;
        const std::string_view word = std::string_view(in.text).substr(begin, at - begin);
        for (std::size_t skip = 0; skip < 4 && word.size() >= skip + 5; ++skip) {
            if (!is_secret(decode_base64(word.substr(skip)))) continue;
            found.emplace_back(in.origin(begin), in.origin(at));
            break;
        }
        if (at == begin) ++at;
    }
}

/// Returns the text with `***` in place of each range, in whatever order; those that overlap are one.
[[nodiscard]] ACTA_INLINE std::string with_stars(std::string text,
                                                 std::vector<std::pair<std::size_t, std::size_t>> ranges) {
    if (ranges.empty()) return text;
    std::sort(ranges.begin(), ranges.end());
    std::string out;
    std::size_t from = 0;  // what is before it is written
    for (const auto& [begin, end] : ranges) {
        if (begin >= from) out.append(text, from, begin - from).append("***");
        from = std::max(from, end);
    }
    return out.append(text, from);
}

}  // namespace http_detail

namespace http {

ACTA_INLINE std::optional<Url> Url::parse(std::string_view text) {
    const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '\\'; };
    if (std::any_of(text.begin(), text.end(), is_bad)) return std::nullopt;
    Url out;
    const std::size_t mark = text.find("://");
    if (mark == std::string_view::npos) return std::nullopt;
    for (const char c : text.substr(0, mark)) out.scheme += ascii::to_lower(c);
    if (out.scheme != "http" && out.scheme != "https") return std::nullopt;
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
        if (out.port.size() > 5 || out.port.find_first_not_of("0123456789") != std::string::npos ||
            (!out.port.empty() && std::atoi(out.port.c_str()) > 65535))
            return std::nullopt;
    }
    if (!http_detail::is_host(host)) return std::nullopt;
    for (const char c : host) out.host += ascii::to_lower(c);
    if (const auto address = http_detail::read_ipv4(out.host)) {
        out.host.clear();
        for (const unsigned shift : {24U, 16U, 8U, 0U})
            out.host += (out.host.empty() ? "" : ".") + std::to_string(*address >> shift & 0xFFU);
    }
    return out;
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
    if (value.find_first_not_of("0123456789") == std::string_view::npos) {
        std::int64_t count = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
        return seconds(error == std::errc() && count < longest ? count : longest);
    }
    const std::optional<std::int64_t> wanted = http_detail::read_date(std::string(value));
    if (!wanted) return std::nullopt;
    const std::int64_t from = http_detail::read_date(std::string(date)).value_or(static_cast<std::int64_t>(now));
    const std::int64_t count = *wanted - from;
    return seconds(std::clamp<std::int64_t>(count, 0, longest));
}

ACTA_INLINE void Secrets::add(std::string_view secret) {
    if (secret.size() >= shortest_in_errors) secrets_.emplace_back(secret);
    // Longest first, so that a secret contained in another does not leave a part of it.
    std::sort(secrets_.begin(), secrets_.end(),
              [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

ACTA_INLINE void Secrets::add_header(std::string_view value) {
    add(value);
    const std::string_view word = value.substr(value.find_last_of(' ') + 1);
    add(word);
    constexpr std::string_view basic = "basic ";
    if (!ascii::equals_ignoring_case(value.substr(0, basic.size()), basic)) return;
    const std::string user = http_detail::decode_base64(word.substr(0, word.find('=')));
    add(user);
    add(std::string_view(user).substr(user.find(':') + 1));
}

ACTA_INLINE void Secrets::add_query(std::string_view query) {
    const auto add_both = [this](std::string_view text) {
        add(text);
        const http_detail::Unescaped plain = http_detail::unescape({std::string(text), {}});
        if (plain.text != text) add(plain.text);
    };
    add_both(query);
    while (!query.empty()) {
        const std::size_t end = std::min(query.find_first_of("&;"), query.size());
        const std::string_view one = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const std::size_t equals = one.find('=');
        add_both(equals == std::string_view::npos ? one : one.substr(equals + 1));
    }
}

ACTA_INLINE std::string Secrets::hide(std::string text, std::size_t shortest) const {
    if (longest() < shortest) return text;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    const auto find_in = [&](const http_detail::Unescaped& in) {
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) break;
            for (std::size_t at = in.text.find(secret); at != std::string::npos;
                 at = in.text.find(secret, at + secret.size()))
                found.emplace_back(in.origin(at), in.origin(at + secret.size()));
        }
    };
    constexpr int deepest_escapes = 3;  // such as JSON in JSON, with a URL in it
    http_detail::Unescaped plain{text, {}};
    find_in(plain);
    for (int i = 0; i < deepest_escapes && plain.has_escapes(); ++i) {
        http_detail::Unescaped next = http_detail::unescape(plain);
        if (next.text.size() == plain.text.size()) break;
        plain = std::move(next);
        find_in(plain);
    }
    const auto has_secret = [&](const std::string& decoded) {
        return std::any_of(secrets_.begin(), secrets_.end(), [&](const std::string& secret) {
            return secret.size() >= shortest && decoded.find(secret) != std::string::npos;
        });
    };
    http_detail::find_base64(plain, has_secret, found);
    return http_detail::with_stars(std::move(text), std::move(found));
}

ACTA_INLINE void Secrets::hide_in(Json& value, std::size_t shortest) const {
    if (longest() < shortest) return;
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        text = hide(std::move(text), shortest);
    } else if (value.is_array()) {
        for (Json& one : value) hide_in(one, shortest);
    } else if (value.is_object()) {
        JsonObject clean;
        base::entries(clean).reserve(value.size());
        for (auto& [key, one] : value.get_ref<Json::object_t&>()) {
            hide_in(one, shortest);
            base::entries(clean).emplace_back(hide(key, shortest), std::move(one));
        }
        base::drop_repeated_keys(clean);
        value = std::move(clean);
    }
}

ACTA_INLINE std::size_t Secrets::beginning_at_end(std::string_view text, std::size_t shortest) const {
    std::size_t longest_found = 0;
    for (const std::string& secret : secrets_) {
        if (secret.size() < shortest) continue;
        for (std::size_t n = std::min(secret.size() - 1, text.size()); n > longest_found; --n) {
            if (text.ends_with(std::string_view(secret).substr(0, n))) longest_found = n;
        }
    }
    return longest_found;
}

ACTA_INLINE std::string SecretFilter::add(std::string_view piece, const Secrets& secrets) {
    pending_ += piece;
    pending_ = secrets.hide(std::move(pending_), Secrets::shortest_in_answers);
    const std::size_t held = secrets.beginning_at_end(pending_, Secrets::shortest_in_answers);
    std::string out = pending_.substr(0, pending_.size() - held);
    pending_.erase(0, out.size());
    return out;
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
        return std::exchange(has_data_, false);
    }
    const std::size_t colon = text.find(':');
    const std::string_view field = text.substr(0, colon);
    if (field != "data" && field != "event") return false;  // a comment, or a field of no use here
    std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") {
        name_ = value;
        return false;
    }
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
    return false;
}

}  // namespace http

}  // namespace acta::inline ACTA_ABI
