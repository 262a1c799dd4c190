// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "acta/provider/http/curl_multi.hpp"
#include "acta/provider/openai/codec.hpp"
#include "aimock.hpp"
#include "faulty_model.hpp"

// Its certificate is its own.
TEST_CASE("a server has to prove who it is") {
    namespace openai = acta::openai;
    using acta::ChatModelFault;
    if (std::system("command -v node >/dev/null 2>&1 && command -v openssl >/dev/null 2>&1") != 0)
        ACTA_SKIP("node or openssl is missing");
    const TempFolder folder;
    const std::string cert = (folder / "cert.pem").string();
    const std::string private_key = (folder / "key.pem").string();
    REQUIRE(std::system(("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
                         "/CN=localhost -addext "
                         "subjectAltName=DNS:localhost -keyout '" +
                         private_key + "' -out '" + cert + "' >/dev/null 2>&1")
                            .c_str()) == 0);
    write_file(folder / "server.cjs", R"(const fs = require("fs");
const server = require("https").createServer(
    {key: fs.readFileSync(process.argv[2]), cert: fs.readFileSync(process.argv[3]),
     requestCert: process.argv[4] === "clients", rejectUnauthorized: true},
    (request, response) => response.end('{"choices":[{"message":{"content":"it is me"}}]}'));
server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port));
)");
    const std::string log = (folder / "log").string();
    const aimock::Background program("node '" + (folder / "server.cjs").string() + "' '" + private_key + "' '" + cert +
                                     "' >'" + log + "' 2>&1");
    const std::string port = aimock::wait_for(log, "port ");
    ::setenv("no_proxy", "127.0.0.1,localhost", 1);
    openai::Options options{.base_url = "https://localhost:" + port, .api_key = faulty::key};
    CHECK(faulty::failure(options)->fault() == ChatModelFault::security);
    options.ca_file = cert;
    CHECK(openai::ChatModel(options).complete("who?").completion.message.content == "it is me");
    acta::http::CurlMulti http;
    const openai::ChatCodec codec(options);
    const std::vector<acta::ChatMessage> question{acta::ChatMessage::user("who?")};
    std::string answer;
    http.start(
        codec.request(question), codec.reader(question),
        [&](const std::exception_ptr&, const acta::ChatReply& reply) { answer = reply.completion.message.content; });
    while (http.step(std::chrono::seconds(5)) > 0) {
    }
    CHECK(answer == "it is me");
    options.base_url = "https://127.0.0.1:" + port;  // which the certificate does not name
    const auto other = faulty::failure(options);
    CHECK(other->fault() == ChatModelFault::security);
    CHECK(other->attempts() == 1);
    options.ca_file = (folder / "none.pem").string();
    CHECK(faulty::failure(options)->fault() == ChatModelFault::configuration);

    // A server that wants to know who we are closes the connection after the handshake, with an alert, which the end of
    // the connection may overtake.
    const std::string strict_log = (folder / "strict_log").string();
    const aimock::Background strict("node '" + (folder / "server.cjs").string() + "' '" + private_key + "' '" + cert +
                                    "' clients >'" + strict_log + "' 2>&1");
    options.base_url = "https://localhost:" + aimock::wait_for(strict_log, "port ");
    options.ca_file = cert;
    const auto refused = faulty::failure(options, {}, std::string(4'000'000, 'x'));
    INFO(refused->what());
    CHECK((refused->fault() == ChatModelFault::security || refused->fault() == ChatModelFault::connection));
    CHECK((std::string_view(refused->what()).find("TLS") != std::string_view::npos ||
           std::string_view(refused->what()).find("certificate") != std::string_view::npos));
}

#else

TEST_CASE("servers prove who they are to libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
