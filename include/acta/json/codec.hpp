// SPDX-License-Identifier: MIT
#pragma once

#include "acta/json/detail/decode.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/issue.hpp"

/// For code that extends reading and writing: a type with a codec of its own, a union that chooses its member in its
/// own way, a function whose parameters are read as a document. Programs that only read and write do not need it.
///
/// A custom codec is a description with `custom_codec`, `decode` and `encode`:
///
/// @code{.cpp}
/// struct Switch {
///     bool on = false;
/// };
/// template <>
/// struct acta::Describe<Switch> {
///     static constexpr bool custom_codec = true;
///     static void decode(acta::codec::Decoder& d, Switch& out) {
///         if (d.in.peek() == acta::codec::Token::boolean)
///             out.on = d.in.read_boolean();
///         else
///             d.refuse("switch_type", "Input should be a switch");
///     }
///     static void encode(acta::codec::Encoder& e, const Switch& value) { e.out.boolean(value.on); }
///     static acta::Json schema() { return acta::Json::parse(R"({"type": "boolean"})"); }
/// };
/// @endcode
namespace acta::inline ACTA_ABI::codec {

// --- Reading

/// What reading one document needs: the reader (`in`), the options, the path, and the issues so far.
using json_detail::Decoder;
/// The pull reader below a `Decoder`: look with `peek`, then call the one function for that token.
using json_detail::JsonReader;
/// The kind of the next value.
using json_detail::Token;
/// The position inside an array or object, kept by the function that reads it.
using json_detail::Container;
/// A position that a reader can `rewind` to.
using json_detail::Mark;
/// Extends the path of issues by a key or an index while it lives.
using json_detail::PathScope;

/// Reads any supported type: the function that calls itself for members and elements.
using json_detail::decode_value;
/// Reads a member of a struct under the options of its field.
using json_detail::decode_member;

/// How one field of an object is read, and how a whole object is.
using json_detail::FieldDecoder;
using json_detail::RecordDecoder;
/// The `RecordDecoder` of a described struct.
using json_detail::record_decoder;
/// Reads an object by its `RecordDecoder`.
using json_detail::decode_record;
/// The index of the field with a key, or the number of fields.
using json_detail::find_field;
/// Adds a field to a set of fields.
using json_detail::insert;
/// How many fields a struct may have.
using json_detail::max_fields;

/// One member of a union, and those of a `std::variant` in order.
using json_detail::Alternative;
using json_detail::alternatives;
/// The fixed text of a struct at a key, or nothing.
using json_detail::tag_of;
/// Looks at the keys of the next object without consuming it.
using json_detail::Preview;
using json_detail::preview_object;
/// Reports that an object has no tag, or another than those expected, and skips it.
using json_detail::refuse_tag;
/// Reads the next object as the member that is probably meant; if it is not, changes nothing and returns false.
using json_detail::decode_guess;

/// A value to be read, with its type erased, as `parse` and `validate` pass it on.
using json_detail::Reading;
using json_detail::reading_of;
/// Reads a whole document. Throws `ValidationError`.
using json_detail::read_json_document;
using json_detail::read_text_document;

// --- Writing

/// What writing one document needs: the writer (`out`), the options, and the path.
using json_detail::Encoder;
/// The writer below an `Encoder`.
using json_detail::JsonWriter;
/// Writes any supported type, and one field of a described struct.
using json_detail::encode_item;
using json_detail::encode_value;

/// A value to be written, with its type erased, and the function that returns it as `Json`.
using json_detail::write_json;
using json_detail::Writing;

// --- Paths

/// Appends a key with `~` and `/` escaped, as in a JSON pointer.
using json_detail::append_pointer_key;
/// `steps.0.name`, as pydantic prints a path.
using json_detail::loc_as_dots;

}  // namespace acta::inline ACTA_ABI::codec
