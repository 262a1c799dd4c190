// SPDX-License-Identifier: MIT
#pragma once

// A folder seen through bounds: nothing outside of it, no loops, no surprise in size, every name as text.

#include <acta/base/unicode.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace explore {

namespace fs = std::filesystem;

// The names of these classes are the `exception_type` of error results, so they are what an agent learns from.
struct FileNotFound : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct IsAFolder : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct NotAFolder : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct NotText : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct OutsideOfFolder : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Unreadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t max_file_bytes = std::size_t{8} * 1024 * 1024;  // no more is read of a file
inline constexpr std::size_t max_entries = 100'000;                          // no more are visited in a walk
inline constexpr int max_depth = 32;                                         // of folders inside one another

/// Text that a terminal shows as it is: bytes that are not UTF-8 and control characters other than tabs become `\xNN`.
inline std::string printable(std::string_view bytes, bool double_backslash = false) {
    std::string out;
    for (const char* p = bytes.data(); p != bytes.data() + bytes.size();) {
        const std::size_t length = acta::utf8::sequence_length(p, bytes.data() + bytes.size());
        const char32_t point = length == 0 ? 0 : acta::utf8::code_point(p, length);
        const bool shown = (point >= 0x20 && point < 0x7F) || point >= 0xA0 || (point == '\t' && !double_backslash);
        if (shown && point == '\\' && double_backslash) out += '\\';
        for (const char* const end = p + (length == 0 ? 1 : length); p != end; ++p) {
            constexpr const char* digits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(*p);
            if (shown)
                out += *p;
            else
                ((out += "\\x") += digits[byte >> 4]) += digits[byte & 0xF];
        }
    }
    return out;
}

/// A path as text. File names are bytes, and a history is UTF-8: `path_from_text` finds the file again.
inline std::string path_text(const fs::path& path) {
    const std::u8string name = path.generic_u8string();
    return printable(std::string(name.begin(), name.end()), true);
}

namespace detail {

inline int hex_digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace detail

inline fs::path path_from_text(std::string_view text) {
    std::u8string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const int high = rest.starts_with("\\x") && rest.size() >= 4 ? detail::hex_digit(rest[2]) : -1;
        const int low = high >= 0 ? detail::hex_digit(rest[3]) : -1;
        if (low >= 0) {
            bytes += static_cast<char8_t>(high * 16 + low);
            i += 3;
        } else {
            bytes += static_cast<char8_t>(text[i]);
            if (rest.starts_with("\\\\")) ++i;
        }
    }
    return {bytes};
}

/// Text is UTF-8 without zero bytes.
inline bool is_text(std::string_view bytes) noexcept {
    return bytes.find('\0') == bytes.npos && acta::utf8::is_valid(bytes);
}

/// A file of a walk, by its path inside of the folder.
struct FoundFile {
    fs::path path{};
    std::uintmax_t bytes = 0;
};

/// All files below a folder, in the order of their names; what was omitted is counted.
struct Walk {
    std::vector<FoundFile> files{};
    std::size_t left_out = 0;  // links, devices, folders that cannot be read, all beyond the limits
};

class Folder {
public:
    /// Throws `std::filesystem::filesystem_error` if there is no such folder.
    explicit Folder(const fs::path& root) : root_(fs::canonical(root)) {
        if (!fs::is_directory(root_))
            throw fs::filesystem_error("no folder", root, std::make_error_code(std::errc::not_a_directory));
    }

    [[nodiscard]] const fs::path& root() const noexcept { return root_; }

    /// The real path of `text`, links followed. It need not exist, but it is inside of this folder.
    [[nodiscard]] fs::path resolve(const std::string& text) const;
    /// The beginning of a file, at most `max_file_bytes`.
    [[nodiscard]] std::string read(const std::string& text) const;
    /// The same, if it is text.
    [[nodiscard]] std::string read_text(const std::string& text) const {
        std::string bytes = read(text);
        if (!is_text(bytes)) throw NotText("'" + text + "' is not text");
        return bytes;
    }
    /// The names in a folder, sorted, without those of version control and of builds.
    [[nodiscard]] std::vector<fs::path> names(const std::string& text) const;
    [[nodiscard]] Walk walk(const std::string& text) const;

private:
    static bool is_skipped(const fs::directory_entry& entry);
    static std::vector<fs::directory_entry> sorted_entries(const fs::path& folder, std::error_code& error);
    void walk_into(const fs::path& folder, int depth, std::size_t& visited, Walk& walk) const;

    fs::path root_;
};

inline fs::path Folder::resolve(const std::string& text) const {
    const fs::path path = path_from_text(text);
    if (path.native().find(fs::path::value_type{}) != fs::path::string_type::npos)
        throw FileNotFound("There is no '" + text + "'");
    std::error_code error;
    const fs::path real = fs::weakly_canonical(root_ / path, error);
    if (error) throw Unreadable("Cannot read '" + text + "': " + error.message());
    const auto [inside, rest] = std::mismatch(root_.begin(), root_.end(), real.begin(), real.end());
    if (inside != root_.end()) throw OutsideOfFolder("'" + text + "' is outside of the folder");
    return real;
}

inline std::string Folder::read(const std::string& text) const {
    const fs::path path = resolve(text);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) throw FileNotFound("There is no '" + text + "'");
    if (fs::is_directory(status)) throw IsAFolder("'" + text + "' is a folder");
    // Others (a pipe, a device) might never end.
    if (!fs::is_regular_file(status)) throw Unreadable("'" + text + "' is not a regular file");
    // Only as much as the size says, so that neither a file that grows nor one of /proc can keep us.
    const std::uintmax_t size = fs::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    if (error || !in) throw Unreadable("Cannot read '" + text + "'");
    std::string bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, max_file_bytes + 4)), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (in.bad()) throw Unreadable("Cannot read '" + text + "'");
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    bytes.resize(acta::utf8::prefix(bytes, max_file_bytes).size());
    return bytes;
}

inline bool Folder::is_skipped(const fs::directory_entry& entry) {
    std::error_code error;
    if (!entry.is_directory(error)) return false;
    const fs::path name = entry.path().filename();
    for (const char* skipped : {".git", ".hg", ".svn", ".cache", "build", "node_modules", "__pycache__"}) {
        if (name == skipped) return true;
    }
    return fs::exists(entry.path() / "CMakeCache.txt", error) || fs::exists(entry.path() / "CACHEDIR.TAG", error);
}

inline std::vector<fs::directory_entry> Folder::sorted_entries(const fs::path& folder, std::error_code& error) {
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
        if (!is_skipped(*i)) entries.push_back(*i);
    }
    std::ranges::sort(entries, {}, [](const fs::directory_entry& entry) -> const fs::path& { return entry.path(); });
    return entries;
}

inline std::vector<fs::path> Folder::names(const std::string& text) const {
    const fs::path path = resolve(text);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) throw FileNotFound("There is no '" + text + "'");
    if (!fs::is_directory(status)) throw NotAFolder("'" + text + "' is not a folder");
    std::vector<fs::path> names;
    for (const fs::directory_entry& entry : sorted_entries(path, error)) names.push_back(entry.path().filename());
    if (error) throw Unreadable("Cannot list '" + text + "': " + error.message());
    return names;
}

inline Walk Folder::walk(const std::string& text) const {
    static_cast<void>(names(text));  // says what is wrong with the folder itself
    Walk walk;
    std::size_t visited = 0;
    walk_into(resolve(text), 0, visited, walk);
    return walk;
}

// Links are not followed, so there are no loops; the depth is bounded, so is the stack.
inline void Folder::walk_into(const fs::path& folder, int depth, std::size_t& visited, Walk& walk) const {
    std::error_code error;
    const std::vector<fs::directory_entry> entries = sorted_entries(folder, error);
    if (error) ++walk.left_out;
    for (const fs::directory_entry& entry : entries) {
        const bool folder_below = !entry.is_symlink(error) && entry.is_directory(error);
        const bool file = !entry.is_symlink(error) && entry.is_regular_file(error);
        if (visited == max_entries || !(file || (folder_below && depth < max_depth))) {
            ++walk.left_out;
            continue;
        }
        ++visited;
        if (folder_below) {
            walk_into(entry.path(), depth + 1, visited, walk);
        } else {
            const std::uintmax_t bytes = entry.file_size(error);
            walk.files.push_back({entry.path().lexically_relative(root_), error ? 0 : bytes});
        }
    }
}

}  // namespace explore
