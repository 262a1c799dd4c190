// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/concat.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/read/decode.hpp"
#include "acta/json/detail/read/json_text_reader.hpp"
#include "acta/json/detail/read/json_value_reader.hpp"
#include "acta/json/document.hpp"
#include "acta/observe/scoped_event.hpp"

// Reading a whole document: where the reader, the decoder, its issues and the observer meet.
namespace acta::inline ACTA_ABI::json_detail {

/// Reads one value of a type that only `decode` knows.
struct Reading {
    void (*decode)(Decoder& d, void* out);
    std::string (*title)();
    void* out;
};

[[noreturn]] [[gnu::cold]] inline void throw_invalid_json(const JsonReader* source, const Reading& reading,
                                                          const SyntaxFailure& failure) {
    std::vector<Issue> issues(1);
    if (source != nullptr) source->locate(issues, {failure.where});
    Issue& issue = issues.front();
    issue.type = "json_invalid";
    issue.message = base::concat({"Invalid JSON: ", failure.message});
    if (issue.line != 0)
        base::append(issue.message,
                     {" at line ", std::to_string(issue.line), " column ", std::to_string(issue.column)});
    throw ValidationError(reading.title(), std::move(issues));
}

[[noreturn]] [[gnu::cold]] inline void throw_issues(const JsonReader& source, const Reading& reading, Decoder& d,
                                                    bool truncated) {
    source.locate(d.issues, d.places);
    throw ValidationError(reading.title(), std::move(d.issues), truncated);
}

[[noreturn]] [[gnu::cold]] inline void throw_too_large(const Reading& reading, std::size_t size, std::size_t limit) {
    std::vector<Issue> issues(1);
    issues.front().type = "document_too_large";
    issues.front().message =
        base::concat({"Document has ", std::to_string(size), " bytes, more than the limit of ", std::to_string(limit)});
    throw ValidationError(reading.title(), std::move(issues));
}

inline void read_document(JsonReader& source, JsonTextReader* text, const ParseOptions& options,
                          const Reading& reading) {
    Decoder d(source, options);
    bool truncated = false;
    try {
        try {
            reading.decode(d, reading.out);
            if (text != nullptr) text->finish();
        } catch (const TooManyIssues&) {
            truncated = true;
        }
    } catch (const SyntaxFailure& failure) {
        throw_invalid_json(&source, reading, failure);
    }
    if (!d.issues.empty()) throw_issues(source, reading, d, truncated);
}

inline void read_text(std::string_view text, const ParseOptions& options, const Reading& reading) {
    if (text.size() > options.max_bytes) throw_too_large(reading, text.size(), options.max_bytes);
    JsonTextReader reader(text, options.max_depth);
    read_document(reader, &reader, options, reading);
}

// Templates, so that sources which read only text do not compile them.
template <class AnyJson>
void read_json(const AnyJson& json, const ParseOptions& options, const Reading& reading) {
    try {
        JsonValueReader<AnyJson> source(json, options.max_depth);
        read_document(source, nullptr, options, reading);
    } catch (const SyntaxFailure& failure) {
        throw_invalid_json(nullptr, reading, failure);
    }
}

/// Calls `read`, whose event has already what is known of the document, and adds the type and place of the first issue.
/// If memory runs out, the event omits it: observing must not replace the exception that is reported.
template <class Read>
[[gnu::cold]] void watch_reading(ScopedEvent& event, const Read& read) {
    try {
        read();
    } catch (const ValidationError& error) {
        event.add({{"issues", error.issues().size()}});
        try {
            const Issue& first = error.issues().front();
            event.add({{"error", base::concat({first.type, " at '", first.pointer(), "'"})}});
        } catch (const std::bad_alloc&) {
        }
        throw;
    }
}

inline void read_text_document(std::string_view text, const ParseOptions& options, const Reading& reading) {
    if (options.observer == nullptr) return read_text(text, options, reading);
    ScopedEvent event(options.observer, event_names::parse);
    event.add({{"type", reading.title()}, {"bytes", text.size()}});
    watch_reading(event, [&] { read_text(text, options, reading); });
}

template <class AnyJson>
void read_json_document(const AnyJson& json, const ParseOptions& options, const Reading& reading) {
    if (options.observer == nullptr) return read_json(json, options, reading);
    ScopedEvent event(options.observer, event_names::parse);
    event.add({{"type", reading.title()}});
    watch_reading(event, [&] { read_json(json, options, reading); });
}

template <class T>
Reading reading_of(T& out) {
    return codec::Document<T>::reading(out);
}

}  // namespace acta::inline ACTA_ABI::json_detail

template <class T>
acta::json_detail::Reading acta::codec::Document<T>::reading(T& out) {
    return {[](json_detail::Decoder& d, void* value) { json_detail::decode_value(d, *static_cast<T*>(value)); },
            &introspection::type_title<T>, &out};
}
