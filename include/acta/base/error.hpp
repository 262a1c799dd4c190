// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// The base of the exceptions that acta throws. Only these others leave acta: `std::bad_alloc`; `std::out_of_range` for
/// a step that a history does not have; `std::system_error` if `handle_compression_async` cannot start a thread;
/// nlohmann's `type_error` for a value that is not an object, read as a `JsonObject` by `get`; and exceptions of the
/// caller's own code (a callback, a summarizer, a model).
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file could not be read or written; `what()` names the path and the system's reason.
class FileError : public Error {
public:
    using Error::Error;
};

/// A value cannot be written as JSON (text that is not UTF-8). `pointer()` is the JSON pointer
/// (RFC 6901) of the value inside the document.
class EncodeError : public Error {
public:
    /// An error whose `what()` is `message`.
    EncodeError(const std::string& message, std::string pointer) : Error(message), pointer_(std::move(pointer)) {}

    /// Returns the JSON pointer of the value, such as `/calls/0/name`; empty for the whole document.
    [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

private:
    std::string pointer_;
};

/// A type cannot be expressed in the schema dialect asked for. `path()` is the place in the type.
class SchemaError : public Error {
public:
    /// An error whose `what()` is `message`.
    SchemaError(const std::string& message, std::string path) : Error(message), path_(std::move(path)) {}

    /// Returns the place of the cause in the type; empty if the type as a whole is the cause or no place is known.
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

namespace base {
/// Returns `exception.what()`, or an empty text if it is null, which other libraries' exceptions may return.
[[nodiscard]] inline const char* what_of(const std::exception& exception) noexcept {
    const char* const what = exception.what();
    return what == nullptr ? "" : what;
}
}  // namespace base

/// A deadline has passed before the work was done. Thrown by models, skills and requests; a skill's result is then an
/// error of type `Timeout`.
class Timeout : public Error {
public:
    /// An error whose `what()` is `message`.
    explicit Timeout(const std::string& message = "the deadline has passed") : Error(message) {}
};

/// The work was stopped by its `stop_token`. Thrown by models, skills and requests; a skill's result is then an error
/// of type `Cancelled`.
class Cancelled : public Error {
public:
    /// An error whose `what()` is `message`.
    explicit Cancelled(const std::string& message = "the call was cancelled") : Error(message) {}
};

}  // namespace acta::inline ACTA_ABI
