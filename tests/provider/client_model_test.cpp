// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Random calls of a client against a small model of one, written from docs/reference/provider.md ("Clients", "Errors of
// servers", "Faults of connections") and docs/reference/base.md ("Retries"). Both write a log of what happens.
namespace {

using acta::ChatModelFault;
using std::chrono::minutes;
using std::chrono::nanoseconds;
namespace http = acta::http;
using PlayLog = std::vector<std::string>;

struct PlayedApi {
    std::function<acta::HttpChatCodec(const acta::openai::Options&)> codec;
    std::string path;
    std::string before, after;      // around the text in an event
    std::vector<std::string> last;  // the events that end a stream
    std::string whole_before, whole_after;
    std::string thought;
};

const std::vector<PlayedApi>& played_apis() {
    static const std::vector<PlayedApi> apis{
        {[](const acta::openai::Options& options) { return acta::openai::ChatCodec(options); },
         "/chat/completions",
         R"({"choices":[{"delta":{"content":")",
         "\"}}]}",
         {R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", "[DONE]"},
         R"({"choices":[{"finish_reason":"stop","message":{"content":")",
         "\"}}]}",
         R"({"choices":[{"delta":{"reasoning_content":"Hm."}}]})"},
        {[](const acta::openai::Options& options) { return acta::openai::ResponsesCodec(options); },
         "/responses",
         R"({"type":"response.output_text.delta","output_index":0,"delta":")",
         "\"}",
         {R"({"type":"response.completed","response":{"status":"completed"}})"},
         R"({"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":")",
         "\"}]}]}",
         R"({"type":"response.reasoning_summary_text.delta","delta":"Hm."})"},
        {[](const acta::openai::Options& options) {
             return acta::anthropic::ChatCodec({.base_url = options.base_url,
                                                .api_key = options.api_key,
                                                .timeout = options.timeout,
                                                .retry = options.retry,
                                                .transport = options.transport});
         },
         "/messages",
         R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")",
         "\"}}",
         {R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})", R"({"type":"message_stop"})"},
         R"({"stop_reason":"end_turn","content":[{"type":"text","text":")",
         "\"}]}",
         R"({"type":"content_block_delta","index":9,"delta":{"type":"thinking_delta","thinking":"Hm."}})"}};
    return apis;
}

/// What a server reports, and what that means.
struct PlayedError {
    int status;
    const char* code;
    bool is_too_long;
    bool is_transient;
};
constexpr PlayedError played_errors[] = {{400, "invalid_request_error", false, false},
                                         {400, "encrypted_content", false, false},
                                         {401, "authentication_error", false, false},
                                         {403, "permission_error", false, false},
                                         {404, "not_found", false, false},
                                         {408, "request_timeout", false, true},
                                         {409, "conflict", false, true},
                                         {410, "gone", false, false},
                                         {413, "request_too_large", true, false},
                                         {422, "unprocessable", false, false},
                                         {429, "rate_limit_exceeded", false, true},
                                         {429, "insufficient_quota", false, false},
                                         {429, "context_length_exceeded", true, false},
                                         {499, "closed", false, false},
                                         {500, "server_error", false, true},
                                         {500, "context_length_exceeded", true, false},
                                         {503, "unavailable", false, true},
                                         {502, "bad_gateway", false, true},
                                         {504, "gateway_timeout", false, true},
                                         {529, "overloaded_error", false, true},
                                         {599, "other", false, true}};

/// What a transport throws, and what that means.
struct PlayedFault {
    http::Fault thrown;
    ChatModelFault fault;
    bool is_transient;
};
constexpr PlayedFault played_faults[] = {{http::Fault::configuration, ChatModelFault::configuration, false},
                                         {http::Fault::connection, ChatModelFault::connection, true},
                                         {http::Fault::security, ChatModelFault::security, false},
                                         {http::Fault::not_http, ChatModelFault::reply, false},
                                         {http::Fault::too_large, ChatModelFault::too_large, false},
                                         {http::Fault::other, ChatModelFault::connection, false}};

/// How one request ends.
struct PlayedReply {
    enum Kind { whole, stream, cut, error_in_stream, error, fault, timeout, cancelled } kind = whole;
    std::size_t parts = 1;     // of the text in a stream that arrive
    bool has_thought = false;  // before them
    PlayedError reported{};
    PlayedFault broken{};
    std::optional<minutes> retry_after{};
    bool has_date = false;  // the server asks for it with a date
    minutes takes{0};
};

/// One call of a client, and what the server does.
struct PlayedCall {
    std::size_t api = 0;
    acta::RetryOptions retry{};
    enum RetryIf { unset, always, never, not_found } retry_if = unset;
    double jitter = 0;
    nanoseconds timeout{};
    std::optional<minutes> deadline{};
    std::optional<std::size_t> max_attempts{};
    bool on_text = false;
    bool on_event = false;
    bool restart = true;
    std::size_t stopped_wait = 99;
    bool has_parts = true;  // the transport hands on parts of the body
    std::size_t piece = 1;  // their bytes
    std::vector<PlayedReply> replies{};
};

PlayedCall random_call(std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return random() % n; };
    const auto some = [&](std::size_t n) { return minutes(static_cast<int>(below(n))); };
    PlayedCall out;
    out.api = below(played_apis().size());
    auto& [max_attempts, call_timeout, first_delay, max_delay, max_retry_after, retry_if, on_retry] = out.retry;
    max_attempts = 1 + static_cast<int>(below(5));
    if (below(3) == 0) call_timeout = some(30);
    first_delay = 8 * some(4);
    max_delay = 8 * some(8);
    max_retry_after = some(60);
    static_cast<void>(retry_if);  // both are added to the options of the client
    static_cast<void>(on_retry);
    out.retry_if = below(2) == 0 ? PlayedCall::unset : static_cast<PlayedCall::RetryIf>(below(4));
    out.jitter = below(2) == 0 ? 0 : 0.5;
    out.timeout = 8 * some(30) + minutes(1) + std::chrono::seconds(15);
    if (below(2) == 0) out.deadline = 2 * some(60);
    if (below(3) == 0) out.max_attempts = 1 + below(4);
    out.on_text = below(2) == 0;
    out.on_event = below(2) == 0;
    out.restart = below(4) != 0;
    if (below(6) == 0) out.stopped_wait = below(3);
    out.has_parts = below(4) != 0;
    out.piece = 1 + below(60);
    for (int i = 0; i < 7; ++i) {
        PlayedReply& one = out.replies.emplace_back();
        // Mostly failures, so that calls are long.
        constexpr PlayedReply::Kind kinds[] = {
            PlayedReply::whole,           PlayedReply::stream, PlayedReply::cut,   PlayedReply::cut,
            PlayedReply::error_in_stream, PlayedReply::error,  PlayedReply::error, PlayedReply::error,
            PlayedReply::error,           PlayedReply::fault,  PlayedReply::fault, PlayedReply::timeout,
            PlayedReply::cancelled};
        one.kind = kinds[below(std::size(kinds))];
        one.parts = one.kind == PlayedReply::stream ? 1 + below(2) : below(2);
        one.has_thought = below(3) == 0;
        one.reported = played_errors[below(std::size(played_errors))];
        one.broken = played_faults[below(2) == 0 ? 1 : below(std::size(played_faults))];
        if (one.kind == PlayedReply::error && below(2) == 0)
            one.retry_after = below(4) == 0 ? std::chrono::floor<minutes>(max_retry_after) : some(70);
        one.has_date = below(2) == 0;
        one.takes = some(4);
    }
    return out;
}

std::string in_minutes(nanoseconds time) {
    return std::to_string(std::chrono::duration<double>(time).count() / 60) + " min";
}

std::string line_of(const acta::ChatModelFailure& failure, const std::string& what) {
    return "error " + std::to_string(static_cast<int>(failure.fault)) + " status " + std::to_string(failure.status) +
           " code " + failure.code + (failure.is_transient ? " transient" : "") +
           (failure.retry_after ? " asks for " + in_minutes(*failure.retry_after) : "") + " attempts " +
           std::to_string(failure.attempts) + ": " + what;
}

// The model.

/// Returns what a reply shows a caller who listens, and how it fails; nothing if it is an answer.
std::optional<std::pair<acta::ChatModelFailure, std::string>> expected_failure(const PlayedReply& reply) {
    acta::ChatModelFailure out;
    if (reply.kind == PlayedReply::cut) {
        out.is_transient = true;
        return std::pair(out, std::string("the stream of the answer ended too early"));
    }
    if (reply.kind == PlayedReply::timeout) {  // of an attempt
        out.is_transient = true;
        return std::pair(out, std::string("late"));
    }
    if (reply.kind == PlayedReply::fault) {
        out.fault = reply.broken.fault;
        out.is_transient = reply.broken.is_transient;
        return std::pair(out, std::string("it broke"));
    }
    if (reply.kind != PlayedReply::error && reply.kind != PlayedReply::error_in_stream) return std::nullopt;
    const auto& [status, code, is_too_long, is_transient] = reply.reported;
    out.fault = is_too_long ? ChatModelFault::context_too_long : ChatModelFault::status;
    out.status = status;
    out.code = code;
    out.is_transient = is_transient;
    out.retry_after = reply.retry_after;
    const std::string said = "\"no, " + out.code + "\"";
    if (reply.kind == PlayedReply::error_in_stream) return std::pair(out, "the server says " + said);
    return std::pair(out, "status " + std::to_string(status) + ", " + said + ", code " + code);
}

PlayLog expected_log(const PlayedCall& call) {
    PlayLog out;
    const acta::RetryOptions& retry = call.retry;
    const nanoseconds latest = std::min(call.timeout, nanoseconds(call.deadline.value_or(minutes(100'000))));
    const nanoseconds attempt_time = retry.call_timeout.value_or(minutes(0));
    const bool is_bounded = attempt_time.count() > 0 && attempt_time < latest;
    nanoseconds now{0};
    bool is_encrypted = played_apis()[call.api].path == "/responses";
    std::size_t waits = 0;
    std::size_t repetition = 0;
    for (std::size_t attempt = 1;; ++attempt) {
        const PlayedReply& reply = call.replies[attempt - 1];
        out.emplace_back(is_encrypted ? "request with encrypted reasoning" : "request");
        now += reply.takes;
        // Parts that a caller sees; an answer that is not streamed is one part.
        const bool is_streamed = reply.kind != PlayedReply::whole && reply.kind != PlayedReply::error;
        const bool is_thought_seen = is_streamed && reply.has_thought && call.on_event;
        if (is_thought_seen) out.emplace_back("event thinks Hm.");
        std::string text;
        for (std::size_t i = 0; i < (is_streamed ? reply.parts : reply.kind == PlayedReply::whole ? 1 : 0); ++i) {
            text += "Dry.";
            if (call.on_text) out.emplace_back("text Dry.");
            if (call.on_event) out.emplace_back("event Dry.");
        }
        const bool is_shown = is_thought_seen || (!text.empty() && (call.on_text || call.on_event));
        if (reply.kind == PlayedReply::cancelled || (reply.kind == PlayedReply::timeout && !is_bounded)) {
            out.emplace_back(reply.kind == PlayedReply::timeout ? "timeout" : "cancelled");
            return out;
        }
        auto failed = expected_failure(reply);
        if (!failed) {
            out.push_back("answer " + text + " attempts " + std::to_string(attempt));
            return out;
        }
        auto& [failure, what] = *failed;
        failure.attempts = static_cast<int>(attempt);
        what = "no answer from https://h/v1" + played_apis()[call.api].path + ": " + what;
        if (attempt > 1) what += " (attempt " + std::to_string(attempt) + ")";
        const std::string error = line_of(failure, what);
        const auto end = [&] {
            out.push_back(error);
            return out;
        };
        ++repetition;
        if (call.max_attempts && attempt >= *call.max_attempts) return end();
        if (is_encrypted && !is_shown && failure.status == 400 && failure.code == "encrypted_content") {
            is_encrypted = false;
            continue;
        }
        bool is_repeated = failure.is_transient;
        if (call.retry_if == PlayedCall::always) is_repeated = true;
        if (call.retry_if == PlayedCall::never) is_repeated = false;
        if (call.retry_if == PlayedCall::not_found) is_repeated = failure.status == 404;
        if (is_shown && !(call.on_event && call.restart)) is_repeated = false;
        if (!is_repeated || repetition >= static_cast<std::size_t>(retry.max_attempts)) return end();
        nanoseconds delay = retry.first_delay;
        for (std::size_t i = 1; i < repetition; ++i) delay *= 2;
        delay = std::min(delay, nanoseconds(retry.max_delay));
        delay = delay / 2 + (call.jitter == 0 ? nanoseconds(0) : delay / 4);
        if (failure.retry_after) {
            const nanoseconds asked = *failure.retry_after;
            if (asked > retry.max_retry_after) return end();
            const nanoseconds more = call.jitter == 0 ? nanoseconds(0) : std::min(asked, delay) / 4;
            delay = std::max(delay, asked + more);
        }
        if (now + delay >= latest) return end();
        out.push_back("repeat after " + in_minutes(delay) + ", " + error);
        if (is_shown) out.emplace_back("restarted");
        now += delay;
        if (waits++ == call.stopped_wait) {
            out.emplace_back("cancelled");
            return out;
        }
    }
}

// The client.

/// Plays a call with the clock of the script, and restores the real one.
class PlayedClient {
public:
    explicit PlayedClient(const PlayedCall& call) : call_(call), begin_(std::chrono::steady_clock::now()) {
        acta::base::RetryClock& clock = acta::base::retry_clock();
        clock.now = [this] { return begin_ + elapsed_; };
        clock.jitter = [this] { return call_.jitter; };
        clock.wait = [this](nanoseconds time, const acta::stop_token& token) {
            CHECK(in_minutes(time) == in_minutes(announced_));
            elapsed_ += time;
            if (waits_++ == call_.stopped_wait) stop_.request_stop();
            CHECK(token.stop_requested() == stop_.stop_requested());
            last_ = std::chrono::steady_clock::now();
        };
    }
    PlayedClient(const PlayedClient&) = delete;
    PlayedClient& operator=(const PlayedClient&) = delete;
    ~PlayedClient() { acta::base::retry_clock() = {}; }

    PlayLog log() {
        try {
            last_ = std::chrono::steady_clock::now();
            const acta::ChatReply reply = model().complete("?", options());
            log_.push_back("answer " + reply.completion.message.content + " attempts " +
                           std::to_string(reply.attempts));
        } catch (const acta::ChatModelError& error) {
            log_.push_back(line_of(error.failure(), error.what()));
        } catch (const acta::Timeout&) {
            log_.emplace_back("timeout");
        } catch (const acta::Cancelled&) {
            log_.emplace_back("cancelled");
        }
        return log_;
    }

private:
    acta::HttpChatModel model() {
        acta::openai::Options options{.base_url = "https://h/v1", .api_key = ""};
        options.timeout = std::chrono::floor<std::chrono::milliseconds>(call_.timeout);
        options.retry = call_.retry;
        if (call_.retry_if != PlayedCall::unset) {
            options.retry.retry_if = [this](const std::exception& error) {
                if (call_.retry_if != PlayedCall::not_found) return call_.retry_if == PlayedCall::always;
                return dynamic_cast<const acta::ChatModelError&>(error).status() == 404;
            };
        }
        options.retry.on_retry = [this](const acta::RetryEvent& event) {
            const auto& error = dynamic_cast<const acta::ChatModelError&>(event.error);
            CHECK(event.attempt == error.attempts());
            announced_ = event.delay;
            log_.push_back("repeat after " + in_minutes(event.delay) + ", " + line_of(error.failure(), error.what()));
        };
        options.transport = [this](const http::Request& request, const http::Sink& sink) {
            return answer(request, sink);
        };
        return acta::HttpChatModel(played_apis()[call_.api].codec(options));
    }
    acta::ChatOptions options() {
        acta::ChatOptions out;
        out.until.stop = stop_.get_token();
        if (call_.deadline) out.until.deadline = begin_ + *call_.deadline;
        out.max_attempts = call_.max_attempts;
        out.restart = call_.restart;
        if (call_.on_text) out.on_text = [this](std::string_view text) { log_.push_back("text " + std::string(text)); };
        if (call_.on_event) {
            out.on_event = [this](const acta::ChatDelta& delta) {
                const auto* const text = std::get_if<acta::TextDelta>(&delta);
                const auto* const thought = std::get_if<acta::ReasoningDelta>(&delta);
                if (text != nullptr) log_.push_back("event " + text->text);
                if (thought != nullptr) log_.push_back("event thinks " + thought->text);
                if (std::holds_alternative<acta::AnswerRestarted>(delta)) log_.emplace_back("restarted");
            };
        }
        return out;
    }

    http::Reply answer(const http::Request& request, const http::Sink& sink) {
        const PlayedReply& reply = call_.replies.at(requests_++);
        const bool is_encrypted = request.body.find("encrypted_content") != std::string::npos;
        log_.emplace_back(is_encrypted ? "request with encrypted reasoning" : "request");
        check_deadline(request.deadline);
        elapsed_ += reply.takes;
        http::Reply out{200, {}, {}};
        const PlayedApi& api = played_apis()[call_.api];
        const std::string error = R"({"error":{"message":"no, )" + std::string(reply.reported.code) + R"(","code":")" +
                                  reply.reported.code + R"(","status":)" + std::to_string(reply.reported.status) + "}}";
        std::vector<std::string> events;
        if (reply.has_thought) events.push_back(api.thought);
        for (std::size_t i = 0; i < reply.parts; ++i) events.push_back(api.before + "Dry." + api.after);
        if (reply.kind == PlayedReply::error_in_stream) events.push_back(error);
        if (reply.kind == PlayedReply::stream) events.insert(events.end(), api.last.begin(), api.last.end());
        std::string body = ": here it comes\n\n" + codecs::events(events);
        if (reply.kind == PlayedReply::whole) body = api.whole_before + "Dry." + api.whole_after;
        if (reply.kind == PlayedReply::error) {
            body = error;
            out.status = reply.reported.status;
            if (reply.retry_after) add_retry_after(out, *reply.retry_after, reply.has_date);
        }
        // A transport that cannot hand on parts returns the whole body.
        const bool is_whole = !call_.has_parts && reply.kind != PlayedReply::fault &&
                              reply.kind != PlayedReply::timeout && reply.kind != PlayedReply::cancelled;
        if (is_whole) out.body = body;
        for (std::size_t i = 0; !is_whole && i < body.size(); i += call_.piece) {
            out.body += body.substr(i, call_.piece);
            if (sink(out) == http::Demand::nothing) break;
        }
        if (reply.kind == PlayedReply::fault) throw http::Error(reply.broken.thrown, "it broke");
        if (reply.kind == PlayedReply::timeout) throw acta::Timeout("late");
        if (reply.kind == PlayedReply::cancelled) throw acta::Cancelled();
        return out;
    }
    static void add_retry_after(http::Reply& reply, minutes asked, bool has_date) {
        if (!has_date) {
            reply.headers.emplace_back("retry-after", std::to_string(asked.count() * 60));
            return;
        }
        const auto minute = std::to_string(100 + asked.count() % 60).substr(1);
        reply.headers.emplace_back("date", "Sun, 06 Nov 1994 08:00:00 GMT");
        reply.headers.emplace_back(
            "retry-after", "Sun, 06 Nov 1994 0" + std::to_string(8 + asked.count() / 60) + ":" + minute + ":00 GMT");
    }
    /// That of the call, or of the attempt, by the real clock.
    void check_deadline(std::chrono::steady_clock::time_point deadline) const {
        const auto now = std::chrono::steady_clock::now();
        auto earliest = begin_ + call_.timeout;
        auto latest = now + call_.timeout;
        if (const nanoseconds each = call_.retry.call_timeout.value_or(minutes(0)); each.count() > 0) {
            earliest = std::min(earliest, last_ + each);
            latest = std::min(latest, now + each);
        }
        if (call_.deadline) {
            earliest = std::min(earliest, begin_ + *call_.deadline);
            latest = std::min(latest, begin_ + *call_.deadline);
        }
        CHECK(deadline >= earliest);
        CHECK(deadline <= latest);
    }

    const PlayedCall& call_;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_{};  // before the last request
    nanoseconds elapsed_{0};
    nanoseconds announced_{0};
    std::size_t requests_ = 0;
    std::size_t waits_ = 0;
    acta::stop_source stop_{};
    PlayLog log_{};
};

}  // namespace

TEST_CASE("what a client does in random calls is what the documents say") {
    std::mt19937 random(20);
    std::size_t longest = 0;
    for (int i = 0; i < 1000; ++i) {
        const PlayedCall call = random_call(random);
        const PlayLog expected = expected_log(call);
        longest = std::max(longest, static_cast<std::size_t>(std::ranges::count(expected, "request")));
        CAPTURE(i, call.retry.max_attempts, call.retry.first_delay.count(), call.deadline.has_value());
        REQUIRE(PlayedClient(call).log() == expected);
    }
    CHECK(longest >= 5);
}
