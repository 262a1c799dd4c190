// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI::base {

/// Throws a `FileError` that reads `Cannot <action> '<path>': <reason>`, with the system's words for `error`, an
/// `errno` value.
[[noreturn]] [[gnu::cold]] inline void throw_file_error(std::string_view action, const std::filesystem::path& path,
                                                        int error) {
    throw FileError("Cannot " + std::string(action) + " '" + path.string() +
                    "': " + std::error_code(error, std::generic_category()).message());
}

/// Reads a whole file, a pipe or a device, as bytes. Throws `FileError` if that fails.
///
/// Reading stops soon after `max_bytes`: a result longer than that is the beginning of the file, which the caller must
/// refuse. So a reader with a limit cannot be made to exhaust memory.
[[nodiscard]] inline std::string read_file(const std::filesystem::path& path,
                                           std::size_t max_bytes = std::numeric_limits<std::size_t>::max()) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw_file_error("read", path, EISDIR);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw_file_error("read", path, errno != 0 ? errno : ENOENT);
    std::string text;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size < max_bytes) text.reserve(static_cast<std::size_t>(size));
    // A pipe or a device has no size, and that of a regular file may have changed: only the end counts.
    char buffer[std::size_t{64} * 1024];
    while (text.size() <= max_bytes && (in.read(buffer, sizeof buffer), in.gcount() > 0))
        text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (in.bad()) throw_file_error("read", path, errno != 0 ? errno : EIO);
    return text;
}

}  // namespace acta::inline ACTA_ABI::base
