// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/provider/http/curl.hpp"
#include "acta/provider/http/detail/curl_transfer.hpp"

// The definitions of acta/provider/http/curl.hpp.
namespace acta::inline ACTA_ABI::http_detail {

/// A connection cache and a handle that uses it, for one thread at a time.
class HttpHandle {
public:
    HttpHandle() : multi_(curl_multi_init()), easy_(curl_easy_init()) {
        if (multi_ == nullptr || easy_ == nullptr) throw std::bad_alloc();
    }
    HttpHandle(const HttpHandle&) = delete;
    HttpHandle& operator=(const HttpHandle&) = delete;
    ~HttpHandle() {
        if (is_ours()) return;
        // Closing a connection says goodbye to the server, on a socket that still belongs to the parent.
        static_cast<void>(easy_.release());   // NOLINT(bugprone-unused-return-value)
        static_cast<void>(multi_.release());  // NOLINT(bugprone-unused-return-value)
    }

    [[nodiscard]] CURLM* multi() const noexcept { return multi_.get(); }
    [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
    /// Returns whether this process made the handle, and not a parent of it.
    [[nodiscard]] bool is_ours() const noexcept { return process_ == process_id(); }

private:
    long process_ = process_id();
    MultiHandle multi_;
    EasyHandle easy_;  // destroyed first
};

/// The handles of this thread that are not in use: usually one, more if a sink makes requests itself.
[[nodiscard]] inline std::vector<std::unique_ptr<HttpHandle>>& idle_handles() {
    thread_local std::vector<std::unique_ptr<HttpHandle>> handles;
    return handles;
}

/// A handle of this thread for the length of a request. Its connections stay open for the next one.
class HttpLease {
public:
    HttpLease() {
        initialise_curl();
        auto& idle = idle_handles();
        std::erase_if(idle, [](const auto& handle) { return !handle->is_ours(); });
        if (idle.empty()) {
            handle_ = std::make_unique<HttpHandle>();
        } else {
            handle_ = std::move(idle.back());
            idle.pop_back();
        }
    }
    HttpLease(const HttpLease&) = delete;
    HttpLease& operator=(const HttpLease&) = delete;
    ~HttpLease() {
        if (!handle_->is_ours()) return;
        curl_multi_remove_handle(handle_->multi(), handle_->easy());
        curl_easy_reset(handle_->easy());  // forgets the request, keeps connections
        try {
            idle_handles().push_back(std::move(handle_));
        } catch (const std::bad_alloc&) {  // the handle is closed instead
        }
    }
    [[nodiscard]] HttpHandle& operator*() const noexcept { return *handle_; }

private:
    std::unique_ptr<HttpHandle> handle_;
};

/// Waits until the time point, or until the handle is woken. Throws `Cancelled` once `stop` is requested.
inline void wait_until(const HttpHandle& handle, std::chrono::steady_clock::time_point until, const stop_token& stop) {
    constexpr std::chrono::milliseconds longest(1000);
    if (stop.stop_requested()) throw Cancelled();
    const auto now = std::chrono::steady_clock::now();
    if (now >= until) return;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
    curl_multi_poll(handle.multi(), nullptr, 0, static_cast<int>(std::min(left, longest).count()), nullptr);
}

/// Wakes a thread waiting with the handle when a stop is requested.
class WakeOnStop {
public:
    WakeOnStop(const HttpHandle& handle, const stop_token& stop) : callback_(stop, Wake{handle.multi()}) {}

private:
    struct Wake {
        CURLM* multi;
        void operator()() const noexcept { curl_multi_wakeup(multi); }
    };
    stop_callback<Wake> callback_;
};

/// Sends a request and waits for the response.
inline http::Reply send(const HttpHandle& handle, const http::Request& request, const http::Sink& sink) {
    HttpTransfer transfer(handle.multi(), handle.easy(), request, sink);
    transfer.begin();
    const WakeOnStop wake(handle, request.stop);
    for (int running = 1; running != 0;) {
        check(curl_multi_perform(handle.multi(), &running));
        transfer.call_sink();
        if (running == 0 || transfer.is_late()) break;
        wait_until(handle, transfer.until(), request.stop);
    }
    int left = 0;
    CURLcode result = CURLE_OK;
    while (const CURLMsg* const message = curl_multi_info_read(handle.multi(), &left)) {
        if (message->msg == CURLMSG_DONE && message->easy_handle == handle.easy()) result = message->data.result;
    }
    return transfer.finish(result);
}

}  // namespace acta::inline ACTA_ABI::http_detail

namespace acta::inline ACTA_ABI::http {

ACTA_INLINE Reply send(const Request& request, const Sink& sink) {
    if (request.stop.stop_requested()) throw Cancelled();
    if (std::chrono::steady_clock::now() >= request.deadline) throw Timeout();
    const http_detail::HttpLease lease;
    return http_detail::send(*lease, request, sink);
}

}  // namespace acta::inline ACTA_ABI::http
