// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <new>
#include <string>
#include <string_view>

#include "acta/provider/http/detail/curl.hpp"
#include "acta/provider/http/http_error.hpp"

namespace acta::inline ACTA_ABI::http_detail {

/// Classifies an error of libcurl. A broken handshake counts as a broken connection, an untrusted certificate does not.
[[nodiscard]] inline http::Fault fault_of(CURLcode code) noexcept {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:  // libcurl itself only limits the time to connect
        case CURLE_PROXY:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_PARTIAL_FILE:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM: return http::Fault::connection;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_INVALIDCERTSTATUS:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return http::Fault::security;
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_URL_MALFORMAT: return http::Fault::configuration;
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_UNSUPPORTED_PROTOCOL:  // no status line
        case CURLE_BAD_CONTENT_ENCODING: return http::Fault::not_http;
        default: return http::Fault::other;
    }
}

[[noreturn]] inline void throw_curl_error(CURLcode code, const char* details) {
    if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    std::string message = details;
    if (message.empty()) message = curl_easy_strerror(code);
    throw http::Error(fault_of(code), message);
}

/// Throws if the TLS library says that the server refused the handshake with an alert (RFC 8446, 6.2), such as
/// OpenSSL's `sslv3 alert handshake failure` and GnuTLS's `A TLS fatal alert has been received`.
inline void throw_if_alert(std::string_view details) {
    if (details.find(" alert ") == std::string_view::npos) return;
    throw http::Error(http::Fault::security, "the server refused the TLS connection: " + std::string(details));
}

}  // namespace acta::inline ACTA_ABI::http_detail
