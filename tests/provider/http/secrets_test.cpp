// SPDX-License-Identifier: MIT
#include <string>

#include "acta/provider/http/http.hpp"
#include "support/catch.hpp"

namespace {

acta::http::Secrets secrets_of(const std::string& secret) {
    acta::http::Secrets out;
    out.add(secret);
    return out;
}

}  // namespace

TEST_CASE("a secret is hidden however a server escapes it") {
    const acta::http::Secrets secrets = secrets_of("sk-a/b+c=\"d");
    for (const char* const echo :
         {"sk-a/b+c=\"d", R"(sk-a\/b+c=\"d)", R"(sk-\u0061/b+c=\u0022d)", R"(\u0073\u006b-a\u002Fb+c=\"d)",
          "sk-a%2Fb%2bc%3D%22d", "%73%6B%2D%61%2F%62%2B%63%3D%22%64", "sk-a%252Fb%252Bc%253D%2522d",
          R"(sk-a\\\/b+c=\\\"d)", "sk-a&#47;b&#x2b;c=&quot;d", R"(sk-a\x2fb+c=\x22d)",
          "c2stYS9iK2M9ImQ=", "dXNlcjpzay1hL2IrYz0iZA==", "dXNlcjpzay1hL2IrYz0iZA", "dXNlcjpzay1hL2IrYz0iZA%3D%3D"}) {
        CAPTURE(echo);
        const std::string shown = secrets.hide(std::string("before <") + echo + "> after");
        CHECK_THAT(shown, starts_with_text("before <***"));
        CHECK_THAT(shown, contains_text("> after"));
        CHECK(shown.size() < 25);
    }
    // What is no secret stays as it is, escapes and all.
    for (const char* const text :
         {R"(a\/b \u0061 %41 &amp; &#65; %zz \u00)", "dXNlcjpvdGhlcg==", "%", "\\", "&#", "&", "\\u"})
        CHECK(secrets.hide(text) == text);
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
