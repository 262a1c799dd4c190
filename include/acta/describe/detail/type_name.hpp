// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "acta/version.hpp"

// Names of types and members, taken from the compiler's name of a function that has them as template arguments.
namespace acta::inline ACTA_ABI::describe_detail {

template <class T>
constexpr std::string_view pretty_type() {
#if defined(_MSC_VER) && !defined(__clang__)
    constexpr std::string_view text = __FUNCSIG__;
    constexpr std::size_t first = text.find("pretty_type<") + 12;
    constexpr std::string_view name = text.substr(first, text.rfind(">(void)") - first);
    constexpr std::size_t blank = name.find(' ');  // "struct X", "class X", "enum X"
    return name.starts_with("struct ") || name.starts_with("class ") || name.starts_with("enum ")
               ? name.substr(blank + 1)
               : name;
#else
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::size_t first = text.find("T = ") + 4;
    constexpr std::size_t last = text.find_first_of(";]", text.rfind("T = "));
    return text.substr(first, last - first);
#endif
}

template <auto Member>
constexpr std::string_view pretty_member() {
#if defined(_MSC_VER) && !defined(__clang__)
    constexpr std::string_view text = __FUNCSIG__;
    constexpr std::size_t last = text.rfind(">(void)");
#else
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::size_t start = text.find("Member = ");
    constexpr std::size_t semicolon = text.find(';', start);
    constexpr std::size_t last = semicolon != std::string_view::npos ? semicolon : text.rfind(']');
#endif
    constexpr std::string_view path = text.substr(0, text.find_last_not_of(") ", last - 1) + 1);
    return path.substr(path.rfind(':') + 1);
}

/// `query` for `&WebSearch::query`.
template <auto Member>
constexpr std::string_view member_name() {
    return pretty_member<Member>();
}

/// `Episode[ActionProposal]` for `app::Episode<acta::v0::ActionProposal>`: no namespaces, and
/// parameters as Python writes them.
[[gnu::cold]] inline std::string short_type_name(std::string_view pretty) {
    std::string plain(pretty);
    for (const std::string_view unnamed : {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::"}) {
        for (std::size_t at = plain.find(unnamed); at != std::string::npos; at = plain.find(unnamed))
            plain.erase(at, unnamed.size());
    }
    pretty = plain;
    std::string out;
    std::size_t word = 0;  // where the current name begins in out
    for (std::size_t i = 0; i < pretty.size(); ++i) {
        const char c = pretty[i];
        if (c == ':' && i + 1 < pretty.size() && pretty[i + 1] == ':') {
            out.resize(word);
            ++i;
        } else if (c == '<' || c == '>' || c == ',' || c == ' ') {
            if (c == ' ' && !out.empty() && out.back() == ' ') continue;
            out += c == '<' ? '[' : c == '>' ? ']' : c;
            word = out.size();
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::describe_detail
