// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI {

namespace base_detail {
class PendingFile;
}

namespace base {

/// Throws a `FileError` that reads `Cannot <action> '<path>': <reason>`, with the system's words for `error`, a
/// value of `errno`.
[[noreturn]] void throw_file_error(std::string_view action, const std::filesystem::path& path, int error);
/// As above, for the code of a system call or of `std::filesystem`.
[[noreturn]] void throw_file_error(std::string_view action, const std::filesystem::path& path, std::error_code error);

/// Reads a whole file, a pipe or a device, as bytes. Throws `FileError` if that fails.
///
/// Reading stops soon after `max_bytes`: a result longer than that is the beginning of the file, which the caller must
/// refuse. So a reader with a limit cannot be made to exhaust memory.
[[nodiscard]] std::string read_file(const std::filesystem::path& path,
                                    std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

/// A new file beside another one that takes its place once it is complete and on the disk (`commit`). Until then, and
/// when it is abandoned, the other one is untouched. `save` documents what is guaranteed, and what less on Windows.
///
/// @code{.cpp}
/// #include <filesystem>
/// acta::base::ReplacementFile file(std::filesystem::temp_directory_path() / "acta_page.html");
/// file.write("<!doctype html>");
/// file.commit();
/// @endcode
///
/// Its name is `<target>.acta0.tmp`, or has the next number while another writer uses that one; a long name is cut so
/// that it fits the file system. Writers lock their file, and the lock ends with the process. So the file of a writer
/// that was killed is recognised by having no lock, and the next writer removes it.
class ReplacementFile {
public:
    /// Makes the new file. Throws `FileError`, also if `target` exists and is not a regular file.
    explicit ReplacementFile(const std::filesystem::path& target);
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile();

    /// Appends to the new file. Throws `FileError`.
    void write(std::string_view text);
    /// Replaces the old file by the new one. Throws `FileError`; the old one is then unchanged.
    void commit();

private:
    std::unique_ptr<base_detail::PendingFile> file_;
};

}  // namespace base

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/base/detail/file.inl.hpp"
#endif
