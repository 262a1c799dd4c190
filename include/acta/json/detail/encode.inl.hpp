// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/detail/writers.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI::json_detail {

ACTA_INLINE void Encoder::text(std::string_view value) {
    try {
        out.text(value);
    } catch (const InvalidText&) {
        refuse_text({});
    }
}

ACTA_INLINE void Encoder::key(std::string_view value) {
    try {
        out.key(value);
    } catch (const InvalidText&) {
        refuse_text({});
    }
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse_enum() const {
    refuse("Enum", "has a value that its description does not name", {});
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse_text(const std::string& below) const {
    refuse("Text", "is not valid UTF-8", below);
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse(const char* what, const char* why, const std::string& below) const {
    Issue place;
    place.loc = to_loc(path);
    const std::string pointer = place.pointer() + below;
    throw EncodeError(base::concat({what, " at '", pointer, "' ", why, " and cannot be written as JSON"}), pointer);
}

/// Returns the pointer, from `root`, of the first text below it that is not UTF-8. Searched only once it is known that
/// there is one.
[[gnu::cold]] inline std::string find_invalid_text(const Json& root) {
    std::string pointer;
    std::vector<base::JsonFrame> stack;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
        base::JsonFrame& frame = stack.back();
        pointer.resize(frame.length);
        const Json& value = *frame.value;
        if (value.is_string() && !utf8::is_valid(base::text_of(value))) return pointer;
        if (!value.is_structured() || frame.next == value.size()) {
            stack.pop_back();
            continue;
        }
        const std::size_t i = frame.next++;
        pointer += '/';
        if (value.is_array()) {
            pointer += std::to_string(i);
            stack.push_back({&base::array_of(value)[i], 0, pointer.size()});
        } else {
            const auto& entry = base::entries(base::object_of(value))[i];
            append_pointer_key(pointer, utf8::replace_invalid(entry.first));
            if (!utf8::is_valid(entry.first)) return pointer;
            stack.push_back({&entry.second, 0, pointer.size()});
        }
    }
    return {};
}

ACTA_INLINE void Encoder::json(const Json& value) {
    try {
        out.json(value);
    } catch (const InvalidText&) {
        refuse_text(find_invalid_text(value));
    }
}

ACTA_INLINE void encode_record(Encoder& e, std::span<const FieldEncoder> fields, const JsonObject* extra,
                               const void* object) {
    e.out.begin_object();
    for (const FieldEncoder& field : fields) {
        if (field.is_empty != nullptr && field.is_empty(object)) continue;
        if (e.options.exclude_none && field.is_null != nullptr && field.is_null(object)) continue;
        const std::string_view key = e.options.by_alias ? field.key : field.name;
        const Encoder::Step step(e, key);
        e.out.field(key);
        field.encode(e, object);
    }
    if (extra != nullptr) {
        for (const auto& [key, value] : *extra) {
            const Encoder::Step step(e, key);
            e.key(key);
            e.json(value);
        }
    }
    e.out.end_object();
}

ACTA_INLINE void write_text(const Writing& writing, const DumpOptions& options, TextTarget target) {
    JsonTextWriter writer(target, options);
    Encoder e(writer, options);
    writing.encode(e, writing.value);
    writer.flush();
}

ACTA_INLINE std::string write_string(const Writing& writing, const DumpOptions& options) {
    std::string out;
    if (options.indent <= 0) {
        // Measured first, since a string that grows holds the text up to three times. If the measure is too low,
        // because a few elements hold most of the text, the string still grows once or twice.
        Measure measure;
        Encoder e(measure, options);
        writing.encode(e, writing.value);
        out.reserve(measure.size());
    }
    const auto take = [](void* context, const char* data, std::size_t size) {
        static_cast<std::string*>(context)->append(data, size);
    };
    write_text(writing, options, {take, &out});
    return out;
}

template <class AnyJson>
AnyJson write_json(const Writing& writing, const DumpOptions& options) {
    JsonValueWriter<AnyJson> writer;
    Encoder e(writer, options);
    writing.encode(e, writing.value);
    return writer.take();
}

#if defined(ACTA_COMPILED)
template Json write_json<Json>(const Writing& writing, const DumpOptions& options);
#endif

}  // namespace acta::inline ACTA_ABI::json_detail
