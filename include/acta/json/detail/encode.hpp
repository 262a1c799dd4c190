// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/decoder.hpp"
#include "acta/json/issue.hpp"

// Writing: the interface that encoders write to, and the part that depends on types.
namespace acta::inline ACTA_ABI::json_detail {

/// The interface that encoders write to. It receives the parts of a document in order; inside objects keys and values
/// alternate.
class JsonWriter {
public:
    JsonWriter() = default;
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;
    virtual ~JsonWriter() = default;

    virtual void null() = 0;
    virtual void boolean(bool value) = 0;
    virtual void integer(std::int64_t value) = 0;
    virtual void unsigned_integer(std::uint64_t value) = 0;
    virtual void real(double value) = 0;
    virtual void text(std::string_view value) = 0;
    virtual void json(const Json& value) = 0;
    /// Writes a value that is JSON text already, without spaces, as this writer would have written it.
    virtual void raw(std::string_view json) = 0;
    virtual void begin_object() = 0;
    virtual void end_object() = 0;
    virtual void begin_array() = 0;
    virtual void end_array() = 0;
    /// Writes a key that may need escapes.
    virtual void key(std::string_view key) = 0;
    /// Writes a key of a description.
    virtual void field(std::string_view key) = 0;
};

/// A value that is not written, found by a writer that does not know its path.
enum class Refused { text, number, depth };

/// Chooses which elements of a list are looked at, by their index and the size of the list.
class ElementSample {
public:
    ElementSample() = default;
    ElementSample(const ElementSample&) = delete;
    ElementSample& operator=(const ElementSample&) = delete;
    virtual bool takes_element(std::size_t index, std::size_t count) = 0;

protected:
    ~ElementSample() = default;
};

/// What writing one document needs.
class Encoder {
public:
    Encoder(JsonWriter& sink, const DumpOptions& dump_options) : out(sink), options(dump_options) {}
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    JsonWriter& out;
    const DumpOptions& options;
    const PathNode* path = nullptr;
    ElementSample* sample = nullptr;  // of a measure; null if all elements are written

    // As for PathScope, g++ does not see that the destructor takes the address out again.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdangling-pointer"
#endif
    /// Goes one step down while a value is written. Not undone when an exception passes, so that the catcher knows the
    /// path.
    class Step {
    public:
        Step(Encoder& e, std::string_view key) noexcept : e_(e), node_{e.path, key, 0, true} { e.path = &node_; }
        Step(Encoder& e, std::size_t index) noexcept : e_(e), node_{e.path, {}, index, false} { e.path = &node_; }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        ~Step() { e_.path = node_.up; }

    private:
        Encoder& e_;
        PathNode node_;
    };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

    /// Writes text. Throws `EncodeError` with its path if it is not UTF-8.
    void text(std::string_view value);
    void key(std::string_view value);
    void json(const Json& value);
    void real(double value);
    void begin_object();
    void begin_array();
    /// Throws `EncodeError` with the path of an enum whose value has no name.
    [[noreturn]] void refuse_enum() const;
    /// Throws `EncodeError` with the path of a value that is nested too deeply.
    [[noreturn]] void refuse_depth() const;

private:
    [[noreturn]] void refuse(Refused what, const std::string& below) const;
    [[noreturn]] void refuse(const char* what, const char* why, const std::string& below) const;
};

template <class T>
void encode_value(Encoder& e, const T& value);

/// How one field of an object is written. `omit_if_empty` fields are omitted when empty.
struct FieldEncoder {
    std::string_view key;
    std::string_view name;
    void (*encode)(Encoder& e, const void* object);
    bool (*is_null)(const void* object);   // null: the field never is
    bool (*is_empty)(const void* object);  // only of omit_if_empty fields
};

void encode_record(Encoder& e, std::span<const FieldEncoder> fields, const JsonObject* extra, const void* object);

template <class T, std::size_t I>
void encode_item(Encoder& e, [[maybe_unused]] const void* object) {
    constexpr const auto& item = introspection::item_of<T, I>;
    if constexpr (introspection::ItemTraits<std::remove_cvref_t<decltype(item)>>::member)
        encode_value(e, static_cast<const T*>(object)->*item.member);
    else
        e.out.text(introspection::literal_text(item));
}

template <class M>
bool is_null_value(const M& value) {
    if constexpr (introspection::is_optional<M>)
        return !value;
    else if constexpr (introspection::kind_of<M>() == introspection::Kind::any)
        return value.is_null();
    else
        return false;
}

template <class T, std::size_t I>
bool item_is_null(const void* object) {
    return is_null_value(static_cast<const T*>(object)->*introspection::item_of<T, I>.member);
}

template <class T, std::size_t I>
bool item_is_empty(const void* object) {
    const auto& member = static_cast<const T*>(object)->*introspection::item_of<T, I>.member;
    if constexpr (requires { member.empty(); })
        return member.empty();
    else if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, bool>)
        return !member;
    else
        return is_null_value(member);
}

template <class T, std::size_t I, std::size_t N>
constexpr void add_encoder(std::array<FieldEncoder, N>& table, std::size_t& next) {
    constexpr const auto& item = introspection::item_of<T, I>;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (introspection::ItemTraits<Item>::member) {
        using Member = typename Item::member_type;
        constexpr bool nullable =
            introspection::is_optional<Member> || introspection::kind_of<Member>() == introspection::Kind::any;
        FieldEncoder encoder{introspection::item_key(item), item.name, &encode_item<T, I>, nullptr, nullptr};
        if constexpr (nullable) encoder.is_null = &item_is_null<T, I>;
        if (item.presence == Presence::omit_if_empty) encoder.is_empty = &item_is_empty<T, I>;
        table[next++] = encoder;
    } else if constexpr (introspection::ItemTraits<Item>::literal) {
        table[next++] = {item.name, item.name, &encode_item<T, I>, nullptr, nullptr};
    }
}

template <class T>
inline constexpr auto field_encoders = [] {
    std::array<FieldEncoder, introspection::keyed_count<T>()> table{};
    std::size_t next = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_encoder<T, I>(table, next), ...);
    }(std::make_index_sequence<introspection::item_count<T>>{});
    return table;
}();

/// Returns the member that keeps unknown keys, or null.
template <class T>
const JsonObject* extra_keys(const T& object) {
    const JsonObject* extra = nullptr;
    Describe<T>::fields.for_each([&]([[maybe_unused]] const auto& item) {
        if constexpr (introspection::keeps_unknown_keys<std::remove_cvref_t<decltype(item)>>)
            extra = &(object.*item.member);
    });
    return extra;
}

template <class Range>
void encode_sequence(Encoder& e, const Range& values) {
    e.begin_array();
    std::size_t i = 0;
    for (const auto& value : values) {
        if (e.sample == nullptr || e.sample->takes_element(i, values.size())) {
            const Encoder::Step step(e, i);
            encode_value<typename Range::value_type>(e, value);
        }
        ++i;
    }
    e.out.end_array();
}

template <class T>
void encode_tuple(Encoder& e, const T& values) {
    e.begin_array();
    std::size_t i = 0;
    const auto one = [&](const auto& value) {
        const Encoder::Step step(e, i++);
        encode_value(e, value);
    };
    std::apply([&](const auto&... value) { (one(value), ...); }, values);
    e.out.end_array();
}

template <class T>
void encode_entries(Encoder& e, const T& values) {
    e.begin_object();
    for (const auto& [key, value] : values) {
        const Encoder::Step step(e, key);
        e.key(key);
        encode_value(e, value);
    }
    e.out.end_object();
}

/// Returns whether arrays and objects are nested deeper than `max_depth`. Without recursion.
template <class AnyJson>
[[nodiscard]] bool deeper_than(const AnyJson& value, std::size_t max_depth) {
    if (!value.is_structured()) return false;
    std::vector<std::pair<typename AnyJson::const_iterator, typename AnyJson::const_iterator>> stack;
    stack.emplace_back(value.begin(), value.end());
    while (!stack.empty()) {
        if (stack.size() > max_depth) return true;
        auto& [next, end] = stack.back();
        if (next == end) {
            stack.pop_back();
            continue;
        }
        const AnyJson& child = *next++;
        if (child.is_structured()) stack.emplace_back(child.begin(), child.end());
    }
    return false;
}

/// Writes `nlohmann::json`. Its conversion recurses, so values nested too deeply must not get there.
template <class AnyJson>
void encode_other_json(Encoder& e, const AnyJson& value) {
    if (deeper_than(value, ParseOptions{}.max_depth)) e.refuse_depth();
    e.json(Json(value));
}

template <class T>
void encode_value(Encoder& e, const T& value) {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    introspection::require_supported<T>();
    if constexpr (kind == introspection::Kind::boolean) {
        e.out.boolean(value);
    } else if constexpr (kind == introspection::Kind::integer) {
        if constexpr (std::is_signed_v<T>)
            e.out.integer(value);
        else
            e.out.unsigned_integer(value);
    } else if constexpr (kind == introspection::Kind::real) {
        e.real(static_cast<double>(value));
    } else if constexpr (kind == introspection::Kind::text) {
        e.text(value);
    } else if constexpr (kind == introspection::Kind::any) {
        if constexpr (std::same_as<T, Json>)
            e.json(value);
        else
            encode_other_json(e, value);
    } else if constexpr (kind == introspection::Kind::optional) {
        if (value)
            encode_value(e, *value);
        else
            e.out.null();
    } else if constexpr (kind == introspection::Kind::sequence || kind == introspection::Kind::set ||
                         kind == introspection::Kind::fixed_array) {
        encode_sequence(e, value);
    } else if constexpr (kind == introspection::Kind::object || kind == introspection::Kind::ordered_map ||
                         kind == introspection::Kind::keyed_map) {
        encode_entries(e, value);
    } else if constexpr (kind == introspection::Kind::tuple) {
        encode_tuple(e, value);
    } else if constexpr (kind == introspection::Kind::variant) {
        std::visit([&e](const auto& one) { encode_value(e, one); }, value);
    } else if constexpr (kind == introspection::Kind::enumeration) {
        const std::string_view name = introspection::enum_name(value);
        if (name.data() == nullptr) e.refuse_enum();
        e.out.text(name);
    } else if constexpr (kind == introspection::Kind::record) {
        encode_record(e, field_encoders<T>, extra_keys(value), &value);
    } else if constexpr (kind == introspection::Kind::represented) {
        const auto& other = Describe<T>::to_representation(value);
        encode_value<typename Describe<T>::representation>(e, other);
    } else if constexpr (kind == introspection::Kind::custom_codec) {
        Describe<T>::encode(e, value);
    }
}

// Whole documents ---------------------------------------------------------------------------------

/// Takes pieces of the finished text.
struct TextTarget {
    void (*take)(void* context, const char* data, std::size_t size);
    void* context;
};

/// Writes one value of a type that only `encode` knows.
struct Writing {
    void (*encode)(Encoder& e, const void* value);
    const void* value;
};

void write_text(const Writing& writing, const DumpOptions& options, TextTarget target);
[[nodiscard]] std::string write_string(const Writing& writing, const DumpOptions& options);
/// Returns the value as `Json`. A template, always on `Json`, so that header-only sources which only write text do not
/// compile it.
template <class AnyJson>
[[nodiscard]] AnyJson write_json(const Writing& writing, const DumpOptions& options);

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

#ifndef ACTA_COMPILED
#include "acta/json/detail/encode.inl.hpp"
#endif
