// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
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
    } catch (const Refused what) {
        refuse(what, {});
    }
}

ACTA_INLINE void Encoder::key(std::string_view value) {
    try {
        out.key(value);
    } catch (const Refused what) {
        refuse(what, {});
    }
}

ACTA_INLINE void Encoder::real(double value) {
    try {
        out.real(value);
    } catch (const Refused what) {
        refuse(what, {});
    }
}

ACTA_INLINE void Encoder::begin_object() {
    try {
        out.begin_object();
    } catch (const Refused what) {
        refuse(what, {});
    }
}

ACTA_INLINE void Encoder::begin_array() {
    try {
        out.begin_array();
    } catch (const Refused what) {
        refuse(what, {});
    }
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse_enum() const {
    refuse("Enum", "has a value that its description does not name", {});
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse_depth() const { refuse(Refused::depth, {}); }

[[gnu::cold]] ACTA_INLINE void Encoder::refuse(Refused what, const std::string& below) const {
    switch (what) {
        case Refused::text: refuse("Text", "is not valid UTF-8", below);
        case Refused::number: refuse("Number", "is not finite", below);
        case Refused::depth: break;
    }
    refuse("Value", "is nested deeper than is read back", below);
}

[[gnu::cold]] ACTA_INLINE void Encoder::refuse(const char* what, const char* why, const std::string& below) const {
    Issue place;
    place.loc = to_loc(path);
    const std::string pointer = place.pointer() + below;
    throw EncodeError(base::concat({what, " at '", pointer, "' ", why, " and cannot be written as JSON"}), pointer);
}

/// Returns whether a value alone has this fault.
inline bool has_fault(const Json& value, Refused what) {
    if (what == Refused::text) return value.is_string() && !utf8::is_valid(base::text_of(value));
    return what == Refused::number && value.is_number_float() && !std::isfinite(base::real_of(value));
}

/// Returns the pointer, from `root`, of the first fault below it, where arrays and objects may be nested `levels` deep.
/// Searched only once it is known that there is one.
[[gnu::cold]] inline std::string find_fault(const Json& root, Refused what, std::size_t levels) {
    std::string pointer;
    std::vector<base::JsonFrame> stack;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
        base::JsonFrame& frame = stack.back();
        pointer.resize(frame.length);
        const Json& value = *frame.value;
        if (has_fault(value, what)) return pointer;
        if (what == Refused::depth && value.is_structured() && stack.size() > levels) return pointer;
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
            if (what == Refused::text && !utf8::is_valid(entry.first)) return pointer;
            stack.push_back({&entry.second, 0, pointer.size()});
        }
    }
    return {};
}

ACTA_INLINE void Encoder::json(const Json& value) {
    try {
        out.json(value);
    } catch (const Refused what) {
        std::size_t levels = ParseOptions{}.max_depth;
        for (const PathNode* node = path; node != nullptr && levels > 0; node = node->up) --levels;
        refuse(what, find_fault(value, what, levels));
    }
}

/// Looks for what keeps a value from being part of a record.
class ContentCheck {
public:
    /// Returns the first fault, with its path.
    std::optional<Issue> run(const Json& root) {
        stack_.push_back({&root, 0});
        while (!stack_.empty()) {
            base::JsonFrame& frame = stack_.back();
            const Json& value = *frame.value;
            if (frame.next == 0) {
                if (has_fault(value, Refused::number)) return fault("finite_number", "Input should be a finite number");
                if (value.is_structured() && stack_.size() > max_content_depth)
                    return fault("recursion_limit", "Input should be nested at most " +
                                                        std::to_string(max_content_depth) + " levels deep");
                size_ += value.is_string() ? quoted(base::text_of(value)) : std::size_t{8};
            }
            if (!value.is_structured() || frame.next == value.size()) {
                stack_.pop_back();
                continue;
            }
            const std::size_t i = frame.next++;
            if (value.is_array()) {
                stack_.push_back({&base::array_of(value)[i], 0});
            } else {
                const auto& entry = base::entries(base::object_of(value))[i];
                size_ += quoted(entry.first);
                stack_.push_back({&entry.second, 0});
            }
            if (size_ > max_content_bytes) break;
        }
        if (size_ <= max_content_bytes) return std::nullopt;
        stack_.clear();
        return fault("too_large", "Input should be at most " + std::to_string(max_content_bytes) + " bytes of JSON");
    }

private:
    static std::size_t quoted(std::string_view text) {
        return 4 + text.size() + count_escapes(text.data(), text.data() + text.size());
    }
    [[nodiscard]] Issue fault(const char* type, const std::string& message) const {
        Issue out;
        out.type = type;
        out.message = message;
        for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
            const std::size_t child = stack_[i].next - 1;
            if (stack_[i].value->is_array())
                out.loc.emplace_back(child);
            else
                out.loc.emplace_back(
                    utf8::replace_invalid(base::entries(base::object_of(*stack_[i].value))[child].first));
        }
        return out;
    }

    std::vector<base::JsonFrame> stack_{};
    std::size_t size_ = 0;
};

ACTA_INLINE void encode_record(Encoder& e, std::span<const FieldEncoder> fields, const JsonObject* extra,
                               const void* object) {
    e.begin_object();
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
        e.sample = &measure;
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

namespace acta::inline ACTA_ABI {

[[nodiscard]] ACTA_INLINE std::optional<Issue> content_fault(const Json& value) {
    return json_detail::ContentCheck().run(value);
}

}  // namespace acta::inline ACTA_ABI
