// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "growth/inputs.hpp"

/// Documents of other programs with one step of many calls, whose results follow in either order.
namespace growth {

inline std::string text_of(const Json& value) { return acta::dump(value); }

/// A list of JSON lines.
inline std::string lines_of(const Json& list) {
    std::string out;
    for (const Json& one : list) out += text_of(one) + "\n";
    return out;
}

inline Json object(std::initializer_list<std::pair<std::string, Json>> members) {
    Json out = Json::object();
    for (const auto& [key, value] : members) out[key] = value;
    return out;
}

/// The tool of a call: all the same, or each another.
inline std::string tool_of(std::size_t i, bool different) { return different ? "look_" + id_of(i) : "look"; }

inline Json openai_call(std::size_t i, const std::string& id, bool different) {
    return object({{"id", id},
                   {"type", "function"},
                   {"function", object({{"name", tool_of(i, different)}, {"arguments", "{}"}})}});
}

/// Options of a document.
struct Shape {
    Order order = Order::forward;
    bool ids = true;         ///< Whether calls and results have ids.
    bool different = false;  ///< Whether each call is of another tool.
    bool broken = false;     ///< Whether the arguments are not a JSON object.
};

inline std::string openai_messages(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json out = Json::array({object({{"role", "user"}, {"content", "Look."}})});
    for (std::size_t i = 0; i < n; ++i) {
        calls.push_back(openai_call(i, shape.ids ? id_of(i) : "", shape.different));
        if (shape.broken) calls.back()["function"]["arguments"] = "{" + std::to_string(i);
    }
    out.push_back(object({{"role", "assistant"}, {"content", "I look."}, {"tool_calls", calls}}));
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = place(i, n, shape.order);
        Json result = object({{"role", "tool"}, {"content", "seen"}});
        if (shape.ids) result["tool_call_id"] = id_of(at);
        if (shape.different) result["name"] = tool_of(at, true);
        out.push_back(result);
    }
    return text_of(out);
}

/// Calls as parts of the content, as gateways leave them.
inline std::string openai_call_parts(std::size_t n) {
    Json parts = Json::array();
    for (std::size_t i = 0; i < n; ++i)
        parts.push_back(object({{"type", "tool_use"}, {"id", id_of(i)}, {"name", "look"}, {"input", Json::object()}}));
    Json out = Json::array({object({{"role", "user"}, {"content", "Look."}}),
                            object({{"role", "assistant"}, {"content", parts}, {"tool_calls", Json::array()}})});
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(object({{"role", "tool"}, {"content", "seen"}, {"tool_call_id", id_of(i)}}));
    return text_of(out);
}

inline std::string anthropic_messages(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json results = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = place(i, n, shape.order);
        calls.push_back(object({{"type", "tool_use"},
                                {"id", shape.ids ? id_of(i) : ""},
                                {"name", tool_of(i, shape.different)},
                                {"input", Json::object()}}));
        results.push_back(object({{"type", "tool_result"}, {"content", "seen"}}));
        if (shape.ids) results.back()["tool_use_id"] = id_of(at);
    }
    return text_of(Json::array({object({{"role", "user"}, {"content", "Look."}}),
                                object({{"role", "assistant"}, {"content", calls}}),
                                object({{"role", "user"}, {"content", results}})}));
}

inline Json response_items(std::size_t n, Order order) {
    Json out = Json::array({object({{"type", "message"}, {"role", "user"}, {"content", "Look."}})});
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(
            object({{"type", "function_call"}, {"call_id", id_of(i)}, {"name", "look"}, {"arguments", "{}"}}));
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(
            object({{"type", "function_call_output"}, {"call_id", id_of(place(i, n, order))}, {"output", "seen"}}));
    return out;
}

inline std::string codex_session(std::size_t n, Order order) {
    Json out = Json::array();
    for (const Json& item : response_items(n, order))
        out.push_back(object({{"type", "response_item"}, {"payload", item}}));
    return lines_of(out);
}

inline std::string langchain_messages(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    for (std::size_t i = 0; i < n; ++i)
        calls.push_back(object({{"name", "look"}, {"args", Json::object()}, {"id", id_of(i)}}));
    Json out = Json::array({object({{"type", "human"}, {"content", "Look."}}),
                            object({{"type", "ai"}, {"content", "I look."}, {"tool_calls", calls}})});
    for (std::size_t i = 0; i < n; ++i) {
        Json result = object({{"type", shape.ids ? "tool" : "function"}, {"content", "seen"}});
        if (shape.ids) result["tool_call_id"] = id_of(place(i, n, shape.order));
        out.push_back(result);
    }
    return text_of(out);
}

inline std::string goose_session(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json results = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        const Json call = object({{"status", "success"}, {"value", object({{"name", "look"}})}});
        const Json result = object({{"status", "success"}, {"value", Json::array()}});
        calls.push_back(object({{"type", "toolRequest"}, {"id", id_of(i)}, {"toolCall", call}}));
        results.push_back(
            object({{"type", "toolResponse"}, {"id", id_of(place(i, n, shape.order))}, {"toolResult", result}}));
    }
    return lines_of(Json::array(
        {object({{"role", "assistant"}, {"content", calls}}), object({{"role", "user"}, {"content", results}})}));
}

/// Calls in blocks, and the same beside them.
inline std::string llama_index_messages(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json blocks = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        calls.push_back(openai_call(i, id_of(i), false));
        blocks.push_back(object({{"block_type", "tool_call"}, {"tool_call_id", id_of(i)}, {"tool_name", "look"}}));
    }
    Json out = Json::array(
        {object({{"role", "assistant"}, {"additional_kwargs", object({{"tool_calls", calls}})}, {"blocks", blocks}})});
    for (std::size_t i = 0; i < n; ++i) {
        const Json more = object({{"tool_call_id", id_of(place(i, n, shape.order))}});
        out.push_back(object({{"role", "tool"}, {"content", "seen"}, {"additional_kwargs", more}}));
    }
    return text_of(out);
}

/// A response of many calls, and halves of surrogate pairs in their arguments.
inline std::string logged_request(std::size_t n) {
    Json calls = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        calls.push_back(openai_call(i, id_of(i), false));
        calls.back()["function"]["arguments"] = R"({"x": "\ud83d"})";
    }
    const Json message = object({{"role", "assistant"}, {"content", "I look."}, {"tool_calls", calls}});
    return text_of(object({{"messages", Json::array({object({{"role", "user"}, {"content", "Look."}})})},
                           {"response", object({{"choices", Json::array({object({{"message", message}})})}})}}));
}

/// Answers of Claude Code, and lines with totals.
inline std::string claude_code_totals(std::size_t n) {
    Json out = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        const Json message = object({{"id", id_of(i)}, {"role", "assistant"}, {"content", "I look."}});
        out.push_back(object({{"type", "assistant"}, {"message", message}}));
    }
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(object({{"type", "result"}, {"result", "I looked."}, {"total_cost_usd", 0.5}}));
    return lines_of(out);
}

inline std::string openhands_events(std::size_t n, Order order) {
    Json out = Json::array();
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(object({{"kind", "ActionEvent"},
                              {"source", "agent"},
                              {"llm_response_id", "response"},
                              {"tool_call_id", id_of(i)},
                              {"tool_name", "look"},
                              {"action", Json::object()}}));
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(object({{"kind", "ObservationEvent"},
                              {"source", "environment"},
                              {"tool_call_id", id_of(place(i, n, order))},
                              {"observation", object({{"content", "seen"}})}}));
    return text_of(out);
}

inline std::string old_openhands_events(std::size_t n, Order order) {
    Json out = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        const Json call = object(
            {{"tool_call_id", id_of(i)}, {"function_name", "look"}, {"model_response", object({{"id", "response"}})}});
        out.push_back(object({{"id", i},
                              {"source", "agent"},
                              {"action", "look"},
                              {"args", Json::object()},
                              {"tool_call_metadata", call}}));
    }
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(object({{"id", n + i},
                              {"source", "agent"},
                              {"cause", place(i, n, order)},
                              {"observation", "look"},
                              {"content", "seen"}}));
    return text_of(out);
}

/// Each call and each result on a line; with `agents`, each call is a subagent with lines of its own.
inline std::string claude_code_session(std::size_t n, Order order, bool agents = false) {
    Json out = Json::array();
    std::string parent;
    const auto add = [&](const std::string& uuid, const char* role, const Json& content, const Json& more) {
        Json line = object({{"uuid", uuid}, {"parentUuid", parent.empty() ? Json() : Json(parent)}, {"type", role}});
        line["message"] = object({{"role", role}, {"content", content}});
        for (const auto& [key, value] : more.items()) line[key] = value;
        parent = uuid;
        out.push_back(line);
    };
    add("begin", "user", "Look.", Json::object());
    for (std::size_t i = 0; i < n; ++i) {
        const Json input = agents ? object({{"prompt", "Prompt " + id_of(i)}}) : Json::object();
        const Json block =
            object({{"type", "tool_use"}, {"id", id_of(i)}, {"name", agents ? "Task" : "Look"}, {"input", input}});
        add("a" + id_of(i), "assistant", Json::array({block}), Json::object());
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::string id = id_of(place(i, n, order));
        const Json block = object({{"type", "tool_result"}, {"tool_use_id", id}, {"content", "seen"}});
        add("r" + id, "user", Json::array({block}), Json::object());
    }
    const std::string last = parent;
    for (std::size_t i = 0; agents && i < n; ++i) {
        parent.clear();
        const Json side = object({{"isSidechain", true}});
        add("s" + id_of(i), "user", "Prompt " + id_of(place(i, n, order)), side);
        add("t" + id_of(i), "assistant", "Seen.", side);
    }
    return lines_of(out);
}

inline std::string mini_swe_agent(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json actions = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        calls.push_back(openai_call(i, id_of(i), false));
        actions.push_back(object({{"command", "ls " + id_of(i)}}));
    }
    Json answer = object({{"role", "assistant"}, {"content", "I look."}});
    if (shape.ids)
        answer["tool_calls"] = calls;
    else
        answer["extra"] = object({{"actions", actions}});
    Json messages = Json::array({object({{"role", "user"}, {"content", "Look."}}), answer});
    for (std::size_t i = 0; i < n; ++i) {
        Json result = object({{"role", shape.ids ? "tool" : "user"}, {"content", "seen"}});
        if (shape.ids) result["tool_call_id"] = id_of(place(i, n, shape.order));
        messages.push_back(result);
    }
    return text_of(object({{"trajectory_format", "mini-swe-agent-1"}, {"messages", messages}}));
}

inline std::string swe_agent(std::size_t n, const Shape& shape = {}) {
    Json calls = Json::array();
    Json history = Json::array({object({{"role", "user"}, {"content", "Look."}})});
    for (std::size_t i = 0; i < n; ++i) calls.push_back(openai_call(i, id_of(i), false));
    history.push_back(
        object({{"role", "assistant"}, {"content", "I look."}, {"action", "look"}, {"tool_calls", calls}}));
    for (std::size_t i = 0; i < n; ++i) {
        Json result = object({{"role", "tool"}, {"content", "seen"}});
        if (shape.ids) result["tool_call_ids"] = Json::array({id_of(place(i, n, shape.order))});
        history.push_back(result);
    }
    return text_of(object({{"trajectory", Json::array()}, {"history", history}}));
}

/// Messages and steps, of which no two are of the same action.
inline std::string swe_agent_of_two_runs(std::size_t n) {
    Json history = Json::array();
    Json steps = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        history.push_back(object({{"role", "assistant"}, {"content", "c"}, {"action", "ls " + id_of(i)}}));
        steps.push_back(object({{"action", "ls " + id_of(n + i)}}));
    }
    return text_of(object({{"trajectory", steps}, {"history", history}}));
}

inline std::string autogpt_run(std::size_t n, bool failed) {
    Json tools = Json::array();
    Json outputs = Json::object();
    Json errors = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        tools.push_back(object({{"name", tool_of(i, true)}, {"arguments", Json::object()}}));
        if (failed) errors.push_back(tool_of(i, true) + ": not there");
    }
    if (failed) outputs["_errors"] = errors;
    auto& members = outputs.get_ref<Json::object_t&>();
    for (std::size_t i = 0; !failed && i < n; ++i)
        static_cast<Json::object_t::Container&>(members).emplace_back(tool_of(i, true), Json("seen"));
    const Json action = object(
        {{"thoughts", object({{"text", "x"}, {"plan", Json::array()}})}, {"use_tool", tools[0]}, {"use_tools", tools}});
    const Json result = object({{"status", "success"}, {"outputs", outputs}});
    return text_of(object({{"episodes", Json::array({object({{"action", action}, {"result", result}})})}}));
}

/// An ATIF document of a step whose calls have no ids, or all the same, or ids that others would be given.
inline std::string atif_document(std::size_t n, const Shape& shape, std::size_t first_id) {
    Json calls = Json::array();
    Json results = Json::array();
    for (std::size_t i = 0; i < n; ++i) {
        const bool named = shape.ids && i < n / 2;
        calls.push_back(object({{"tool_call_id", named ? "call_" + std::to_string(first_id + i) : std::string()},
                                {"function_name", "look"},
                                {"arguments", shape.broken ? Json("{" + std::to_string(i)) : Json::object()}}));
        results.push_back(object({{"content", "seen"}}));
    }
    const Json step = object({{"step_id", 1},
                              {"source", "agent"},
                              {"message", "I look."},
                              {"tool_calls", calls},
                              {"observation", object({{"results", results}})}});
    return text_of(object({{"schema_version", "ATIF-v1.7"},
                           {"session_id", "s"},
                           {"agent", object({{"name", "a"}, {"version", "1"}})},
                           {"steps", Json::array({step})}}));
}

}  // namespace growth
