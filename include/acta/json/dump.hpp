// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/options.hpp"

namespace acta::inline ACTA_ABI {

/// A callable that takes the text of a document in pieces, each as a `std::string_view`.
template <class Sink>
concept TextSink = std::is_invocable_v<Sink&, std::string_view>;

/// Returns the JSON text of a value, as pydantic's `model_dump_json` writes it (docs/reference/json.md, "Writing").
/// Throws `EncodeError` if text is not valid UTF-8, unless the options replace it.
///
/// @code{.cpp}
/// #include <iostream>
/// #include <map>
/// #include <string>
/// #include <vector>
/// const std::map<std::string, std::vector<double>> readings{{"tide", {0.5, 2}}};
/// std::cout << acta::dump(readings) << "\n";                 // {"tide":[0.5,2.0]}
/// std::cout << acta::dump(readings, {.indent = 2}) << "\n";  // over several lines
/// @endcode
template <class T>
[[nodiscard]] std::string dump(const T& value, const DumpOptions& options = {}) {
    introspection::require_supported<T>();
    return json_detail::write_string(json_detail::writing_of(value), options);
}

/// Passes the text of `dump` to `sink` in pieces of a few kilobytes, so that it is never in memory as a whole. When
/// this throws, the sink has received the beginning.
///
/// @code{.cpp}
/// #include <cstddef>
/// #include <string_view>
/// #include <vector>
/// std::size_t bytes = 0;
/// acta::dump_to(std::vector<int>{1, 2, 3}, [&bytes](std::string_view piece) { bytes += piece.size(); });
/// @endcode
template <class T, TextSink Sink>
void dump_to(const T& value, Sink&& sink, const DumpOptions& options = {}) {
    introspection::require_supported<T>();
    using Plain = std::remove_reference_t<Sink>;
    const auto take = [](void* context, const char* data, std::size_t size) {
        (*static_cast<Plain*>(context))(std::string_view(data, size));
    };
    json_detail::write_text(json_detail::writing_of(value), options,
                            {take, const_cast<void*>(static_cast<const void*>(&sink))});
}

/// Returns the value as a `Json`. Unlike in text, numbers that are not finite stay as they are. Throws `EncodeError`
/// for an enum that has a value without a name.
template <class T>
[[nodiscard]] Json to_json_value(const T& value, const DumpOptions& options = {}) {
    introspection::require_supported<T>();
    return json_detail::write_json<Json>(json_detail::writing_of(value), options);
}

}  // namespace acta::inline ACTA_ABI
