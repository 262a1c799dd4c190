// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/observe/observer.hpp"
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
    // At the end of the text.
    CHECK(mask_secrets("PASSWORD=hunter22\\") == "PASSWORD=[secret]");
    CHECK(mask_secrets("curl -u") == "curl -u");
    CHECK(mask_secrets("curl --user ") == "curl --user ");
    CHECK(mask_secrets("curl -u \"") == "curl -u \"");
    CHECK(mask_secrets("Authorization: Basic") == "Authorization: [secret]");
    CHECK(mask_secrets("Authorization: Bearer ") == "Authorization: Bearer ");
    // In prose a short word without a digit or sign is none.
    CHECK(mask_secrets("the token: abc12") == "the token: abc12");
    CHECK(mask_secrets("the token: abc123") == "the token: [secret]");
    CHECK(mask_secrets("the token: abcdef") == "the token: abcdef");
    CHECK(mask_secrets("the token: " + std::string(19, 'a')) == "the token: " + std::string(19, 'a'));
    CHECK(mask_secrets("the token: " + std::string(20, 'a')) == "the token: [secret]");
    CHECK(mask_secrets("Authorization:Basic-abc") == "Authorization:[secret]");
    CHECK(mask_secrets("Authorization: Digest") == "Authorization: [secret]");
    CHECK(mask_secrets("curl -uname:geheim https://h.org") == "curl -uname:[secret] https://h.org");
    CHECK(mask_secrets("the password:") == "the password:");
    CHECK(mask_secrets("the password: ") == "the password: ");
    for (const std::size_t more : {0U, 1U}) {  // what may be between BEGIN and the dashes
        const std::string begin = "-----BEGIN " + std::string(64 - 12 + more, 'R') + "PRIVATE KEY";
        CHECK((mask_secrets(begin + "-----\nabc\n-----END") == begin + "-----\nabc\n-----END") == (more == 1));
    }
    for (const std::size_t more : {0U, 1U}) {  // a name that announces a secret
        const std::string name = std::string(64 - 9 + more, 'n') + "_password";
        CHECK((mask_secrets(name + "=hunter22") == name + "=hunter22") == (more == 1));
    }
    const std::string name(255, 'n');
    CHECK(mask_secrets("Cookie: " + name + "=x") == "Cookie: [secret]");
    CHECK(mask_secrets("Cookie: n" + name + "=x") == "Cookie: n" + name + "=x");
    const std::string slashes(100000, '/');
    CHECK(mask_secrets(slashes) == slashes);
}

TEST_CASE("secrets of each form in the vendors' documentation are masked, and nothing beside them") {
    struct Row {
        std::string text;
        std::string shown;
    };
    // Keys are written in two parts, so that no scanner takes this file for a leak.
    const auto key = [](const char* beginning, const char* rest) { return std::string(beginning) + rest; };
    const std::string alnum = "0a1b2c3d4e5f6A7B8C9D0E1F2G3H4I5J6K7L";
    std::vector<Row> rows;
    // What services call the beginnings of their keys.
    for (const char* const beginning :
         {"sk-",         "sk-proj-",  "sk-ant-api03-", "pk-",      "xai-",      "gsk_",
          "r8_",         "hf_",       "AIza",          "ya29.",    "GOCSPX-",   "AKIA",
          "ASIA",        "ghp_",      "gho_",          "ghu_",     "ghs_",      "ghr_",
          "github_pat_", "glpat-",    "gldt-",         "glrt-",    "xoxa-",     "xoxb-",
          "xoxe-",       "xoxe.",     "xoxp-",         "xoxr-",    "xoxs-",     "xapp-",
          "sk_live_",    "sk_test_",  "rk_live_",      "rk_test_", "whsec_",    "npm_",
          "pypi-",       "rubygems_", "SG.",           "hvs.",     "hvb.",      "hvr.",
          "dapi",        "dop_v1_",   "shpat_",        "shpss_",   "dckr_pat_", "lin_api_",
          "ntn_",        "glsa_",     "sntrys_",       "tskey-",   "ATATT3",    "AGE-SECRET-KEY-1",
          "eyJ"}) {
        rows.push_back({"key " + key(beginning, alnum.c_str()) + ", end", "key [secret], end"});
        rows.push_back({"https://h/x?k=" + key(beginning, alnum.c_str()) + "&n=1", "https://h/x?k=[secret]&n=1"});
    }
    const std::string jwt = key("eyJ", "hbGciOiJub25lIn0") + "." + key("eyJ", "zdWIiOiJ4In0") + ".c2ln";
    const std::string aws = key("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY");
    const std::vector<Row> others = {
        // RFC 7617, RFC 7616, AWS Signature Version 4, RFC 6750
        {"Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [secret]"},
        {"authorization: basic dXNlcjpwYXNzdw==, x", "authorization: basic [secret], x"},
        {R"("Authorization": "Basic dXNlcjpwYXNz", "n": 1)", R"("Authorization": "Basic [secret]", "n": 1)"},
        {R"(-H "Authorization: Basic dXNlcjpwYXNz" u)", R"(-H "Authorization: Basic [secret]" u)"},
        {R"(Authorization: Digest username="u", response="66")", "Authorization: Digest [secret]"},
        {"Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=fe", "Authorization: AWS4-HMAC-SHA256 [secret]"},
        {"Proxy-Authorization: Token abc", "Proxy-Authorization: Token [secret]"},
        {"X-Api-Key: abc", "X-Api-Key: [secret]"},
        // AWS: "aws_secret_access_key" of the credentials file, and the pair of a console
        {"aws_secret_access_key = " + aws, "aws_secret_access_key = [secret]"},
        {key("AKIA", "IOSFODNN7EXAMPLE") + "," + aws, "[secret],[secret]"},
        // RFC 3986, section 3.2.1
        {"postgres://me:p@ss:w0rd@host:5432/db", "postgres://me:[secret]@host:5432/db"},
        {"redis://:pw@localhost and https://me@host/", "redis://:[secret]@localhost and https://me@host/"},
        // RFC 7468
        {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx",
         "-----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY-----\nx"},
        {R"({"key": "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"})",
         R"({"key": "-----BEGIN PRIVATE KEY-----[secret]-----END PRIVATE KEY-----"})"},
        {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "-----BEGIN OPENSSH PRIVATE KEY-----[secret]"},
        {"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
         "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"},
        // Slack: incoming webhooks
        {key("https://hooks.slack.com/services/", "T00/B00/XXXX") + " x", "https://[secret] x"},
        // Cookies
        {"Cookie: sid=s%3A" + jwt + "; theme=dark", "Cookie: [secret]"},
        {"sid=s%3A" + jwt + "; theme=dark", "sid=s%[secret]; theme=dark"},
        {"s." + jwt, "[secret]"},
        // Names and values
        {"passwd=x pwd=abc token=abc", "passwd=[secret] pwd=[secret] token=[secret]"},
        {R"(password=pa$$w"ord! next)", "password=[secret] next"},
        {R"(password: "pa ss\"word" next)", R"(password: "[secret]" next)"},
        {R"({\"password\":\"abc\",\"x\":1})", R"({\"password\":\"[secret]\",\"x\":1})"},
        {R"({"cmd": "export TOKEN=abc", "x": 1})", R"({"cmd": "export TOKEN=[secret]", "x": 1})"},
        {"AccountKey=ab+/c==;EndpointSuffix=core", "AccountKey=[secret];EndpointSuffix=core"},  // Azure
        {"clientSecret=abc", "clientSecret=[secret]"},
        {"token: abc12345", "token: [secret]"},
        // Options of commands
        {"mysql --password x --user me", "mysql --password [secret] --user me"},
        {"tool --password=x --token abc -v", "tool --password=[secret] --token [secret] -v"},
        {"tool --password --user me", "tool --password --user me"},
        {"curl -u me:pw https://h", "curl -u me:[secret] https://h"},
        {"curl -sS --user 'me:p w' https://h", "curl -sS --user 'me:[secret]' https://h"},
        {"curl -ume:pw https://h", "curl -ume:[secret] https://h"},
        // No secrets
        {"the word secret: it", "the word secret: it"},
        {"1Password: yes", "1Password: yes"},
        {"the token: nobody has one", "the token: nobody has one"},
        {"PWD=/home/me OLDPWD=/", "PWD=/home/me OLDPWD=/"},
        {"docker run -u 1000:1000", "docker run -u 1000:1000"},
        {"a sk-learn-pipeline-of-some-length", "a sk-learn-pipeline-of-some-length"},
        {"da39a3ee5e6b4b0d3255bfef95601890afd80709", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {"at 10:30, see https://h:80/a@b and me@h.org", "at 10:30, see https://h:80/a@b and me@h.org"},
    };
    rows.insert(rows.end(), others.begin(), others.end());
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(acta::mask_secrets(row.text) == row.shown);
    }
}

TEST_CASE("masking takes time linear in the text, whatever it repeats") {
    for (const char* const unit :
         {"://", "://a:", "token:", "pwd=/", "cookie:", "authorization: a ", "-----BEGIN ", "-----BEGIN X PRIVATE KEY ",
          "curl -u '", "--token -", "bearer ", "password=\"", "eyJ", "a/", "%3A", "secret: \\\""}) {
        std::string text;
        while (text.size() < 300'000) text += unit;
        CHECK_FALSE(acta::mask_secrets(text).empty());
    }
}
