// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"

// What reading a text found wrong, in few words.

/// The issues of reading `text` as a `T`; none where it is good.
template <class T>
std::vector<acta::Issue> issues_of(const std::string& text, const acta::ParseOptions& options = {}) {
    try {
        static_cast<void>(acta::parse<T>(text, options));
        return {};
    } catch (const acta::ValidationError& error) {
        return {error.issues().begin(), error.issues().end()};
    }
}

/// The same, each as `pointer code`.
template <class T>
std::vector<std::string> faults(const std::string& text, const acta::ParseOptions& options = {}) {
    const auto brief = [](const auto& issues) {
        std::vector<std::string> out;
        for (const acta::Issue& issue : issues) out.push_back(issue.pointer() + " " + issue.type);
        return out;
    };
    const std::vector<std::string> out = brief(issues_of<T>(text, options));
    // The same value in memory has the same issues.
    const acta::Json value = acta::Json::parse(text, nullptr, false);
    if (!value.is_discarded()) {
        std::vector<std::string> in_memory;
        try {
            static_cast<void>(acta::validate<T>(value, options));
        } catch (const acta::ValidationError& error) {
            in_memory = brief(error.issues());
        }
        CHECK(in_memory == out);
    }
    return out;
}

using Faults = std::vector<std::string>;
