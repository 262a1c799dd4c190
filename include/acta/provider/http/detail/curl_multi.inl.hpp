// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/provider/http/curl_multi.hpp"
#include "acta/provider/http/detail/curl_transfer.hpp"

// The definitions of acta/provider/http/curl_multi.hpp.
namespace acta::inline ACTA_ABI::http_detail {

/// What a CurlMulti does. A member that is running keeps it alive, as a callback may destroy the CurlMulti.
class MultiState {
public:
    explicit MultiState(http::CurlMulti::Loop loop);
    MultiState(const MultiState&) = delete;
    MultiState& operator=(const MultiState&) = delete;

    void start(http::Request request, http::Sink sink, http::CurlMulti::Done done);
    std::size_t step(std::chrono::milliseconds wait);
    void act(curl_socket_t socket);
    void wake() const;
    void close() noexcept;

private:
    using Clock = std::chrono::steady_clock;

    struct WakeOnStop {
        MultiState* state;
        void operator()() const {
            state->has_stop_ = true;
            state->wake();
        }
    };
    struct Exchange {
        http::Request request{};
        http::Sink sink{};
        http::CurlMulti::Done done{};
        EasyHandle easy{};
        std::optional<HttpTransfer> transfer{};
        Clock::time_point until{};
        std::optional<CURLcode> result{};
        std::exception_ptr failure{};  // of its beginning
        std::optional<stop_callback<WakeOnStop>> on_stop{};
    };
    /// Marks that a member is running.
    class Running {
    public:
        explicit Running(MultiState& state) : state_(state) {
            if (state.process_ != process_id())
                throw http::Error(http::Fault::other, "the process forked, and the exchanges are the parent's");
            if (std::exchange(state.is_running_, true))
                throw acta::Error("a callback of an exchange must not drive the exchanges");
            state.has_called_ = false;
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running() { state_.is_running_ = false; }

    private:
        MultiState& state_;
    };

    [[nodiscard]] bool has_loop() const noexcept { return static_cast<bool>(loop_.set_timer); }
    void begin(Exchange& exchange);
    void perform();
    void serve();
    void look_at(CURL* easy);
    [[nodiscard]] bool continues(Exchange& exchange);
    void set_until(Exchange& exchange, Clock::time_point until);
    [[nodiscard]] std::optional<std::chrono::milliseconds> time_left();
    void set_timer();
    void rethrow();
    static int on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* of_socket) noexcept;

    long process_ = process_id();
    http::CurlMulti::Loop loop_;
    std::exception_ptr thrown_{};  // by Loop::watch
    std::atomic<bool> has_stop_{false};
    bool is_running_ = false;
    bool is_closed_ = false;
    bool has_called_ = false;  // a function of an exchange, since the member that runs began
    std::deque<CURL*> due_{};  // something has happened to their exchanges, which may have ended since
    std::set<std::pair<Clock::time_point, CURL*>> deadlines_{};
    MultiHandle multi_;
    std::unordered_map<CURL*, std::unique_ptr<Exchange>> exchanges_{};  // destroyed first
};

inline MultiState::MultiState(http::CurlMulti::Loop loop) : loop_(std::move(loop)) {
    initialise_curl();
    multi_.reset(curl_multi_init());
    if (multi_ == nullptr) throw std::bad_alloc();
    if (!has_loop()) return;
    check(curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &MultiState::on_socket));
    check(curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this));
}

/// Ends all exchanges, and lets a running member return without calling anything else.
inline void MultiState::close() noexcept {
    is_closed_ = true;
    const bool is_ours = process_ == process_id();
    for (auto& [easy, exchange] : exchanges_) {
        exchange->on_stop.reset();
        if (exchange->transfer) exchange->transfer->end();
        if (!is_ours) static_cast<void>(exchange->easy.release());  // as HttpHandle does
    }
    if (!is_ours) static_cast<void>(multi_.release());  // NOLINT(bugprone-unused-return-value)
    multi_.reset();
    if (!is_ours || !has_loop()) return;
    try {
        loop_.set_timer(std::nullopt);
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is no one left to report it to
    }
}

inline void MultiState::start(http::Request request, http::Sink sink, http::CurlMulti::Done done) {
    if (process_ != process_id())
        throw http::Error(http::Fault::other, "the process forked, and the exchanges are the parent's");
    auto owned = std::make_unique<Exchange>();
    Exchange& exchange = *owned;
    exchange.request = std::move(request);
    exchange.sink = std::move(sink);
    exchange.done = std::move(done);
    exchange.easy.reset(curl_easy_init());
    CURL* const easy = exchange.easy.get();
    if (easy == nullptr) throw std::bad_alloc();
    exchanges_.emplace(easy, std::move(owned));
    try {
        begin(exchange);
    } catch (...) {
        exchange.failure = std::current_exception();
        due_.push_back(easy);
    }
    if (!is_running_) set_timer();
    rethrow();
}

inline void MultiState::begin(Exchange& exchange) {
    if (exchange.request.stop.stop_requested()) throw Cancelled();
    if (Clock::now() >= exchange.request.deadline) throw Timeout();
    exchange.transfer.emplace(multi_.get(), exchange.easy.get(), exchange.request, exchange.sink, &due_);
    set_until(exchange, exchange.request.deadline);
    exchange.transfer->begin();
    if (exchange.request.stop.stop_possible()) exchange.on_stop.emplace(exchange.request.stop, WakeOnStop{this});
}

inline void MultiState::set_until(Exchange& exchange, Clock::time_point until) {
    if (until == exchange.until) return;
    deadlines_.erase({exchange.until, exchange.easy.get()});
    exchange.until = until;
    deadlines_.insert({until, exchange.easy.get()});
}

inline std::size_t MultiState::step(std::chrono::milliseconds wait) {
    const Running running(*this);
    perform();
    if (!has_called_ && !is_closed_ && wait.count() > 0) {
        wait = std::min(wait, time_left().value_or(wait));
        const auto longest = std::chrono::milliseconds(std::numeric_limits<int>::max());
        check(curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(std::min(wait, longest).count()), nullptr));
        perform();
    }
    return is_closed_ ? 0 : exchanges_.size();
}

inline void MultiState::perform() {
    int open = 0;
    check(curl_multi_perform(multi_.get(), &open));
    serve();
    rethrow();
}

/// Lets libcurl do what it can with a socket, or CURL_SOCKET_TIMEOUT.
inline void MultiState::act(curl_socket_t socket) {
    const Running running(*this);
    int open = 0;
    check(curl_multi_socket_action(multi_.get(), socket, 0, &open));
    try {
        serve();
    } catch (...) {
        if (!is_closed_ && has_loop()) set_timer();  // others may be due
        throw;
    }
    if (!is_closed_ && has_loop()) set_timer();
    rethrow();
}

/// Calls the functions of all exchanges to which something has happened.
inline void MultiState::serve() {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        exchanges_.at(message->easy_handle)->result = message->data.result;
        due_.push_back(message->easy_handle);
    }
    const auto now = Clock::now();
    for (const auto& [until, easy] : deadlines_) {
        if (until > now) break;
        due_.push_back(easy);
    }
    if (has_stop_.exchange(false)) {
        for (const auto& [easy, exchange] : exchanges_) {
            if (exchange->request.stop.stop_requested()) due_.push_back(easy);
        }
    }
    while (!due_.empty() && !is_closed_) {
        CURL* const easy = due_.front();
        due_.pop_front();
        look_at(easy);
    }
}

inline void MultiState::look_at(CURL* easy) {
    const auto found = exchanges_.find(easy);
    if (found == exchanges_.end()) return;
    Exchange& exchange = *found->second;
    std::exception_ptr failure;
    http::Reply reply;
    try {
        if (continues(exchange)) return;
        reply = exchange.transfer->finish(exchange.result.value_or(CURLE_OK));
    } catch (...) {
        failure = std::current_exception();
    }
    if (is_closed_) return;
    const http::CurlMulti::Done done = std::move(exchange.done);
    deadlines_.erase({exchange.until, easy});
    exchanges_.erase(easy);
    has_called_ = true;
    if (done) done(std::move(failure), std::move(reply));
}

/// Hands on what has arrived, and returns whether there is more to come. Throws what ends the exchange.
inline bool MultiState::continues(Exchange& exchange) {
    if (exchange.failure) std::rethrow_exception(exchange.failure);
    if (exchange.request.stop.stop_requested()) throw Cancelled();
    HttpTransfer& transfer = *exchange.transfer;
    has_called_ = transfer.call_sink() || has_called_;
    if (is_closed_) return true;
    if (exchange.result || transfer.is_late()) return false;
    set_until(exchange, transfer.until());
    return true;
}

/// Returns how long nothing has to be done unless something happens to a socket.
inline std::optional<std::chrono::milliseconds> MultiState::time_left() {
    using std::chrono::milliseconds;
    if (!due_.empty() || has_stop_) return milliseconds(0);
    long of_curl = -1;
    check(curl_multi_timeout(multi_.get(), &of_curl));
    std::optional<milliseconds> out;
    if (of_curl >= 0) out = milliseconds(of_curl);
    constexpr milliseconds longest = std::chrono::hours(24);  // which any timer can take
    if (!deadlines_.empty()) {
        const auto now = Clock::now();
        const auto first = std::max(deadlines_.begin()->first, now);
        const auto left = std::min(std::chrono::ceil<milliseconds>(first - now), longest);
        out = std::min(out.value_or(left), left);
    }
    return out;
}

inline void MultiState::set_timer() {
    if (has_loop()) loop_.set_timer(time_left());
}

inline void MultiState::wake() const {
    if (loop_.wake) loop_.wake();
    if (!has_loop()) curl_multi_wakeup(multi_.get());
}

inline void MultiState::rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

inline int MultiState::on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* self,
                                 void* /*of_socket*/) noexcept {
    auto& state = *static_cast<MultiState*>(self);
    try {
        const bool both = what == CURL_POLL_INOUT;
        state.loop_.watch(socket, both || what == CURL_POLL_IN, both || what == CURL_POLL_OUT);
    } catch (...) {
        state.thrown_ = std::current_exception();
    }
    return 0;
}

}  // namespace acta::inline ACTA_ABI::http_detail

namespace acta::inline ACTA_ABI::http {

ACTA_INLINE CurlMulti::CurlMulti() : state_(std::make_shared<http_detail::MultiState>(Loop())) {}

ACTA_INLINE CurlMulti::CurlMulti(Loop loop) {
    if (!loop.watch || !loop.set_timer) throw acta::Error("an event loop must have `watch` and `set_timer`");
    state_ = std::make_shared<http_detail::MultiState>(std::move(loop));
}

ACTA_INLINE CurlMulti::~CurlMulti() { state_->close(); }

ACTA_INLINE void CurlMulti::start(Request request, Sink sink, Done done) {
    state_->start(std::move(request), std::move(sink), std::move(done));
}

ACTA_INLINE void CurlMulti::start(Request request, ChatReplyReader reader, ChatDone done) {
    const auto shared = std::make_shared<ChatReplyReader>(std::move(reader));
    start(
        std::move(request), [shared](Reply& reply) { return shared->take(reply); },
        [shared, done = std::move(done)](const std::exception_ptr& failure, Reply reply) {
            ChatReply answer;
            std::exception_ptr error;
            try {
                answer = shared->finish(failure, std::move(reply));
            } catch (...) {
                error = std::current_exception();
            }
            if (done) done(std::move(error), std::move(answer));
        });
}

ACTA_INLINE std::size_t CurlMulti::step(std::chrono::milliseconds wait) {
    const auto state = state_;  // a callback may destroy this
    return state->step(wait);
}

ACTA_INLINE void CurlMulti::wake() const { state_->wake(); }

ACTA_INLINE void CurlMulti::on_ready(Socket socket) {
    const auto state = state_;
    state->act(socket);
}

ACTA_INLINE void CurlMulti::on_timer() {
    const auto state = state_;
    state->act(CURL_SOCKET_TIMEOUT);
}

}  // namespace acta::inline ACTA_ABI::http
