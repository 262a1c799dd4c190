// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/provider/http/http.hpp"

// The definitions of `Secrets` and `SecretFilter`.
namespace acta::inline ACTA_ABI {

namespace http_detail {

/// A text without escapes, and where each of its bytes was before.
struct Unescaped {
    std::string text{};
    std::vector<std::size_t> from{};      // with one more, the end; empty if all are where they were
    std::size_t cut = std::string::npos;  // where an escape begins that the end of the text cuts off

    [[nodiscard]] std::size_t origin(std::size_t i) const { return from.empty() ? i : from[i]; }
    /// Returns the text before the escape that is cut off.
    [[nodiscard]] Unescaped before_cut() const {
        Unescaped out{text.substr(0, cut), {}};
        if (!from.empty()) out.from.assign(from.begin(), std::next(from.begin(), static_cast<std::ptrdiff_t>(cut) + 1));
        return out;
    }
    [[nodiscard]] bool has_escapes() const noexcept {
        return std::ranges::any_of(text, [](char c) { return c == '\\' || c == '%' || c == '&'; });
    }
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

struct HtmlName {
    std::string_view name{};
    char meaning{};
};
inline constexpr HtmlName html_names[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
inline constexpr std::size_t html_digits = 8;

/// Reads an escape of JSON (`\\/`, `\\u002f`), of URLs (`%2f`) or of HTML (`&#47;`, `&amp;`) at `at`, and moves it past
/// the escape; nothing if there is none.
[[nodiscard]] ACTA_INLINE std::optional<char32_t> read_escape(std::string_view text, std::size_t& at) {
    std::size_t next = at + 1;
    std::optional<std::uint32_t> value;
    if (next >= text.size()) return std::nullopt;
    if (text[at] == '%') {
        value = read_digits(text, next, 16, 2);
        if (!value || next != at + 3) return std::nullopt;
        at = next;
        return *value;  // a byte
    }
    if (text[at] == '\\') {
        const char kind = text[next++];
        const std::size_t digits = kind == 'u' ? 4 : 2;
        if (kind == '/' || kind == '\\' || kind == '"' || kind == '\'')
            value = static_cast<unsigned char>(kind);
        else if ((kind == 'u' || kind == 'x') && next + digits <= text.size())
            value = read_digits(text, next, 16, digits);
    } else if (text[at] == '&' && text[next] == '#') {
        const bool is_hex = ++next < text.size() && ascii::to_lower(text[next]) == 'x';
        if (is_hex) ++next;
        if (next < text.size()) value = read_digits(text, next, is_hex ? 16 : 10, html_digits);
        if (value && next < text.size() && text[next] == ';') ++next;
    } else if (text[at] == '&') {
        for (const auto& [name, meaning] : html_names) {
            if (!text.substr(at).starts_with(name)) continue;
            value = static_cast<unsigned char>(meaning);
            next = at + name.size();
        }
    }
    if (!value || *value > 0x10FFFF || (*value >= 0xD800 && *value <= 0xDFFF)) return std::nullopt;
    at = next;
    return *value;
}

/// Returns whether a text, which begins with `%`, `\` or `&`, is the beginning of an escape, and all of it.
[[nodiscard]] ACTA_INLINE bool is_cut_escape(std::string_view text) {
    const auto are_digits = [text](std::size_t from, bool is_hex) {
        const std::string_view digits = text.substr(from);
        return digits.find_first_not_of(is_hex ? "0123456789abcdefABCDEF" : "0123456789") == std::string_view::npos;
    };
    if (text.size() == 1) return true;
    if (text[0] == '%') return text.size() < 3 && are_digits(1, true);
    if (text[0] == '\\') {
        const std::size_t whole = text[1] == 'u' ? 6 : text[1] == 'x' ? 4 : 0;
        return text.size() < whole && are_digits(2, true);
    }
    if (text[1] == '#') {
        const bool is_hex = text.size() > 2 && ascii::to_lower(text[2]) == 'x';
        const std::size_t from = is_hex ? 3 : 2;
        return text.size() <= from + html_digits && are_digits(from, is_hex);
    }
    return std::any_of(std::begin(html_names), std::end(html_names), [text](const HtmlName& one) {
        return one.name.size() != text.size() && one.name.starts_with(text);
    });
}

/// How often escapes are decoded: there may be JSON in JSON, with a URL in it.
inline constexpr int deepest_escapes = 3;

/// Decodes escapes, once.
[[nodiscard]] ACTA_INLINE Unescaped unescape(const Unescaped& in) {
    constexpr std::size_t longest_escape = 3 + html_digits;
    Unescaped out;
    out.from.reserve(in.text.size() + 1);
    for (std::size_t at = 0; at < in.text.size();) {
        out.from.push_back(in.origin(at));
        const char c = in.text[at];
        const bool may_begin = c == '%' || c == '\\' || c == '&';
        if (may_begin && out.cut == std::string::npos && in.text.size() - at <= longest_escape &&
            is_cut_escape(std::string_view(in.text).substr(at)))
            out.cut = out.text.size();
        const auto escape = may_begin ? read_escape(in.text, at) : std::nullopt;
        if (escape && *escape > 0x7F && c != '%') {  // a character, and not a byte
            utf8::append(out.text, *escape);
            out.from.resize(out.text.size(), out.from.back());
        } else {
            out.text += escape ? static_cast<char>(*escape) : in.text[at++];
        }
    }
    out.from.push_back(in.origin(in.text.size()));
    return out;
}

/// Bytes read from base64, and the bits after them, which are less than a byte.
struct Decoded {
    std::string bytes{};
    std::uint32_t bits = 0;
    unsigned count = 0;  // of the bits
};

[[nodiscard]] ACTA_INLINE bool is_base64_letter(char c) noexcept {
    return ascii::is_alnum(c) || c == '+' || c == '/' || c == '-' || c == '_';
}

/// Decodes base64, of either alphabet and without padding, from the bit `skip` on, which is one of the first letter's.
[[nodiscard]] ACTA_INLINE Decoded decode_base64(std::string_view text, unsigned skip = 0) {
    Decoded out;
    out.bytes.reserve(text.size());
    for (const char c : text) {
        const std::uint32_t value = ascii::is_upper(c)       ? static_cast<std::uint32_t>(c - 'A')
                                    : ascii::is_lower(c)     ? static_cast<std::uint32_t>(c - 'a' + 26)
                                    : ascii::is_digit(c)     ? static_cast<std::uint32_t>(c - '0' + 52)
                                    : (c == '+' || c == '-') ? 62U
                                                             : 63U;
        out.bits = (out.bits << 6U) | value;
        out.count += 6 - std::exchange(skip, 0U);
        if (out.count < 8) continue;
        out.count -= 8;
        out.bytes += static_cast<char>(static_cast<unsigned char>((out.bits >> out.count) & 0xFFU));
    }
    out.bits &= (1U << out.count) - 1U;
    return out;
}

/// Where a byte can begin in base64: in bits of a letter.
inline constexpr unsigned base64_skips[] = {0, 2, 4, 6};

/// Finds words that `is_secret` recognises when they are decoded, wherever in them base64 begins.
template <class IsSecret>
void find_base64(const Unescaped& in, const IsSecret& is_secret,
                 std::vector<std::pair<std::size_t, std::size_t>>& found) {
    constexpr std::size_t shortest_word = 6;  // of four bytes
    for (std::size_t at = 0; at < in.text.size();) {
        const std::size_t begin = at;
        while (at < in.text.size() && is_base64_letter(in.text[at])) ++at;
        const std::string_view word = std::string_view(in.text).substr(begin, at - begin);
        for (const unsigned skip : base64_skips) {
            if (word.size() < shortest_word || !is_secret(decode_base64(word, skip).bytes)) continue;
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

/// Returns whether a text has one of several words, which `|` separates, as a part; all in lower case.
[[nodiscard]] ACTA_INLINE bool has_word_of(std::string_view text, std::string_view words, bool whole) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('|'), words.size());
        const std::string_view word = words.substr(0, end);
        if (whole ? text == word : text.find(word) != std::string_view::npos) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

[[nodiscard]] ACTA_INLINE std::string in_lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = ascii::to_lower(c);
    return out;
}

/// Removes the first of several parameters and returns it. They are separated by one of these, except in quotes.
[[nodiscard]] ACTA_INLINE std::string_view take_parameter(std::string_view& text, std::string_view separators) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        if (quoted && text[end] == '\\') {
            ++end;
        } else if (text[end] == '"') {
            quoted = !quoted;
        } else if (!quoted && separators.find(text[end]) != std::string_view::npos) {
            break;
        }
    }
    const std::string_view out = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return out;
}

}  // namespace http_detail

namespace http {

ACTA_INLINE Secrets Secrets::of(const Request& request) {
    Secrets out;
    out.add_url(request.url);
    for (const std::string_view line : request.headers) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view value = line.substr(colon + 1);
        if (is_secret_header(line.substr(0, colon), value)) out.add_header(value);
    }
    const auto add_proxy = [&out](const std::optional<std::string>& proxy) {
        if (!proxy) return;
        const std::size_t mark = proxy->find("://");  // its scheme may be missing, or socks5h
        const std::string_view rest = std::string_view(*proxy).substr(mark == std::string::npos ? 0 : mark + 3);
        if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) out.add_user(rest.substr(0, at));
    };
    add_proxy(request.proxy);
    for (const char* const name : {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
        add_proxy(environment(name));
    return out;
}

ACTA_INLINE bool Secrets::is_secret_header(std::string_view name, std::string_view value) {
    constexpr std::string_view names =
        "auth|key|token|secret|cookie|password|passwd|passphrase|credential|session|signature|jwt|assertion|csrf|xsrf";
    constexpr std::string_view short_names = "pass|pwd|sid|otp|sig|hmac|cred|creds|bearer|ticket";
    const std::string lower = http_detail::in_lower_case(name);
    if (http_detail::has_word_of(lower, names, false)) return true;
    for (std::string_view rest = lower; !rest.empty();) {
        if (http_detail::has_word_of(http_detail::take_parameter(rest, "-_"), short_names, true)) return true;
    }
    value = ascii::trim(value);
    const std::size_t blank = value.find(' ');
    return blank != std::string_view::npos && value.find(' ', blank + 1) == std::string_view::npos &&
           http_detail::has_word_of(http_detail::in_lower_case(value.substr(0, blank)), "bearer|basic|token|apikey",
                                    true);
}

ACTA_INLINE void Secrets::add(std::string_view secret) {
    if (secret.size() < shortest_in_errors || std::ranges::find(secrets_, secret) != secrets_.end()) return;
    // Longest first, so that a secret contained in another does not leave a part of it.
    const auto place =
        std::ranges::find_if(secrets_, [&](const std::string& one) { return one.size() < secret.size(); });
    secrets_.emplace(place, secret);
}

/// Adds a text as it is and percent-decoded.
ACTA_INLINE void Secrets::add_decoded(std::string_view text) {
    add(text);
    if (text.find('%') == std::string_view::npos) return;
    add(http_detail::unescape({std::string(text), {}}).text);
}

/// Adds a user and a password, separated by a colon.
ACTA_INLINE void Secrets::add_user(std::string_view user) {
    add_decoded(user);
    const std::size_t colon = std::min(user.find(':'), user.size());
    const std::string_view password = user.substr(std::min(colon + 1, user.size()));
    add_decoded(password);
    if (password.empty() || colon >= shortest_in_answers) add_decoded(user.substr(0, colon));
}

ACTA_INLINE void Secrets::add_parameters(std::string_view text, bool has_scheme) {
    constexpr std::string_view no_secrets =
        "realm|uri|algorithm|qop|nc|username|userhash|charset|signedheaders|headers|version|oauth_version|"
        "oauth_signature_method|oauth_timestamp|created|expires";
    while (!text.empty()) {
        const std::string_view one = http_detail::take_parameter(text, has_scheme ? " \t,&" : " \t,&;");
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos || equals == 0) {
            add_decoded(one);
            continue;
        }
        if (has_scheme && http_detail::has_word_of(http_detail::in_lower_case(one.substr(0, equals)), no_secrets, true))
            continue;
        std::string_view value = one.substr(equals + 1);
        if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        add_decoded(value);
    }
}

ACTA_INLINE void Secrets::add_header(std::string_view value) {
    value = ascii::trim(value);
    add_decoded(value);
    const std::size_t blank = value.find_first_of(" \t");
    const std::string_view scheme = value.substr(0, blank);
    const bool has_scheme = blank != std::string_view::npos && scheme.find_first_of("=;,\"") == std::string_view::npos;
    const std::string_view rest = has_scheme ? ascii::trim(value.substr(blank)) : value;
    add_decoded(rest);
    if (has_scheme && ascii::equals_ignoring_case(scheme, "basic"))
        add_user(http_detail::decode_base64(rest.substr(0, rest.find('='))).bytes);
    else
        add_parameters(rest, has_scheme);
}

ACTA_INLINE void Secrets::add_query(std::string_view query) {
    add_decoded(query);
    while (!query.empty()) {
        const std::size_t end = std::min(query.find_first_of("&;"), query.size());
        const std::string_view one = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const std::size_t equals = one.find('=');
        add_decoded(equals == std::string_view::npos ? one : one.substr(equals + 1));
    }
}

ACTA_INLINE void Secrets::add_url(std::string_view url) {
    if (const std::size_t mark = url.find("://"); mark != std::string_view::npos) url.remove_prefix(mark + 3);
    if (const std::size_t hash = url.find('#'); hash != std::string_view::npos) {
        add_query(url.substr(hash + 1));
        url = url.substr(0, hash);
    }
    if (const std::size_t mark = url.find('?'); mark != std::string_view::npos) {
        add_query(url.substr(mark + 1));
        url = url.substr(0, mark);
    }
    url = url.substr(0, url.find('/'));
    if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) add_user(url.substr(0, at));
}

/// Returns where the longest beginning of a secret begins with which the text ends; the end if there is none.
ACTA_INLINE std::size_t Secrets::prefix_at_end(std::string_view text, std::size_t shortest) const noexcept {
    std::size_t longest_found = 0;
    for (const std::string& secret : secrets_) {
        if (secret.size() < shortest) break;
        for (std::size_t n = std::min(secret.size() - 1, text.size()); n > longest_found; --n) {
            if (secret[n - 1] == text.back() && text.ends_with(std::string_view(secret).substr(0, n)))
                longest_found = n;
        }
    }
    return text.size() - longest_found;
}

/// Does the same with the base64 of secrets. Less than a byte is not a beginning: a third of all texts would end with
/// one.
ACTA_INLINE std::size_t Secrets::base64_at_end(std::string_view text, std::size_t shortest) const {
    const std::size_t most = std::min(text.size(), longest() / 3 * 4 + 8);
    std::size_t begin = text.size();
    while (begin > text.size() - most && http_detail::is_base64_letter(text[begin - 1])) --begin;
    std::size_t out = text.size();
    for (const unsigned skip : http_detail::base64_skips) {
        if (begin == text.size()) break;
        const http_detail::Decoded decoded = http_detail::decode_base64(text.substr(begin), skip);
        const std::string_view bytes = decoded.bytes;
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) break;
            for (std::size_t n = std::min(secret.size() - 1, bytes.size()); n > 0; --n) {
                const std::uint32_t next = static_cast<unsigned char>(secret[n]);
                if (next >> (8 - decoded.count) != decoded.bits ||
                    !bytes.ends_with(std::string_view(secret).substr(0, n)))
                    continue;
                out = std::min(out, begin + (skip + 8 * (bytes.size() - n)) / 6);
                break;
            }
        }
    }
    return out;
}

/// Returns where what may be the beginning of a secret begins, in a text whose escapes are decoded at most this many
/// times; the end if there is none.
ACTA_INLINE std::size_t Secrets::open_in(const http_detail::Unescaped& in, std::size_t shortest, int times) const {
    std::size_t out = in.origin(prefix_at_end(in.text, shortest));
    // An escape that was cut off may be the next byte of a secret, or the first, also within escapes of its own.
    if (in.cut != std::string::npos)
        out = std::min({out, in.origin(in.cut), open_in(in.before_cut(), shortest, times)});
    if (times > 0 && in.has_escapes()) {
        const http_detail::Unescaped next = http_detail::unescape(in);
        return std::min(out, open_in(next, shortest, next.text.size() == in.text.size() ? 0 : times - 1));
    }
    return std::min(out, in.origin(base64_at_end(in.text, shortest)));
}

/// Finds the secrets in a text, however they are written; with `at_end` also the beginning of one at its end.
ACTA_INLINE Secrets::Found Secrets::find(std::string_view text, std::size_t shortest, bool at_end) const {
    Found out{{}, text.size()};
    if (longest() < shortest) return out;
    const auto find_in = [&](const http_detail::Unescaped& in) {
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) break;
            for (std::size_t at = in.text.find(secret); at != std::string::npos;
                 at = in.text.find(secret, at + secret.size()))
                out.ranges.emplace_back(in.origin(at), in.origin(at + secret.size()));
        }
    };
    http_detail::Unescaped plain{std::string(text), {}};
    if (at_end) out.open = open_in(plain, shortest, http_detail::deepest_escapes);
    find_in(plain);
    for (int i = 0; i < http_detail::deepest_escapes && plain.has_escapes(); ++i) {
        http_detail::Unescaped next = http_detail::unescape(plain);
        const bool is_changed = next.text.size() != plain.text.size();
        plain = std::move(next);
        if (!is_changed) break;
        find_in(plain);
    }
    const auto has_secret = [&](const std::string& decoded) {
        return std::any_of(secrets_.begin(), secrets_.end(), [&](const std::string& secret) {
            return secret.size() >= shortest && decoded.find(secret) != std::string::npos;
        });
    };
    http_detail::find_base64(plain, has_secret, out.ranges);
    return out;
}

ACTA_INLINE std::string Secrets::hide(std::string text, std::size_t shortest) const {
    if (longest() < shortest) return text;
    Found found = find(text, shortest, false);
    return http_detail::with_stars(std::move(text), std::move(found.ranges));
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

ACTA_INLINE std::string SecretFilter::add(std::string_view piece, const Secrets& secrets) {
    secrets_ = &secrets;
    pending_ += piece;
    if (pending_.size() < enough_) return {};
    Secrets::Found found = secrets.find(pending_, Secrets::shortest_in_answers, true);
    // A secret that reaches into what is held back is held back as a whole: it may be the beginning of a longer one.
    std::sort(found.ranges.begin(), found.ranges.end());
    std::size_t shown = std::max(found.open, before_);
    for (std::size_t i = found.ranges.size(); i-- > 0;) {
        if (found.ranges[i].second > shown) shown = std::min(shown, found.ranges[i].first);
    }
    shown = std::max(shown, before_);
    std::erase_if(found.ranges, [shown](const auto& range) { return range.first >= shown; });
    std::string out = cut(shown, std::move(found.ranges));
    // Something long that is held back is not looked at again for each byte of it.
    constexpr std::size_t is_long = 1024;
    enough_ = pending_.size() < is_long ? 0 : pending_.size() + pending_.size() / 4;
    return out;
}

/// Takes the text before `end`, without the secrets in these ranges. Keeps its last letter, as base64 may begin in it.
ACTA_INLINE std::string SecretFilter::cut(std::size_t end, std::vector<std::pair<std::size_t, std::size_t>> ranges) {
    std::erase_if(ranges, [this](const auto& range) { return range.second <= before_; });
    for (auto& range : ranges) range.first = std::max(range.first, before_);
    std::string out = http_detail::with_stars(pending_.substr(0, end), std::move(ranges)).substr(before_);
    before_ = end != 0 && http_detail::is_base64_letter(pending_[end - 1]) ? 1 : 0;
    pending_.erase(0, end - before_);
    return out;
}

ACTA_INLINE std::string SecretFilter::rest() {
    enough_ = 0;
    if (secrets_ == nullptr) return {};
    std::string out = cut(pending_.size(), secrets_->find(pending_, Secrets::shortest_in_answers, false).ranges);
    pending_.clear();
    before_ = 0;
    return out;
}

}  // namespace http

}  // namespace acta::inline ACTA_ABI
