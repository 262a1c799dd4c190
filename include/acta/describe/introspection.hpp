// SPDX-License-Identifier: MIT
#pragma once

#include "acta/describe/describe.hpp"
#include "acta/describe/detail/items.hpp"
#include "acta/describe/detail/kinds.hpp"
#include "acta/describe/detail/names.hpp"
#include "acta/describe/detail/type_name.hpp"

/// For code that walks over descriptions: readers, writers, schemas. Everything here is known at compile time, apart
/// from titles, which are made on request.
///
/// @code{.cpp}
/// #include <string>
/// #include <vector>
/// static_assert(acta::introspection::kind_of<std::vector<int>>() == acta::introspection::Kind::sequence);
/// const std::string title = acta::introspection::type_title<std::vector<std::string>>();  // list[str]
/// @endcode
namespace acta::inline ACTA_ABI::introspection {

// --- Types

/// How a type is represented in JSON.
using describe_detail::Kind;
using describe_detail::kind_of;
/// Ends the compilation with advice if a type cannot be represented in JSON.
using describe_detail::require_supported;
/// Whether a type is an `std::optional`, an `OrderedMap`, an `std::variant`.
using describe_detail::is_optional;
using describe_detail::is_ordered_map;
using describe_detail::is_variant;
/// The title of a type in schemas and messages: that of its description, else its own name.
using describe_detail::type_title;
/// The name of a type as the compiler spells it, and the same without namespaces.
using describe_detail::pretty_type;
using describe_detail::short_type_name;

// --- Fields

/// How many items a description has, and how many of them have a key.
using describe_detail::item_count;
using describe_detail::keyed_count;
/// The item with an index, what kind of item it is, and its key in JSON (the alias if there is one).
using describe_detail::item_key;
using describe_detail::item_of;
using describe_detail::ItemTraits;
/// The text of a literal field.
using describe_detail::literal_text;
/// The options that may follow a field's documentation, types derived from `OptionBase`, and a walk over them.
using describe_detail::FieldOption;
using describe_detail::for_each_option;

// --- Enums

/// The texts of an enum in the order of its description, and that of one value, with null data if it has none.
using describe_detail::enum_name;
using describe_detail::enum_names;

}  // namespace acta::inline ACTA_ABI::introspection
