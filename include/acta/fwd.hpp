// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "acta/version.hpp"

// The names of acta's types, for headers that only mention them. It includes no JSON library, so a description can be
// specialised at little cost.
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
class Cancelled;      // include acta/base/cancelled.hpp
class EncodeError;    // include acta/base/error.hpp
class Error;          // include acta/base/error.hpp
class FileError;      // include acta/base/error.hpp
class JsonObject;     // include acta/base/json_value.hpp
class SchemaError;    // include acta/base/error.hpp
class Timeout;        // include acta/base/cancelled.hpp
struct RetryEvent;    // include acta/base/retry.hpp
struct RetryOptions;  // include acta/base/retry.hpp

// json
enum class InvalidUtf8;  // include acta/json/options.hpp
enum class Strictness;   // include acta/json/options.hpp
enum class UnknownKeys;  // include acta/json/options.hpp
class ValidationError;   // include acta/json/issue.hpp
struct DumpOptions;      // include acta/json/options.hpp
struct Issue;            // include acta/json/issue.hpp
struct ParseOptions;     // include acta/json/options.hpp
struct Timestamp;        // include acta/json/timestamp.hpp

// schema
enum class SchemaDialect;  // include acta/schema/options.hpp
enum class SchemaMaps;     // include acta/schema/options.hpp
struct SchemaOptions;      // include acta/schema/options.hpp

// pysyntax
class CallSyntaxError;         // include acta/pysyntax/call_error.hpp
struct AssistantFunctionCall;  // include acta/pysyntax/function_call.hpp
struct CallOptions;            // include acta/pysyntax/call_options.hpp
struct ParsedCall;             // include acta/pysyntax/call.hpp
struct ScanStats;              // include acta/pysyntax/call_options.hpp

// text
enum class CodeBlocks : std::uint8_t;     // include acta/text/sentences.hpp
enum class TokenEncoding : std::uint8_t;  // include acta/text/token_encoding.hpp
class AnySentenceSplitter;                // include acta/text/sentences.hpp
class AnyTokenCounter;                    // include acta/text/tokens.hpp
class BytePairTokenizer;                  // include acta/text/byte_pair.hpp
class IcuSentenceSplitter;                // include acta/text/icu_sentences.hpp
class RanksError;                         // include acta/text/byte_pair.hpp
struct ChunkOptions;                      // include acta/text/chunks.hpp
struct EstimateTokens;                    // include acta/text/tokens.hpp
struct RuleSentenceSplitter;              // include acta/text/sentences.hpp
struct TextChunk;                         // include acta/text/chunks.hpp

// observe
enum class EventLevel;   // include acta/observe/observer.hpp
class CountingObserver;  // include acta/observe/counting_observer.hpp
class Observer;          // include acta/observe/observer.hpp
class ObserverSlot;      // include acta/observe/observer_slot.hpp
class ScopedEvent;       // include acta/observe/scoped_event.hpp
struct Event;            // include acta/observe/observer.hpp
struct EventField;       // include acta/observe/observer.hpp
struct EventTotals;      // include acta/observe/counting_observer.hpp

// chat
enum class ChatModelFault;    // include acta/chat/chat_model_error.hpp
enum class ChatRole;          // include acta/chat/message.hpp
enum class ToolChoice;        // include acta/chat/chat_model.hpp
class ChatModelError;         // include acta/chat/chat_model_error.hpp
class ChatModelRef;           // include acta/chat/chat_model.hpp
class ScriptEnded;            // include acta/chat/scripted_model.hpp
class ScriptedChatModel;      // include acta/chat/scripted_model.hpp
class ToolNames;              // include acta/chat/tool_names.hpp
struct AssistantChatMessage;  // include acta/chat/message.hpp
struct AssistantToolCall;     // include acta/chat/tool_call.hpp
struct ChatCompletion;        // include acta/chat/chat_model.hpp
struct ChatMessage;           // include acta/chat/message.hpp
struct ChatModelFailure;      // include acta/chat/chat_model_error.hpp
struct ChatOptions;           // include acta/chat/chat_model.hpp
struct ChatRequest;           // include acta/chat/scripted_model.hpp
struct ContentPart;           // include acta/chat/content_part.hpp
struct SplitReasoning;        // include acta/chat/reasoning.hpp
struct TokenUsage;            // include acta/chat/chat_model.hpp
struct ToolDefinition;        // include acta/chat/chat_model.hpp

// action
enum class ResultStatus;          // include acta/action/result.hpp
struct ActionErrorResult;         // include acta/action/result.hpp
struct ActionInterruptedByHuman;  // include acta/action/result.hpp
struct ActionSuccessResult;       // include acta/action/result.hpp
struct ErrorInfo;                 // include acta/action/error_info.hpp
struct ErrorOptions;              // include acta/action/error_info.hpp
template <class Thoughts = std::string>
struct ActionProposal;  // include acta/action/proposal.hpp
/// The result of an action. In JSON the three are distinguished by `status`.
using ActionResult = std::variant<ActionSuccessResult, ActionErrorResult, ActionInterruptedByHuman>;

// history
enum class HistoryErrorCode;  // include acta/history/history_error.hpp
enum class StuckPattern;      // include acta/history/stuck.hpp
class HistoryError;           // include acta/history/history_error.hpp
struct CallDecision;          // include acta/history/open_call.hpp
struct CallIdentity;          // include acta/history/open_call.hpp
struct EpisodeId;             // include acta/history/episode_id.hpp
struct MetricsTotals;         // include acta/history/metrics.hpp
struct OpenCall;              // include acta/history/open_call.hpp
struct RememberedFact;        // include acta/history/rolling_summary.hpp
struct RollingSummary;        // include acta/history/rolling_summary.hpp
struct StepMetrics;           // include acta/history/metrics.hpp
struct Stuck;                 // include acta/history/stuck.hpp
struct StuckOptions;          // include acta/history/stuck.hpp
struct TokenPrices;           // include acta/history/metrics.hpp
struct ToolResult;            // include acta/action/result.hpp
template <class P = ActionProposal<>>
struct Episode;  // include acta/history/episode.hpp
template <class P>
class HistoryJournal;  // include acta/history/journal.hpp
template <class P = ActionProposal<>>
class EpisodicActionHistory;  // include acta/history/history.hpp
template <class P = ActionProposal<>>
class SharedHistory;  // include acta/history/shared_history.hpp

// prompt
class Prompt;           // include acta/prompt/prompt.hpp
struct MessageOptions;  // include acta/prompt/messages.hpp
struct OutputLimit;     // include acta/prompt/options.hpp
struct PromptCount;     // include acta/prompt/options.hpp
struct PromptMessages;  // include acta/prompt/options.hpp
struct PromptOptions;   // include acta/prompt/options.hpp
struct PromptReport;    // include acta/prompt/options.hpp
struct PromptStep;      // include acta/prompt/options.hpp
struct PromptText;      // include acta/prompt/options.hpp

// compress
class AnySummarizer;           // include acta/compress/summarizer.hpp
class ChatSummarizer;          // include acta/compress/chat_summarizer.hpp
class ExtractiveSummarizer;    // include acta/compress/extractive.hpp
class SummarizerChain;         // include acta/compress/summarizer_chain.hpp
class SummaryError;            // include acta/compress/summarizer.hpp
struct ChatSummarizerOptions;  // include acta/compress/chat_summarizer.hpp
struct CompressionOptions;     // include acta/compress/compression.hpp
struct CompressionProgress;    // include acta/compress/compression.hpp
struct CompressionReport;      // include acta/compress/compression.hpp
struct CompressionTrigger;     // include acta/compress/compression.hpp
struct ExtractiveOptions;      // include acta/compress/extractive.hpp
struct FailedEpisode;          // include acta/compress/compression.hpp
struct NamedSummarizer;        // include acta/compress/summarizer_chain.hpp
struct PartialSummary;         // include acta/compress/text_summary.hpp
struct RollingSummaryOptions;  // include acta/compress/rolling_options.hpp
struct RollingSummaryReport;   // include acta/compress/rolling_options.hpp
struct SummarisedEpisode;      // include acta/compress/compression.hpp
struct SummarizeTextOptions;   // include acta/compress/summarize_text.hpp
struct SummaryCost;            // include acta/compress/compression.hpp
struct SummaryRequest;         // include acta/compress/summarizer.hpp
struct SummaryStep;            // include acta/compress/summary_step.hpp
struct TextSummary;            // include acta/compress/text_summary.hpp

// skill
enum class ArgumentsMode;       // include acta/skill/reply.hpp
enum class ToolDialect;         // include acta/skill/tools.hpp
enum class ToolStrictness;      // include acta/skill/tools.hpp
class InvalidArguments;         // include acta/skill/context.hpp
class RegisteredSkill;          // include acta/skill/registered.hpp
class SkillContext;             // include acta/skill/context.hpp
class SkillError;               // include acta/skill/context.hpp
class SkillNotFound;            // include acta/skill/context.hpp
class SkillRegistry;            // include acta/skill/registry.hpp
class UnreadableReply;          // include acta/skill/reply.hpp
class YamlError;                // include acta/skill/yaml.hpp
struct ApiTools;                // include acta/skill/tools.hpp
struct ArgumentsAttempt;        // include acta/skill/arguments_action.hpp
struct ArgumentsParsingAction;  // include acta/skill/arguments_action.hpp
struct ExecuteOptions;          // include acta/skill/execute.hpp
struct NoDefault;               // include acta/skill/param.hpp
struct ParsedArguments;         // include acta/skill/arguments_action.hpp
struct Skill;                   // include acta/skill/declaration.hpp
struct SkillAction;             // include acta/skill/skill_action.hpp
struct SkillFinding;            // include acta/skill/check.hpp
struct SkillHints;              // include acta/skill/hints.hpp
struct SkillProgress;           // include acta/skill/context.hpp
struct SkillRunOptions;         // include acta/skill/context.hpp
struct SkillsDeclaration;       // include acta/skill/declaration.hpp
struct ToolDefinitionOptions;   // include acta/skill/tools.hpp
struct YamlOptions;             // include acta/skill/yaml.hpp

// store
enum class RecordKind;  // include acta/store/record.hpp
class HistoryStore;     // include acta/store/history_store.hpp
class LeaseLost;        // include acta/store/store_error.hpp
class MemoryStore;      // include acta/store/memory_store.hpp
class StoreConflict;    // include acta/store/store_error.hpp
class StoreCorrupt;     // include acta/store/store_error.hpp
class StoreError;       // include acta/store/store_error.hpp
class StoreExists;      // include acta/store/store_error.hpp
class StoreGone;        // include acta/store/store_error.hpp
class StoreNotFound;    // include acta/store/store_error.hpp
class StoreTooNew;      // include acta/store/store_error.hpp
struct Appended;        // include acta/store/history_store.hpp
struct HistoryInfo;     // include acta/store/record.hpp
struct HistoryQuery;    // include acta/store/record.hpp
struct Lease;           // include acta/store/record.hpp
struct LeaseOptions;    // include acta/store/stored_history.hpp
struct NewRecord;       // include acta/store/record.hpp
struct OpenOptions;     // include acta/store/stored_history.hpp
struct Position;        // include acta/store/record.hpp
struct Record;          // include acta/store/record.hpp
struct RecordRange;     // include acta/store/history_store.hpp
template <class P = ActionProposal<>>
class StoredHistory;  // include acta/store/stored_history.hpp
namespace sqlite {
enum class Synchronous;  // include acta/store/sqlite/options.hpp
class Store;             // include acta/store/sqlite/store.hpp
struct Options;          // include acta/store/sqlite/options.hpp
}  // namespace sqlite
namespace postgres {
class Store;     // include acta/store/postgres/store.hpp
struct Options;  // include acta/store/postgres/options.hpp
}  // namespace postgres
namespace testing {
class CheckFailed;    // include acta/testing/store_conformance.hpp
struct CheckedStore;  // include acta/testing/store_conformance.hpp
struct StoreCheck;    // include acta/testing/store_conformance.hpp
}  // namespace testing

// view
struct HtmlOptions;      // include acta/view/html.hpp
struct TerminalOptions;  // include acta/view/terminal.hpp

// tool_response
enum class OperationEvent;             // include acta/tool_response/operation_tracker.hpp
enum class OperationStage;             // include acta/tool_response/operation_tracker.hpp
enum class ResponseType;               // include acta/tool_response/response_type.hpp
class OperationTracker;                // include acta/tool_response/operation_tracker.hpp
struct AgentDetails;                   // include acta/tool_response/details.hpp
struct AgentDetailsResponse;           // include acta/tool_response/details.hpp
struct AgentInfo;                      // include acta/tool_response/discovery.hpp
struct AgentOutputResponse;            // include acta/tool_response/execution.hpp
struct AgentPreviewResponse;           // include acta/tool_response/generation.hpp
struct AgentSavedResponse;             // include acta/tool_response/generation.hpp
struct AgentsFoundResponse;            // include acta/tool_response/discovery.hpp
struct AsyncProcessingResponse;        // include acta/tool_response/operations.hpp
struct BlockInfoSummary;               // include acta/tool_response/blocks.hpp
struct BlockInputFieldInfo;            // include acta/tool_response/blocks.hpp
struct BlockListResponse;              // include acta/tool_response/blocks.hpp
struct BlockOutputResponse;            // include acta/tool_response/blocks.hpp
struct ClarificationNeededResponse;    // include acta/tool_response/generation.hpp
struct ClarifyingQuestion;             // include acta/tool_response/generation.hpp
struct CredentialsMetaInput;           // include acta/tool_response/details.hpp
struct DocPageResponse;                // include acta/tool_response/documentation.hpp
struct DocSearchResult;                // include acta/tool_response/documentation.hpp
struct DocSearchResultsResponse;       // include acta/tool_response/documentation.hpp
struct ErrorDetailsIssue;              // include acta/tool_response/views.hpp
struct ErrorDetailsView;               // include acta/tool_response/views.hpp
struct ErrorResponse;                  // include acta/tool_response/errors.hpp
struct ExecutionOptions;               // include acta/tool_response/details.hpp
struct ExecutionOutputInfo;            // include acta/tool_response/execution.hpp
struct ExecutionStartedResponse;       // include acta/tool_response/execution.hpp
struct InputField;                     // include acta/tool_response/details.hpp
struct InputProperty;                  // include acta/tool_response/views.hpp
struct InputValidationErrorResponse;   // include acta/tool_response/errors.hpp
struct InputsView;                     // include acta/tool_response/views.hpp
struct NeedLoginResponse;              // include acta/tool_response/errors.hpp
struct NoResultsResponse;              // include acta/tool_response/discovery.hpp
struct Operation;                      // include acta/tool_response/operation_tracker.hpp
struct OperationInProgressResponse;    // include acta/tool_response/operations.hpp
struct OperationPendingResponse;       // include acta/tool_response/operations.hpp
struct OperationStartedResponse;       // include acta/tool_response/operations.hpp
struct OperationUpdate;                // include acta/tool_response/operation_tracker.hpp
struct RequiredCredential;             // include acta/tool_response/views.hpp
struct RequiredInput;                  // include acta/tool_response/views.hpp
struct RequirementsView;               // include acta/tool_response/views.hpp
struct SetupInfo;                      // include acta/tool_response/details.hpp
struct SetupRequirementsResponse;      // include acta/tool_response/details.hpp
struct UnderstandingUpdatedResponse;   // include acta/tool_response/generation.hpp
struct UnknownResponse;                // include acta/tool_response/reply.hpp
struct UserReadiness;                  // include acta/tool_response/details.hpp
struct WorkspaceDeleteResponse;        // include acta/tool_response/workspace.hpp
struct WorkspaceFileContentResponse;   // include acta/tool_response/workspace.hpp
struct WorkspaceFileInfoData;          // include acta/tool_response/workspace.hpp
struct WorkspaceFileListResponse;      // include acta/tool_response/workspace.hpp
struct WorkspaceFileMetadataResponse;  // include acta/tool_response/workspace.hpp
struct WorkspaceWriteResponse;         // include acta/tool_response/workspace.hpp

// interop
enum class TrajectoryFormat;  // include acta/interop/trajectory.hpp
struct Trajectory;            // include acta/interop/trajectory.hpp
namespace atif {
enum class PartType;       // include acta/interop/atif/records.hpp
enum class Source;         // include acta/interop/atif/records.hpp
enum class Version;        // include acta/interop/atif/atif.hpp
struct Agent;              // include acta/interop/atif/records.hpp
struct Document;           // include acta/interop/atif/records.hpp
struct FinalMetrics;       // include acta/interop/atif/records.hpp
struct MediaSource;        // include acta/interop/atif/records.hpp
struct Metrics;            // include acta/interop/atif/records.hpp
struct Observation;        // include acta/interop/atif/records.hpp
struct ObservationResult;  // include acta/interop/atif/records.hpp
struct Options;            // include acta/interop/atif/atif.hpp
struct Part;               // include acta/interop/atif/records.hpp
struct Step;               // include acta/interop/atif/records.hpp
struct ToolCall;           // include acta/interop/atif/records.hpp
}  // namespace atif
namespace autogpt {
struct Run;  // include acta/interop/autogpt/autogpt.hpp
}  // namespace autogpt
namespace mcp {
enum class Version;       // include acta/interop/mcp/result.hpp
struct AudioContent;      // include acta/interop/mcp/result.hpp
struct CallToolResult;    // include acta/interop/mcp/result.hpp
struct EmbeddedResource;  // include acta/interop/mcp/result.hpp
struct ImageContent;      // include acta/interop/mcp/result.hpp
struct ResourceContents;  // include acta/interop/mcp/result.hpp
struct ResourceLink;      // include acta/interop/mcp/result.hpp
struct TextContent;       // include acta/interop/mcp/result.hpp
}  // namespace mcp
namespace swe_agent {
struct Document;  // include acta/interop/swe_agent/swe_agent.hpp
struct Function;  // include acta/interop/swe_agent/swe_agent.hpp
struct Message;   // include acta/interop/swe_agent/swe_agent.hpp
struct Step;      // include acta/interop/swe_agent/swe_agent.hpp
struct ToolCall;  // include acta/interop/swe_agent/swe_agent.hpp
}  // namespace swe_agent

// agent
enum class RunEnd;  // include acta/agent/run_options.hpp
struct Approval;    // include acta/agent/run_options.hpp
struct RunOptions;  // include acta/agent/run_options.hpp
struct RunResult;   // include acta/agent/run_options.hpp

// provider
class HttpChatModel;  // include acta/provider/http_chat_model.hpp
struct ChatReply;     // include acta/provider/chat_reply.hpp
namespace anthropic {
class ChatModel;  // include acta/provider/anthropic/chat_model.hpp
struct Options;   // include acta/provider/anthropic/options.hpp
}  // namespace anthropic
namespace openai {
class ChatModel;       // include acta/provider/openai/chat_model.hpp
class ResponsesModel;  // include acta/provider/openai/responses_model.hpp
struct Options;        // include acta/provider/openai/options.hpp
}  // namespace openai

}  // namespace acta::inline ACTA_ABI
