// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/entries.hpp"
#include "acta/base/json_value.hpp"

// Keys are removed from every text that leaves a client, including those echoed by a server.
namespace acta::inline ACTA_ABI::http {

/// Texts that must not be shown.
class Secrets {
public:
    /// Shorter texts (`none`, `x`) are not treated as secrets in errors: hiding them would garble unrelated text. In
    /// bytes.
    static constexpr std::size_t shortest_in_errors = 4;
    /// The same for answers, which may be about short keys of local servers, such as `lm-studio`. In bytes.
    static constexpr std::size_t shortest_in_answers = 16;

    /// Adds a secret, unless it is too short to be one.
    void add(std::string_view secret) {
        if (secret.size() >= shortest_in_errors) secrets_.emplace_back(secret);
        // Longest first, so that a secret contained in another does not leave a part of it.
        std::sort(secrets_.begin(), secrets_.end(),
                  [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    }

    /// Returns `text` with `***` in place of each secret of at least `shortest` bytes.
    [[nodiscard]] std::string hide(std::string text, std::size_t shortest = shortest_in_errors) const {
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) continue;
            std::size_t at = text.find(secret);
            if (at == std::string::npos) continue;
            std::string out;
            std::size_t from = 0;
            for (; at != std::string::npos; at = text.find(secret, from)) {
                out.append(text, from, at - from).append(mask);
                from = at + secret.size();
            }
            text = out.append(text, from);
        }
        return text;
    }
    /// Hides secrets in every text of a value, including keys. Recurses as deep as the value, whose depth its reader
    /// has limited.
    void hide_in(Json& value, std::size_t shortest) const {
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

    /// Returns how many bytes at the end of `text` may be the beginning of a secret.
    [[nodiscard]] std::size_t beginning_at_end(std::string_view text, std::size_t shortest) const {
        std::size_t longest_found = 0;
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) continue;
            for (std::size_t n = std::min(secret.size() - 1, text.size()); n > longest_found; --n) {
                if (text.ends_with(std::string_view(secret).substr(0, n))) longest_found = n;
            }
        }
        return longest_found;
    }

private:
    static constexpr const char* mask = "***";
    [[nodiscard]] std::size_t longest() const noexcept { return secrets_.empty() ? 0 : secrets_.front().size(); }

    std::vector<std::string> secrets_{};
};

/// Removes secrets from a text that arrives in parts: a possible beginning of one is held back.
class SecretFilter {
public:
    /// `secrets` must outlive the filter.
    explicit SecretFilter(const Secrets& secrets) : secrets_(secrets) {}

    /// Adds a part and returns the text that can be shown now.
    [[nodiscard]] std::string add(std::string_view piece) {
        pending_ += piece;
        pending_ = secrets_.hide(std::move(pending_), Secrets::shortest_in_answers);
        const std::size_t held = secrets_.beginning_at_end(pending_, Secrets::shortest_in_answers);
        std::string out = pending_.substr(0, pending_.size() - held);
        pending_.erase(0, out.size());
        return out;
    }
    /// Returns the text that was held back, at the end.
    [[nodiscard]] std::string rest() { return std::exchange(pending_, {}); }

private:
    const Secrets& secrets_;
    std::string pending_{};
};

}  // namespace acta::inline ACTA_ABI::http
