// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"
#include "acta/provider/http/http.hpp"

// On Windows curl.h includes windows.h, which must not define the macros min and max.
#if defined(_WIN32) && !defined(NOMINMAX)
#define NOMINMAX
#define ACTA_DETAIL_NOMINMAX 1
#endif

#include <curl/curl.h>

#if defined(ACTA_DETAIL_NOMINMAX)
#undef NOMINMAX
#undef ACTA_DETAIL_NOMINMAX
#endif

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

// A request over libcurl: what http::send and http::CurlMulti have in common.
namespace acta::inline ACTA_ABI::http_detail {

/// Classifies an error of libcurl, as far as its code tells. `connection` is what another attempt may avoid; the rest
/// would fail again. A failed handshake is classified by `tls_error`, and what a proxy answered by `proxy_answer`.
[[nodiscard]] inline http::Fault fault_of(CURLcode code) noexcept {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_NO_CONNECTION_AVAILABLE:
        case CURLE_OPERATION_TIMEDOUT:  // libcurl itself only limits the time to connect
#if LIBCURL_VERSION_NUM >= 0x074900
        case CURLE_PROXY:
#endif
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_SSL_SHUTDOWN_FAILED:
        case CURLE_GOT_NOTHING:
        case CURLE_PARTIAL_FILE:
        case CURLE_SEND_ERROR:
        case CURLE_SEND_FAIL_REWIND:  // the connection broke while the body was sent
        case CURLE_RECV_ERROR:
        case CURLE_AGAIN:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
        case CURLE_HTTP3:
        case CURLE_QUIC_CONNECT_ERROR: return http::Fault::connection;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CERTPROBLEM:
#if LIBCURL_VERSION_NUM >= 0x074D00
        case CURLE_SSL_CLIENTCERT:
#endif
        case CURLE_SSL_INVALIDCERTSTATUS:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return http::Fault::security;
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CRL_BADFILE:
        case CURLE_SSL_ENGINE_NOTFOUND:
        case CURLE_SSL_ENGINE_SETFAILED:
        case CURLE_SSL_ENGINE_INITFAILED:
        case CURLE_NOT_BUILT_IN:
        case CURLE_BAD_FUNCTION_ARGUMENT:
        case CURLE_UNKNOWN_OPTION:
        case CURLE_SETOPT_OPTION_SYNTAX:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_URL_MALFORMAT: return http::Fault::configuration;
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_BAD_CONTENT_ENCODING: return http::Fault::not_http;
        default: return http::Fault::other;  // a login that was denied, a lack of resources, codes of other protocols
    }
}

/// The same with libcurl's description, where one code has several meanings.
[[nodiscard]] inline http::Fault fault_of(CURLcode code, std::string_view details) noexcept {
    if (code == CURLE_UNSUPPORTED_PROTOCOL && details.find("HTTP/0.9") != std::string_view::npos)
        return http::Fault::not_http;  // no status line
    // Of a proxy, libcurl reports what it cannot use as no connection, or no address; also the names of Tor.
    if (details.starts_with("Unsupported proxy") || details.starts_with("Not resolving"))
        return http::Fault::configuration;
    return fault_of(code);
}

[[nodiscard]] inline bool has_any(std::string_view text, std::initializer_list<std::string_view> words) noexcept {
    return std::ranges::any_of(words, [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

/// Returns whether the TLS library says that the server sent an alert (RFC 8446, 6.2), such as OpenSSL's `sslv3 alert
/// handshake failure` and GnuTLS's `A TLS fatal alert has been received`.
[[nodiscard]] inline bool is_alert(std::string_view details) noexcept { return has_any(details, {" alert "}); }

/// Returns the error of a handshake that would fail again, by the words of the TLS library; nothing if the connection
/// broke, or if that is unknown. `CURLE_SSL_CONNECT_ERROR` stands for all of these.
[[nodiscard]] inline std::optional<http::Error> tls_error(std::string_view details) {
    const std::string quoted = " (" + std::string(details) + ")";
    if (is_alert(details)) return http::Error(http::Fault::security, "the server refused the TLS connection" + quoted);
    // How OpenSSL, its relatives, GnuTLS and Schannel introduce what the handshake itself failed for ...
    if (!has_any(details, {"SSL routines", "gnutls_handshake() failed", "InitializeSecurityContext failed"})) return {};
    // ... but for these, the end of a connection.
    if (has_any(details, {"unexpected eof", "UNEXPECTED_EOF", "non-properly terminated",
                          "has terminated the connection", "Error decoding", "Error in the p", "timed out"}))
        return {};
    if (has_any(details, {"wrong version number", "WRONG_VERSION_NUMBER", "packet length too long", "http request",
                          "HTTP_REQUEST", "record layer failure", "unexpected TLS packet"})) {
        return http::Error(http::Fault::other,
                           "what answers at this address does not speak TLS" + quoted + "; is it one for http://?");
    }
    return http::Error(http::Fault::security, "no TLS connection to the server is possible" + quoted);
}

/// What a proxy answered instead of making a connection to the server; it may not refuse again, or would.
enum class ProxyAnswer { none, passing, lasting };

/// Returns the answer of a proxy. After other results the handle may have the answer to an earlier request.
[[nodiscard]] inline ProxyAnswer proxy_answer(CURL* easy, CURLcode result) noexcept {
    long status = 0;  // of the answer to CONNECT
    if (result == CURLE_RECV_ERROR) curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
    const bool is_busy = status == 408 || status == 425 || status == 429 || status >= 500;
    if (status >= 300) return is_busy ? ProxyAnswer::passing : ProxyAnswer::lasting;
#if LIBCURL_VERSION_NUM >= 0x074900
    if (result != CURLE_PROXY) return ProxyAnswer::none;
    long socks = CURLPX_OK;
    curl_easy_getinfo(easy, CURLINFO_PROXY_ERROR, &socks);
    switch (socks) {
        case CURLPX_BAD_ADDRESS_TYPE:
        case CURLPX_BAD_VERSION:  // it is not a SOCKS proxy
        case CURLPX_GSSAPI:
        case CURLPX_GSSAPI_PERMSG:
        case CURLPX_GSSAPI_PROTECTION:
        case CURLPX_IDENTD:
        case CURLPX_IDENTD_DIFFER:
        case CURLPX_LONG_HOSTNAME:
        case CURLPX_LONG_PASSWD:
        case CURLPX_LONG_USER:
        case CURLPX_NO_AUTH:
        case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED:
        case CURLPX_REPLY_COMMAND_NOT_SUPPORTED:
        case CURLPX_REPLY_NOT_ALLOWED:
        case CURLPX_UNKNOWN_MODE:
        case CURLPX_USER_REJECTED: return ProxyAnswer::lasting;
        default: return ProxyAnswer::passing;  // the proxy was not reached, or did not reach the server
    }
#else
    return ProxyAnswer::none;
#endif
}

// libcurl's handles, which one thread uses at a time, in the process that made them.

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

/// libcurl counts its users, so this is compatible with a program that does the same. It is never shut down: handles of
/// threads may outlive everything that could do so. Before libcurl 7.84, a program that also uses libcurl elsewhere
/// should initialise it before it starts threads.
inline void initialise_curl() {
    static const CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (result != CURLE_OK) throw http::Error(http::Fault::other, "libcurl could not be initialised");
}

struct CloseMulti {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};
using MultiHandle = std::unique_ptr<CURLM, CloseMulti>;
struct CloseEasy {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
using EasyHandle = std::unique_ptr<CURL, CloseEasy>;

/// Throws if a URL has a blank or a control character: libcurl would not say so, and takes the zero byte for its end.
inline void check_url(std::string_view url, const char* name) {
    if (http::Url::has_blank(url))
        throw http::Error(http::Fault::configuration, std::string(name) + " is not valid: " + http::Url::problem(url));
}

/// Throws an error of the multi interface.
inline void check(CURLMcode code) {
    if (code == CURLM_OK) return;
    if (code == CURLM_OUT_OF_MEMORY) throw std::bad_alloc();
    throw http::Error(http::Fault::other, std::string("libcurl: ") + curl_multi_strerror(code));
}

/// Splits the header line `name: value`; the name is returned in lower case. Nothing if there is no colon.
[[nodiscard]] inline std::optional<std::pair<std::string, std::string>> split_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::pair<std::string, std::string> out;
    out.first = line.substr(0, colon);
    for (char& c : out.first) c = ascii::to_lower(c);
    std::string_view value = line.substr(colon + 1);
    constexpr const char* blanks = " \t\r\n";
    const std::size_t first = value.find_first_not_of(blanks);
    if (first != std::string_view::npos) out.second = value.substr(first, value.find_last_not_of(blanks) - first + 1);
    return out;
}

/// One request on an easy handle, under a multi handle that drives it.
class HttpTransfer {
public:
    using Clock = std::chrono::steady_clock;

    /// Adds `easy` to `arrived`, if there is one, with each part of the body that arrives.
    HttpTransfer(CURLM* multi, CURL* easy, const http::Request& request, const http::Sink& sink,
                 std::deque<CURL*>* arrived = nullptr)
        : multi_(multi), easy_(easy), request_(request), sink_(sink), arrived_(arrived), until_(request.deadline) {}
    HttpTransfer(const HttpTransfer&) = delete;
    HttpTransfer& operator=(const HttpTransfer&) = delete;
    ~HttpTransfer() {
        end();
        if (process_ == process_id()) curl_slist_free_all(headers_);
    }

    /// Begins the request.
    void begin() {
        prepare();
        check(curl_multi_add_handle(multi_, easy_));
    }
    /// Ends the request, while what it writes to still exists. Only `finish` may be called afterwards.
    void end() noexcept {
        if (process_ == process_id() && multi_ != nullptr) curl_multi_remove_handle(multi_, easy_);
        multi_ = nullptr;
    }
    bool call_sink();
    /// Returns until when the rest of the response is awaited.
    [[nodiscard]] Clock::time_point until() const noexcept { return until_; }
    [[nodiscard]] bool is_late() const;
    http::Reply finish(CURLcode result);

private:
    template <class T>
    void set(CURLoption option, T value) {
        const CURLcode result = curl_easy_setopt(easy_, option, value);
        if (result == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
        if (result != CURLE_OK)
            throw http::Error(http::Fault::configuration, std::string("libcurl: ") + curl_easy_strerror(result));
    }
    void prepare();
    void set_method();
    void set_proxy();
    [[noreturn]] void fail(CURLcode result) const;
    void check_process() const {
        if (process_ != process_id())
            throw http::Error(http::Fault::other, "the process forked during the request, which is the parent's");
    }
    void add_header(std::string_view line);
    void take_head();
    void announce();
    static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) noexcept;
    static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) noexcept;

    static constexpr std::size_t max_header_bytes = std::size_t{256} * 1024;

    long process_ = process_id();
    CURLM* multi_;
    CURL* easy_;
    const http::Request& request_;
    const http::Sink& sink_;
    std::deque<CURL*>* arrived_;
    Clock::time_point until_;
    curl_slist* headers_ = nullptr;
    http::Reply reply_{};
    http::Demand demand_ = http::Demand::more;
    std::size_t body_bytes_ = 0;
    std::size_t header_bytes_ = 0;
    bool fresh_ = false;
    bool headers_complete_ = false;
    bool too_large_ = false;
    bool no_memory_ = false;
    char error_[CURL_ERROR_SIZE] = {};
};

/// Gives the sink what has arrived, and returns whether there was anything to give. Outside of libcurl's callbacks, so
/// that the sink may throw, and make requests.
inline bool HttpTransfer::call_sink() {
    if (!sink_ || !std::exchange(fresh_, false) || demand_ == http::Demand::nothing) return false;
    const http::Demand demand = sink_(reply_);
    check_process();
    if (demand == demand_ && demand != http::Demand::renewed) {
        if (demand == http::Demand::more) until_ = request_.deadline;  // which the sink may have moved
        return true;
    }
    demand_ = demand;
    constexpr std::chrono::milliseconds for_the_end(500);
    constexpr std::chrono::milliseconds for_the_rest(2000);
    const auto patience = demand == http::Demand::nothing ? for_the_end : for_the_rest;
    until_ = demand == http::Demand::more ? request_.deadline : std::min(request_.deadline, Clock::now() + patience);
    return true;
}

inline void HttpTransfer::prepare() {
    set(CURLOPT_ERRORBUFFER, &error_[0]);
    set(CURLOPT_NOSIGNAL, 1L);  // signals belong to the program
    set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    check_url(request_.url, "the URL");
    set(CURLOPT_URL, request_.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    set(CURLOPT_FOLLOWLOCATION, 0L);  // the key is for this server alone
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set_proxy();
    if (!request_.ca_file.empty()) set(CURLOPT_CAINFO, request_.ca_file.c_str());
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    // Asks for none, as events that are compressed arrive late; but libcurl then decodes what comes all the same.
    set(CURLOPT_ACCEPT_ENCODING, "identity");
    const auto connect = std::max<std::chrono::milliseconds::rep>(request_.connect_timeout.count(), 1);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min<std::chrono::milliseconds::rep>(connect, 86'400'000)));
#if LIBCURL_VERSION_NUM >= 0x075700
    set(CURLOPT_QUICK_EXIT, 1L);  // do not wait for a name that is still being resolved
#endif
    for (const std::string& line : request_.headers) add_header(line);
    add_header("Expect:");  // servers that do not know it cost a second before a large body
    set(CURLOPT_HTTPHEADER, headers_);
    set_method();
    set(CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
    set(CURLOPT_HEADERDATA, this);
}

inline void HttpTransfer::set_method() {
    const std::string& method = request_.method;
    if (method.empty() || !std::ranges::all_of(method, ascii::is_alpha))
        throw http::Error(http::Fault::configuration, "the method of the request is not a word");
    if (method == "POST" || !request_.body.empty()) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
        set(CURLOPT_POSTFIELDS, request_.body.data());  // NOLINT(bugprone-suspicious-stringview-data-usage): size above
    } else {
        set(CURLOPT_HTTPGET, 1L);
    }
    set(CURLOPT_CUSTOMREQUEST, method.c_str());
    if (method == "HEAD") set(CURLOPT_NOBODY, 1L);  // no body follows what it would have
}

/// libcurl itself takes proxies from the environment, also for this machine.
inline void HttpTransfer::set_proxy() {
    set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // a proxy that tunnels does not see the key
    if (request_.proxy) {
        check_url(*request_.proxy, "the URL of the proxy");
        set(CURLOPT_PROXY, request_.proxy->c_str());
        set(CURLOPT_NOPROXY, "");
        return;
    }
    const std::optional<http::Url> url = http::Url::parse(request_.url);
    if (url && http::is_this_machine(url->host)) set(CURLOPT_PROXY, "");
}

inline void HttpTransfer::add_header(std::string_view line) {
    curl_slist* const longer = curl_slist_append(headers_, std::string(line).c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers_ = longer;
}

/// Returns whether the rest of a response that is usable without it has not come in time. Throws `Timeout` if it is not
/// usable.
inline bool HttpTransfer::is_late() const {
    if (Clock::now() < until_) return false;
    if (demand_ != http::Demand::more) return true;
    throw Timeout("the deadline has passed, and the server had sent " + std::to_string(body_bytes_) +
                  " bytes of its answer");
}

/// Returns the response, once the transfer has ended with `result` or `is_late`.
inline http::Reply HttpTransfer::finish(CURLcode result) {
    if (demand_ != http::Demand::more) return std::move(reply_);  // what is needed had arrived before the failure
    if (no_memory_) throw std::bad_alloc();
    if (too_large_) {
        throw http::Error(http::Fault::too_large,
                          "the answer is larger than " + std::to_string(request_.max_bytes) + " bytes");
    }
    if (result != CURLE_OK) {
        try {
            fail(result);
        } catch (const http::Error& error) {  // libcurl shows a proxy that it cannot use
            throw http::Error(error.fault(), http::Secrets::of(request_).hide(error.what()));
        }
    }
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    reply_.status = static_cast<int>(status);
    return std::move(reply_);
}

/// Names a failure of the transfer.
inline void HttpTransfer::fail(CURLcode result) const {
    bool header_too_long = header_bytes_ > max_header_bytes;
#if LIBCURL_VERSION_NUM >= 0x080600
    header_too_long = header_too_long || result == CURLE_TOO_LARGE;
#endif
    const bool trailer_too_long =
        result == CURLE_RECV_ERROR && std::string_view(error_).starts_with("Out of memory in chunked-encoding");
    if ((result == CURLE_OUT_OF_MEMORY && !headers_complete_) || trailer_too_long) {
        // libcurl reports a line of the trailers above its limit of 4 KiB as a lack of memory; up to 8.5 also a header
        // line above 100 KiB. If memory is really short, this throws.
        header_too_long = true;
        static_cast<void>(std::make_unique<char[]>(std::size_t{1024} * 1024));
    }
    if (header_too_long) throw http::Error(http::Fault::too_large, "the answer's headers never end");
    if (result == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    const std::string text = error_[0] != '\0' ? &error_[0] : curl_easy_strerror(result);
    const ProxyAnswer proxy = proxy_answer(easy_, result);
    if (proxy != ProxyAnswer::none) {
        throw http::Error(proxy == ProxyAnswer::lasting ? http::Fault::configuration : http::Fault::connection,
                          "the proxy made no connection to the server: " + text);
    }
    const bool broke = result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING;
    const bool unanswered = header_bytes_ == 0 && request_.url.starts_with("https:");
    if (result == CURLE_SSL_CONNECT_ERROR || (unanswered && broke && is_alert(text))) {
        if (const std::optional<http::Error> error = tls_error(text)) throw http::Error(*error);
    }
    if (unanswered && broke) {
        throw http::Error(fault_of(result),
                          "the server closed the TLS connection before it answered (" + text +
                              "); servers also do so when they refuse the handshake, such as for a missing client "
                              "certificate");
    }
    if (const std::string problem = http::Url::problem(request_.url); result == CURLE_URL_MALFORMAT && !problem.empty())
        throw http::Error(http::Fault::configuration, "the URL is not valid: " + problem);
    throw http::Error(fault_of(result, text), text);
}

/// The headers of a response are complete: that of the server, or an interim one, or that of a proxy that tunnels.
inline void HttpTransfer::take_head() {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200) return;
    reply_.status = static_cast<int>(status);
    announce();
}

/// Has the sink called soon.
inline void HttpTransfer::announce() {
    if (arrived_ != nullptr && !fresh_) arrived_->push_back(easy_);
    fresh_ = true;
}

inline std::size_t HttpTransfer::on_body(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    auto& transfer = *static_cast<HttpTransfer*>(self);
    const std::size_t bytes = size * count;
    transfer.headers_complete_ = true;
    transfer.body_bytes_ += bytes;
    transfer.too_large_ = transfer.body_bytes_ > transfer.request_.max_bytes;
    if (transfer.too_large_) return 0;
    try {
        transfer.reply_.body.append(data, bytes);
        transfer.announce();
    } catch (const std::bad_alloc&) {
        transfer.no_memory_ = true;
        return 0;
    }
    return bytes;
}

inline std::size_t HttpTransfer::on_header(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    auto& transfer = *static_cast<HttpTransfer*>(self);
    const std::size_t bytes = size * count;
    transfer.header_bytes_ += bytes;
    if (transfer.header_bytes_ > max_header_bytes) return 0;
    try {
        const std::string_view line(data, bytes);
        if (line.starts_with("HTTP/")) transfer.reply_.headers.clear();  // those before belong to an interim answer
        if (auto header = split_header(line)) transfer.reply_.headers.push_back(*std::move(header));
        if (line == "\r\n" || line == "\n") transfer.take_head();
    } catch (const std::bad_alloc&) {
        transfer.no_memory_ = true;
        return 0;
    }
    return bytes;
}

}  // namespace acta::inline ACTA_ABI::http_detail
