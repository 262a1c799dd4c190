// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/observe/redactor.hpp"

/// Observes acta's work, without a logging library (docs/reference/observe.md, "Events"). This room depends on no other
/// but `base`, so that all others can report to it.
namespace acta::inline ACTA_ABI {

/// How important an event is.
enum class EventLevel { debug, info, warning, error };

/// The names of acta's own events, and their fields.
namespace event_names {
inline constexpr std::string_view register_message = "register_message";  ///< role, length
inline constexpr std::string_view register_action = "register_action";    ///< tool, calls, length
inline constexpr std::string_view register_result = "register_result";    ///< status, length; tool_call_id of a part
inline constexpr std::string_view rewind = "rewind";                      ///< steps, dropped, length
inline constexpr std::string_view compress = "compress";      ///< summarised, failed, skipped, cancelled, not_due
inline constexpr std::string_view summarize = "summarize";    ///< one step of a compression: step, source, error
inline constexpr std::string_view parse = "parse";            ///< type, bytes (of text), issues, error (the first)
inline constexpr std::string_view ask = "ask";                ///< asking a model for arguments: skill, attempts, error
inline constexpr std::string_view skill_call = "skill_call";  ///< skill, status, error
inline constexpr std::string_view chat_model = "chat_model";  ///< messages, tools, model, finish_reason, tokens, error
}  // namespace event_names

/// The value of an event's field.
using EventValue = std::variant<bool, std::int64_t, double, std::string>;

/// A named value of an event.
struct EventField {
    std::string_view name{};  ///< usually a literal: it must outlive the event
    EventValue value{};       ///< the value

    /// A field that is true or false.
    EventField(std::string_view field, bool of) : name(field), value(of) {}
    /// A field with a number.
    template <std::integral I>
    EventField(std::string_view field, I of) : name(field), value(static_cast<std::int64_t>(of)) {}
    /// A field with a number.
    EventField(std::string_view field, double of) : name(field), value(of) {}
    /// A field with a text.
    EventField(std::string_view field, std::string of) : name(field), value(std::move(of)) {}
    /// A field with a text.
    EventField(std::string_view field, std::string_view of) : name(field), value(std::string(of)) {}
    /// A field with a text.
    EventField(std::string_view field, const char* of) : name(field), value(std::string(of)) {}

    // libstdc++ assumes that a variant with a string always has a value, so its copy constructor runs into code marked
    // unreachable if copying the string runs out of memory. The string is copied first, and moved in.
    /// Copies the name's view and the value.
    EventField(const EventField& other) : name(other.name), value(copy_of(other.value)) {}
    EventField(EventField&&) noexcept = default;
    /// Strong guarantee.
    EventField& operator=(const EventField& other) { return *this = EventField(other); }
    EventField& operator=(EventField&&) noexcept = default;
    ~EventField() = default;

private:
    [[nodiscard]] static EventValue copy_of(const EventValue& value);
};

/// A piece of work that was done.
struct Event {
    EventLevel level = EventLevel::info;   ///< how important it is
    std::string_view name{};               ///< one of `event_names`, or a literal of the caller's
    std::chrono::nanoseconds duration{0};  ///< how long the work took
    bool failed = false;                   ///< whether it failed
    std::vector<EventField> fields{};      ///< further details

    /// Returns the value of the field of this name, or null.
    [[nodiscard]] const EventValue* find(std::string_view field) const noexcept;
};

/// Receives acta's events: derive, and override `on_event`. Events have names, counts, times and the texts of errors,
/// never arguments, outputs or messages.
///
/// An observer must outlive the objects that it watches, and is called by several threads if work is done in parallel.
///
/// @code{.cpp}
/// class Log : public acta::Observer {
///     void on_event(const acta::Event& event) override { names.emplace_back(event.name); }
///
/// public:
///     std::vector<std::string> names{};
/// };
/// Log log;
/// log.notify({.name = "started"});
/// @endcode
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    /// Passes all texts in events through `redactor`.
    explicit Observer(Redactor redactor) : redactor_(std::move(redactor)) {}
    virtual ~Observer() = default;

    /// Passes an event on to `on_event`, after redacting its texts, masking texts that look like a key (`mask_secrets`)
    /// and truncating them to `max_text_bytes`. Swallows exceptions: watching must not break what is watched.
    void notify(Event event) noexcept;

    /// The size to which texts in events are truncated, on a code point and followed by `...`.
    static constexpr std::size_t max_text_bytes = 1024;

protected:
    /// Called for each event; does nothing by default. It must not use the history that the event comes from, which may
    /// be locked.
    virtual void on_event(const Event& /*event*/) {}

private:
    [[nodiscard]] std::string shown(const std::string& text) const;

    Redactor redactor_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/observe/detail/observer.inl.hpp"
#endif
