// SPDX-License-Identifier: MIT
// Three agents in one thread, over an event loop: standalone Asio here, any other in the same way. acta says what an
// agent needs next (AgentRun), writes each request and reads its response (ChatCodec), and does no I/O; the loop does
// all of it, and nothing ever blocks.
//
//   event_loop http://127.0.0.1:8080/v1 [MODEL]     a server with OpenAI's API: llama.cpp, Ollama, vLLM

#define ASIO_STANDALONE
#include <acta/agent/agent_run.hpp>
#include <acta/provider/openai/codec.hpp>
#include <algorithm>
#include <array>
#include <asio.hpp>
#include <cctype>
#include <charconv>
#include <chrono>
#include <exception>
#include <functional>
#include <iostream>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace {

using acta::http::Fault;

/// One HTTP request and its response. HTTP/1.0, so that the body ends with the connection. For https, put an
/// `asio::ssl::stream` around the socket.
class Exchange : public std::enable_shared_from_this<Exchange> {
public:
    /// Called once, from the loop, with the exception if there is no answer.
    using Done = std::function<void(std::exception_ptr, acta::ChatCompletion)>;

    Exchange(asio::io_context& loop, acta::ChatReplyReader reader, Done done)
        : loop_(loop),
          socket_(loop),
          resolver_(loop),
          timer_(loop),
          reader_(std::move(reader)),
          done_(std::move(done)) {}

private:
    /// A handler that keeps the exchange alive, and ends it with what `next` throws.
    template <class Next>
    auto then(Next next) {
        return [self = shared_from_this(), next](std::error_code error, const auto&... results) {
            if (!self->done_) return;  // it has ended already
            try {
                next(error, results...);
            } catch (...) {
                self->end(std::current_exception());
            }
        };
    }

public:
    void start(const acta::http::Request& request) {
        const auto url = acta::http::Url::parse(request.url);
        if (!url || url->scheme != "http") {
            return end(std::make_exception_ptr(
                acta::http::Error(Fault::configuration, "not a URL with the scheme http: " + request.url)));
        }
        out_ = "POST " + url->path + (url->query.empty() ? "" : "?" + url->query) + " HTTP/1.0\r\nHost: " + url->host;
        for (const std::string& line : request.headers) out_ += "\r\n" + line;
        out_ += "\r\nContent-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;

        timer_.expires_at(request.deadline);
        timer_.async_wait(then([](std::error_code) { throw acta::Timeout("the model did not answer in time"); }));
        resolver_.async_resolve(
            url->host, url->port.empty() ? "80" : url->port,
            then([this](std::error_code error, const auto& endpoints) { connect(error, endpoints); }));
    }

private:
    static void check(std::error_code error, const char* what) {
        if (error) throw acta::http::Error(Fault::connection, std::string(what) + ": " + error.message());
    }

    void connect(std::error_code error, const asio::ip::tcp::resolver::results_type& endpoints) {
        check(error, "the server's address was not found");
        asio::async_connect(socket_, endpoints, then([this](std::error_code failed, const auto&) {
                                check(failed, "no connection to the server");
                                write();
                            }));
    }
    void write() {
        asio::async_write(socket_, asio::buffer(out_), then([this](std::error_code error, std::size_t) {
                              check(error, "the request was not sent");
                              read_head();
                          }));
    }
    void read_head() {
        constexpr std::size_t longest_head = std::size_t{64} * 1024;
        asio::async_read_until(socket_, asio::dynamic_buffer(in_, longest_head), "\r\n\r\n",
                               then([this](std::error_code error, std::size_t size) {
                                   check(error, "no response");
                                   begin(std::string_view(in_).substr(0, size));
                                   reader_.feed(std::string_view(in_).substr(size));
                                   read_body();
                               }));
    }
    void read_body() {  // each part goes to the reader as it arrives, so that answers may be streamed
        socket_.async_read_some(asio::buffer(buffer_), then([this](std::error_code error, std::size_t size) {
                                    auto demand = acta::http::Demand::more;
                                    if (size > 0) demand = reader_.feed({buffer_.data(), size});
                                    if (error == asio::error::eof || demand == acta::http::Demand::nothing)
                                        return end(nullptr, reader_.finish().completion);
                                    check(error, "the response broke off");
                                    read_body();
                                }));
    }
    /// Gives status line and headers to the reader.
    void begin(std::string_view head) {
        int status = 0;
        const std::size_t blank = head.find(' ');
        const char* const digits = head.data() + std::min(blank, head.size() - 4) + 1;
        if (!head.starts_with("HTTP/1.") || std::from_chars(digits, digits + 3, status).ptr != digits + 3)
            throw acta::http::Error(Fault::not_http, "the server does not speak HTTP/1");
        std::vector<std::pair<std::string, std::string>> headers;
        for (std::size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
            const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
            at += line.size() + 2;
            const std::size_t colon = std::min(line.find(':'), line.size());
            std::string name(line.substr(0, colon));
            for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            const std::size_t value = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
            headers.emplace_back(std::move(name), line.substr(value));
        }
        reader_.begin(status, headers);
    }

    void end(std::exception_ptr failure, acta::ChatCompletion answer = {}) {
        socket_ = asio::ip::tcp::socket(loop_);  // which closes the one before
        resolver_.cancel();
        timer_.cancel();
        asio::post(loop_,
                   [done = std::exchange(done_, {}), failure, answer = std::move(answer)] { done(failure, answer); });
    }

    asio::io_context& loop_;
    asio::ip::tcp::socket socket_;
    asio::ip::tcp::resolver resolver_;
    asio::steady_timer timer_;
    acta::ChatReplyReader reader_;
    Done done_;  // empty when it has ended
    std::string out_{};
    std::string in_{};
    std::array<char, 16384> buffer_{};
};

/// An agent: its history and its run, which continues with each event.
class Agent {
public:
    Agent(asio::io_context& loop, const acta::openai::ChatCodec& codec, const acta::SkillRegistry& skills,
          std::string question)
        : loop_(loop), codec_(codec), question_(std::move(question)), run_(skills, history_) {
        history_.register_message(acta::ChatMessage::user(question_));
    }

    /// Starts what the run needs next, and returns.
    void advance() {
        const acta::AgentStep& step = run_.next();
        if (const auto* const ask = std::get_if<acta::AskModel>(&step)) {
            ask_model(*ask);
        } else if (const auto* const calls = std::get_if<acta::RunCalls>(&step)) {
            open_calls_ = calls->calls.size();
            for (const acta::PendingCall& pending : calls->calls) start_call(pending);
        } else {
            result_ = run_.leave();
            std::cout << question_ << " " << result_ << "\n  " << result_.answer << "\n" << std::flush;
        }
    }
    [[nodiscard]] bool has_answered() const { return result_.end == acta::RunEnd::answered; }

private:
    void ask_model(const acta::AskModel& ask) {
        auto done = [this](const std::exception_ptr& failure, acta::ChatCompletion answer) {
            failure ? run_.fail(failure) : run_.give(std::move(answer));
            advance();
        };
        std::make_shared<Exchange>(loop_, codec_.reader(ask.messages, ask.options), std::move(done))
            ->start(codec_.request(ask.messages, ask.options));
    }
    /// A tool that takes a while must not keep the loop waiting: what is slow about it is awaited (a timer plays it),
    /// and then the call has its result at once.
    void start_call(const acta::PendingCall& pending) {
        auto slow = std::make_shared<asio::steady_timer>(loop_, std::chrono::milliseconds(20));
        slow->async_wait([this, slow, pending](std::error_code) {
            run_.give(pending.call.id, run_.call(pending));
            if (--open_calls_ == 0) advance();
        });
    }

    asio::io_context& loop_;
    const acta::openai::ChatCodec& codec_;
    std::string question_;
    acta::EpisodicActionHistory<> history_{};
    acta::AgentRun run_;
    std::size_t open_calls_ = 0;
    acta::RunResult result_{.end = acta::RunEnd::stopped};
};

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words.size() > 2) {
        std::cerr << "usage: event_loop URL [MODEL]\n";
        return 2;
    }
    try {
        const acta::openai::ChatCodec codec({.base_url = words[0], .model = words.size() > 1 ? words[1] : ""});
        acta::SkillRegistry skills;
        skills.add(
            "gauge", "The depth at a port now, in metres.",
            [](const std::string& port) { return 4 + static_cast<double>(port.size()) / 10; },
            acta::param("port", "The port."));

        asio::io_context loop;
        std::list<Agent> agents;
        for (const char* const port : {"Brest", "Dover", "Cork"})
            agents.emplace_back(loop, codec, skills, "How deep is it at " + std::string(port) + "?").advance();
        loop.run();  // until no agent waits for anything

        for (const Agent& agent : agents) {
            if (!agent.has_answered()) return 1;
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
