// SPDX-License-Identifier: MIT
#pragma once

// What the agent can do: plain functions of a folder and a described struct. What goes wrong is thrown.

#include <acta/base/unicode.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "records.hpp"

namespace explore {

namespace detail {

inline constexpr std::size_t max_names = 100;                            // of one listing
inline constexpr std::size_t max_kinds = 20;                             // of one report on sizes
inline constexpr std::size_t max_line_bytes = 160;                       // longer lines are cut
inline constexpr std::uintmax_t max_search_bytes = max_file_bytes * 32;  // read in one search or count

inline std::int64_t as_int(std::uintmax_t value) { return static_cast<std::int64_t>(value); }

inline std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

inline std::string cut_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view kept = acta::utf8::prefix(line, max_line_bytes);
    return printable(kept) + (kept.size() < line.size() ? "..." : "");
}

inline bool has_text(std::string_view line, std::string_view wanted, bool whole_words) {
    const auto in_word = [line](std::size_t i) {  // beyond either end there is no word
        const auto byte = static_cast<unsigned char>(i < line.size() ? line[i] : ' ');
        return byte == '_' || byte >= 0x80 || std::isalnum(byte) != 0;
    };
    for (std::size_t at = line.find(wanted); at != line.npos; at = line.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool cut = (in_word(at - 1) && in_word(at)) || (in_word(end - 1) && in_word(end));
        if (!whole_words || !cut) return true;
    }
    return false;
}

/// Calls `use(path, text)` for each text file below a folder that `wanted`; returns the number of those left out.
template <class Wanted, class Use>
std::int64_t each_text(const Folder& folder, const std::string& below, const Wanted& wanted, const Use& use) {
    const Walk walk = folder.walk(below);
    std::size_t left_out = walk.left_out;
    std::uintmax_t budget = max_search_bytes;
    for (const FoundFile& file : walk.files) {
        if (!wanted(file.path)) continue;
        if (file.bytes > max_file_bytes || file.bytes > budget) {
            ++left_out;
            continue;
        }
        budget -= file.bytes;
        const std::string path = path_text(file.path);
        try {
            use(path, folder.read_text(path));
        } catch (const std::runtime_error&) {  // no text, not readable, or gone by now
            ++left_out;
        }
    }
    return as_int(left_out);
}

}  // namespace detail

inline Listing list_files(const Folder& folder, const ListFiles& arguments) {
    const std::vector<fs::path> names = folder.names(arguments.folder);
    Listing listing;
    for (const fs::path& name : names) {
        if (listing.names.size() < detail::max_names) listing.names.push_back(path_text(name));
    }
    listing.more = detail::as_int(names.size() - listing.names.size());
    return listing;
}

inline std::string read_file(const Folder& folder, const ReadFile& arguments) {
    const std::string text = folder.read_text(arguments.path);
    const std::vector<std::string_view> lines = detail::split_lines(text);
    const auto first = static_cast<std::size_t>(arguments.first_line - 1);
    if (first >= std::max<std::size_t>(lines.size(), 1))
        throw std::out_of_range("'" + arguments.path + "' has only " + std::to_string(lines.size()) + " lines");
    std::string out;
    for (std::size_t i = first; i < lines.size() && i - first < static_cast<std::size_t>(arguments.lines); ++i) {
        if (i != first) out += '\n';
        out += detail::cut_line(lines[i]);
    }
    return out;
}

inline TextMatches search_text(const Folder& folder, const SearchText& arguments) {
    if (arguments.text.find('\n') != std::string::npos) throw std::invalid_argument("The text has more than one line");
    const auto wanted = [&kinds = arguments.kinds](const fs::path& path) {
        return kinds.empty() || std::ranges::count(kinds, path_text(path.extension())) != 0;
    };
    TextMatches found;
    const auto search = [&](const std::string& path, std::string_view text) {
        ++found.files_searched;
        std::int64_t number = 0;
        for (std::string_view line : detail::split_lines(text)) {
            ++number;
            if (!detail::has_text(line, arguments.text, arguments.whole_words)) continue;
            if (detail::as_int(found.matches.size()) < arguments.limit) {
                line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
                found.matches.push_back({path, number, detail::cut_line(line)});
            } else {
                ++found.more;
            }
        }
    };
    found.files_left_out = detail::each_text(folder, arguments.folder, wanted, search);
    return found;
}

inline LineCount count_lines(const Folder& folder, const CountLines& arguments) {
    const auto lines_of = [](std::string_view text) {
        const auto ends = std::ranges::count(text, '\n');
        return std::int64_t{ends} + (text.empty() || text.back() == '\n' ? 0 : 1);
    };
    LineCount count;
    try {
        count = {lines_of(folder.read_text(arguments.path)), 1, 0};
    } catch (const IsAFolder&) {
        const auto all = [](const fs::path&) { return true; };
        const auto add = [&](const std::string&, std::string_view text) {
            ++count.files;
            count.lines += lines_of(text);
        };
        count.files_left_out = detail::each_text(folder, arguments.path, all, add);
    }
    return count;
}

inline SizeReport file_sizes(const Folder& folder, const FileSizes& arguments) {
    std::vector<FoundFile> files = folder.walk(arguments.folder).files;
    std::ranges::stable_sort(files, std::ranges::greater{},
                             &FoundFile::bytes);  // equal ones stay in the order of names
    SizeReport report;
    std::map<std::string, FileKind> kinds;
    for (const FoundFile& file : files) {
        const std::string path = path_text(file.path);
        ++report.files;
        report.bytes += detail::as_int(file.bytes);
        if (report.files <= arguments.count) report.largest.push_back({path, detail::as_int(file.bytes)});
        FileKind& kind = kinds[path_text(file.path.extension())];
        if (kind.files++ == 0) kind.largest = path;
    }
    for (auto& [suffix, kind] : kinds) {
        kind.kind = suffix;
        report.kinds.push_back(std::move(kind));
    }
    std::ranges::stable_sort(report.kinds, std::ranges::greater{}, &FileKind::files);
    report.kinds.resize(std::min(report.kinds.size(), detail::max_kinds));
    return report;
}

}  // namespace explore
