// SPDX-License-Identifier: MIT
#pragma once

// Needs yaml-cpp: link acta::yaml.

#include <cstddef>
#include <filesystem>
#include <string>

#include "acta/base/error.hpp"
#include "acta/base/file.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/declaration.hpp"

// Reads described types from YAML (`skills.yaml`), with the rules and errors of JSON.
namespace acta::inline ACTA_ABI {

/// A text is not YAML, or exceeds the limits. Lines and columns count from 1; both are 0 if there is no position.
class YamlError : public Error {
public:
    /// Adds the position to `message`.
    YamlError(const std::string& message, std::size_t line, std::size_t column)
        : Error(line == 0 ? message
                          : message + " at line " + std::to_string(line) + ", column " + std::to_string(column)),
          line_(line),
          column_(column) {}

    /// Returns the line, from 1; 0 if there is no position.
    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    /// Returns the column, from 1; 0 if there is no position.
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    std::size_t line_;
    std::size_t column_;
};

/// Limits of a YAML text. Values and their texts are counted after aliases have been resolved, so that a few lines
/// cannot stand for billions of them.
struct YamlOptions {
    /// Bytes of the text, and of all keys and scalars that it stands for.
    std::size_t max_bytes = std::size_t{16} * 1024 * 1024;
    /// Values of all kinds.
    std::size_t max_values = 1'000'000;
    /// Nesting.
    std::size_t max_depth = 64;
};

/// Returns the value of a YAML text (its first document). Throws `YamlError`.
[[nodiscard]] Json yaml_to_json(const std::string& text, const YamlOptions& options = {});

/// Reads a `T` from YAML text. Throws `YamlError`, or `ValidationError` with every issue, as `validate` does.
///
/// @code{.cpp}
/// auto returns = acta::parse_yaml<acta::Skill::Returns>("type: string\nformat: base64");
/// @endcode
template <class T>
[[nodiscard]] T parse_yaml(const std::string& text, const ParseOptions& options = {}, const YamlOptions& yaml = {}) {
    return validate<T>(yaml_to_json(text, yaml), options);
}

/// Reads a `T` from a YAML file. Also throws `FileError`.
template <class T>
[[nodiscard]] T load_yaml(const std::filesystem::path& path, const ParseOptions& options = {},
                          const YamlOptions& yaml = {}) {
    const std::string text = base::read_file(path, yaml.max_bytes);
    return parse_yaml<T>(text, options, yaml);
}

}  // namespace acta::inline ACTA_ABI

#include "acta/skill/detail/yaml.inl.hpp"
