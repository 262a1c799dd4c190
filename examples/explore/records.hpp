// SPDX-License-Identifier: MIT
#pragma once

// What goes into the tools and comes out of them. Each struct is described once: that checks what the model wrote, is
// the schema that it is shown, and lets it read the results of earlier steps back from the history.

#include <acta/acta.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace explore {

// Arguments.

struct ListFiles {
    std::string folder = ".";
};

struct ReadFile {
    std::string path{};
    std::int64_t first_line = 1;
    std::int64_t lines = 20;
};

struct SearchText {
    std::string text{};
    bool whole_words = false;
    std::vector<std::string> kinds{};
    std::string folder = ".";
    std::int64_t limit = 10;
};

struct CountLines {
    std::string path = ".";
};

struct FileSizes {
    std::string folder = ".";
    std::int64_t count = 5;
};

// Results.

struct Listing {
    std::vector<std::string> names{};
    std::int64_t more = 0;  // names beyond the limit
};

struct TextMatch {
    std::string path{};
    std::int64_t line = 0;
    std::string text{};
};

struct TextMatches {
    std::vector<TextMatch> matches{};
    std::int64_t more = 0;
    std::int64_t files_searched = 0;
    std::int64_t files_left_out = 0;
};

struct LineCount {
    std::int64_t lines = 0;
    std::int64_t files = 0;
    std::int64_t files_left_out = 0;  // no text, too large, links and so on
};

struct SizedFile {
    std::string path{};
    std::int64_t bytes = 0;
};

struct FileKind {
    std::string kind{};  // the suffix with its dot, or empty
    std::int64_t files = 0;
    std::string largest{};
};

struct SizeReport {
    std::int64_t files = 0;
    std::int64_t bytes = 0;
    std::vector<SizedFile> largest{};
    std::vector<FileKind> kinds{};  // the most frequent first
};

}  // namespace explore

template <>
struct acta::Describe<explore::ListFiles> {
    static constexpr auto fields = acta::fields(
        acta::defaulted("folder", &explore::ListFiles::folder, "The folder; '.' is the one that is explored."));
};

template <>
struct acta::Describe<explore::ReadFile> {
    static constexpr auto fields = acta::fields(
        acta::required("path", &explore::ReadFile::path, "The file."),
        acta::defaulted("first_line", &explore::ReadFile::first_line, "Counted from 1.", acta::at_least(1)),
        acta::defaulted("lines", &explore::ReadFile::lines, "How many lines.", acta::range(1, 200)));
};

template <>
struct acta::Describe<explore::SearchText> {
    static constexpr auto fields = acta::fields(
        acta::required("text", &explore::SearchText::text, "What to look for, in one line.", acta::non_empty),
        acta::defaulted("whole_words", &explore::SearchText::whole_words, "Not inside of longer words."),
        acta::defaulted("kinds", &explore::SearchText::kinds, "Suffixes such as '.py'; all files when empty."),
        acta::defaulted("folder", &explore::SearchText::folder, "Where to look."),
        acta::defaulted("limit", &explore::SearchText::limit, "How many lines at most.", acta::range(1, 100)));
};

template <>
struct acta::Describe<explore::CountLines> {
    static constexpr auto fields = acta::fields(
        acta::defaulted("path", &explore::CountLines::path, "A file, or a folder with all that is below."));
};

template <>
struct acta::Describe<explore::FileSizes> {
    static constexpr auto fields = acta::fields(
        acta::defaulted("folder", &explore::FileSizes::folder, "The folder with all that is below."),
        acta::defaulted("count", &explore::FileSizes::count, "How many of the largest files.", acta::range(1, 50)));
};

template <>
struct acta::Describe<explore::Listing> {
    static constexpr auto fields = acta::fields(acta::required("names", &explore::Listing::names),
                                                acta::required("more", &explore::Listing::more));
};

template <>
struct acta::Describe<explore::TextMatch> {
    static constexpr auto fields = acta::fields(acta::required("path", &explore::TextMatch::path),
                                                acta::required("line", &explore::TextMatch::line),
                                                acta::required("text", &explore::TextMatch::text));
};

template <>
struct acta::Describe<explore::TextMatches> {
    static constexpr auto fields = acta::fields(
        acta::required("matches", &explore::TextMatches::matches), acta::required("more", &explore::TextMatches::more),
        acta::required("files_searched", &explore::TextMatches::files_searched),
        acta::required("files_left_out", &explore::TextMatches::files_left_out));
};

template <>
struct acta::Describe<explore::LineCount> {
    static constexpr auto fields = acta::fields(acta::required("lines", &explore::LineCount::lines),
                                                acta::required("files", &explore::LineCount::files),
                                                acta::required("files_left_out", &explore::LineCount::files_left_out));
};

template <>
struct acta::Describe<explore::SizedFile> {
    static constexpr auto fields = acta::fields(acta::required("path", &explore::SizedFile::path),
                                                acta::required("bytes", &explore::SizedFile::bytes));
};

template <>
struct acta::Describe<explore::FileKind> {
    static constexpr auto fields = acta::fields(acta::required("kind", &explore::FileKind::kind),
                                                acta::required("files", &explore::FileKind::files),
                                                acta::required("largest", &explore::FileKind::largest));
};

template <>
struct acta::Describe<explore::SizeReport> {
    static constexpr auto fields = acta::fields(
        acta::required("files", &explore::SizeReport::files), acta::required("bytes", &explore::SizeReport::bytes),
        acta::required("largest", &explore::SizeReport::largest), acta::required("kinds", &explore::SizeReport::kinds));
};
