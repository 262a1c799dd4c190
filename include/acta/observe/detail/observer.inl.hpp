// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/unicode.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

namespace observe_detail {

/// Returns whether a key may have this character.
[[nodiscard]] ACTA_INLINE bool is_secret_letter(char c) noexcept {
    return ascii::is_alnum(c) || std::string_view("_-.+/~").find(c) != std::string_view::npos;
}

/// How the keys of a service begin, in its own documentation; what follows has at least 16 characters or `length`.
struct KeyForm {
    std::string_view beginning;
    bool needs_digit = false;  // where a name or a word may begin in the same way
    std::size_t length = 16;
};

inline constexpr KeyForm key_forms[] = {
    {"sk-", true, 13},    // OpenAI, Anthropic (sk-ant-), OpenRouter (sk-or-)
    {"pk-", true, 13},    // Langfuse
    {"xai-", true},       // xAI
    {"gsk_"},             // Groq
    {"r8_", true},        // Replicate
    {"hf_", true, 13},    // Hugging Face
    {"AIza"},             // Google
    {"ya29.", true},      // Google OAuth
    {"GOCSPX-"},          // Google OAuth
    {"AKIA", true, 12},   // AWS
    {"ASIA", true, 12},   // AWS, temporary
    {"ghp_", false, 12},  // GitHub
    {"gho_", false, 12},
    {"ghu_", false, 12},
    {"ghs_", false, 12},
    {"ghr_", false, 12},
    {"github_pat_"},
    {"glpat-", false, 10},  // GitLab
    {"gldt-"},
    {"glrt-"},
    {"xoxa-", false, 10},  // Slack
    {"xoxb-", false, 10},
    {"xoxe-", false, 10},
    {"xoxe.", false, 10},
    {"xoxp-", false, 10},
    {"xoxr-", false, 10},
    {"xoxs-", false, 10},
    {"xapp-", true, 10},
    {"sk_live_", false, 8},  // Stripe
    {"sk_test_", false, 8},
    {"rk_live_", false, 8},
    {"rk_test_", false, 8},
    {"whsec_"},
    {"npm_", true},       // npm
    {"pypi-", true},      // PyPI
    {"rubygems_", true},  // RubyGems
    {"SG.", true},        // SendGrid
    {"hvs.", false, 12},  // HashiCorp Vault
    {"hvb.", false, 12},
    {"hvr.", false, 12},
    {"dapi", true, 28},  // Databricks
    {"dop_v1_"},         // DigitalOcean
    {"shpat_"},          // Shopify
    {"shpss_"},
    {"dckr_pat_"},         // Docker
    {"lin_api_"},          // Linear
    {"ntn_", true},        // Notion
    {"glsa_"},             // Grafana
    {"sntrys_"},           // Sentry
    {"tskey-", true},      // Tailscale
    {"ATATT3"},            // Atlassian
    {"AGE-SECRET-KEY-1"},  // age
    {"eyJ", true, 13},     // JSON Web Tokens
};

/// Returns whether a word looks like a key of a well-known service.
[[nodiscard]] ACTA_INLINE bool has_form_of_key(std::string_view word) noexcept {
    constexpr std::size_t shortest = 12;
    if (word.size() < shortest) return false;
    for (const KeyForm& form : key_forms) {
        if (word.size() >= form.beginning.size() + form.length && word.starts_with(form.beginning))
            return !form.needs_digit || word.find_first_of("0123456789") != std::string_view::npos;
    }
    return false;
}

/// The same for a path, any part of which may be a key; for a text after an escape of a URL (`%3A`); and for the web
/// hooks of Slack.
[[nodiscard]] ACTA_INLINE bool has_key_in_path(std::string_view word, bool after_percent) noexcept {
    if (after_percent && word.size() > 2 && has_form_of_key(word.substr(2))) return true;
    if (word.find("hooks.slack.com/services/") != std::string_view::npos) return true;
    for (;;) {
        const std::size_t slash = word.find('/');
        if (has_form_of_key(word.substr(0, slash))) return true;
        if (slash == std::string_view::npos) return false;
        word.remove_prefix(slash + 1);
    }
}

/// Returns whether a word has the form of a secret key of AWS, which only its length distinguishes from other text.
[[nodiscard]] ACTA_INLINE bool is_aws_secret(std::string_view word) noexcept {
    constexpr std::size_t length = 40;
    return word.size() == length && word.find_first_of("-.~_") == std::string_view::npos &&
           std::any_of(word.begin(), word.end(), ascii::is_upper) &&
           std::any_of(word.begin(), word.end(), ascii::is_lower) &&
           std::any_of(word.begin(), word.end(), ascii::is_digit);
}

/// How much a name says of the value that follows it.
enum class NameKind : std::uint8_t {
    none,
    word,           ///< Also an English word: in prose, only a value that looks like a secret is one.
    directory,      ///< Also a variable with a path.
    secret,         ///< The name of a secret.
    authorization,  ///< Has a scheme before the secret.
    cookie          ///< A list of names and values.
};

/// Returns what a word ends with, but `1Password` is not the name of a password.
[[nodiscard]] ACTA_INLINE NameKind kind_of_name(std::string_view word) {
    struct Name {
        std::string_view text;
        NameKind kind;
    };
    static constexpr Name names[] = {
        {"api_key", NameKind::secret},
        {"api-key", NameKind::secret},
        {"apikey", NameKind::secret},
        {"access_key", NameKind::secret},
        {"accesskey", NameKind::secret},
        {"access-key", NameKind::secret},
        {"secret_key", NameKind::secret},
        {"secretkey", NameKind::secret},
        {"secret-key", NameKind::secret},
        {"private_key", NameKind::secret},
        {"privatekey", NameKind::secret},
        {"private-key", NameKind::secret},
        {"accountkey", NameKind::secret},
        {"account_key", NameKind::secret},
        {"password", NameKind::secret},
        {"passwd", NameKind::secret},
        {"passphrase", NameKind::secret},
        {"access_token", NameKind::secret},
        {"auth_token", NameKind::secret},
        {"secret", NameKind::word},
        {"token", NameKind::word},
        {"pwd", NameKind::directory},
        {"authorization", NameKind::authorization},
        {"cookie", NameKind::cookie},
    };
    constexpr std::size_t longest_name = 64;
    if (word.size() > longest_name) return NameKind::none;
    for (const Name& one : names) {
        if (word.size() < one.text.size()) continue;
        const std::size_t before = word.size() - one.text.size();
        if (!ascii::equals_ignoring_case(word.substr(before), one.text)) continue;
        return before > 0 && ascii::is_digit(word[before - 1]) ? NameKind::none : one.kind;
    }
    return NameKind::none;
}

/// Finds the end of a value that begins at `at`: the closing quote, which has a backslash if the opening one has;
/// without a quote the end of a word of a command, a query or a list.
[[nodiscard]] ACTA_INLINE std::size_t end_of_value(std::string_view text, std::size_t at, char quote, bool escaped) {
    const auto is_end = [text](std::size_t i, std::string_view ends) {
        return i >= text.size() || ends.find(text[i]) != std::string_view::npos;
    };
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n' || c == '\r') return at;
        const bool before_quote = c == '\\' && at + 1 < text.size() && text[at + 1] == (quote == '\0' ? '"' : quote);
        if (quote != '\0') {
            if (c == quote || (escaped && before_quote)) return at;
            if (c == '\\') ++at;
            continue;
        }
        if (ascii::is_space(c) || c == '&' || c == ';' || before_quote) return at;
        if (c == ',' && is_end(at + 1, " \t\r\n")) return at;
        if ((c == '"' || c == '\'' || c == '`') && is_end(at + 1, ",:;}]) \t\r\n")) return at;
    }
    return std::min(at, text.size());
}

/// Writes a text without its secrets. Each part of the text is looked at once.
class SecretMask {
public:
    explicit SecretMask(std::string_view text)
        : text_(text),
          has_aws_id_(text.find("AKIA") != std::string_view::npos || text.find("ASIA") != std::string_view::npos) {}

    [[nodiscard]] std::string run() {
        while (at_ < text_.size()) {
            if (is_secret_letter(text_[at_]))
                take_word();
            else
                take_other();
        }
        return std::move(out_);
    }

private:
    static constexpr std::string_view mark = "[secret]";

    void copy_to(std::size_t end) {
        out_ += text_.substr(at_, end - at_);
        at_ = end;
    }
    void hide_to(std::size_t end) {
        if (end > at_) out_ += mark;
        at_ = end;
    }

    void take_other() {
        if (text_.substr(at_).starts_with("://")) return take_authority();
        if (text_[at_] == '\n') is_curl_ = false;
        copy_to(at_ + 1);
    }

    /// `name:password@` in a URL.
    void take_authority() {
        copy_to(at_ + 3);
        const std::size_t end = std::min(text_.find_first_of("/?# \t\r\n\"'<>`", at_), text_.size());
        // Nothing outside of it is looked at, so that many of them take linear time.
        const std::string_view authority = text_.substr(at_, end - at_);
        const std::string_view user = authority.substr(0, std::min(authority.rfind('@'), authority.size()));
        if (user.size() == authority.size()) return;
        const std::size_t sign = at_ + user.size();
        const std::size_t colon = user.find(':');
        if (colon != std::string_view::npos) copy_to(at_ + colon + 1);
        if (colon != std::string_view::npos || has_form_of_key(user)) hide_to(sign);
    }

    void take_word() {
        const std::size_t start = at_;
        std::size_t end = start;
        while (end < text_.size() && is_secret_letter(text_[end])) ++end;
        const std::string_view word = text_.substr(start, end - start);
        if (take_private_key(word, end)) return;
        const bool after_percent = start > 0 && text_[start - 1] == '%';
        if (has_key_in_path(word, after_percent) || (has_aws_id_ && is_aws_secret(word)) || is_token(word)) {
            while (end < text_.size() && text_[end] == '=') ++end;
            return hide_to(end);
        }
        if (word == "curl" || word.ends_with("/curl")) is_curl_ = true;
        if (is_curl_ && take_user(word)) return;
        copy_to(end);
        if (ascii::equals_ignoring_case(word, "bearer"))
            take_credentials();
        else if (const NameKind kind = kind_of_name(word); kind != NameKind::none)
            take_value(word, kind);
    }

    /// A JSON Web Token inside of a word, such as a cookie's `s.eyJ...`.
    [[nodiscard]] static bool is_token(std::string_view word) noexcept {
        return word.find(".eyJ", word.find("eyJ")) != std::string_view::npos;
    }

    /// `-----BEGIN RSA PRIVATE KEY-----`, whose first word ends after `BEGIN` or its dashes.
    bool take_private_key(std::string_view word, std::size_t end) {
        constexpr std::string_view begin = "-----BEGIN";
        if (word.size() < begin.size() || !word.ends_with(begin)) return false;
        const std::size_t label_end = text_.find("-----", end);
        constexpr std::size_t longest_label = 64;
        if (label_end == std::string_view::npos || label_end - end > longest_label) return false;
        const std::string_view label = text_.substr(end, label_end - end);
        if (label.find("PRIVATE KEY") == std::string_view::npos) return false;
        copy_to(label_end + 5);
        hide_to(std::min(text_.find("-----END", at_), text_.size()));
        return true;
    }

    /// `curl -u name:password`.
    bool take_user(std::string_view word) {
        std::size_t value = at_ + word.size();
        if (word == "-u" || word == "-U" || word == "--user" || word == "--proxy-user") {
            while (value < text_.size() && (text_[value] == ' ' || text_[value] == '=')) ++value;
        } else if (word.starts_with("-u") || word.starts_with("-U")) {
            value = at_ + 2;
        } else {
            return false;
        }
        const char quote = value < text_.size() && (text_[value] == '"' || text_[value] == '\'') ? text_[value] : '\0';
        if (quote != '\0') ++value;
        const std::size_t end = end_of_value(text_, value, quote, false);
        const std::size_t colon = text_.substr(0, end).find(':', value);
        if (colon == std::string_view::npos) return false;
        copy_to(colon + 1);
        hide_to(end);
        return true;
    }

    /// What follows `Bearer`, or another scheme.
    void take_credentials() {
        std::size_t value = at_;
        while (value < text_.size() && text_[value] == ' ') ++value;
        constexpr std::size_t widest = 8;
        if (value == at_ || value - at_ > widest || value == text_.size() || !is_secret_letter(text_[value])) return;
        copy_to(value);
        hide_to(end_of_value(text_, value, '\0', false));
    }

    /// What is assigned to a name.
    void take_value(std::string_view name, NameKind kind) {
        std::size_t value = at_;
        const auto skip = [&](std::string_view letters) {
            const std::size_t limit = std::min(text_.size(), at_ + 12);
            while (value < limit && letters.find(text_[value]) != std::string_view::npos) ++value;
        };
        skip("\"'\\ \t");
        const std::size_t sign = value;
        skip(":=>");
        const bool is_option = value == sign && name.starts_with("--") && value > at_ && text_[at_] == ' ';
        if (value == sign && !is_option) return;
        const bool is_prose = sign == at_ && text_.substr(sign, value - sign) == ":";
        skip("\"'\\ \t");
        const char last = text_[value - 1];
        const char quote = last == '"' || last == '\'' ? last : '\0';
        if (value >= text_.size() || (is_option && text_[value] == '-')) return;
        if (kind == NameKind::directory && std::string_view("/~.").find(text_[value]) != std::string_view::npos) return;
        constexpr std::size_t longest_cookie_name = 256;
        if (kind == NameKind::cookie && text_.substr(value, longest_cookie_name).find('=') == std::string_view::npos)
            return;
        std::size_t end = end_of_value(text_, value, quote, quote != '\0' && text_[value - 2] == '\\');
        const std::string_view found = text_.substr(value, end - value);
        const bool is_weak = kind == NameKind::word || kind == NameKind::directory;
        if (is_weak && is_prose && quote == '\0' && !looks_secret(found)) return;
        copy_to(value);
        if (kind == NameKind::cookie || kind == NameKind::authorization) end = take_scheme(found, end, quote, kind);
        hide_to(end);
    }

    /// Copies the scheme of an authorization; returns the end of the part to hide.
    std::size_t take_scheme(std::string_view first, std::size_t end, char quote, NameKind kind) {
        if (kind == NameKind::cookie) return std::max(end, std::min(text_.find_first_of("\r\n\"'", at_), text_.size()));
        const std::string_view scheme = first.substr(0, first.find(' '));
        const std::size_t blank = at_ + scheme.size();
        if (blank >= text_.size() || text_[blank] != ' ' || !known_scheme(scheme)) return end;
        copy_to(blank + 1);
        const bool is_single =
            ascii::equals_ignoring_case(scheme, "basic") || ascii::equals_ignoring_case(scheme, "bearer");
        if (quote != '\0') return end;
        return is_single ? end_of_value(text_, at_, '\0', false)
                         : std::min(text_.find_first_of("\r\n", at_), text_.size());
    }

    [[nodiscard]] static bool known_scheme(std::string_view word) {
        constexpr std::string_view schemes[] = {"basic", "bearer", "digest",           "token",     "apikey",
                                                "hawk",  "hoba",   "negotiate",        "ntlm",      "dpop",
                                                "oauth", "key",    "aws4-hmac-sha256", "sharedkey", "bot"};
        return std::any_of(std::begin(schemes), std::end(schemes),
                           [word](std::string_view one) { return ascii::equals_ignoring_case(word, one); });
    }

    [[nodiscard]] static bool looks_secret(std::string_view value) noexcept {
        constexpr std::size_t shortest = 6;
        constexpr std::size_t long_word = 20;
        return value.size() >= long_word ||
               (value.size() >= shortest && value.find_first_of("0123456789$!@#%^*") != std::string_view::npos);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool is_curl_ = false;
    bool has_aws_id_;
    std::string out_{};
};

}  // namespace observe_detail

ACTA_INLINE std::string mask_secrets(std::string_view text) { return observe_detail::SecretMask(text).run(); }

ACTA_INLINE void Observer::notify(Event event) noexcept {
    try {
        for (EventField& field : event.fields) {
            if (auto* const text = std::get_if<std::string>(&field.value)) *text = shown(*text);
        }
        on_event(event);
    } catch (...) {
        return;
    }
}

ACTA_INLINE std::string Observer::shown(const std::string& text) const {
    std::string out = mask_secrets(redactor_ ? redactor_(text) : text);
    if (out.size() <= max_text_bytes) return out;
    out.resize(utf8::prefix(out, max_text_bytes).size());
    return out + "...";
}

ACTA_INLINE EventValue EventField::copy_of(const EventValue& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text != nullptr ? EventValue(std::string(*text)) : value;
}

ACTA_INLINE const EventValue* Event::find(std::string_view field) const noexcept {
    for (const EventField& one : fields) {
        if (one.name == field) return &one.value;
    }
    return nullptr;
}

ACTA_INLINE void ScopedEvent::add(std::initializer_list<EventField> fields) noexcept {
    try {
        event_.fields.insert(event_.fields.end(), fields);  // with one allocation
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::fail(std::string_view error) noexcept {
    event_.failed = true;
    try {
        event_.fields.emplace_back("error", error);
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::begin(std::string_view name, EventLevel level) {
    event_.name = name;
    event_.level = level;
    exceptions_ = std::uncaught_exceptions();
    start_ = std::chrono::steady_clock::now();
}

ACTA_INLINE void ScopedEvent::end() noexcept {
    event_.duration = std::chrono::steady_clock::now() - start_;
    event_.failed = event_.failed || std::uncaught_exceptions() > exceptions_;
    if (event_.failed) event_.level = EventLevel::error;
    observer_->notify(std::move(event_));
}

ACTA_INLINE void CountingObserver::on_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    auto found = totals_.find(event.name);
    if (found == totals_.end()) found = totals_.emplace(std::string(event.name), EventTotals{}).first;
    EventTotals& total = found->second;
    ++total.count;
    total.failures += event.failed ? 1U : 0U;
    total.time += event.duration;
    total.longest = std::max(total.longest, event.duration);
    const EventValue* const length = event.find("length");
    if (length != nullptr && std::holds_alternative<std::int64_t>(*length)) length_ = std::get<std::int64_t>(*length);
}

ACTA_INLINE EventTotals CountingObserver::totals(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = totals_.find(name);
    return found == totals_.end() ? EventTotals{} : found->second;
}

ACTA_INLINE std::map<std::string, EventTotals, std::less<>> CountingObserver::all() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

ACTA_INLINE std::optional<std::int64_t> CountingObserver::history_length() const {
    const std::lock_guard lock(mutex_);
    return length_;
}

ACTA_INLINE void CountingObserver::reset() {
    const std::lock_guard lock(mutex_);
    totals_.clear();
    length_.reset();
}

}  // namespace acta::inline ACTA_ABI
