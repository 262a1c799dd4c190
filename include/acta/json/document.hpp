// SPDX-License-Identifier: MIT
#pragma once

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

namespace json_detail {
struct Reading;
struct Writing;
}  // namespace json_detail

namespace codec {

/// The code that reads and writes a type as a whole document: it is called by `parse`, `validate`, `dump` and the like.
/// `extern template struct acta::codec::Document<T>;` after the description of `T` keeps this code out of a source, and
/// `template struct acta::codec::Document<T>;` in one source that includes `acta/json/json.hpp` instantiates it. The
/// library acta::compiled contains that of acta's own types.
template <class T>
struct Document {
    /// Returns how `out` is read.
    [[nodiscard]] static json_detail::Reading reading(T& out);
    /// Returns how `value` is written.
    [[nodiscard]] static json_detail::Writing writing(const T& value);
};

}  // namespace codec

}  // namespace acta::inline ACTA_ABI
