// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/stop_token.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http/curl.hpp"
#include "acta/provider/http/detail/curl_transfer.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "provider/http/socket_server.hpp"

namespace {

using acta::ChatModelFault;
using acta::http::Fault;
using faulty::Connection;
using faulty::Server;

/// The error of a client that may try three times.
acta::ChatModelError error_of(const std::string& url, const std::optional<std::string>& proxy = std::nullopt) {
    acta::openai::Options options{.base_url = url, .api_key = ""};
    options.proxy = proxy;
    options.retry.first_delay = std::chrono::milliseconds(1);
    try {
        static_cast<void>(acta::openai::ChatModel(options).complete("?"));
    } catch (const acta::ChatModelError& error) {
        return error;
    }
    throw std::logic_error("answered");
}

/// Reads the first message of the handshake, and replies to it.
auto replying(std::string reply) {
    return [reply = std::move(reply)](Connection& c) {
        c.receive();
        c.send(reply);
        c.wait_for_end();
    };
}

/// The ServerHello of a server that has chosen a version and a cipher (RFC 5246, 7.4.1.3).
std::string server_hello(std::string_view version, std::string_view cipher) {
    const std::string body = std::string(version) + std::string(32, 'r') + '\0' + std::string(cipher) + '\0';
    const auto size = [](std::size_t bytes) { return std::string({'\0', static_cast<char>(bytes)}); };
    return std::string("\x16") + std::string(version) + size(body.size() + 4) + "\x02" + '\0' + size(body.size()) +
           body;
}

}  // namespace

TEST_CASE("a handshake that cannot succeed is not repeated") {
    const auto [reply, fault, says] = GENERATE(table<std::string, ChatModelFault, std::string>({
        {"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", ChatModelFault::connection, "http://"},
        {"220 mail.example ESMTP\r\n", ChatModelFault::connection, "http://"},
        {{"\x15\x03\x03\x00\x02\x02\x28", 7}, ChatModelFault::security, "TLS"},             // alert: handshake_failure
        {{"\x15\x03\x03\x00\x02\x02\x46", 7}, ChatModelFault::security, "TLS"},             // protocol_version
        {{"\x15\x03\x03\x00\x02\x02\x70", 7}, ChatModelFault::security, "TLS"},             // unrecognized_name
        {server_hello({"\x03\x00", 2}, {"\x00\x2f", 2}), ChatModelFault::security, "TLS"},  // SSL 3.0
        {server_hello({"\x03\x03", 2}, {"\x00\x00", 2}), ChatModelFault::security, "TLS"},  // no encryption
    }));
    const Server server(replying(reply));
    const acta::ChatModelError error = error_of(server.url("https"));
    CAPTURE(error.what());
    CHECK(error.fault() == fault);
    CHECK_FALSE(error.is_transient());
    CHECK(error.attempts() == 1);
    CHECK(server.connections() == 1);
    CHECK_THAT(error.what(), contains_text(says));
}

TEST_CASE("a connection that breaks in the handshake is made again") {
    std::string cut;
    SECTION("at once") {}
    SECTION("in the middle of a record") { cut = server_hello({"\x03\x03", 2}, {"\xc0\x2f", 2}).substr(0, 20); }
    const Server server([&](Connection& c) {
        c.receive();
        c.send(cut);
    });
    const acta::ChatModelError error = error_of(server.url("https"));
    CAPTURE(error.what());
    CHECK(error.fault() == ChatModelFault::connection);
    CHECK(error.is_transient());
    CHECK(error.attempts() == 3);
}

TEST_CASE("what TLS libraries say of a handshake is permanent, unless the connection broke") {
    using acta::http_detail::tls_error;
    for (const char* const said : {
             "error:1408F10B:SSL routines:ssl3_get_record:wrong version number",
             "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
             "TLS connect error: error:0A0000C6:SSL routines::packet length too long",
             "error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER",
             "gnutls_handshake() failed: An unexpected TLS packet was received.",
         }) {
        CAPTURE(said);
        REQUIRE(tls_error(said));
        CHECK(tls_error(said)->fault() == Fault::other);
        CHECK_THAT(tls_error(said)->what(), contains_text(said));
    }
    for (const char* const said : {
             "OpenSSL/3.0.19: error:0A000102:SSL routines::unsupported protocol",
             "error:0A0000BF:SSL routines::no protocols available",
             "OpenSSL/3.0.19: error:0A00042E:SSL routines::tlsv1 alert protocol version",
             "OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure",
             "OpenSSL/3.0.19: error:0A0000F8:SSL routines::unknown cipher returned",
             "OpenSSL/3.0.19: error:0A000458:SSL routines::tlsv1 unrecognized name",
             "gnutls_handshake() failed: A packet with illegal or unsupported version was received.",
             "gnutls_handshake() failed: A TLS fatal alert has been received.",
             "gnutls_handshake() failed: Error in protocol version",
             "gnutls_handshake() failed: Could not negotiate a supported cipher suite.",
             "schannel: next InitializeSecurityContext failed: SEC_E_ILLEGAL_MESSAGE (0x80090326)",
         }) {
        CAPTURE(said);
        REQUIRE(tls_error(said));
        CHECK(tls_error(said)->fault() == Fault::security);
    }
    for (const char* const said : {
             "",
             "Recv failure: Connection reset by peer",
             "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:9506 ",
             "OpenSSL SSL_connect: SSL_ERROR_ZERO_RETURN in connection to 127.0.0.1:9516 ",
             "TLS connect error: error:0A000126:SSL routines::unexpected eof while reading",
             "TLS connect error: error:00000000:lib(0)::reason(0)",
             "gnutls_handshake() failed: The TLS connection was non-properly terminated.",
             "gnutls_handshake() failed: Peer has terminated the connection",
             "gnutls_handshake() failed: Error decoding the received TLS packet.",
             "gnutls_handshake() failed: Error in the push function.",
             "schannel: failed to receive handshake, SSL/TLS connection failed",
         }) {
        CAPTURE(said);
        CHECK_FALSE(tls_error(said));
    }
}

TEST_CASE("a proxy that refuses is not asked again, and one that is busy is") {
    const auto [answer, attempts] = GENERATE(table<std::string, int>({
        {"407 Proxy Authentication Required", 1},
        {"403 Forbidden", 1},
        {"400 Bad Request", 1},
        {"429 Too Many Requests", 3},
        {"408 Request Timeout", 3},
        {"502 Bad Gateway", 3},
        {"503 Service Unavailable", 3},
    }));
    CAPTURE(answer);
    const Server proxy([&, status = answer](Connection& c) {
        c.read();
        c.answer(status, "");
    });
    const acta::ChatModelError error =
        error_of("https://model.invalid/v1", "http://127.0.0.1:" + std::to_string(proxy.port()));
    CHECK(error.attempts() == attempts);
    CHECK(error.is_transient() == (attempts > 1));
    CHECK_THAT(error.what(), contains_text(answer.substr(0, 3)));
}

TEST_CASE("what a SOCKS proxy refuses is not asked again, and a server that it does not reach is") {
    const auto [greeting, reply, attempts] = GENERATE(table<std::string, std::string, int>({
        {"\x05\xff", "", 1},                                         // no method of authentication
        {"HTTP/1.1 400 Bad Request\r\n\r\n", "", 1},                 // another kind of proxy
        {{"\x05\x00", 2}, {"\x05\x02\x00\x01\0\0\0\0\0\0", 10}, 1},  // not allowed
        {{"\x05\x00", 2}, {"\x05\x05\x00\x01\0\0\0\0\0\0", 10}, 3},  // connection refused
        {{"\x05\x00", 2}, {"\x05\x04\x00\x01\0\0\0\0\0\0", 10}, 3},  // host unreachable
    }));
    const Server proxy([&, hello = greeting, result = reply](Connection& c) {
        c.receive();
        c.send(hello);
        if (!result.empty()) c.receive();
        c.send(result);
        c.wait_for_end();
    });
    const acta::ChatModelError error =
        error_of("http://model.invalid/v1", "socks5h://127.0.0.1:" + std::to_string(proxy.port()));
    CAPTURE(error.what());
    CHECK(error.attempts() == attempts);
}

TEST_CASE("a proxy that libcurl cannot use is an error of the configuration") {
    for (const char* const proxy :
         {"ftp://127.0.0.1:1", "http://127.0.0.1:99999", "http://[::1", "http://:pass-word@"}) {
        CAPTURE(proxy);
        const acta::ChatModelError error = error_of("http://model.invalid/v1", proxy);
        CAPTURE(error.what());
        CHECK(error.fault() == ChatModelFault::configuration);
        CHECK(error.attempts() == 1);
        CHECK(std::string(error.what()).find("pass-word") == std::string::npos);
    }
}

TEST_CASE("a URL that cannot be used is an error that says why, and shows nothing of it") {
    const auto [url, why] = GENERATE(table<std::string, std::string>({
        {"https://h/a secret", "it has a blank at byte 11"},
        {" https://h/secret", "it has a blank at byte 0"},
        {"https://h/secret\n", "it has a line end at byte 16"},
        {"https://h/secret\r\n", "it has a line end at byte 16"},
        {"https://h/\tsecret", "it has a tab at byte 10"},
        {{"https://h/\0secret", 17}, "it has a control character (0x00) at byte 10"},
        {"https://h/secret\x1b", "it has a control character (0x1B) at byte 16"},
        {"https://h/secret\x7f", "it has a control character (0x7F) at byte 16"},
        {"https://h\\secret", "it has a backslash at byte 9"},
        {"https://h?secret=a b", "it has a blank at byte 18"},
        {"", "it must begin with http:// or https://"},
        {"secret.example/v1", "it must begin with http:// or https://"},
        {"ftp://h/secret", "it must begin with http:// or https://"},
        {"https://", "it has no host"},
        {"http:///secret", "it has no host"},
        {"https://:80/secret", "it has no host"},
        {"https://h%41/secret", "it has a character at byte 9 that a host cannot have"},
        {"https://sec\"ret/", "it has a character at byte 11 that a host cannot have"},
        {"https://[::1/secret", "its host is not an IPv6 address in brackets"},
        {"https://[]/secret", "its host is not an IPv6 address in brackets"},
        {"https://h:99999/secret", "its port is not a number up to 65535"},
        {"https://h:8o/secret", "its port is not a number up to 65535"},
    }));
    CAPTURE(url);
    CHECK_FALSE(acta::http::Url::parse(url));
    CHECK(acta::http::Url::problem(url) == why);
    const std::string expected = "the base URL is not valid: " + why;
    CHECK_THROWS_WITH(acta::openai::ChatCodec({.base_url = url, .api_key = ""}), expected);
    CHECK_THROWS_WITH(acta::openai::ResponsesCodec({.base_url = url, .api_key = ""}), expected);
    CHECK_THROWS_WITH(acta::anthropic::ChatCodec({.base_url = url, .api_key = ""}), expected);
}

TEST_CASE("a good URL has no problem") {
    for (const char* const url :
         {"http://h", "HTTPS://H:65535/a?b#c", "http://[::1]:8080/v1", "http://b\xC3\xBC.example/"}) {
        CAPTURE(url);
        CHECK(acta::http::Url::parse(url));
        CHECK(acta::http::Url::problem(url).empty());
    }
}

TEST_CASE("a proxy with a blank, and a request with one, are refused before anything is sent") {
    const auto ask = [](const acta::http::Request& request) -> std::string {
        try {
            static_cast<void>(acta::http::send(request));
        } catch (const acta::http::Error& error) {
            CHECK(error.fault() == Fault::configuration);
            return error.what();
        }
        return {};
    };
    acta::http::Request request{.deadline = acta::deadline_in(std::chrono::seconds(5))};
    request.url = "http://127.0.0.1:1/a b";
    CHECK(ask(request) == "the URL is not valid: it has a blank at byte 20");
    request.url = std::string("http://127.0.0.1:1/\0", 20);
    CHECK(ask(request) == "the URL is not valid: it has a control character (0x00) at byte 19");
    request.url = "http://127.0.0.1:99999/";
    CHECK(ask(request) == "the URL is not valid: its port is not a number up to 65535");
    request.url = "ftp://127.0.0.1/";
    CHECK_THAT(ask(request), contains_text("ftp"));
    request.url = "http://127.0.0.1:1/";
    request.proxy = "http://127.0.0.1:1\n";
    CHECK(ask(request) == "the URL of the proxy is not valid: it has a line end at byte 18");

    const auto with_proxy = [](const std::string& proxy) {
        return acta::openai::ChatCodec({.base_url = "https://h", .api_key = "", .proxy = proxy});
    };
    CHECK_THROWS_WITH(with_proxy("http://me:a secret@h"),
                      "the URL of the proxy is not valid: it has a blank at byte 11");
    CHECK_THROWS_WITH(acta::anthropic::ChatCodec({.base_url = "https://h", .api_key = "", .proxy = "h:1 "}),
                      "the URL of the proxy is not valid: it has a blank at byte 3");
    CHECK_NOTHROW(with_proxy("h:1"));
    CHECK_NOTHROW(with_proxy(""));
}

#else

TEST_CASE("faults of connections, with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
