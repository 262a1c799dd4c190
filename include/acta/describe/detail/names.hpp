// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/base/concat.hpp"
#include "acta/describe/detail/kinds.hpp"

namespace acta::inline ACTA_ABI::describe_detail {

/// Returns the title of a type in schemas and error messages: that of its description, else its own name.
template <class T>
std::string type_title() {
    if constexpr (requires { std::string(Describe<T>::name()); })
        return std::string(Describe<T>::name());
    else if constexpr (requires { std::string(Describe<T>::name); })
        return std::string(Describe<T>::name);
    else if constexpr (kind_of<T>() == Kind::optional)
        return base::concat({"Optional[", type_title<typename T::value_type>(), "]"});
    else if constexpr (kind_of<T>() == Kind::text)
        return "str";
    else if constexpr (kind_of<T>() == Kind::any)
        return "Json";
    else if constexpr (kind_of<T>() == Kind::object)
        return "JsonObject";
    else if constexpr (kind_of<T>() == Kind::sequence)
        return base::concat({"list[", type_title<typename T::value_type>(), "]"});
    else if constexpr (kind_of<T>() == Kind::ordered_map || kind_of<T>() == Kind::keyed_map)
        return base::concat({"dict[str, ", type_title<typename T::mapped_type>(), "]"});
    else
        return short_type_name(pretty_type<T>());
}

}  // namespace acta::inline ACTA_ABI::describe_detail
