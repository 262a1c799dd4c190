// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/describe/describe.hpp"
#include "acta/json/json.hpp"
#include "acta/mcp/result.hpp"
#include "acta/version.hpp"

// What clients and servers of the Model Context Protocol tell each other (its schema.ts, revisions 2025-03-26 to
// 2026-07-28). Members that a revision adds are kept in `extra`.
namespace acta::inline ACTA_ABI::mcp {

/// A program that speaks the protocol.
struct Implementation {
    std::string name{};     ///< For programs.
    std::string version{};  ///< Of the program.
    std::string title{};    ///< For people; omitted if empty.
    JsonObject extra{};     ///< Everything else, such as `websiteUrl`.

    friend bool operator==(const Implementation&, const Implementation&) = default;
};

/// What a tool does to the world, in the words of its server, which need not be true.
struct ToolAnnotations {
    std::string title{};                ///< For people; omitted if empty.
    std::optional<bool> read_only{};    ///< `readOnlyHint`: it changes nothing. Not so by default.
    std::optional<bool> destructive{};  ///< `destructiveHint`: it may delete or overwrite. So by default.
    std::optional<bool> idempotent{};   ///< `idempotentHint`: a second call changes nothing more. Not so by default.
    std::optional<bool> open_world{};   ///< `openWorldHint`: it reaches beyond what is known. So by default.
    JsonObject extra{};                 ///< Everything else.

    friend bool operator==(const ToolAnnotations&, const ToolAnnotations&) = default;
};

/// A tool of a server.
struct Tool {
    std::string name{};                            ///< By which it is called.
    std::string title{};                           ///< For people; omitted if empty.
    std::string description{};                     ///< What it does, for a model; omitted if empty.
    JsonObject input_schema{};                     ///< The JSON Schema of its arguments.
    std::optional<JsonObject> output_schema{};     ///< The JSON Schema of its structured content.
    std::optional<ToolAnnotations> annotations{};  ///< What it does to the world.
    JsonObject extra{};                            ///< Everything else, such as `icons`.

    friend bool operator==(const Tool&, const Tool&) = default;
};

/// Something that a client can read.
struct Resource {
    std::string uri{};                   ///< By which it is read.
    std::string name{};                  ///< For programs, and for people if it has no `title`.
    std::string title{};                 ///< For people; omitted if empty.
    std::string description{};           ///< For a model; omitted if empty.
    std::string mime_type{};             ///< `mimeType`; omitted if empty.
    std::optional<std::int64_t> size{};  ///< In bytes, before any encoding.
    JsonObject extra{};                  ///< Everything else, such as `annotations`.

    friend bool operator==(const Resource&, const Resource&) = default;
};

/// Resources whose URIs have a common form.
struct ResourceTemplate {
    std::string uri_template{};  ///< By RFC 6570, such as `file:///{path}`.
    std::string name{};          ///< For programs, and for people if it has no `title`.
    std::string title{};         ///< For people; omitted if empty.
    std::string description{};   ///< For a model; omitted if empty.
    std::string mime_type{};     ///< Of all such resources; omitted if empty.
    JsonObject extra{};          ///< Everything else, such as `annotations`.

    friend bool operator==(const ResourceTemplate&, const ResourceTemplate&) = default;
};

/// An argument of a prompt, which is a text.
struct PromptArgument {
    std::string name{};         ///< By which it is given.
    std::string title{};        ///< For people; omitted if empty.
    std::string description{};  ///< For people; omitted if empty.
    bool required = false;      ///< Whether it must be given.
    JsonObject extra{};         ///< Everything else.

    friend bool operator==(const PromptArgument&, const PromptArgument&) = default;
};

/// Messages that a server can make out of arguments.
struct Prompt {
    std::string name{};                       ///< By which it is requested.
    std::string title{};                      ///< For people; omitted if empty.
    std::string description{};                ///< For people; omitted if empty.
    std::vector<PromptArgument> arguments{};  ///< In order; omitted if there are none.
    JsonObject extra{};                       ///< Everything else, such as `icons`.

    friend bool operator==(const Prompt&, const Prompt&) = default;
};

/// A message of a prompt.
struct PromptMessage {
    std::string role{};      ///< `user` or `assistant`.
    ContentBlock content{};  ///< One block.

    friend bool operator==(const PromptMessage&, const PromptMessage&) = default;
};

/// A server's answer to `prompts/get`.
struct PromptResult {
    std::string description{};              ///< Of the prompt; omitted if empty.
    std::vector<PromptMessage> messages{};  ///< For a model.
    JsonObject extra{};                     ///< Everything else.

    friend bool operator==(const PromptResult&, const PromptResult&) = default;
};

/// Values that complete an argument which a person is typing.
struct Completion {
    std::vector<std::string> values{};    ///< The best first, at most 100.
    std::optional<std::int64_t> total{};  ///< How many there are.
    bool has_more = false;                ///< `hasMore`: whether there are more than these.
    JsonObject extra{};                   ///< Everything else.

    friend bool operator==(const Completion&, const Completion&) = default;
};

/// What a server asks a person for (`elicitation/create`).
struct InputRequest {
    std::string mode = "form";      ///< `form` or `url`.
    std::string message{};          ///< For the person, in the server's words.
    JsonObject requested_schema{};  ///< Of a form: an object of texts, numbers, booleans and choices.
    std::string url{};              ///< Of a `url`: what the person opens, after seeing it whole.
    JsonObject extra{};             ///< Everything else, such as `elicitationId`.

    friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

/// A person's answer to a server's question.
struct InputAnswer {
    /// What the person does.
    enum class Action {
        accept,   ///< Fills in the form, or agrees to open the URL.
        decline,  ///< Says no.
        cancel    ///< Says neither.
    };
    Action action = Action::cancel;  ///< What the person does.
    JsonObject content{};            ///< Of an accepted form. What is missing has its default by the form's schema.

    friend bool operator==(const InputAnswer&, const InputAnswer&) = default;
};

/// What a server reports about its work (`notifications/message`).
struct LogMessage {
    std::string level{};   ///< `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.
    std::string logger{};  ///< The part of the server that reports; omitted if empty.
    Json data{};           ///< What it reports: a text, or any JSON.
    JsonObject extra{};    ///< Everything else.

    friend bool operator==(const LogMessage&, const LogMessage&) = default;
};

/// What is completed: an argument of a prompt, or a variable of a template's URI.
struct CompletionRequest {
    std::string prompt{};        ///< The name of a prompt; empty for a template.
    std::string uri_template{};  ///< A template.
    std::string argument{};      ///< The name of the argument or variable.
    std::string value{};         ///< What was typed so far.
    JsonObject context{};        ///< The arguments that are known already, texts by name.
};

/// The changes that a client wants to learn of.
struct Subscription {
    bool tools = false;               ///< That the list of tools has changed.
    bool prompts = false;             ///< That the list of prompts has changed.
    bool resources = false;           ///< That the list of resources has changed.
    std::vector<std::string> uris{};  ///< That one of these resources has changed.
};

/// What has changed on a server.
struct Change {
    /// The kinds of changes.
    enum class Kind {
        tools,      ///< The list of tools.
        prompts,    ///< The list of prompts.
        resources,  ///< The list of resources.
        resource    ///< The contents of one.
    };
    Kind kind = Kind::tools;  ///< What it is.
    std::string uri{};        ///< Of a resource.

    friend bool operator==(const Change&, const Change&) = default;
};

}  // namespace acta::inline ACTA_ABI::mcp

namespace acta::inline ACTA_ABI {

template <>
struct Describe<mcp::Implementation> {
    using T = mcp::Implementation;
    static constexpr std::string_view name = "Implementation";
    static constexpr auto fields = acta::fields(required("name", &T::name), defaulted("version", &T::version),
                                                omit_if_empty("title", &T::title), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::ToolAnnotations> {
    using T = mcp::ToolAnnotations;
    static constexpr std::string_view name = "ToolAnnotations";
    static constexpr auto fields =
        acta::fields(omit_if_empty("title", &T::title), omit_if_empty("readOnlyHint", &T::read_only),
                     omit_if_empty("destructiveHint", &T::destructive), omit_if_empty("idempotentHint", &T::idempotent),
                     omit_if_empty("openWorldHint", &T::open_world), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::Tool> {
    using T = mcp::Tool;
    static constexpr std::string_view name = "Tool";
    static constexpr auto fields = acta::fields(
        required("name", &T::name), omit_if_empty("title", &T::title), omit_if_empty("description", &T::description),
        required("inputSchema", &T::input_schema), omit_if_empty("outputSchema", &T::output_schema),
        omit_if_empty("annotations", &T::annotations), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::Resource> {
    using T = mcp::Resource;
    static constexpr std::string_view name = "Resource";
    static constexpr auto fields =
        acta::fields(required("uri", &T::uri), required("name", &T::name), omit_if_empty("title", &T::title),
                     omit_if_empty("description", &T::description), omit_if_empty("mimeType", &T::mime_type),
                     omit_if_empty("size", &T::size), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::ResourceTemplate> {
    using T = mcp::ResourceTemplate;
    static constexpr std::string_view name = "ResourceTemplate";
    static constexpr auto fields =
        acta::fields(required("uriTemplate", &T::uri_template), required("name", &T::name),
                     omit_if_empty("title", &T::title), omit_if_empty("description", &T::description),
                     omit_if_empty("mimeType", &T::mime_type), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::PromptArgument> {
    using T = mcp::PromptArgument;
    static constexpr std::string_view name = "PromptArgument";
    static constexpr auto fields = acta::fields(required("name", &T::name), omit_if_empty("title", &T::title),
                                                omit_if_empty("description", &T::description),
                                                defaulted("required", &T::required), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::Prompt> {
    using T = mcp::Prompt;
    static constexpr std::string_view name = "Prompt";
    static constexpr auto fields = acta::fields(required("name", &T::name), omit_if_empty("title", &T::title),
                                                omit_if_empty("description", &T::description),
                                                omit_if_empty("arguments", &T::arguments), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::PromptMessage> {
    using T = mcp::PromptMessage;
    static constexpr std::string_view name = "PromptMessage";
    static constexpr auto fields = acta::fields(required("role", &T::role), required("content", &T::content));
};
template <>
struct Describe<mcp::PromptResult> {
    using T = mcp::PromptResult;
    static constexpr std::string_view name = "PromptResult";
    static constexpr auto fields = acta::fields(omit_if_empty("description", &T::description),
                                                required("messages", &T::messages), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::Completion> {
    using T = mcp::Completion;
    static constexpr std::string_view name = "Completion";
    static constexpr auto fields = acta::fields(required("values", &T::values), omit_if_empty("total", &T::total),
                                                defaulted("hasMore", &T::has_more), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::InputRequest> {
    using T = mcp::InputRequest;
    static constexpr std::string_view name = "InputRequest";
    static constexpr auto fields = acta::fields(defaulted("mode", &T::mode), required("message", &T::message),
                                                omit_if_empty("requestedSchema", &T::requested_schema),
                                                omit_if_empty("url", &T::url), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::InputAnswer::Action> {
    static constexpr std::string_view name = "Action";
    static constexpr auto values = acta::values<mcp::InputAnswer::Action>({
        {"accept", mcp::InputAnswer::Action::accept},
        {"decline", mcp::InputAnswer::Action::decline},
        {"cancel", mcp::InputAnswer::Action::cancel},
    });
};
template <>
struct Describe<mcp::InputAnswer> {
    using T = mcp::InputAnswer;
    static constexpr std::string_view name = "InputAnswer";
    static constexpr auto fields = acta::fields(required("action", &T::action), omit_if_empty("content", &T::content));
};
template <>
struct Describe<mcp::LogMessage> {
    using T = mcp::LogMessage;
    static constexpr std::string_view name = "LogMessage";
    static constexpr auto fields = acta::fields(required("level", &T::level), omit_if_empty("logger", &T::logger),
                                                required("data", &T::data), unknown_keys(&T::extra));
};

}  // namespace acta::inline ACTA_ABI
