// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/observe/redactor.hpp"

namespace acta::inline ACTA_ABI::view_detail {

/// Writes values as JSON that may stand in a script element, in one line: `<` and all controls are escaped. Texts are
/// redacted, then cut, where they would take more than so many bytes.
class ShownJson {
public:
    ShownJson(std::string& out, const Redactor& redactor, std::size_t max_bytes)
        : out_(out), redactor_(redactor), max_bytes_(max_bytes) {}

    /// Appends a value. The members of its first `frame` levels are written whatever their number, and each value
    /// below them has the limit for itself.
    void write(const Json& value, int frame = 0);
    void write(std::string_view text);

    /// The number of values that were cut.
    [[nodiscard]] std::size_t cuts() const noexcept { return cuts_; }

private:
    static constexpr int deepest = 200;

    void write_value(const Json& value, int frame, int depth);
    void write_array(const Json& value, int frame, int depth);
    void write_object(const Json& value, int frame, int depth);
    void write_text(std::string_view text);
    void write_cut(const std::string& what);
    void write_escaped(std::string_view text);
    [[nodiscard]] bool is_full() const noexcept { return left_ == 0; }

    std::string& out_;
    const Redactor& redactor_;
    std::size_t max_bytes_;
    std::size_t left_ = 0;  // of the limit, for the value that is being written
    std::size_t cuts_ = 0;
};

}  // namespace acta::inline ACTA_ABI::view_detail

#ifndef ACTA_COMPILED
#include "acta/view/detail/shown_json.inl.hpp"
#endif
