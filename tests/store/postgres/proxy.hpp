// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// What a proxy does with what comes next.
enum class Cut {
    none,    ///< It forwards.
    before,  ///< It closes the connection in the place of the next request.
    during,  ///< It forwards the next request and closes the connection at once.
    after,   ///< It forwards the next request, waits for the answer, and closes the connection in the answer's place.
    silent   ///< It takes everything and forwards nothing, from now on.
};

/// Stands between a store and a server on this machine, and can fail in its place. After a cut it forwards again.
class Proxy {
public:
    /// The first `from` of each part of an answer becomes `to`, which is as long.
    explicit Proxy(int server_port, std::string from = {}, std::string to = {})
        : server_port_(server_port),
          from_(std::move(from)),
          to_(std::move(to)),
          listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 64) != 0 ||
            getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            throw std::runtime_error("no proxy");
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { work(); });
    }
    Proxy(const Proxy&) = delete;
    Proxy& operator=(const Proxy&) = delete;
    ~Proxy() {
        is_done_ = true;
        thread_.join();
        for (const Pair& pair : pairs_) close_pair(pair);
        close(listener_);
    }

    [[nodiscard]] int port() const noexcept { return port_; }
    void next(Cut cut) noexcept { cut_ = cut; }
    /// Returns whether the cut was made.
    [[nodiscard]] bool has_cut() const noexcept { return cut_ == Cut::none; }
    /// Returns how often a client has sent something after an answer.
    [[nodiscard]] int round_trips() const noexcept { return round_trips_; }

private:
    struct Pair {
        int client = -1;
        int server = -1;
        bool is_answered = true;
        bool ends_with_answer = false;
    };

    static sockaddr_in loopback(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        return address;
    }
    static void close_pair(const Pair& pair) {
        close(pair.client);
        close(pair.server);
    }

    void work() {
        while (!is_done_) {
            std::vector<pollfd> all = {{listener_, POLLIN, 0}};
            for (const Pair& pair : pairs_) {
                all.push_back({pair.client, POLLIN, 0});
                all.push_back({pair.server, POLLIN, 0});
            }
            if (poll(all.data(), all.size(), 5) <= 0) continue;
            std::vector<Pair> kept;
            for (std::size_t i = 0; i < pairs_.size(); ++i) {
                Pair& pair = pairs_[i];
                const bool goes_on = (all[2 * i + 1].revents == 0 || take_request(pair)) &&
                                     (all[2 * i + 2].revents == 0 || take_answer(pair));
                if (goes_on)
                    kept.push_back(pair);
                else
                    close_pair(pair);
            }
            pairs_ = kept;
            if (all[0].revents != 0) add();
        }
    }
    void add() {
        Pair pair{accept(listener_, nullptr, nullptr), socket(AF_INET, SOCK_STREAM, 0), true, false};
        const sockaddr_in address = loopback(server_port_);
        if (connect(pair.server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
            pairs_.push_back(pair);
        else
            close_pair(pair);
    }
    bool take_request(Pair& pair) {
        if (cut_ == Cut::before) {
            cut_ = Cut::none;
            return false;
        }
        const ssize_t size = read(pair.client, buffer_.data(), buffer_.size());
        if (size <= 0) return false;
        if (cut_ == Cut::silent) return true;
        if (pair.is_answered) ++round_trips_;
        pair.is_answered = false;
        if (cut_ == Cut::after) {
            pair.ends_with_answer = true;
            cut_ = Cut::none;
        }
        const bool goes_on = forward(pair.server, size);
        if (cut_ == Cut::during) {
            cut_ = Cut::none;
            return false;
        }
        return goes_on;
    }
    bool take_answer(Pair& pair) {
        const ssize_t size = read(pair.server, buffer_.data(), buffer_.size());
        if (size <= 0) return false;
        if (pair.ends_with_answer) return false;
        pair.is_answered = true;
        const auto end = buffer_.begin() + size;
        const auto found = std::search(buffer_.begin(), end, from_.begin(), from_.end());
        if (found != end) std::copy(to_.begin(), to_.end(), found);
        return cut_ == Cut::silent || forward(pair.client, size);
    }
    bool forward(int to, ssize_t size) {
        return send(to, buffer_.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
    }

    int server_port_;
    std::string from_;
    std::string to_;
    int listener_;
    int port_ = 0;
    std::atomic<bool> is_done_{false};
    std::atomic<Cut> cut_{Cut::none};
    std::atomic<int> round_trips_{0};
    std::array<char, 65536> buffer_{};
    std::vector<Pair> pairs_{};
    std::thread thread_{};
};
