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
class Cancelled;      // include acta/base/error.hpp
class EncodeError;    // include acta/base/error.hpp
class Error;          // include acta/base/error.hpp
class FileError;      // include acta/base/error.hpp
class JsonObject;     // include acta/base/json_value.hpp
class SchemaError;    // include acta/base/error.hpp
class Timeout;        // include acta/base/error.hpp
struct RetryEvent;    // include acta/base/retry.hpp
struct RetryOptions;  // include acta/base/retry.hpp

// json
enum class InvalidUtf8;  // include acta/json/issue.hpp
enum class Strictness;   // include acta/json/issue.hpp
enum class UnknownKeys;  // include acta/json/issue.hpp
class ValidationError;   // include acta/json/issue.hpp
struct DumpOptions;      // include acta/json/issue.hpp
struct Issue;            // include acta/json/issue.hpp
struct ParseOptions;     // include acta/json/issue.hpp
struct Timestamp;        // include acta/json/timestamp.hpp

// schema
enum class SchemaDialect;  // include acta/schema/schema.hpp
enum class SchemaMaps;     // include acta/schema/schema.hpp
struct SchemaOptions;      // include acta/schema/schema.hpp

// pysyntax
class CallSyntaxError;         // include acta/pysyntax/call.hpp
struct AssistantFunctionCall;  // include acta/pysyntax/repr.hpp
struct CallOptions;            // include acta/pysyntax/call.hpp
struct ParsedCall;             // include acta/pysyntax/call.hpp
struct ScanStats;              // include acta/pysyntax/call.hpp

// text
enum class CodeBlocks : std::uint8_t;     // include acta/text/chunks.hpp
enum class TokenEncoding : std::uint8_t;  // include acta/text/tokens.hpp
class AnySentenceSplitter;                // include acta/text/chunks.hpp
class AnyTokenCounter;                    // include acta/text/tokens.hpp
class BytePairTokenizer;                  // include acta/text/byte_pair.hpp
class IcuSentenceSplitter;                // include acta/text/icu_sentences.hpp
class RanksError;                         // include acta/text/byte_pair.hpp
struct ChunkOptions;                      // include acta/text/chunks.hpp
struct EstimateTokens;                    // include acta/text/tokens.hpp
struct RuleSentenceSplitter;              // include acta/text/chunks.hpp
struct TextChunk;                         // include acta/text/chunks.hpp

// observe
enum class EventLevel;   // include acta/observe/observer.hpp
class CountingObserver;  // include acta/observe/observer.hpp
class Observer;          // include acta/observe/observer.hpp
class ObserverSlot;      // include acta/observe/observer.hpp
class ScopedEvent;       // include acta/observe/observer.hpp
struct Event;            // include acta/observe/observer.hpp
struct EventField;       // include acta/observe/observer.hpp
struct EventTotals;      // include acta/observe/observer.hpp

// chat
enum class ChatModelFault;    // include acta/chat/chat_model.hpp
enum class ChatRole;          // include acta/chat/message.hpp
enum class ToolChoice;        // include acta/chat/chat_model.hpp
class ChatModelError;         // include acta/chat/chat_model.hpp
class ChatModelRef;           // include acta/chat/chat_model.hpp
class ScriptEnded;            // include acta/chat/chat_model.hpp
class ScriptedChatModel;      // include acta/chat/chat_model.hpp
class ToolNames;              // include acta/chat/message.hpp
struct AssistantChatMessage;  // include acta/chat/message.hpp
struct AssistantToolCall;     // include acta/chat/message.hpp
struct ChatCompletion;        // include acta/chat/chat_model.hpp
struct ChatMessage;           // include acta/chat/message.hpp
struct ChatModelFailure;      // include acta/chat/chat_model.hpp
struct ChatOptions;           // include acta/chat/chat_model.hpp
struct ChatRequest;           // include acta/chat/chat_model.hpp
struct ContentPart;           // include acta/chat/message.hpp
struct SplitReasoning;        // include acta/chat/message.hpp
struct TokenUsage;            // include acta/chat/chat_model.hpp
struct ToolDefinition;        // include acta/chat/chat_model.hpp

// action
enum class ResultStatus;          // include acta/action/action.hpp
struct ActionErrorResult;         // include acta/action/action.hpp
struct ActionInterruptedByHuman;  // include acta/action/action.hpp
struct ActionSuccessResult;       // include acta/action/action.hpp
struct ErrorInfo;                 // include acta/action/action.hpp
struct ErrorOptions;              // include acta/action/action.hpp
template <class Thoughts = std::string>
struct ActionProposal;  // include acta/action/action.hpp
/// The result of an action. In JSON the three are distinguished by `status`.
using ActionResult = std::variant<ActionSuccessResult, ActionErrorResult, ActionInterruptedByHuman>;

// history
enum class HistoryErrorCode;  // include acta/history/episode.hpp
enum class StuckPattern;      // include acta/history/stuck.hpp
class HistoryError;           // include acta/history/episode.hpp
struct CallDecision;          // include acta/history/episode.hpp
struct CallIdentity;          // include acta/history/episode.hpp
struct EpisodeId;             // include acta/history/episode.hpp
struct MetricsTotals;         // include acta/history/episode.hpp
struct OpenCall;              // include acta/history/episode.hpp
struct RememberedFact;        // include acta/history/episode.hpp
struct RollingSummary;        // include acta/history/episode.hpp
struct StepMetrics;           // include acta/history/episode.hpp
struct Stuck;                 // include acta/history/stuck.hpp
struct StuckOptions;          // include acta/history/stuck.hpp
struct TokenPrices;           // include acta/history/episode.hpp
struct ToolResult;            // include acta/action/action.hpp
template <class P = ActionProposal<>>
struct Episode;  // include acta/history/episode.hpp
template <class P>
class HistoryJournal;  // include acta/history/episode.hpp
template <class P = ActionProposal<>>
class EpisodicActionHistory;  // include acta/history/history.hpp
template <class P = ActionProposal<>>
class SharedHistory;  // include acta/history/shared_history.hpp

// prompt
class Prompt;           // include acta/prompt/prompt.hpp
struct MessageOptions;  // include acta/prompt/messages.hpp
struct OutputLimit;     // include acta/prompt/prompt.hpp
struct PromptCount;     // include acta/prompt/prompt.hpp
struct PromptMessages;  // include acta/prompt/prompt.hpp
struct PromptOptions;   // include acta/prompt/prompt.hpp
struct PromptReport;    // include acta/prompt/prompt.hpp
struct PromptStep;      // include acta/prompt/prompt.hpp
struct PromptText;      // include acta/prompt/prompt.hpp

// compress
class AnySummarizer;           // include acta/compress/compress.hpp
class ChatSummarizer;          // include acta/compress/chat_summarizer.hpp
class ExtractiveSummarizer;    // include acta/compress/extractive.hpp
class SummarizerChain;         // include acta/compress/compress.hpp
class SummaryError;            // include acta/compress/compress.hpp
struct ChatSummarizerOptions;  // include acta/compress/chat_summarizer.hpp
struct CompressionOptions;     // include acta/compress/compress.hpp
struct CompressionProgress;    // include acta/compress/compress.hpp
struct CompressionReport;      // include acta/compress/compress.hpp
struct CompressionTrigger;     // include acta/compress/compress.hpp
struct ExtractiveOptions;      // include acta/compress/extractive.hpp
struct FailedEpisode;          // include acta/compress/compress.hpp
struct NamedSummarizer;        // include acta/compress/compress.hpp
struct PartialSummary;         // include acta/compress/compress.hpp
struct RollingSummaryOptions;  // include acta/compress/rolling_summary.hpp
struct RollingSummaryReport;   // include acta/compress/rolling_summary.hpp
struct SummarisedEpisode;      // include acta/compress/compress.hpp
struct SummarizeTextOptions;   // include acta/compress/chat_summarizer.hpp
struct SummaryCost;            // include acta/compress/compress.hpp
struct SummaryRequest;         // include acta/compress/compress.hpp
struct SummaryStep;            // include acta/compress/compress.hpp
struct TextSummary;            // include acta/compress/compress.hpp

// skill
enum class ArgumentsMode;       // include acta/skill/arguments_action.hpp
enum class ToolDialect;         // include acta/skill/execute.hpp
enum class ToolStrictness;      // include acta/skill/execute.hpp
class InvalidArguments;         // include acta/skill/context.hpp
class RegisteredSkill;          // include acta/skill/registry.hpp
class SkillContext;             // include acta/skill/context.hpp
class SkillError;               // include acta/skill/context.hpp
class SkillNotFound;            // include acta/skill/context.hpp
class SkillRegistry;            // include acta/skill/registry.hpp
class UnreadableReply;          // include acta/skill/arguments_action.hpp
class YamlError;                // include acta/skill/yaml.hpp
struct ApiTools;                // include acta/skill/execute.hpp
struct ArgumentsAttempt;        // include acta/skill/arguments_action.hpp
struct ArgumentsParsingAction;  // include acta/skill/arguments_action.hpp
struct ExecuteOptions;          // include acta/skill/execute.hpp
struct NoDefault;               // include acta/skill/registry.hpp
struct ParsedArguments;         // include acta/skill/arguments_action.hpp
struct Skill;                   // include acta/skill/declaration.hpp
struct SkillAction;             // include acta/skill/arguments_action.hpp
struct SkillFinding;            // include acta/skill/execute.hpp
struct SkillHints;              // include acta/skill/registry.hpp
struct SkillProgress;           // include acta/skill/context.hpp
struct SkillRunOptions;         // include acta/skill/context.hpp
struct SkillsDeclaration;       // include acta/skill/declaration.hpp
struct ToolDefinitionOptions;   // include acta/skill/execute.hpp
struct YamlOptions;             // include acta/skill/yaml.hpp

// store
enum class RecordKind;  // include acta/store/history_store.hpp
class HistoryStore;     // include acta/store/history_store.hpp
class LeaseLost;        // include acta/store/history_store.hpp
class MemoryStore;      // include acta/store/memory_store.hpp
class StoreConflict;    // include acta/store/history_store.hpp
class StoreCorrupt;     // include acta/store/history_store.hpp
class StoreError;       // include acta/store/history_store.hpp
class StoreExists;      // include acta/store/history_store.hpp
class StoreGone;        // include acta/store/history_store.hpp
class StoreNotFound;    // include acta/store/history_store.hpp
class StoreTooNew;      // include acta/store/history_store.hpp
struct Appended;        // include acta/store/history_store.hpp
struct HistoryInfo;     // include acta/store/history_store.hpp
struct HistoryQuery;    // include acta/store/history_store.hpp
struct Lease;           // include acta/store/history_store.hpp
struct LeaseOptions;    // include acta/store/stored_history.hpp
struct NewRecord;       // include acta/store/history_store.hpp
struct OpenOptions;     // include acta/store/stored_history.hpp
struct Position;        // include acta/store/history_store.hpp
struct Record;          // include acta/store/history_store.hpp
struct RecordRange;     // include acta/store/history_store.hpp
template <class P = ActionProposal<>>
class StoredHistory;  // include acta/store/stored_history.hpp
namespace sqlite {
enum class Synchronous;  // include acta/store/sqlite/store.hpp
class Store;             // include acta/store/sqlite/store.hpp
struct Options;          // include acta/store/sqlite/store.hpp
}  // namespace sqlite
namespace postgres {
class Store;     // include acta/store/postgres/store.hpp
struct Options;  // include acta/store/postgres/store.hpp
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
enum class ResponseType;               // include acta/tool_response/reply.hpp
class OperationTracker;                // include acta/tool_response/operation_tracker.hpp
struct AgentDetails;                   // include acta/tool_response/tool_response.hpp
struct AgentDetailsResponse;           // include acta/tool_response/tool_response.hpp
struct AgentInfo;                      // include acta/tool_response/models.hpp
struct AgentOutputResponse;            // include acta/tool_response/models.hpp
struct AgentPreviewResponse;           // include acta/tool_response/models.hpp
struct AgentSavedResponse;             // include acta/tool_response/models.hpp
struct AgentsFoundResponse;            // include acta/tool_response/models.hpp
struct AsyncProcessingResponse;        // include acta/tool_response/models.hpp
struct BlockInfoSummary;               // include acta/tool_response/models.hpp
struct BlockInputFieldInfo;            // include acta/tool_response/models.hpp
struct BlockListResponse;              // include acta/tool_response/models.hpp
struct BlockOutputResponse;            // include acta/tool_response/models.hpp
struct ClarificationNeededResponse;    // include acta/tool_response/models.hpp
struct ClarifyingQuestion;             // include acta/tool_response/models.hpp
struct CredentialsMetaInput;           // include acta/tool_response/tool_response.hpp
struct DocPageResponse;                // include acta/tool_response/models.hpp
struct DocSearchResult;                // include acta/tool_response/models.hpp
struct DocSearchResultsResponse;       // include acta/tool_response/models.hpp
struct ErrorDetailsIssue;              // include acta/tool_response/views.hpp
struct ErrorDetailsView;               // include acta/tool_response/views.hpp
struct ErrorResponse;                  // include acta/tool_response/models.hpp
struct ExecutionOptions;               // include acta/tool_response/tool_response.hpp
struct ExecutionOutputInfo;            // include acta/tool_response/models.hpp
struct ExecutionStartedResponse;       // include acta/tool_response/models.hpp
struct InputField;                     // include acta/tool_response/tool_response.hpp
struct InputProperty;                  // include acta/tool_response/views.hpp
struct InputValidationErrorResponse;   // include acta/tool_response/models.hpp
struct InputsView;                     // include acta/tool_response/views.hpp
struct NeedLoginResponse;              // include acta/tool_response/models.hpp
struct NoResultsResponse;              // include acta/tool_response/models.hpp
struct Operation;                      // include acta/tool_response/operation_tracker.hpp
struct OperationInProgressResponse;    // include acta/tool_response/models.hpp
struct OperationPendingResponse;       // include acta/tool_response/models.hpp
struct OperationStartedResponse;       // include acta/tool_response/models.hpp
struct OperationUpdate;                // include acta/tool_response/operation_tracker.hpp
struct RequiredCredential;             // include acta/tool_response/views.hpp
struct RequiredInput;                  // include acta/tool_response/views.hpp
struct RequirementsView;               // include acta/tool_response/views.hpp
struct SetupInfo;                      // include acta/tool_response/tool_response.hpp
struct SetupRequirementsResponse;      // include acta/tool_response/tool_response.hpp
struct UnderstandingUpdatedResponse;   // include acta/tool_response/models.hpp
struct UnknownResponse;                // include acta/tool_response/reply.hpp
struct UserReadiness;                  // include acta/tool_response/tool_response.hpp
struct WorkspaceDeleteResponse;        // include acta/tool_response/models.hpp
struct WorkspaceFileContentResponse;   // include acta/tool_response/models.hpp
struct WorkspaceFileInfoData;          // include acta/tool_response/models.hpp
struct WorkspaceFileListResponse;      // include acta/tool_response/models.hpp
struct WorkspaceFileMetadataResponse;  // include acta/tool_response/models.hpp
struct WorkspaceWriteResponse;         // include acta/tool_response/models.hpp

// interop
enum class TrajectoryFormat;  // include acta/interop/trajectory.hpp
struct Trajectory;            // include acta/interop/trajectory.hpp
namespace atif {
enum class PartType;       // include acta/interop/atif/atif.hpp
enum class Source;         // include acta/interop/atif/atif.hpp
enum class Version;        // include acta/interop/atif/atif.hpp
struct Agent;              // include acta/interop/atif/atif.hpp
struct Document;           // include acta/interop/atif/atif.hpp
struct FinalMetrics;       // include acta/interop/atif/atif.hpp
struct MediaSource;        // include acta/interop/atif/atif.hpp
struct Metrics;            // include acta/interop/atif/atif.hpp
struct Observation;        // include acta/interop/atif/atif.hpp
struct ObservationResult;  // include acta/interop/atif/atif.hpp
struct Options;            // include acta/interop/atif/atif.hpp
struct Part;               // include acta/interop/atif/atif.hpp
struct Step;               // include acta/interop/atif/atif.hpp
struct ToolCall;           // include acta/interop/atif/atif.hpp
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
enum class RunEnd;  // include acta/agent/run.hpp
struct Approval;    // include acta/agent/run.hpp
struct RunOptions;  // include acta/agent/run.hpp
struct RunResult;   // include acta/agent/run.hpp

// provider
class HttpChatModel;  // include acta/provider/http_chat_model.hpp
struct ChatReply;     // include acta/provider/http_chat_model.hpp
namespace anthropic {
class ChatModel;  // include acta/provider/anthropic/chat_model.hpp
struct Options;   // include acta/provider/anthropic/chat_model.hpp
}  // namespace anthropic
namespace openai {
class ChatModel;       // include acta/provider/openai/chat_model.hpp
class ResponsesModel;  // include acta/provider/openai/chat_model.hpp
struct Options;        // include acta/provider/openai/chat_model.hpp
}  // namespace openai

}  // namespace acta::inline ACTA_ABI
