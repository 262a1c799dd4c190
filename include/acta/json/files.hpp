// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include "acta/base/file.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI {

/// Reads a `T` from a JSON file. Throws `FileError` if it cannot be read, and whatever `parse` throws.
///
/// @code{.cpp}
/// #include <filesystem>
/// #include <map>
/// #include <string>
/// const auto path = std::filesystem::temp_directory_path() / "acta_limits.json";
/// acta::save(std::map<std::string, int>{{"retries", 3}}, path, {.indent = 2});
/// const auto limits = acta::load<std::map<std::string, int>>(path);
/// @endcode
template <class T>
[[nodiscard]] T load(const std::filesystem::path& path, const ParseOptions& options = {}) {
    return parse<T>(base::read_file(path, options.max_bytes), options);
}

/// Writes a value to a JSON file, atomically: whatever happens meanwhile, the path holds the old file or the complete
/// new one. Throws `FileError` or `EncodeError`; the old file is then unchanged.
///
/// A new file is written beside the old one, flushed to the disk and renamed. Mode, owner and group of an existing file
/// are kept as far as the process may set them, and a symbolic link remains one. The temporary file of a save that was
/// killed is removed by the next save to the same path. Programs and threads may save to the same path at the same
/// time; the last one wins.
///
/// On Windows the attributes and access rights of the old file are not kept, and a program that has it open without
/// sharing its deletion, as streams do, keeps it from being replaced: it is waited for, at most a second.
///
/// @code{.cpp}
/// #include <filesystem>
/// #include <vector>
/// acta::save(std::vector<int>{1, 2, 3}, std::filesystem::temp_directory_path() / "acta_numbers.json");
/// @endcode
template <class T>
void save(const T& value, const std::filesystem::path& path, const DumpOptions& options = {}) {
    base::ReplacementFile file(path);
    dump_to(
        value, [&file](std::string_view text) { file.write(text); }, options);
    file.commit();
}

}  // namespace acta::inline ACTA_ABI
