// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/store/postgres/detail/connection.hpp"

namespace acta::inline ACTA_ABI::postgres_detail {

/// Whether a call may be made again when its answer was lost.
enum class Repeat { no, yes };

/// Connections, each made when it is needed and kept for the next call.
class Pool {
public:
    Pool(const std::string& connection, const postgres::Options& options) : target_(connection), options_(options) {
        constexpr std::size_t longest = 63;
        if (options.schema.empty() || options.schema.size() > longest)
            throw StoreError(target_.message("the name of a schema has 1 to 63 bytes"));
        options_.connections = std::max<std::size_t>(options_.connections, 1);
    }

    [[nodiscard]] const postgres::Options& options() const noexcept { return options_; }
    [[nodiscard]] const Target& target() const noexcept { return target_; }

    /// Returns what `act` returns for a connection and the time that the call has. It is called again if the server took
    /// it back, and with `Repeat::yes` if the connection was lost.
    template <class Act>
    auto call(Repeat repeat, const Act& act) {
        const Deadline deadline(options_.timeout);
        constexpr int most_losses = 3;
        for (int losses = 0;;) {
            const Borrowed borrowed(*this, deadline);
            try {
                return act(borrowed.connection(), deadline);
            } catch (const TakenBack&) {
                if (deadline.has_passed()) throw;
            } catch (const ConnectionLost&) {
                if (repeat == Repeat::no || ++losses == most_losses || deadline.has_passed()) throw;
            }
        }
    }

    /// Makes the first connection. That there is no server is said at once here, and else when the time is up.
    void connect() {
        const Deadline deadline(options_.timeout);
        idle_.push_back(std::make_unique<Connection>(target_, options_, deadline));
        ++made_;
    }

private:
    /// A connection for one call.
    class Borrowed {
    public:
        Borrowed(Pool& pool, const Deadline& deadline) : pool_(pool), connection_(pool.take(deadline)) {}
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        ~Borrowed() { pool_.give_back(std::move(connection_)); }

        [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

    private:
        Pool& pool_;
        std::unique_ptr<Connection> connection_;
    };

    [[nodiscard]] std::unique_ptr<Connection> take(const Deadline& deadline) {
        std::unique_lock lock(mutex_);
        for (;;) {
            const bool is_there = freed_.wait_until(lock, deadline.end(),
                                                    [this] { return !idle_.empty() || made_ < options_.connections; });
            if (!is_there)
                throw StoreError(target_.message("none of its " + std::to_string(options_.connections) +
                                                 " connections became free within " + deadline.text()));
            if (idle_.empty()) break;
            std::unique_ptr<Connection> newest = std::move(idle_.back());
            idle_.pop_back();
            if (newest->is_usable()) return newest;
            --made_;  // closed by the server meanwhile
        }
        idle_.reserve(made_ + 1);
        ++made_;
        lock.unlock();
        try {
            return connected(deadline);
        } catch (...) {
            forget();
            throw;
        }
    }
    /// A server that is being restarted is waited for.
    [[nodiscard]] std::unique_ptr<Connection> connected(const Deadline& deadline) {
        constexpr std::chrono::milliseconds longest{200};
        for (std::chrono::milliseconds pause{10};; pause = std::min(2 * pause, longest)) {
            try {
                return std::make_unique<Connection>(target_, options_, deadline);
            } catch (const StoreError&) {
                if (Deadline::Clock::now() + pause >= deadline.end()) throw;
            }
            std::this_thread::sleep_for(pause);
        }
    }
    void give_back(std::unique_ptr<Connection> connection) noexcept {
        if (!connection->is_usable()) {
            connection.reset();
            return forget();
        }
        {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(connection));  // there is room: it was in it before
        }
        freed_.notify_one();
    }
    void forget() noexcept {
        {
            const std::lock_guard lock(mutex_);
            --made_;
        }
        freed_.notify_one();
    }

    Target target_;
    postgres::Options options_;
    std::mutex mutex_{};
    std::condition_variable freed_{};
    std::vector<std::unique_ptr<Connection>> idle_{};
    std::size_t made_ = 0;  // those that are used included
};

/// Runs one statement for one call.
[[nodiscard]] inline Rows run(Pool& pool, Repeat repeat, const char* sql, const Parameters& parameters) {
    return pool.call(repeat, [&](Connection& connection, const Deadline& deadline) {
        return connection.run(sql, parameters, deadline);
    });
}

}  // namespace acta::inline ACTA_ABI::postgres_detail
