// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "acta/describe/describe.hpp"
#include "acta/observe/redactor.hpp"

namespace acta::inline ACTA_ABI {

/// How exceptions become records.
struct ErrorOptions {
    std::size_t max_error_bytes = std::size_t{64} * 1024;  ///< Longer texts are cut, on a code point.
    Redactor redactor{};                                   ///< Gets every text first, unless it is empty.
};

/// An exception as a record, in Python's terms.
struct ErrorInfo {
    std::vector<Json> args{};      ///< The message, then each cause as `Type('message')`.
    std::string message{};         ///< `what()`.
    std::string exception_type{};  ///< The class name without namespaces; `std::exception` if there is no RTTI.
    std::string repr{};            ///< `Type('message')` in Python's quoting.

    /// Returns the record of an exception, with the chain of a `std::nested_exception`. Bytes that are not UTF-8 are
    /// replaced, so that a history can always be saved.
    [[nodiscard]] static ErrorInfo from_exception(const std::exception& exception, const ErrorOptions& options = {});
    /// Returns the record of whatever was thrown, even an `int`. A null pointer is recorded as an error of type
    /// `NoneType`.
    [[nodiscard]] static ErrorInfo from_exception(const std::exception_ptr& exception,
                                                  const ErrorOptions& options = {});
    /// Returns the record of an error of the given type that was not thrown.
    [[nodiscard]] static ErrorInfo make(const std::string& type, std::string_view message,
                                        const ErrorOptions& options = {});

    friend bool operator==(const ErrorInfo&, const ErrorInfo&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const ErrorInfo& error) { return out << error.repr; }
};

/// Returns `repr`.
[[nodiscard]] inline std::string to_string(const ErrorInfo& error) { return error.repr; }

template <>
struct Describe<ErrorInfo> {
    static constexpr auto fields =
        acta::fields(required("args", &ErrorInfo::args, "", as_tuple), required("message", &ErrorInfo::message),
                     required("exception_type", &ErrorInfo::exception_type), required("repr", &ErrorInfo::repr));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/action/detail/error_info.inl.hpp"
#endif
