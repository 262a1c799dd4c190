// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acta/base/process.hpp"
#include "acta/mcp/transport.hpp"

namespace acta::inline ACTA_ABI::mcp {

/// A server that is a child process: a message is a line.
class StdioTransport : public Transport {
public:
    /// Starts nothing yet. `options` has no callbacks. `name` is the server's, for errors; `max_bytes` limits a message
    /// and those that wait to be passed on.
    StdioTransport(ProcessOptions options, std::string name, std::size_t max_bytes);
    ~StdioTransport() override;

    void open(OnMessage on_notice) override;
    [[nodiscard]] Response exchange(const Outgoing& request, const Patience& patience,
                                    const OnMessage& on_message) override;
    void send(const Outgoing& message, const Patience& patience) override;
    void listen(const std::vector<std::string>&, const Until&, const std::function<void()>&,
                const OnMessage&) override {}
    [[nodiscard]] bool is_process() const noexcept override { return true; }
    [[nodiscard]] bool is_open() const override;
    void close() noexcept override;
    [[nodiscard]] std::string last_words() const override;

private:
    class Connection;
    [[nodiscard]] std::shared_ptr<Connection> connection() const;

    ProcessOptions options_;
    std::string name_;
    std::size_t max_bytes_;
    mutable std::mutex mutex_{};
    std::shared_ptr<Connection> connection_{};
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/stdio_transport.inl.hpp"
#endif
