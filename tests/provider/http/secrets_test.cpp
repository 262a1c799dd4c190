// SPDX-License-Identifier: MIT
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "acta/provider/http/http.hpp"
#include "provider/base64.hpp"
#include "support/catch.hpp"

namespace {

acta::http::Secrets secrets_of(const std::string& secret) {
    acta::http::Secrets out;
    out.add(secret);
    return out;
}

// Texts with a secret in them, and what is shown of them, which is known as the text is made.

std::string coded(const char* format, char c) {
    char out[16] = {};
    std::snprintf(out, sizeof out, format, static_cast<unsigned>(static_cast<unsigned char>(c)));
    return out;
}

/// Escapes each byte in a way of its own.
std::string escaped_once(const std::string& text, std::mt19937& random) {
    std::string out;
    for (const char c : text) {
        switch (random() % 9) {
            case 0: out += coded("\\u%04x", c); break;
            case 1: out += coded("\\u%04X", c); break;
            case 2: out += coded("\\x%02x", c); break;
            case 3: out += coded("%%%02x", c); break;
            case 4: out += coded("%%%02X", c); break;
            case 5: out += coded("&#%u;", c); break;
            case 6: out += coded("&#x%x;", c); break;
            case 7: out += coded("&#X%06X;", c); break;
            default:
                out += c == '&'    ? "&amp;"
                       : c == '<'  ? "&lt;"
                       : c == '>'  ? "&gt;"
                       : c == '"'  ? (random() % 2 == 0 ? "&quot;" : "\\\"")
                       : c == '\'' ? (random() % 2 == 0 ? "&apos;" : "\\'")
                       : c == '/'  ? "\\/"
                       : c == '\\' ? "\\\\"
                       : c == '%'  ? "%25"
                                   : std::string(1, c);
        }
    }
    return out;
}

struct SecretText {
    std::string text{};
    std::string shown{};
};

/// Makes a text of words; `is_hidden` if the secret is long enough. Without base64 in a stream, which shows
/// letters beside the secret.
SecretText random_secret_text(const std::string& secret, bool is_hidden, bool is_stream, std::mt19937& random) {
    SecretText out;
    for (std::size_t words = 1 + random() % 4; words > 0; --words) {
        std::string word = secret;
        std::string shown = "***";
        switch (random() % 6) {
            case 0:  // not the whole one
                word = random() % 2 == 0 ? secret.substr(1) : secret.substr(0, secret.size() - 1);
                shown = word;
                break;
            case 1: {  // escapes of another text, or of none
                const char* const others[] = {"100%",  "\\",  "&",         "&#",       "%4",
                                              "\\u00", "%zz", "&lt;b&gt;", "aGVsbG8=", "x"};
                shown = word = others[random() % std::size(others)];
                break;
            }
            case 2: {
                if (is_stream) break;
                const std::string before = std::string("u:me").substr(0, random() % 4);
                word = in_base64(before + secret + std::string(random() % 3, 'z'), random() % 2 == 0 ? "+/" : "-_");
                break;
            }
            default:
                for (std::size_t depth = random() % (random() % 8 == 0 ? 5 : 3); depth > 0; --depth) {
                    const std::string plain = word;
                    while (word == plain) word = escaped_once(plain, random);
                    if (depth == 4) shown.clear();  // one more than is looked at, if all are needed
                }
        }
        if (shown.empty()) continue;
        out.text += word + " ";
        out.shown += (is_hidden || shown != "***" ? shown : word) + " ";
    }
    return out;
}

}  // namespace

TEST_CASE("a secret with letters beyond ASCII is hidden as bytes and as characters") {
    const acta::http::Secrets other = secrets_of("p\xC3\xA9ss-word");
    for (const char* const echo : {"p\xC3\xA9ss-word", "p%C3%a9ss-word", R"(p\u00e9ss-word)", "p&#233;ss-word"})
        CHECK(other.hide(std::string("<") + echo + ">") == "<***>");
}

TEST_CASE("escapes are those of characters that there are, and of nothing else") {
    struct Row {
        const char* secret;
        const char* echo;  // with an `s` that is escaped, so that its escapes are decoded
    };
    for (const Row& row : {
             Row{"s-\\ud800-0123456789", R"(%73-\ud800-0123456789)"},
             Row{"s-\\udfff-0123456789", R"(%73-\udfff-0123456789)"},
             Row{"s-\xED\x9F\xBF-0123456789", R"(%73-\ud7ff-0123456789)"},
             Row{"s-\xEE\x80\x80-0123456789", R"(%73-\ue000-0123456789)"},
             Row{"s-\xF4\x8F\xBF\xBF-0123456789", "%73-&#1114111;-0123456789"},
             Row{"s-&#1114112;-0123456789", "%73-&#1114112;-0123456789"},
             Row{"s-&#x110000;-0123456789", "%73-&#x110000;-0123456789"},
             Row{"s-&#xD800;-0123456789", "%73-&#xD800;-0123456789"},
             Row{"s-%4-0123456789", "%73-%4-0123456789"},
             Row{"s-%zz-0123456789", "%73-%zz-0123456789"},
             Row{"s-&#;-0123456789", "%73-&#;-0123456789"},
             Row{"s-&x;-0123456789", "%73-&x;-0123456789"},
             Row{"s-A0123456789", "%73-&#65;0123456789"},
             Row{"s-\x7F-0123456789", "%73-%7f-0123456789"},
             Row{"s-0123456789%", "%73-0123456789%"},
             Row{"s-0123456789%4", "%73-0123456789%4"},
             Row{"s-0123456789\\", R"(%73-0123456789\)"},
             Row{"s-0123456789&#", "%73-0123456789&#"},
         }) {
        CAPTURE(row.secret, row.echo);
        CHECK(secrets_of(row.secret).hide(std::string("<") + row.echo) == "<***");
    }
}

TEST_CASE("secrets that overlap or lie in each other leave nothing of themselves") {
    acta::http::Secrets secrets;
    secrets.add("abcdef");
    secrets.add("defghi");
    secrets.add("cdef");
    CHECK(secrets.hide("xabcdefghiy") == "x***y");
    CHECK(secrets.hide("xcdefy abcdefabcdef") == "x***y ******");
}

TEST_CASE("all of a URL's query is a secret, and so are user and password of a header") {
    acta::http::Secrets secrets;
    secrets.add_query("api-version=2024-10-21&code=a%2Fb%2Fc&flag");
    CHECK(secrets.hide("/v1?api-version=2024-10-21&code=a%2Fb%2Fc&flag") == "/v1?***");
    CHECK(secrets.hide("code a/b/c and a%2fb%2fc and flag") == "code *** and *** and ***");
    secrets.add_header("Basic dXNlcjpvcGVuIHNlc2FtZQ==");
    CHECK(secrets.hide("open sesame, dXNlcjpvcGVuIHNlc2FtZQ==") == "***, ***");
    secrets.add_header("Bearer tok-1234");
    CHECK(secrets.hide("Bearer tok-1234; tok-1234") == "***; ***");
}

TEST_CASE("hiding secrets takes time and memory linear in the text") {
    const acta::http::Secrets secrets = secrets_of("sk-0123456789");
    for (const char* const unit : {"%", "\\", "&#", "\\\\", "sk-", "A", "%25", "&amp;"}) {
        std::string text;
        while (text.size() < 100'000) text += unit;
        CHECK(secrets.hide(text) == text);
    }
}

TEST_CASE("what a header holds besides its secrets is shown") {
    acta::http::Secrets secrets;
    secrets.add_header(
        R"(Digest username="Mufasa", realm="http-auth@example.org", uri="/dir", response="753927fa0e85d1")");
    CHECK(secrets.hide("Mufasa in http-auth@example.org at /dir with 753927fa0e85d1") ==
          "Mufasa in http-auth@example.org at /dir with ***");
    secrets.add_header("AWS4-HMAC-SHA256 Credential=AKIA/20130524, SignedHeaders=host;range, Signature=fe5f80f77d");
    CHECK(secrets.hide("host;range AKIA/20130524 fe5f80f77d") == "host;range *** ***");
    secrets.add_header("Token token=\"open-quote, nonce=1");
    CHECK(secrets.hide("\"open-quote, nonce=1") == "***");
    secrets.add_url("https://user:pass-word@h/path@x?q=quest#frag-ment");
    CHECK(secrets.hide("user pass-word h path@x quest frag-ment") == "user *** h path@x *** ***");
    secrets.add_url("https://only-a-token@h");
    secrets.add_url("https://token-of-16-bytes:x@h");
    CHECK(secrets.hide("only-a-token token-of-16-bytes") == "*** ***");
    CHECK(acta::http::Secrets::is_secret_header("X-Goog-Api-Key", "x"));
    CHECK(acta::http::Secrets::is_secret_header("X-User-Pass", "x"));
    CHECK_FALSE(acta::http::Secrets::is_secret_header("X-Bypass-Side", "x"));
    CHECK(acta::http::Secrets::is_secret_header("X-Other", "Bearer x"));
    CHECK_FALSE(acta::http::Secrets::is_secret_header("X-Title", "Basic plan of mine"));
    CHECK_FALSE(acta::http::Secrets::is_secret_header("Accept", "text/plain"));
}

TEST_CASE("a filter holds back what may be a secret in any form, and nothing else for long") {
    const acta::http::Secrets secrets = secrets_of("sk-0123456789abcdef");
    const auto held = [&](std::string_view text) {
        return secrets.beginning_at_end(text, acta::http::Secrets::shortest_in_answers);
    };
    CHECK(held("a sk-01") == 5);
    CHECK(held("a sk-0123456789abcdef") == 0);
    CHECK(held("a %73%6b") == 6);
    CHECK(held("a sk%2") == 4);
    CHECK(held(R"(a \\u007)") == 6);
    CHECK(held("a &#115") == 5);
    CHECK(held("a c2st") == 4);
    CHECK(secrets_of("p\xC3\xA9ss-word-0123456").beginning_at_end("a p%C", 16) == 3);
    CHECK(held("100% of it") == 0);
    for (const char* const cut : {"%", "%4", "\\", R"(\x)", R"(\x4)", R"(\u)", R"(\u004)", "&", "&#", "&#6", "&#x",
                                  "&#X4", "&am", "&quot", "&#12345678", "&#x12345678"}) {
        CAPTURE(cut);
        CHECK(held(std::string("a ") + cut) == std::string_view(cut).size());
    }
    for (const char* const whole : {"%41", "%g", R"(\n)", R"(\x41)", R"(\xg)", R"(\u0041)", R"(\u00g)", "&#65;", "&#g",
                                    "&#x41;", "&#xg", "&lt;", "&x", "&#123456789", "&#x123456789"}) {
        CAPTURE(whole);
        CHECK(held(std::string("a ") + whole) == 0);
    }
    CHECK(held("a %zz \n &c; c2s=") == 0);
    // A secret that another one begins with is not shown before that one is complete.
    acta::http::Secrets two = secrets_of("sk-0123456789abcdef");
    two.add("sk-0123456789abcdef-and-more");
    acta::http::SecretFilter filter;
    CHECK(filter.add("a sk-0123456789abcdef", two) == "a ");
    CHECK(filter.add("-and-more b", two) == "*** b");
    CHECK(filter.add("sk-0123456789abcdef", two).empty());
    CHECK(filter.rest() == "***");
}

TEST_CASE("a filter takes time linear in the text, however small its parts are") {
    const acta::http::Secrets secrets = secrets_of("sk-0123456789abcdef");
    std::string nested = "s";
    for (int i = 0; i < 3; ++i) {
        std::string next;
        for (const char c : nested) next += "&#0000" + std::to_string(static_cast<int>(c)) + ";";
        nested = next;
    }
    for (const std::string& unit : {nested, std::string("c2st"), std::string("sk-"), std::string("\\")}) {
        std::string text;
        while (text.size() < 20'000) text += unit;
        acta::http::SecretFilter filter;
        std::string out;
        for (const char c : text) out += filter.add({&c, 1}, secrets);
        CHECK(out + filter.rest() == text);
    }
}

TEST_CASE("escapes within escapes are decoded three times") {
    const acta::http::Secrets secrets = secrets_of("kQ7-kQ7-");
    std::string text = "kQ7-kQ7-";
    for (int depth = 1; depth <= 4; ++depth) {
        std::string next;
        for (const char c : text) next += coded("&#%u;", c);
        text = next;
        CHECK((secrets.hide(text) == "***") == (depth <= 3));
    }
}

TEST_CASE("a secret in any mixture of forms is hidden, at once and in any parts, and nothing else is") {
    std::mt19937 random(3);
    constexpr std::size_t in_errors = 4;
    constexpr std::size_t in_answers = 16;
    for (int i = 0; i < 400; ++i) {
        const std::size_t sizes[] = {in_errors, in_answers - 1, in_answers, 23};
        std::string secret;
        for (std::size_t n = sizes[random() % std::size(sizes)]; n > 0; --n)
            secret += std::string_view("kQ7-_/+=&<>\"'%\\.~")[random() % 17];
        secret.front() = 'k';
        secret.back() = 'Q';
        const acta::http::Secrets secrets = secrets_of(secret);
        CAPTURE(i, secret);
        const SecretText error = random_secret_text(secret, true, false, random);
        CHECK(secrets.hide(error.text) == error.shown);
        const SecretText answer = random_secret_text(secret, secret.size() >= in_answers, true, random);
        CHECK(secrets.hide(answer.text, in_answers) == answer.shown);
        acta::http::SecretFilter filter;
        std::string shown;
        for (std::size_t at = 0; at < answer.text.size();) {
            const std::size_t size = 1 + random() % (9 + answer.text.size() / 16);
            shown += filter.add(std::string_view(answer.text).substr(at, size), secrets);
            at += size;
        }
        CHECK(shown + filter.rest() == answer.shown);
    }
}
