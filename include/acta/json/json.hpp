// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "acta/base/file.hpp"
#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/decode.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/detail/value_reader.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

/// Reads a `T` from JSON text: a described type, a scalar, `Json`, `JsonObject`, or a standard container or variant of
/// these (docs/reference/json.md, "Reading"). Throws `ValidationError` with every issue of the document.
///
/// Time is linear in the size of the text. Memory follows the value; nothing refers to the text afterwards.
///
/// @code{.cpp}
/// #include <iostream>
/// #include <map>
/// #include <string>
/// const auto limits = acta::parse<std::map<std::string, int>>(R"({"retries": 3, "seconds": "60"})");
/// std::cout << limits.at("seconds") << "\n";  // 60: lax reading takes numbers in quotes
///
/// try {
///     static_cast<void>(acta::parse<std::map<std::string, int>>(R"({"retries": 2.5, "seconds": "a"})"));
/// } catch (const acta::ValidationError& error) {
///     for (const acta::Issue& issue : error.issues()) {
///         std::cout << issue.pointer() << ": " << issue.message << "\n";
///     }
/// }
/// @endcode
template <class T>
[[nodiscard]] T parse(std::string_view text, const ParseOptions& options = {}) {
    introspection::require_supported<T>();
    T out{};
    json_detail::read_text_document(text, options, json_detail::reading_of(out));
    return out;
}

/// Reads a `T` from a JSON value in memory, by the rules of `parse` and with the same issues, but without line and
/// column. `ParseOptions::max_bytes` does not apply.
///
/// @code{.cpp}
/// #include <vector>
/// const acta::Json value = {1, 2, "3"};
/// const auto numbers = acta::validate<std::vector<int>>(value);
/// @endcode
template <class T>
[[nodiscard]] T validate(const Json& json, const ParseOptions& options = {}) {
    introspection::require_supported<T>();
    T out{};
    json_detail::read_json_document(json, options, json_detail::reading_of(out));
    return out;
}

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

/// Returns why a value cannot become part of a record, with the path of the first place: nested deeper than
/// `max_content_depth`, a number that is not finite, which JSON does not have, or a text longer than
/// `max_content_bytes`. Nothing if it can. Linear.
///
/// @code{.cpp}
/// const std::optional<acta::Issue> fault = acta::content_fault(acta::Json{{"depth", std::nan("")}});
/// assert(fault->pointer() == "/depth");
/// @endcode
[[nodiscard]] std::optional<Issue> content_fault(const Json& value);

namespace json_detail {
/// Reads a file. An object with members, of which none is known, is refused.
void load_document(const std::filesystem::path& path, const ParseOptions& options, const Reading& reading);
}  // namespace json_detail

namespace codec {
/// Returns the text of a JSON file, without a byte order mark if `skip_mark`. Throws `ValidationError` if the file is
/// in another encoding, or has a mark and `skip_mark` is false.
[[nodiscard]] std::string read_file_text(const std::filesystem::path& path, std::size_t max_bytes, bool skip_mark);
/// Throws the error with the name of the file in its title.
[[noreturn]] void throw_in_file(const ValidationError& error, const std::filesystem::path& path);
}  // namespace codec

/// Reads a `T` from a JSON file. Throws `FileError` if it cannot be read, and whatever `parse` throws, with the name of
/// the file. Refuses an object that has members but none of those of `T`, or one with a name like that of a member that
/// is missing (`no_known_member`): it would be read as defaults, and saving them would overwrite what the file has.
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
    introspection::require_supported<T>();
    T out{};
    json_detail::load_document(path, options, json_detail::reading_of(out));
    return out;
}

/// Writes a value to a JSON file, atomically: at any time the path holds the old file or the complete
/// new one. Throws `FileError`, or `EncodeError` for what could not be read back (`DumpOptions::round_trip`); the old
/// file is then unchanged.
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
    DumpOptions own = options;
    own.round_trip = true;
    base::ReplacementFile file(path);
    dump_to(
        value, [&file](std::string_view text) { file.write(text); }, own);
    file.commit();
}

// `nlohmann::json j = value;` and `j.get<T>()` for described types, with acta's rules and errors.

namespace json_detail {
template <class T>
inline constexpr bool is_described_variant = false;
template <class... T>
inline constexpr bool is_described_variant<std::variant<T...>> = (Described<T> || ...) && (Readable<T> && ...);
}  // namespace json_detail

/// A type that converts to and from `nlohmann::json` and `acta::Json`: a described one, or a variant
/// with described types. (nlohmann_json has conversions of its own for the rest.)
template <class T>
concept JsonConvertible = Described<T> || json_detail::is_described_variant<T>;

}  // namespace acta::inline ACTA_ABI

template <class T>
    requires acta::JsonConvertible<T>
struct nlohmann::adl_serializer<T, void> {
    template <class AnyJson>
    static void to_json(AnyJson& json, const T& value) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>)
            json = acta::to_json_value(value);
        else
            json = AnyJson(acta::to_json_value(value));
    }
    template <class AnyJson>
    static T from_json(const AnyJson& json) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>) {
            return acta::validate<T>(json);
        } else {
            constexpr std::size_t max_depth = acta::ParseOptions{}.max_depth;
            // Conversion between the two kinds of value recurses, so values nested too deeply must not get there.
            if (acta::json_detail::deeper_than(json, max_depth)) {
                acta::Issue issue{{}, "json_invalid", "Invalid JSON: recursion limit exceeded", {}};
                throw acta::ValidationError(acta::introspection::type_title<T>(), {issue});
            }
            return acta::validate<T>(acta::Json(json));
        }
    }
    /// For `get_to`, and containers that fill existing values.
    template <class AnyJson>
    static void from_json(const AnyJson& json, T& out) {
        out = from_json(json);
    }
};

// The whole component: reading and writing described values.
// clang-format off
