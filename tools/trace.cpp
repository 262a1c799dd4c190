// SPDX-License-Identifier: MIT
#include <acta/base/sha256.hpp>
#include <acta/base/unicode.hpp>
#include <acta/json/json.hpp>
#include <acta/observe/observer.hpp>
#include <acta/trace/exporter.hpp>
#include <acta/trace/tracer.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

#if defined(ACTA_TOOLS_CLIENT)
#include <acta/provider/http/curl.hpp>
#endif

namespace tools {
namespace {

using acta::trace::Span;

struct TraceCommand {
    std::vector<std::string> words{};  // of the address
    std::string to{};
    std::string agent{};
    std::string provider{};
    bool content = false;
    bool lenient = false;
};

constexpr const char* headers_variable = "OTEL_EXPORTER_OTLP_HEADERS";

std::string environment(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
    return value == nullptr ? "" : value;
}

/// Returns a header of `name=value`, or nothing if it is not one.
std::optional<std::string> header_of(std::string_view entry) {
    constexpr std::string_view token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const std::size_t mark = entry.find('=');
    if (mark == std::string_view::npos) return std::nullopt;
    const std::string_view name = acta::ascii::trim(entry.substr(0, mark));
    const std::string value = acta::ascii::percent_decoded(acta::ascii::trim(entry.substr(mark + 1)));
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (name.empty() || name.find_first_not_of(token) != std::string_view::npos) return std::nullopt;
    if (std::ranges::any_of(value, is_control)) return std::nullopt;
    return std::string(name) + ": " + value;
}

/// Returns the headers that the environment asks for: `name=value,name=value`, percent-encoded
/// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). They may be keys, and no message quotes them.
std::vector<std::string> headers() {
    std::vector<std::string> out;
    const std::string text = environment(headers_variable);
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view entry = acta::ascii::trim(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
        ++number;
        if (entry.empty()) continue;
        auto header = header_of(entry);
        if (!header)
            throw Failure(Exit::usage, std::string(headers_variable) + ": entry " + std::to_string(number) +
                                           " is not a header as name=value, with %20 for a blank and %2C for a comma");
        out.push_back(*std::move(header));
    }
    return out;
}

acta::trace::Resource resource() {
    acta::trace::Resource out;
    const std::string name = environment("OTEL_SERVICE_NAME");
    out.service_name = name.empty() ? "acta" : name;
    return out;
}

/// Returns the spans of a run. Those of a file are identified by all that it has, since attempts at the same task begin
/// alike; those of a store by the name of the history, so that they keep their identifiers when it grows.
std::vector<Span> spans_of(const Run& run, const Address& source, const TraceCommand& command) {
    acta::trace::TraceOptions options;
    options.agent_name = command.agent;
    options.provider = command.provider;
    options.content = command.content;
    options.record_id = source.in_store ? source.id : acta::base::sha256(acta::dump(run.history));
    std::vector<Span> out = acta::trace::spans_of(run.history, options);
    if (out.empty()) throw Failure(Exit::input, "'" + run.name + "' has no answer of a model, and so no spans");
    const auto has_time = [](const Span& span) { return span.end != acta::trace::Time(); };
    if (std::ranges::none_of(out, has_time)) {
        complain(run.name + ": the run has no times; all of its spans have the time of now, and take no time");
        for (Span& span : out) span.start = span.end = std::chrono::system_clock::now();
    }
    return out;
}

/// What the exporter says of a request that failed.
class Complaint : public acta::Observer {
public:
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    void on_event(const acta::Event& event) override {
        const acta::EventValue* const error = event.find("error");
        const auto* const text = error == nullptr ? nullptr : std::get_if<std::string>(error);
        if (event.failed && text != nullptr) text_ = *text;
    }

    std::string text_{};
};

acta::http::Transport transport([[maybe_unused]] const std::string& url) {
#if defined(ACTA_TOOLS_CLIENT)
    return acta::http::send;
#else
    throw Failure(Exit::output, "'" + url + "' needs libcurl, and this acta was built without (ACTA_CLIENT)");
#endif
}

/// Sends spans in batches, up to the first that is refused.
void send(std::vector<Span> spans, std::string url) {
    constexpr std::string_view path = "/v1/traces";  // which the exporter appends
    const std::string name = without_passwords(url);
    if (!acta::http::Url::parse(url))
        throw WrongArguments("the URL after --to cannot be used: " + acta::http::Url::problem(url));
    if (url.ends_with(path)) url.erase(url.size() - path.size());
    Complaint complaint;
    acta::trace::ExporterOptions options;
    options.url = url;
    options.headers = headers();
    options.resource = resource();
    options.max_queue_bytes = std::numeric_limits<std::size_t>::max();
    options.retry = {.max_attempts = 3, .first_delay = std::chrono::milliseconds(500)};
    options.observer = &complaint;
    const std::size_t batch = options.max_batch;
    const Progress progress("sending to " + name);
    acta::trace::Exporter exporter(transport(name), options);
    for (std::size_t i = 0; i < spans.size() && exporter.counts().dropped_failed == 0; ++i) {
        exporter.add(std::move(spans[i]));
        if ((i + 1) % batch == 0 || i + 1 == spans.size()) exporter.flush(std::chrono::hours(1));
    }
    const acta::trace::ExportCounts counts = exporter.shutdown(std::chrono::seconds(10));
    const std::size_t lost = spans.size() - counts.sent;
    if (lost == 0) return;
    const std::string why = complaint.text().empty() ? "" : ": " + complaint.text();
    throw Failure(Exit::output, "cannot send " + std::to_string(lost) + " of " + std::to_string(spans.size()) +
                                    " spans to '" + name + "'" + why);
}

Exit trace(const TraceCommand& command) {
    const bool is_url = command.to.find("://") != std::string::npos;
    const Address source = address_of(command.words, Place::any);
    if (!is_url) require_other_file(source, command.to);
    const Run run = read_run(source, command.lenient);
    std::vector<Span> spans = spans_of(run, source, command);
    if (is_url) {
        send(std::move(spans), command.to);
        return Exit::fine;
    }
    const bool to_file = command.to != "-";
    write_result(command.to, [&](const Sink& sink) {
        const std::string body = acta::trace::to_otlp(spans, resource()) + "\n";
        sink(to_file ? body : safe_json(body));
    });
    return Exit::fine;
}

}  // namespace

Command add_trace(CLI::App& app) {
    const auto command = std::make_shared<TraceCommand>();
    CLI::App* const trace_app =
        app.add_subcommand("trace", "Write or send a run as spans of OpenTelemetry (OTLP, JSON)");
    trace_app->add_option("FILE", command->words, std::string(file_help))->required()->option_text("FILE [ID]");
    trace_app
        ->add_option("--to", command->to,
                     "A collector such as http://localhost:4318, with headers from OTEL_EXPORTER_OTLP_HEADERS; or a "
                     "file; - for standard output")
        ->type_name("URL|OUT")
        ->required();
    trace_app->add_flag("--content", command->content,
                        "Also messages, arguments, results and texts of errors; what looks like a key or a password "
                        "is hidden");
    trace_app->add_option("--agent", command->agent, "The name of the agent (gen_ai.agent.name)")->type_name("NAME");
    trace_app
        ->add_option("--provider", command->provider,
                     "Whose model it is: openai, anthropic, ... (gen_ai.provider.name)")
        ->type_name("NAME");
    trace_app->add_flag("--lenient", command->lenient, "Keep what the strict reader refuses, and say what that was");
    trace_app->footer("Example:\n  acta trace run.json --to http://localhost:4318 --agent pilot");
    return {trace_app, [command] { return trace(*command); }};
}

}  // namespace tools
