// SPDX-License-Identifier: MIT
#include <string>

#include "acta/observe/observer.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Texts made at random of names, signs and secrets, masked as they were when last looked at (CONTRIBUTING.md, "What a
// change needs").
TEST_CASE("texts are masked as was recorded") {
    const auto names = parts_of(
        "api_key|API-KEY|x_accesskey|private-key|account_key|passwd|Passphrase|1Password|access_token|secret|token|"
        "tokens|pwd|PWD|cookie|Set-Cookie|authorization|Authorization|Bearer|bearer|curl|/bin/curl|-u|-U|-uname:|"
        "--user|--proxy-user|--token|--password|-----BEGIN|-----BEGIN RSA PRIVATE KEY-----\nMII\n|"
        "-----BEGIN PUBLIC KEY-----|-----END");
    const auto signs = parts_of(
        ":|: |=| = |=>| => |\": \"|\\\":\\\"|': '| |  |        |         |           |             "
        "|'|\"|`|\\\"|&|;|,|, "
        "|\n|\r\n|{|}|://|@|/|?|#|%3A|%|=|==|-|.|<|\\");
    const auto values = parts_of(
        "abc|x|p4ss!x|h0wdy|letters|nineteen-letters-ab|twenty-letters-abcde|sk-abc123|sk-abcdefghijklmnop1234|"
        "ghp_abcdefghijklmnopqrst0123|glsa_abcdefg|glsa_abcdef|AGE-SECRET-KEY-1|eyJhbGciOiJI|eyJhbGciOi|"
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0|s.eyJhbGciOi.eyJz|AKIA0123456789ABCDEF|ASIA|"
        "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12|Basic |Digest |basic dXNlcjpwYXNz|Negotiate |Hoba |aws4-hmac-sha256 |"
        "user:pw|user:|name:pass@host/a|https://user:pw@host/a?b=1|https://ghp_abcdefghijklmnopqrst0123@h|/home/x|~/y|"
        "./z|hooks.slack.com/services/T0/B0/x|a=b; c=d|id=5|\xE6\x97\xA5|\xFF");
    Noise noise(3);
    const auto masked = [&] {
        std::string text;
        for (std::size_t i = 1 + noise.below(4); i > 0; --i) {
            if (noise.chance(4)) text += noise.one_of(noise.chance(8) ? names : values);
            text += noise.one_of(names);
            text += noise.text(signs, 2);
            text += noise.one_of(values);
            text += noise.text(signs, 2);
        }
        return acta::mask_secrets(text);
    };
    check_recorded("tests/observe/masks.txt", results(masked, 100, 60, 100));
}
