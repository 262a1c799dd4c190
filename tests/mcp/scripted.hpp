// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"

namespace mcp_tests {

/// A transport that answers at once. It connects as a server of 2026 does, or of 2025 if it is asked in that way.
class ScriptedTransport : public acta::mcp::Transport {
public:
    /// Returns the result of a request, or an error; notifications about it may be passed on before.
    using Answer = std::function<std::variant<acta::Json, acta::mcp::ErrorObject>(const acta::mcp::Request&,
                                                                                  const acta::mcp::OnMessage&)>;

    explicit ScriptedTransport(Answer answer) : answer_(std::move(answer)) {}

    void open(acta::mcp::OnMessage on_notice) override { notice = std::move(on_notice); }
    acta::mcp::Response exchange(const acta::mcp::Outgoing& out, const acta::mcp::Patience&,
                                 const acta::mcp::OnMessage& on_message) override {
        const auto& request = std::get<acta::mcp::Request>(out.message);
        const acta::Json capabilities = acta::parse<acta::Json>(
            R"({"tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {}})");
        is_connected = true;
        if (request.method == "server/discover" && !is_2026)
            return {request.id, acta::mcp::ErrorObject{acta::mcp::error_code::method_not_found, "no", std::nullopt}};
        if (request.method == "server/discover")
            return {request.id, acta::Json{{"supportedVersions", acta::Json::array({"2026-07-28"})},
                                           {"capabilities", capabilities}}};
        if (request.method == "initialize")
            return {request.id, acta::Json{{"protocolVersion", request.params.at("protocolVersion")},
                                           {"capabilities", capabilities}}};
        return {request.id, answer_(request, on_message)};
    }
    void send(const acta::mcp::Outgoing& out, const acta::mcp::Patience&) override { sent.push_back(out.message); }
    void listen(const std::vector<std::string>&, const acta::Until&, const std::function<void()>&,
                const acta::mcp::OnMessage&) override {}
    [[nodiscard]] bool is_process() const noexcept override { return true; }
    [[nodiscard]] bool is_open() const override { return is_connected; }
    void close() noexcept override {}

    acta::mcp::OnMessage notice{};           // takes what is about no request
    std::vector<acta::mcp::Message> sent{};  // without requests

    bool is_2026 = true;
    bool is_connected = false;  // set by a request

private:
    Answer answer_;
};

/// A client, and its transport, which lives as long.
struct ScriptedClient {
    explicit ScriptedClient(ScriptedTransport::Answer answer, acta::mcp::ClientOptions options = {})
        : ScriptedClient(std::make_unique<ScriptedTransport>(std::move(answer)), std::move(options)) {}
    ScriptedClient(std::unique_ptr<ScriptedTransport> made, acta::mcp::ClientOptions options)
        : transport(*made), client(std::move(made), std::move(options)) {}

    ScriptedTransport& transport;
    acta::mcp::Client client;
};

}  // namespace mcp_tests
