// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "acta/provider/codec.hpp"
#include "acta/provider/http/http.hpp"

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI {

namespace http_detail {
class MultiState;
}  // namespace http_detail

namespace http {

/// Requests over libcurl for a program with a loop of its own: any number of them at the same time in one thread, and
/// nothing blocks. Each is sent as `http::send` sends one, and connections are kept open for the next request.
///
/// `start` begins an exchange. Its sink or reader is given the parts of the body as they arrive, and `done` is called
/// exactly once: with the response, or with the exception that ended the exchange. That is `Error`, `Timeout` at the
/// deadline of the request, `Cancelled` once its stop is requested, or what the sink threw; with a reader it is what a
/// model throws, such as `ChatModelError`. Nothing is repeated.
///
/// An object without a `Loop` is driven by `step`:
///
/// @code{.cpp no-run}
/// #include <acta/provider/openai/codec.hpp>
/// #include <iostream>
/// const acta::openai::ChatCodec codec({.model = "gpt-5"});
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("When is high tide?")};
/// acta::http::CurlMulti http;
/// http.start(codec.request(messages), codec.reader(messages),
///            [](const std::exception_ptr& failure, const acta::ChatReply& reply) {
///                if (!failure) std::cout << reply.completion.message.content << "\n";
///            });
/// while (http.step(std::chrono::milliseconds(100)) > 0) {
///     // whatever else the program does
/// }
/// @endcode
///
/// One with a `Loop` is driven by the program's own event loop, which watches its sockets and has a timer for it
/// (`examples/event_loop.cpp`).
///
/// One thread at a time uses an object; `wake` and the stop of a request may be used by any thread. Sinks, callbacks of
/// a reader and `done` are called by `step`, `on_ready` and `on_timer`, never by `start`. They may call `start` and
/// destroy the object; these three functions throw `acta::Error` if they are called by one of them. What `done` throws
/// is thrown by the function that called it; all other exchanges continue. The destructor ends all exchanges without
/// calling `done`. After `fork`, the child can only destroy the object: the exchanges remain the parent's.
class CurlMulti {
public:
    /// A socket of the system.
#if defined(_WIN32)
    using Socket = std::uintptr_t;
#else
    using Socket = int;
#endif
    /// Called at the end of an exchange. The response is empty if there is an exception.
    using Done = std::function<void(std::exception_ptr failure, Reply reply)>;
    /// The same for an exchange with a reader.
    using ChatDone = std::function<void(std::exception_ptr failure, ChatReply reply)>;

    /// What an event loop does for an object. The first two functions are called by its members, the destructor
    /// included, and must not use it. Their exceptions are thrown by the member that was called, but the destructor
    /// ignores them.
    struct Loop {
        /// Watches a socket from now on for being readable or writable, in place of what it was watched for: the loop
        /// calls `on_ready` as long as it is. With neither, the socket is no longer watched; it may be closed next.
        std::function<void(Socket socket, bool readable, bool writable)> watch{};
        /// Calls `on_timer` once after this time, in place of the time set before; never, if there is none.
        std::function<void(std::optional<std::chrono::milliseconds> time)> set_timer{};
        /// Calls `on_timer` soon, in the thread of the loop. May be called by any thread, when the stop of a request is
        /// requested and by `wake`, and must not throw. Without it, a stop is noticed at the next event.
        std::function<void()> wake{};
    };

    /// Driven by `step`.
    CurlMulti();
    /// Driven by an event loop. Throws `acta::Error` if `watch` or `set_timer` is missing.
    explicit CurlMulti(Loop loop);
    CurlMulti(const CurlMulti&) = delete;
    CurlMulti& operator=(const CurlMulti&) = delete;
    ~CurlMulti();

    /// Begins an exchange. A request that cannot be sent is reported to `done`, like all other failures. With an empty
    /// sink, the whole body is in the response.
    void start(Request request, Sink sink, Done done);
    /// Begins an exchange with a model, of a request and a reader from the same codec.
    void start(Request request, ChatReplyReader reader, ChatDone done);

    /// Does what can be done now. If no function was called for it, waits until something can be done, at most for
    /// `wait`, and does that. Returns how many exchanges are open.
    std::size_t step(std::chrono::milliseconds wait = std::chrono::milliseconds(0));
    /// Ends the wait of `step`, or of the next `step` if none is waiting. With a `Loop`, calls its `wake`.
    void wake() const;

    /// The event loop calls this when a watched socket is ready. Other sockets are ignored.
    void on_ready(Socket socket);
    /// The event loop calls this when the timer has expired. Does no harm at any other time.
    void on_timer();

private:
    std::shared_ptr<http_detail::MultiState> state_;
};

}  // namespace http
}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/provider/http/detail/curl_multi.inl.hpp"
#endif
