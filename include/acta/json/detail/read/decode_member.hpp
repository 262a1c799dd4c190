// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/read/decoder.hpp"

// A member of a described struct: how its options take part in reading it.
namespace acta::inline ACTA_ABI::json_detail {

template <class T>
void decode_value(Decoder& d, T& out);
template <class T>
void decode_sequence(Decoder& d, T& out, std::string_view type);

template <class Option>
concept ValueCheck = requires { requires Option::checks_values; };

template <class Option, class T>
void check_option(Decoder& d, const Option& option, const T& value, const void* where) {
    if constexpr (introspection::is_optional<T>) {
        if (value) check_option(d, option, *value, where);
    } else {
        option.check(d, value, where);
    }
}

/// Returns whether the issue of a check replaces those of the elements.
template <class Option, class T>
bool overrides_issues(const Option& option, const T& value) {
    if constexpr (introspection::is_optional<T>)
        return value && overrides_issues(option, *value);
    else if constexpr (requires { option.overrides(value); })
        return option.overrides(value);
    else
        return false;
}

/// An option that reads the value in place of the member's own reading.
template <class Option, class T>
concept ReadingOption = requires(const Option& option, Decoder& d, T& out) { option.decode(d, out); };

template <class Option, class T>
void decode_by_option(Decoder& d, const Option& option, T& out) {
    if constexpr (ReadingOption<Option, T>) {
        option.decode(d, out);
    } else if (d.in.peek() == Token::null) {
        d.in.read_null();
        out.reset();
    } else {
        option.decode(d, out.emplace());
    }
}

template <class T>
struct ValueOf {
    using type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
    using type = T;
};

template <class T, class... Options>
void decode_member(Decoder& d, T& member, const std::tuple<Options...>& options) {
    constexpr bool checked = (ValueCheck<Options> || ...);
    const void* where = nullptr;
    std::size_t before = 0;
    if constexpr (checked) {
        d.in.peek();
        where = d.in.where();
        before = d.issues.size();
    }
    if constexpr ((std::same_as<Options, AsTuple> || ...))
        decode_sequence(d, member, "tuple_type");
    else if constexpr ((ReadingOption<Options, typename ValueOf<T>::type> || ...))
        introspection::for_each_option(options, [&]<class Option>([[maybe_unused]] const Option& option) {
            if constexpr (ReadingOption<Option, typename ValueOf<T>::type>) decode_by_option(d, option, member);
        });
    else
        decode_value(d, member);
    if constexpr (checked) {
        const bool good = d.issues.size() == before;
        introspection::for_each_option(options, [&]<class Option>([[maybe_unused]] const Option& option) {
            if constexpr (ValueCheck<Option>) {
                if (!good && !overrides_issues(option, member)) return;
                if (!good) d.drop_issues_from(before);
                check_option(d, option, member, where);
            }
        });
    }
}

}  // namespace acta::inline ACTA_ABI::json_detail
