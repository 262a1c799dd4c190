// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "acta/version.hpp"

// `Describe`, and the types that a header of a program is likely to mention. It includes no JSON library, so a
// description can be specialised at little cost.
namespace acta::inline ACTA_ABI {

/// The description of `T`. Specialise it at namespace scope, outside your own namespace, before the first use of `T`
/// with acta. A struct has `fields`, an enum `values`, and a type that is written as another type `representation` with
/// `from_representation` and `to_representation`. Each may have `name` (the schema's title) and `doc` (its
/// description), both texts.
template <class T>
struct Describe {
    using not_described = void;  ///< Marks a type without a description. Specialisations omit it.
};

// base
class Cancelled;    // include acta/base/error.hpp
class EncodeError;  // include acta/base/error.hpp
class Error;        // include acta/base/error.hpp
class FileError;    // include acta/base/error.hpp
class JsonObject;   // include acta/base/json_value.hpp
class Timeout;      // include acta/base/error.hpp

// json
class ValidationError;  // include acta/json/issue.hpp
struct DumpOptions;     // include acta/json/issue.hpp
struct Issue;           // include acta/json/issue.hpp
struct ParseOptions;    // include acta/json/issue.hpp
struct Timestamp;       // include acta/json/timestamp.hpp

// schema
struct SchemaOptions;  // include acta/schema/schema.hpp

// pysyntax
struct AssistantFunctionCall;  // include acta/pysyntax/repr.hpp

// text
class AnyTokenCounter;  // include acta/text/tokens.hpp

// observe
class Observer;  // include acta/observe/observer.hpp

// chat
enum class ChatRole;          // include acta/chat/message.hpp
class ChatModelRef;           // include acta/chat/chat_model.hpp
struct AssistantChatMessage;  // include acta/chat/message.hpp
struct AssistantToolCall;     // include acta/chat/message.hpp
struct ChatCompletion;        // include acta/chat/chat_model.hpp
struct ChatMessage;           // include acta/chat/message.hpp
struct ToolDefinition;        // include acta/chat/chat_model.hpp

// action
enum class ResultStatus;          // include acta/action/action.hpp
struct ActionErrorResult;         // include acta/action/action.hpp
struct ActionInterruptedByHuman;  // include acta/action/action.hpp
struct ActionSuccessResult;       // include acta/action/action.hpp
struct ErrorInfo;                 // include acta/action/action.hpp
template <class Thoughts = std::string>
struct ActionProposal;  // include acta/action/action.hpp
/// The result of an action. In JSON the three are distinguished by `status`.
using ActionResult = std::variant<ActionSuccessResult, ActionErrorResult, ActionInterruptedByHuman>;

// history
class HistoryError;  // include acta/history/episode.hpp
struct StepMetrics;  // include acta/history/episode.hpp
struct ToolResult;   // include acta/action/action.hpp
template <class P = ActionProposal<>>
struct Episode;  // include acta/history/episode.hpp
template <class P>
class HistoryJournal;  // include acta/history/change.hpp
template <class P = ActionProposal<>>
class EpisodicActionHistory;  // include acta/history/history.hpp
template <class P = ActionProposal<>>
class SharedHistory;  // include acta/history/shared_history.hpp

// prompt
class Prompt;          // include acta/prompt/prompt.hpp
struct PromptOptions;  // include acta/prompt/prompt.hpp

// compress
class AnySummarizer;        // include acta/compress/compress.hpp
struct CompressionOptions;  // include acta/compress/compress.hpp

// skill
class SkillContext;   // include acta/skill/context.hpp
class SkillRegistry;  // include acta/skill/registry.hpp

// store
class HistoryStore;  // include acta/store/history_store.hpp
template <class P = ActionProposal<>>
class StoredHistory;  // include acta/store/stored_history.hpp

// interop
namespace atif {
struct Document;  // include acta/interop/atif/atif.hpp
}  // namespace atif

// agent
class AgentRun;     // include acta/agent/agent_run.hpp
struct RunOptions;  // include acta/agent/agent_run.hpp
struct RunResult;   // include acta/agent/agent_run.hpp

}  // namespace acta::inline ACTA_ABI
