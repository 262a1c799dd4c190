// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "acta/base/cancelled.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/provider/http/detail/curl.hpp"
#include "acta/provider/http/http_error.hpp"

// libcurl's handles, and who may use them: one thread at a time, in the process that made them.
namespace acta::inline ACTA_ABI::http_detail {

/// Returns the id of the process; 0 on systems without fork.
[[nodiscard]] inline long process_id() noexcept {
#if defined(_WIN32)
    return 0;
#else
    return static_cast<long>(::getpid());
#endif
}

/// Opens a socket that programs started by this one do not inherit: its connection may be authenticated.
inline curl_socket_t open_socket(void* /*data*/, curlsocktype /*purpose*/, curl_sockaddr* address) noexcept {
#if defined(SOCK_CLOEXEC)
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    const curl_socket_t opened = ::socket(address->family, address->socktype, address->protocol);
#if defined(FD_CLOEXEC)
    if (opened != CURL_SOCKET_BAD) ::fcntl(opened, F_SETFD, FD_CLOEXEC);
#elif defined(_WIN32)
    if (opened != CURL_SOCKET_BAD) ::SetHandleInformation(reinterpret_cast<HANDLE>(opened), HANDLE_FLAG_INHERIT, 0);
#endif
    return opened;
#endif
}

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
    struct Close {
        void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
    };
    struct CloseEasy {
        void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
    };
    long process_ = process_id();
    std::unique_ptr<CURLM, Close> multi_;
    std::unique_ptr<CURL, CloseEasy> easy_;  // destroyed first
};

/// The handles of this thread that are not in use: usually one, more if a sink makes requests itself.
[[nodiscard]] inline std::vector<std::unique_ptr<HttpHandle>>& idle_handles() {
    thread_local std::vector<std::unique_ptr<HttpHandle>> handles;
    return handles;
}

/// libcurl counts its users, so this is compatible with a program that does the same. It is never shut down: handles of
/// threads may outlive everything that could do so. Before libcurl 7.84, a program that also uses libcurl elsewhere
/// should initialise it before it starts threads.
inline void initialise_curl() {
    static const CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (result != CURLE_OK) throw http::Error(http::Fault::other, "libcurl could not be initialised");
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

/// Waits until the time point, or, with `once`, until the handle is woken. Throws `Cancelled` once `stop` is requested.
inline void wait_until(const HttpHandle& handle, std::chrono::steady_clock::time_point until, bool once,
                       const stop_token& stop) {
    constexpr std::chrono::milliseconds longest(1000);
    while (!stop.stop_requested()) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= until) return;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
        curl_multi_poll(handle.multi(), nullptr, 0, static_cast<int>(std::min(left, longest).count()), nullptr);
        if (once) return;
    }
    throw Cancelled();
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

}  // namespace acta::inline ACTA_ABI::http_detail
