// SPDX-License-Identifier: MIT
// Three agents in one thread, over an event loop: standalone Asio here, any other in the same way. acta says what an
// agent needs next (AgentRun), writes each request and reads its response (ChatCodec), and sends it over libcurl
// (CurlMulti), whose sockets the loop watches. Nothing ever blocks.
//
//   event_loop http://127.0.0.1:8080/v1 [MODEL]     a server with OpenAI's API: llama.cpp, Ollama, vLLM
//   event_loop https://api.openai.com/v1 gpt-5      with a key in OPENAI_API_KEY

#define ASIO_STANDALONE
#include <acta/agent/agent_run.hpp>
#include <acta/base/retry.hpp>
#include <acta/provider/http/curl_multi.hpp>
#include <acta/provider/openai/codec.hpp>
#include <asio.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace {

using std::chrono::milliseconds;

/// The exchanges of all agents, driven by Asio. The loop must not run after the end of this object.
class Exchanges {
public:
    explicit Exchanges(asio::io_context& loop)
        : loop_(loop),
          timer_(loop),
          http_({.watch = [this](int socket, bool readable, bool writable) { watch(socket, readable, writable); },
                 .set_timer = [this](std::optional<milliseconds> time) { set_timer(time); },
                 .wake = [this] { asio::post(loop_, [this] { http_.on_timer(); }); }}) {}

    [[nodiscard]] acta::http::CurlMulti& http() { return http_; }

private:
    using Descriptor = asio::posix::stream_descriptor;

    void watch(int socket, bool readable, bool writable) {
        std::shared_ptr<Descriptor>& watched = sockets_[socket];
        if (watched) watched->release();  // ends what waits; the socket is libcurl's
        if (!readable && !writable) {
            sockets_.erase(socket);
            return;
        }
        watched = std::make_shared<Descriptor>(loop_, socket);
        if (readable) wait(watched, Descriptor::wait_read);
        if (writable) wait(watched, Descriptor::wait_write);
    }
    /// Asio waits once, so this is repeated until the socket is watched for something else.
    void wait(const std::shared_ptr<Descriptor>& watched, Descriptor::wait_type what) {
        watched->async_wait(what, [this, watched, what](std::error_code) {
            if (watched->is_open()) http_.on_ready(watched->native_handle());
            if (watched->is_open()) wait(watched, what);
        });
    }
    void set_timer(std::optional<milliseconds> time) {
        timer_.cancel();
        if (!time) return;
        timer_.expires_after(*time);
        timer_.async_wait([this](std::error_code cancelled) {
            if (!cancelled) http_.on_timer();
        });
    }

    asio::io_context& loop_;
    asio::steady_timer timer_;
    std::map<int, std::shared_ptr<Descriptor>> sockets_{};
    acta::http::CurlMulti http_;  // destroyed first: it uses the others
};

/// An agent: its history and its run, which continues with each event.
class Agent {
public:
    Agent(asio::io_context& loop, acta::http::CurlMulti& http, const acta::openai::ChatCodec& codec,
          const acta::SkillRegistry& skills, std::string question)
        : loop_(loop), http_(http), codec_(codec), question_(std::move(question)), run_(skills, history_) {
        history_.register_message(acta::ChatMessage::user(question_));
    }

    /// Starts what the run needs next, and returns.
    void advance() {
        const acta::AgentStep& step = run_.next();
        if (const auto* const ask = std::get_if<acta::AskModel>(&step)) {
            ask_model(*ask, 1);
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
    void ask_model(const acta::AskModel& ask, int attempt) {
        http_.start(codec_.request(ask.messages, ask.options), codec_.reader(ask.messages, ask.options),
                    [this, attempt](const std::exception_ptr& failure, acta::ChatReply reply) {
                        if (!failure)
                            run_.give(std::move(reply.completion));
                        else if (const auto delay = delay_after(failure, attempt))
                            return ask_again(*delay, attempt + 1);
                        else
                            run_.fail(failure);
                        advance();
                    });
    }
    /// Returns the wait before the next attempt, or nothing if there must be none. A program that has shown parts of
    /// the answer must not ask again, either.
    [[nodiscard]] static std::optional<std::chrono::nanoseconds> delay_after(const std::exception_ptr& failure,
                                                                             int attempt) {
        const acta::RetryOptions retry{.max_attempts = 3, .first_delay = milliseconds(100)};
        try {
            std::rethrow_exception(failure);
        } catch (const acta::ChatModelError& error) {
            if (error.is_transient()) return acta::base::retry_delay(retry, attempt, error.retry_after());
        } catch (const std::exception&) {  // a deadline or a stop
        }
        return std::nullopt;
    }
    void ask_again(std::chrono::nanoseconds delay, int attempt) {
        auto pause = std::make_shared<asio::steady_timer>(loop_, delay);
        pause->async_wait([this, pause, attempt](std::error_code) {
            ask_model(std::get<acta::AskModel>(run_.next()), attempt);  // it still needs the same
        });
    }
    /// A tool that takes a while must not keep the loop waiting: what is slow about it is awaited (a timer plays it),
    /// and then the call has its result at once.
    void start_call(const acta::PendingCall& pending) {
        auto slow = std::make_shared<asio::steady_timer>(loop_, milliseconds(20));
        slow->async_wait([this, slow, pending](std::error_code) {
            run_.give(pending.call.id, run_.call(pending));
            if (--open_calls_ == 0) advance();
        });
    }

    asio::io_context& loop_;
    acta::http::CurlMulti& http_;
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
        Exchanges exchanges(loop);
        std::list<Agent> agents;
        for (const char* const port : {"Brest", "Dover", "Cork"})
            agents.emplace_back(loop, exchanges.http(), codec, skills, "How deep is it at " + std::string(port) + "?")
                .advance();
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
