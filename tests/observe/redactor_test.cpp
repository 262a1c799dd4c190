// SPDX-License-Identifier: MIT
#include "acta/observe/observer.hpp"

#include <string>

#include "support/catch.hpp"

TEST_CASE("secrets are masked by their form and by what announces them") {
    using acta::mask_secrets;
    CHECK(mask_secrets("") == "");
    CHECK(mask_secrets("nothing of the kind, sk-learn and api_key") == "nothing of the kind, sk-learn and api_key");
    CHECK(mask_secrets("key sk-abcdefghijklmnop1234.") == "key [secret]");
    CHECK(mask_secrets("ghp_abcdefghijklmnopqrst0123 AKIA0123456789ABCDEF") == "[secret] [secret]");
    CHECK(mask_secrets("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln") == "[secret]");
    CHECK(mask_secrets("https://x.org/v1?key=sk-abcdefghijklmnop1234&n=1") == "https://x.org/v1?key=[secret]&n=1");
    CHECK(mask_secrets("Authorization: Bearer abc.def") == "Authorization: Bearer [secret]");
    CHECK(mask_secrets("authorization: abc") == "authorization: [secret]");
    CHECK(mask_secrets(R"({"api_key": "abc", "n": 1})") == R"({"api_key": "[secret]", "n": 1})");
    CHECK(mask_secrets("OPENAI_API_KEY=abc PASSWORD: xyz") == "OPENAI_API_KEY=[secret] PASSWORD: [secret]");
    CHECK(mask_secrets("max_tokens: 500, token: 5") == "max_tokens: 500, token: 5");
    CHECK(mask_secrets("\xE6\x97\xA5\xE6\x9C\xAC \xFF") == "\xE6\x97\xA5\xE6\x9C\xAC \xFF");
    const std::string slashes(100000, '/');
    CHECK(mask_secrets(slashes) == slashes);
}
