// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Returns a text without the parts that must not be stored or shown, such as keys. Always supplied by the caller:
/// there is no global one. It must not throw; if work is done in parallel, several threads call it.
using Redactor = std::function<std::string(std::string_view)>;

/// Returns the text with `[secret]` in place of each word that has the form of a well-known service's key (`sk-...`,
/// `ghp_...`, a JWT), of private keys in PEM, of passwords in URLs, and of what follows `Bearer`, `Authorization:
/// Basic`, `api_key=`, `password:`, `--password`, `curl -u` and the like. docs/reference/observe.md lists the forms. A
/// safety net below a `Redactor`, not a replacement: it cannot recognise keys without such a form. Linear time.
///
/// @code{.cpp}
/// std::string text = acta::mask_secrets("api_key=tide-99, then sk-0123456789abcdef");
/// // api_key=[secret], then [secret]
/// @endcode
[[nodiscard]] std::string mask_secrets(std::string_view text);

// Observes acta's work, without a logging library (docs/reference/observe.md, "Events"). This component depends
// on `base` only, so that all others can report to it.

/// How important an event is.
enum class EventLevel { debug, info, warning, error };

/// The names of acta's own events, and their fields.
namespace event_names {
inline constexpr std::string_view register_message = "register_message";  ///< role, length
inline constexpr std::string_view register_action = "register_action";    ///< tool, calls, length
inline constexpr std::string_view register_result =
    "register_result";                                        ///< status, length; tool_call_id if it came with one
inline constexpr std::string_view rewind = "rewind";          ///< steps, dropped, length
inline constexpr std::string_view compress = "compress";      ///< summarised, failed, skipped, cancelled, not_due;
                                                              ///< completions and tokens if models were asked
inline constexpr std::string_view summarize = "summarize";    ///< one step of a compression: step, total, source, error
inline constexpr std::string_view parse = "parse";            ///< type, bytes (of text), issues, error (the first)
inline constexpr std::string_view ask = "ask";                ///< asking a model for arguments: skill, attempts, error
inline constexpr std::string_view skill_call = "skill_call";  ///< skill, status, error
inline constexpr std::string_view mcp_warning = "mcp_warning";  ///< server, subject, error: what is omitted, and why
inline constexpr std::string_view chat_model = "chat_model";  ///< messages, tools, model, finish_reason, tokens, error
inline constexpr std::string_view trace_export =
    "trace_export";  ///< spans, dropped, dropped_in_all, attempts; status and error if there were such
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
/// which may quote an argument that was wrong; otherwise no arguments, outputs or messages.
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

class Observer;

/// A member that holds the observer of an object without being part of the object's value: a copy has none, and
/// assignment leaves both sides their own. Move construction takes it along and leaves the other one none, so that a
/// watched object can be returned from a function or kept in a vector.
class ObserverSlot {
public:
    ObserverSlot() = default;
    /// A copy has no observer.
    ObserverSlot(const ObserverSlot&) noexcept {}
    /// Takes the observer along.
    ObserverSlot(ObserverSlot&& other) noexcept : observer_(std::exchange(other.observer_, nullptr)) {}
    /// Keeps the observer that this side has.
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
    ObserverSlot& operator=(const ObserverSlot&) noexcept { return *this; }
    /// Keeps the observer that this side has.
    ObserverSlot& operator=(ObserverSlot&&) noexcept { return *this; }
    ~ObserverSlot() = default;

    /// Sets the observer, which must outlive the object; null for none.
    void set(Observer* observer) noexcept { observer_ = observer; }
    /// Returns the observer, or null.
    [[nodiscard]] Observer* get() const noexcept { return observer_; }

private:
    Observer* observer_ = nullptr;
};

/// Reports a piece of work to an observer when the scope ends: its duration, the fields that were added, and that it
/// failed if an exception ends the scope. Without an observer it costs one test of a pointer.
///
/// acta's own operations use it, and so can yours:
///
/// @code{.cpp}
/// acta::Observer observer;  // usually a class of yours that overrides `on_event`
/// {
///     acta::ScopedEvent event(&observer, "load_index");
///     if (event) event.add({{"documents", 42}});
/// }  // here the observer is notified
/// @endcode
class ScopedEvent {
public:
    /// Starts the clock. `observer` may be null; else it must outlive the event, as `name` must.
    ScopedEvent(Observer* observer, std::string_view name, EventLevel level = EventLevel::info) : observer_(observer) {
        if (observer_ != nullptr) begin(name, level);
    }
    ScopedEvent(const ScopedEvent&) = delete;
    ScopedEvent& operator=(const ScopedEvent&) = delete;
    /// Notifies the observer. An event that failed has `EventLevel::error`.
    ~ScopedEvent() {
        if (observer_ != nullptr) end();
    }

    /// Returns whether there is an observer. Ask before making fields.
    [[nodiscard]] explicit operator bool() const noexcept { return observer_ != nullptr; }

    /// Adds fields. If memory runs out, the event has fewer: the work that it reports may already be done.
    void add(std::initializer_list<EventField> fields) noexcept;
    /// Marks the work as failed; its event then has `failed` set.
    void fail() noexcept { event_.failed = true; }
    /// Marks the work as failed, with a field `error`.
    void fail(std::string_view error) noexcept;

private:
    void begin(std::string_view name, EventLevel level);
    void end() noexcept;

    Observer* observer_;
    Event event_{};
    int exceptions_ = 0;  // in flight when the event began
    std::chrono::steady_clock::time_point start_{};
};

/// The totals of all events of one name.
struct EventTotals {
    std::uint64_t count = 0;              ///< number of events
    std::uint64_t failures = 0;           ///< number of events that failed
    std::chrono::nanoseconds time{0};     ///< sum of the durations, including parallel ones
    std::chrono::nanoseconds longest{0};  ///< the longest duration

    friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

/// Counts events by name, the failed ones among them, and their durations, and remembers the length of the history.
/// Thread-safe.
///
/// @code{.cpp}
/// acta::CountingObserver counts;
/// counts.notify({.name = "started", .failed = true});
/// std::uint64_t failures = counts.failures("started");  // 1
/// @endcode
class CountingObserver : public Observer {
public:
    using Observer::Observer;

    /// Returns the totals of this name; all zero if there was no such event.
    [[nodiscard]] EventTotals totals(std::string_view name) const;
    /// Returns the totals of each name that occurred.
    [[nodiscard]] std::map<std::string, EventTotals, std::less<>> all() const;
    /// Returns the number of events of this name.
    [[nodiscard]] std::uint64_t count(std::string_view name) const { return totals(name).count; }
    /// Returns the number of failed events of this name.
    [[nodiscard]] std::uint64_t failures(std::string_view name) const { return totals(name).failures; }
    /// Returns the number of steps of the history that was changed last; empty before any was.
    [[nodiscard]] std::optional<std::int64_t> history_length() const;
    /// Forgets all events.
    void reset();

protected:
    /// Counts the event.
    void on_event(const Event& event) override;

private:
    mutable std::mutex mutex_{};
    std::map<std::string, EventTotals, std::less<>> totals_{};
    std::optional<std::int64_t> length_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/observe/detail/observer.inl.hpp"
#endif
