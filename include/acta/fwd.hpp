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
class Cancelled;
class EncodeError;
class Error;
class FileError;
class JsonObject;
class SchemaError;
class Timeout;
struct RetryEvent;
struct RetryOptions;

// json
enum class InvalidUtf8;
enum class Strictness;
enum class UnknownKeys;
class ValidationError;
struct DumpOptions;
struct Issue;
struct ParseOptions;
struct Timestamp;

// schema
enum class SchemaDialect;
enum class SchemaMaps;
struct SchemaOptions;

// pysyntax
class CallSyntaxError;
struct AssistantFunctionCall;
struct CallOptions;
struct ParsedCall;
struct ScanStats;

// text
enum class CodeBlocks : std::uint8_t;
enum class TokenEncoding : std::uint8_t;
class AnySentenceSplitter;
class AnyTokenCounter;
class BytePairTokenizer;
class IcuSentenceSplitter;
class RanksError;
struct ChunkOptions;
struct EstimateTokens;
struct RuleSentenceSplitter;
struct TextChunk;

// observe
enum class EventLevel;
class CountingObserver;
class Observer;
class ObserverSlot;
class ScopedEvent;
struct Event;
struct EventField;
struct EventTotals;

// chat
enum class ChatModelFault;
enum class ChatRole;
enum class ToolChoice;
class ChatModelError;
class ChatModelRef;
class ScriptEnded;
class ScriptedChatModel;
class ToolNames;
struct AssistantChatMessage;
struct AssistantToolCall;
struct ChatCompletion;
struct ChatMessage;
struct ChatModelFailure;
struct ChatOptions;
struct ChatRequest;
struct ContentPart;
struct SplitReasoning;
struct TokenUsage;
struct ToolDefinition;

// action
enum class ResultStatus;
struct ActionErrorResult;
struct ActionInterruptedByHuman;
struct ActionSuccessResult;
struct ErrorInfo;
struct ErrorOptions;
template <class Thoughts = std::string>
struct ActionProposal;
/// The result of an action. In JSON the three are distinguished by `status`.
using ActionResult = std::variant<ActionSuccessResult, ActionErrorResult, ActionInterruptedByHuman>;

// history
enum class HistoryErrorCode;
enum class StuckPattern;
class HistoryError;
struct EpisodeId;
struct MetricsTotals;
struct RememberedFact;
struct RollingSummary;
struct StepMetrics;
struct Stuck;
struct StuckOptions;
struct TokenPrices;
struct ToolResult;
template <class P = ActionProposal<>>
struct Episode;
template <class P = ActionProposal<>>
class EpisodicActionHistory;
template <class P = ActionProposal<>>
class SharedHistory;

// prompt
class Prompt;
struct MessageOptions;
struct OutputLimit;
struct PromptCount;
struct PromptMessages;
struct PromptOptions;
struct PromptReport;
struct PromptStep;
struct PromptText;

// compress
class AnySummarizer;
class ChatSummarizer;
class ExtractiveSummarizer;
class SummarizerChain;
class SummaryError;
struct ChatSummarizerOptions;
struct CompressionOptions;
struct CompressionProgress;
struct CompressionReport;
struct CompressionTrigger;
struct ExtractiveOptions;
struct FailedEpisode;
struct NamedSummarizer;
struct PartialSummary;
struct RollingSummaryOptions;
struct RollingSummaryReport;
struct SummarisedEpisode;
struct SummarizeTextOptions;
struct SummaryCost;
struct SummaryRequest;
struct SummaryStep;
struct TextSummary;

// skill
enum class ArgumentsMode;
enum class ToolDialect;
enum class ToolStrictness;
class InvalidArguments;
class RegisteredSkill;
class SkillContext;
class SkillError;
class SkillNotFound;
class SkillRegistry;
class UnreadableReply;
class YamlError;
struct ApiTools;
struct ArgumentsAttempt;
struct ArgumentsParsingAction;
struct ExecuteOptions;
struct NoDefault;
struct ParsedArguments;
struct Skill;
struct SkillAction;
struct SkillFinding;
struct SkillProgress;
struct SkillRunOptions;
struct SkillsDeclaration;
struct ToolDefinitionOptions;
struct YamlOptions;

// tool_response
enum class OperationEvent;
enum class OperationStage;
enum class ResponseType;
class OperationTracker;
struct AgentDetails;
struct AgentDetailsResponse;
struct AgentInfo;
struct AgentOutputResponse;
struct AgentPreviewResponse;
struct AgentSavedResponse;
struct AgentsFoundResponse;
struct AsyncProcessingResponse;
struct BlockInfoSummary;
struct BlockInputFieldInfo;
struct BlockListResponse;
struct BlockOutputResponse;
struct ClarificationNeededResponse;
struct ClarifyingQuestion;
struct CredentialsMetaInput;
struct DocPageResponse;
struct DocSearchResult;
struct DocSearchResultsResponse;
struct ErrorDetailsIssue;
struct ErrorDetailsView;
struct ErrorResponse;
struct ExecutionOptions;
struct ExecutionOutputInfo;
struct ExecutionStartedResponse;
struct InputField;
struct InputProperty;
struct InputValidationErrorResponse;
struct InputsView;
struct NeedLoginResponse;
struct NoResultsResponse;
struct Operation;
struct OperationInProgressResponse;
struct OperationPendingResponse;
struct OperationStartedResponse;
struct OperationUpdate;
struct RequiredCredential;
struct RequiredInput;
struct RequirementsView;
struct SetupInfo;
struct SetupRequirementsResponse;
struct UnderstandingUpdatedResponse;
struct UnknownResponse;
struct UserReadiness;
struct WorkspaceDeleteResponse;
struct WorkspaceFileContentResponse;
struct WorkspaceFileInfoData;
struct WorkspaceFileListResponse;
struct WorkspaceFileMetadataResponse;
struct WorkspaceWriteResponse;

// interop
enum class TrajectoryFormat;
struct Trajectory;
namespace atif {
enum class PartType;
enum class Source;
enum class Version;
struct Agent;
struct Document;
struct FinalMetrics;
struct MediaSource;
struct Metrics;
struct Observation;
struct ObservationResult;
struct Options;
struct Part;
struct Step;
struct ToolCall;
}  // namespace atif
namespace autogpt {
struct Run;
}  // namespace autogpt
namespace mcp {
enum class Version;
struct AudioContent;
struct CallToolResult;
struct EmbeddedResource;
struct ImageContent;
struct ResourceContents;
struct ResourceLink;
struct TextContent;
}  // namespace mcp
namespace swe_agent {
struct Document;
struct Function;
struct Message;
struct Step;
struct ToolCall;
}  // namespace swe_agent

// agent
enum class RunEnd;
struct Approval;
struct RunOptions;
struct RunResult;

// provider
class HttpChatModel;
struct ChatReply;
namespace anthropic {
class ChatModel;
struct Options;
}  // namespace anthropic
namespace openai {
class ChatModel;
class ResponsesModel;
struct Options;
}  // namespace openai

}  // namespace acta::inline ACTA_ABI
