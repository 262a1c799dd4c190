// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/json.hpp"
#include "acta/pysyntax/repr.hpp"

#if defined(__has_include)
#if __has_include(<cxxabi.h>)
#define ACTA_DETAIL_CXXABI 1
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#endif
#endif
#if defined(__cpp_rtti) || defined(_CPPRTTI)
#define ACTA_DETAIL_RTTI 1
#include <typeinfo>
#endif

namespace acta::inline ACTA_ABI {

namespace action_detail {

/// Returns the text of an exception as it is kept: redacted, valid UTF-8, not too long, whatever the options.
ACTA_INLINE std::string kept_text(std::string_view text, const ErrorOptions& options) {
    std::string out = utf8::replace_invalid(options.redactor ? options.redactor(text) : std::string(text));
    const std::size_t longest = std::min(options.max_error_bytes, max_content_bytes / 8);  // a byte may become six
    if (out.size() <= longest) return out;
    const std::size_t size = utf8::prefix(out, longest).size();
    const std::string note = "... (" + std::to_string(out.size() - size) + " bytes cut)";
    out.resize(size);
    return out + note;
}

#if defined(ACTA_DETAIL_RTTI)
/// Returns the type that was thrown, without the standard library's wrapper of `std::throw_with_nested`.
ACTA_INLINE std::string without_nesting(std::string name) {
    for (const std::string_view wrapper : {"_Nested_exception[", "__nested[", "_With_nested_v2["}) {
        if (name.starts_with(wrapper) && name.ends_with(']'))
            return name.substr(wrapper.size(), name.size() - wrapper.size() - 1);
    }
    return name;
}

ACTA_INLINE std::string class_name(const std::type_info& type) {
#if defined(ACTA_DETAIL_CXXABI)
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                      &std::free);
    if (status == 0) return without_nesting(introspection::short_type_name(name.get()));
#endif
    std::string_view text = type.name();
    for (const std::string_view prefix : {"class ", "struct "}) {
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    return without_nesting(introspection::short_type_name(text));
}
#endif

ACTA_INLINE std::string exception_class([[maybe_unused]] const std::exception& exception) {
#if defined(ACTA_DETAIL_RTTI)
    return class_name(typeid(exception));
#else
    return "std::exception";
#endif
}

ACTA_INLINE std::string call_form(const std::string& type, const std::string& message) {
    return message.empty() ? type + "()" : type + "(" + python_repr(message) + ")";
}

/// Returns the type of the exception that is being handled, for when only the runtime knows it.
ACTA_INLINE std::string current_exception_class() {
#if defined(ACTA_DETAIL_RTTI) && defined(ACTA_DETAIL_CXXABI)
    if (const std::type_info* const type = abi::__cxa_current_exception_type()) return class_name(*type);
#endif
    return "unknown";
}

/// Returns the exception that `exception` is nested on, or null.
ACTA_INLINE std::exception_ptr cause_of([[maybe_unused]] const std::exception& exception) {
#if defined(ACTA_DETAIL_RTTI)
    if (const auto* const nested = dynamic_cast<const std::nested_exception*>(&exception)) return nested->nested_ptr();
#endif
    return nullptr;
}

/// Calls `callback(type, message, cause)` for the exception.
template <class Callback>
void with_exception(const std::exception_ptr& exception, const Callback& callback) {
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& e) {
        callback(exception_class(e), std::string(base::what_of(e)), cause_of(e));
    } catch (const std::string& text) {
        callback(std::string("string"), text, std::exception_ptr());
    } catch (const char* text) {
        callback(std::string("char const*"), std::string(text == nullptr ? "" : text), std::exception_ptr());
    } catch (int value) {
        callback(std::string("int"), std::to_string(value), std::exception_ptr());
    } catch (...) {
        callback(current_exception_class(), std::string(), std::exception_ptr());
    }
}

ACTA_INLINE void add_causes(ErrorInfo& error, std::exception_ptr cause, const ErrorOptions& options) {
    constexpr int longest_chain = 32;
    for (int i = 0; cause != nullptr && i < longest_chain; ++i) {
        with_exception(cause, [&](const std::string& type, const std::string& what, const std::exception_ptr& next) {
            error.args.emplace_back(ErrorInfo::make(type, what, options).repr);
            cause = next;
        });
    }
}

}  // namespace action_detail

ACTA_INLINE ErrorInfo ErrorInfo::make(const std::string& type, std::string_view message, const ErrorOptions& options) {
    ErrorInfo error;
    error.message = action_detail::kept_text(message, options);
    error.exception_type = type;
    error.repr = action_detail::kept_text(action_detail::call_form(type, error.message), {options.max_error_bytes, {}});
    if (!error.message.empty()) error.args.emplace_back(error.message);
    return error;
}

ACTA_INLINE ErrorInfo ErrorInfo::from_exception(const std::exception& exception, const ErrorOptions& options) {
    ErrorInfo error = ErrorInfo::make(action_detail::exception_class(exception), base::what_of(exception), options);
    action_detail::add_causes(error, action_detail::cause_of(exception), options);
    return error;
}

ACTA_INLINE ErrorInfo ErrorInfo::from_exception(const std::exception_ptr& exception, const ErrorOptions& options) {
    if (exception == nullptr) return ErrorInfo::make("NoneType", {}, options);
    ErrorInfo error;
    action_detail::with_exception(
        exception, [&](const std::string& type, const std::string& what, const std::exception_ptr& cause) {
            error = ErrorInfo::make(type, what, options);
            action_detail::add_causes(error, cause, options);
        });
    return error;
}

namespace action_detail {

ACTA_INLINE std::string kind_of(const ShortError& error) {
    std::string out = error.exception_type;
    for (const Json& cause : error.causes)
        out.append(", caused by ").append(cause.is_string() ? cause.get<std::string>() : dump(cause));
    return out;
}

ACTA_INLINE ErrorInfo lengthened(const std::string& reason, ShortError error) {
    ErrorInfo out = ErrorInfo::make(error.exception_type, reason);
    out.args.insert(out.args.end(), std::make_move_iterator(error.causes.begin()),
                    std::make_move_iterator(error.causes.end()));
    return out;
}

ACTA_INLINE std::optional<ShortError> shortened(const ActionErrorResult& result) {
    if (!result.error || result.error->message != result.reason) return std::nullopt;
    const auto& args = result.error->args;
    ShortError out{result.error->exception_type, {}};
    if (!args.empty()) out.causes.assign(args.begin() + (result.reason.empty() ? 0 : 1), args.end());
    if (lengthened(result.reason, out) != *result.error) return std::nullopt;
    return out;
}

}  // namespace action_detail

}  // namespace acta::inline ACTA_ABI

#undef ACTA_DETAIL_CXXABI
#undef ACTA_DETAIL_RTTI

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string fenced(std::string_view text) {
    constexpr std::string_view fence = "```";
    std::string out = "```\n";
    for (std::size_t at = text.find(fence); at != std::string_view::npos; at = text.find(fence)) {
        out.append(text.substr(0, at)).append("\\```");
        text.remove_prefix(at + fence.size());
    }
    return out.append(text).append("\n```");
}

namespace action_detail {

/// Returns whether a line begins like one of acta's own.
ACTA_INLINE bool begins_like_own(std::string_view line) {
    if (line.starts_with('#') || line.starts_with("- **") || line.starts_with("* ")) return true;
    const std::size_t digits = line.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string_view::npos && line.substr(digits).starts_with(". Executed");
}

}  // namespace action_detail

ACTA_INLINE std::string contained(std::string_view text) {
    std::string out;
    for (std::size_t next = unicode::next_line(text); next != std::string_view::npos; next = unicode::next_line(text)) {
        while (next < text.size() && (text[next] == ' ' || text[next] == '\t')) ++next;
        out += text.substr(0, next);
        text.remove_prefix(next);
        if (action_detail::begins_like_own(text)) out += '\\';
    }
    return out.append(text);
}

ACTA_INLINE std::string to_string(const ActionSuccessResult& result) {
    std::string text = shown_text(result.outputs);
    if (text.find('\n') != std::string::npos) return fenced(text);
    return text;
}

ACTA_INLINE std::string to_string(const ActionErrorResult& result) {
    return "Action failed: '" + hide_binary(result.reason) + "'";
}

ACTA_INLINE std::string to_string(const ActionInterruptedByHuman& result) {
    return "The user interrupted the action with the following feedback: \"" + hide_binary(result.feedback) + "\"";
}

namespace action_detail {

ACTA_INLINE std::string result_text(const ActionResult& result) {
    return std::visit([](const auto& one) { return to_string(one); }, result);
}

}  // namespace action_detail

ACTA_INLINE std::string to_string(const ToolResult& one) { return one.tool_call_id + ": " + to_string(one.result); }

ACTA_INLINE std::string to_string(const CallIdentity& call) {
    return call.tool_call_id + " of step " + std::to_string(call.step);
}

ACTA_INLINE std::string to_string(const CallDecision& decision) {
    std::string out = decision.approved ? "approved" : "refused";
    if (!decision.by.empty()) out += " by " + decision.by;
    if (!decision.feedback.empty()) out += ": " + decision.feedback;
    return out;
}

ACTA_INLINE std::string to_string(const OpenCall& open) {
    return to_string(open.call) + (open.decision ? " (" + to_string(*open.decision) + ")" : "");
}

ACTA_INLINE std::vector<std::string> call_ids(std::size_t calls, const AssistantChatMessage* message) {
    std::vector<std::string> ids;
    ids.reserve(calls);
    if (message != nullptr && message->tool_calls && message->tool_calls->size() == calls) {
        for (const AssistantToolCall& call : *message->tool_calls) ids.push_back(call.id);
        std::vector<std::string_view> sorted(ids.begin(), ids.end());
        std::sort(sorted.begin(), sorted.end());
        const bool different = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        if (different && (sorted.empty() || !sorted.front().empty())) return ids;
        ids.clear();
    }
    for (std::size_t i = 0; i < calls; ++i) ids.push_back("call_" + std::to_string(i));
    return ids;
}

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // the instances for the default types
namespace acta::inline ACTA_ABI {
template struct codec::Document<AssistantFunctionCall>;
template struct codec::Document<ActionProposal<>>;
template struct codec::Document<ActionResult>;
}  // namespace acta::inline ACTA_ABI
#endif
