// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/utility.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

/// The parts of a URI reference (RFC 3986, appendix B), each with the delimiters that belong to it; empty if absent.
struct UriParts {
    std::string_view scheme{};     // http:
    std::string_view authority{};  // //example.com
    std::string_view path{};       // /a/b
    std::string_view query{};      // ?c
    std::string_view fragment{};   // #d
};

[[nodiscard]] inline UriParts uri_parts(std::string_view text) {
    UriParts out;
    const auto take = [&text](std::size_t size) {
        const std::string_view part = text.substr(0, size);
        text.remove_prefix(part.size());
        return part;
    };
    const std::size_t colon = text.find_first_of(":/?#");
    if (colon != std::string_view::npos && colon > 0 && text[colon] == ':') out.scheme = take(colon + 1);
    if (text.starts_with("//")) out.authority = take(text.find_first_of("/?#", 2));
    out.path = take(text.find_first_of("?#"));
    out.query = take(text.find('#'));
    out.fragment = text;
    return out;
}

/// Removes the segments `.` and `..` of a path (RFC 3986, section 5.2.4).
[[nodiscard]] inline std::string without_dots(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const std::size_t end = path.find('/', 1);
        const std::string_view segment = path.substr(0, end);  // with the slash before it, if there is one
        const std::string_view name = segment.starts_with('/') ? segment.substr(1) : segment;
        path.remove_prefix(segment.size());
        if (name == "..") out.erase(out.rfind('/') == std::string::npos ? 0 : out.rfind('/'));
        if (name != "." && name != "..")
            out += segment;
        else if (path.empty() && segment.starts_with('/'))
            out += '/';
    }
    return out;
}

/// Returns the URI that a reference means (RFC 3986, section 5.2.2).
[[nodiscard]] inline std::string resolved_uri(std::string_view current, std::string_view reference) {
    const UriParts from = uri_parts(current);
    const UriParts to = uri_parts(reference);
    if (!to.scheme.empty())
        return base::concat({to.scheme, to.authority, without_dots(to.path), to.query, to.fragment});
    if (!to.authority.empty())
        return base::concat({from.scheme, to.authority, without_dots(to.path), to.query, to.fragment});
    if (to.path.empty())
        return base::concat(
            {from.scheme, from.authority, from.path, to.query.empty() ? from.query : to.query, to.fragment});
    std::string path(to.path);
    if (!to.path.starts_with('/')) {
        const std::size_t slash = from.path.rfind('/');
        if (slash != std::string_view::npos)
            path.insert(0, from.path.substr(0, slash + 1));
        else if (!from.authority.empty())
            path.insert(0, "/");
    }
    return base::concat({from.scheme, from.authority, without_dots(path), to.query, to.fragment});
}

/// Returns the key that a step of a JSON pointer means: `~1` is `/`, `~0` is `~` (RFC 6901).
[[nodiscard]] inline std::string unescaped_key(std::string_view step) {
    std::string out;
    for (std::size_t i = 0; i < step.size(); ++i) {
        const bool escape = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
        out += escape ? (step[++i] == '0' ? '~' : '/') : step[i];
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::schema_detail
