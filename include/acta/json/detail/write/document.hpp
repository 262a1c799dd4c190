// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/json/detail/write/encode.hpp"
#include "acta/json/detail/write/json_text_writer.hpp"
#include "acta/json/detail/write/json_value_writer.hpp"
#include "acta/json/detail/write/measure.hpp"
#include "acta/json/document.hpp"

// Writing a whole document: where the encoder and a writer meet.
namespace acta::inline ACTA_ABI::json_detail {

/// Writes one value of a type that only `encode` knows.
struct Writing {
    void (*encode)(Encoder& e, const void* value);
    const void* value;
};

inline void write_text(const Writing& writing, const DumpOptions& options, TextTarget target) {
    JsonTextWriter writer(target, options);
    Encoder e(writer, options);
    writing.encode(e, writing.value);
    writer.flush();
}

inline std::string write_string(const Writing& writing, const DumpOptions& options) {
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

template <class T>
Writing writing_of(const T& value) {
    return codec::Document<T>::writing(value);
}

}  // namespace acta::inline ACTA_ABI::json_detail

template <class T>
acta::json_detail::Writing acta::codec::Document<T>::writing(const T& value) {
    return {[](json_detail::Encoder& e, const void* object) {
                json_detail::encode_value(e, *static_cast<const T*>(object));
            },
            &value};
}
