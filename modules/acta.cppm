// SPDX-License-Identifier: MIT
// The module acta: everything that needs nlohmann_json alone. Written by cmake/reference/module.py from the reference.
//
// Macros are not part of a module: a source that uses ACTA_DESCRIBE also includes acta/describe/describe.hpp, and
// one that uses nlohmann::json by its own name includes nlohmann/json.hpp. A program may both import and include acta.
module;

#include "acta/acta.hpp"
#include "acta/action/action.hpp"
#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/agent/run_event.hpp"
#include "acta/base/callback.hpp"
#include "acta/base/duration.hpp"
#include "acta/base/error.hpp"
#include "acta/base/file.hpp"
#include "acta/base/gathering.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/process.hpp"
#include "acta/base/real.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/text_places.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/unused_names.hpp"
#include "acta/base/utility.hpp"
#include "acta/base/workers.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/describe/pattern.hpp"
#include "acta/fwd.hpp"
#include "acta/history/change.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/history/stuck.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/interop/tool_response_result.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/interop/validation_reply.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/result.hpp"
#include "acta/observe/observer.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/codec.hpp"
#include "acta/provider/http/http.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/server_traits.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/repr.hpp"
#include "acta/schema/schema.hpp"
#include "acta/schema/validator.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "acta/text/byte_pair.hpp"
#include "acta/text/chunks.hpp"
#include "acta/text/tokens.hpp"
#include "acta/tool_response/models.hpp"
#include "acta/tool_response/platform.hpp"
#include "acta/tool_response/reply.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "acta/version.hpp"
#include "acta/view/html.hpp"
#include "acta/view/terminal.hpp"

export module acta;

export namespace acta {
using acta::ActionErrorResult;
using acta::ActionInterruptedByHuman;
using acta::ActionProposal;
using acta::ActionRegistered;
using acta::ActionResult;
using acta::ActionResultValue;
using acta::ActionSuccessResult;
using acta::AgentDetails;
using acta::AgentDetailsResponse;
using acta::AgentInfo;
using acta::AgentOutputResponse;
using acta::AgentPreviewResponse;
using acta::AgentRun;
using acta::AgentSavedResponse;
using acta::AgentStep;
using acta::AgentsFoundResponse;
using acta::Alias;
using acta::AnswerRestarted;
using acta::AnyChatModel;
using acta::AnyJsonValue;
using acta::AnySentenceSplitter;
using acta::AnySummarizer;
using acta::AnyTokenCounter;
using acta::ApiTools;
using acta::Appended;
using acta::Approval;
using acta::ArgumentsAttempt;
using acta::ArgumentsMode;
using acta::ArgumentsParingAction;
using acta::ArgumentsParsingAction;
using acta::ArgumentsSet;
using acta::AsTuple;
using acta::AskModel;
using acta::AssistantChatMessage;
using acta::AssistantFunctionCall;
using acta::AssistantToolCall;
using acta::AsyncProcessingResponse;
using acta::AwaitDecisions;
using acta::BashExecResponse;
using acta::BasicToolResponse;
using acta::BlockInfoSummary;
using acta::BlockInputFieldInfo;
using acta::BlockListResponse;
using acta::BlockOutputResponse;
using acta::Boxed;
using acta::BrowserActResponse;
using acta::BrowserNavigateResponse;
using acta::BrowserScreenshotResponse;
using acta::BuilderClarificationResponse;
using acta::BuilderFixResponse;
using acta::BuilderPreviewResponse;
using acta::BuilderSavedResponse;
using acta::BuilderValidationResponse;
using acta::BytePairTokenizer;
using acta::CallBegun;
using acta::CallCompleted;
using acta::CallDecided;
using acta::CallDecision;
using acta::CallDelta;
using acta::CallFilter;
using acta::CallIdentity;
using acta::CallNames;
using acta::CallOptions;
using acta::CallOverlap;
using acta::CallProgressed;
using acta::CallResultsRegistered;
using acta::CallRetried;
using acta::CallStarted;
using acta::CallSyntaxError;
using acta::Callback;
using acta::Cancelled;
using acta::ChangeMembers;
using acta::ChatCompletion;
using acta::ChatDelta;
using acta::ChatMessage;
using acta::ChatModel;
using acta::ChatModelError;
using acta::ChatModelFailure;
using acta::ChatModelFault;
using acta::ChatModelRef;
using acta::ChatOptions;
using acta::ChatReply;
using acta::ChatReplyReader;
using acta::ChatRequest;
using acta::ChatRole;
using acta::ChatSummarizer;
using acta::ChatSummarizerOptions;
using acta::ChildProcess;
using acta::ChunkOptions;
using acta::ClarificationNeededResponse;
using acta::ClarifyingQuestion;
using acta::CodeBlocks;
using acta::CompletionPrice;
using acta::CompressionOptions;
using acta::CompressionProgress;
using acta::CompressionReport;
using acta::CompressionTrigger;
using acta::ContentPart;
using acta::ConversationMessage;
using acta::CountingObserver;
using acta::CredentialsMetaInput;
using acta::CustomCodec;
using acta::Deprecated;
using acta::Describe;
using acta::Described;
using acta::DescribedEnum;
using acta::DescribedRecord;
using acta::DocPageResponse;
using acta::DocSearchResult;
using acta::DocSearchResultsResponse;
using acta::DumpOptions;
using acta::EncodeError;
using acta::EnumValue;
using acta::Episode;
using acta::EpisodeId;
using acta::EpisodicActionHistory;
using acta::Error;
using acta::ErrorInfo;
using acta::ErrorOptions;
using acta::ErrorResponse;
using acta::EstimateTokens;
using acta::Event;
using acta::EventField;
using acta::EventLevel;
using acta::EventTotals;
using acta::EventValue;
using acta::ExecuteOptions;
using acta::ExecutionOptions;
using acta::ExecutionOutputInfo;
using acta::ExecutionStartedResponse;
using acta::ExitStatus;
using acta::ExtraField;
using acta::ExtractiveOptions;
using acta::ExtractiveSummarizer;
using acta::FailedEpisode;
using acta::FeatureRequestCreatedResponse;
using acta::FeedbackAdded;
using acta::FeedbackTaken;
using acta::Field;
using acta::FieldList;
using acta::FileError;
using acta::FinishReason;
using acta::FolderDeletedResponse;
using acta::Hidden;
using acta::HistoryChange;
using acta::HistoryChanged;
using acta::HistoryCompressed;
using acta::HistoryEditor;
using acta::HistoryError;
using acta::HistoryErrorCode;
using acta::HistoryInfo;
using acta::HistoryJournal;
using acta::HistoryQuery;
using acta::HistoryRecord;
using acta::HistoryStore;
using acta::HistoryView;
using acta::HtmlOptions;
using acta::HttpChatCodec;
using acta::HttpChatModel;
using acta::InputField;
using acta::InputValidationErrorResponse;
using acta::InvalidArguments;
using acta::InvalidUtf8;
using acta::Issue;
using acta::Json;
using acta::JsonArray;
using acta::JsonConvertible;
using acta::JsonObject;
using acta::KeepLargeNumbers;
using acta::Lease;
using acta::LeaseLost;
using acta::LeaseOptions;
using acta::Length;
using acta::LiteralField;
using acta::LocElement;
using acta::LockableHistory;
using acta::MalformedKeywords;
using acta::MemoryStore;
using acta::MessageAdded;
using acta::MessageOptions;
using acta::MetricsSet;
using acta::MetricsTotals;
using acta::ModelWithSummary;
using acta::NameRange;
using acta::NamedSummarizer;
using acta::NeedLoginResponse;
using acta::NewRecord;
using acta::NoDefault;
using acta::NoResultsResponse;
using acta::NumberBound;
using acta::ObservedChatModel;
using acta::Observer;
using acta::ObserverSlot;
using acta::OneOf;
using acta::OpenCall;
using acta::OpenOptions;
using acta::OperationInProgressResponse;
using acta::OperationPendingResponse;
using acta::OperationStartedResponse;
using acta::OrderedMap;
using acta::OuterRun;
using acta::OutputLimit;
using acta::ParallelCalls;
using acta::Param;
using acta::ParseOptions;
using acta::ParsedArguments;
using acta::ParsedCall;
using acta::PartialSummary;
using acta::Pattern;
using acta::PendingCall;
using acta::Position;
using acta::Presence;
using acta::ProcessError;
using acta::ProcessOptions;
using acta::Prompt;
using acta::PromptCount;
using acta::PromptFilter;
using acta::PromptMessages;
using acta::PromptOptions;
using acta::PromptReport;
using acta::PromptStep;
using acta::PromptText;
using acta::Proposal;
using acta::ProposalWithParallelCalls;
using acta::ProposalWithRawMessage;
using acta::Range;
using acta::RanksError;
using acta::Readable;
using acta::ReasoningDelta;
using acta::Record;
using acta::RecordKind;
using acta::RecordRange;
using acta::RecordedCall;
using acta::Redactor;
using acta::RegisteredSkill;
using acta::RememberedFact;
using acta::Represented;
using acta::RequestCompleted;
using acta::RequestFailed;
using acta::RequestStarted;
using acta::ResponseType;
using acta::ResultRegistered;
using acta::ResultStatus;
using acta::RetryEvent;
using acta::RetryOptions;
using acta::RetrySkill;
using acta::ReviewRequiredResponse;
using acta::Rewound;
using acta::RollingSummary;
using acta::RollingSummaryOptions;
using acta::RollingSummaryReport;
using acta::RollingSummarySet;
using acta::RuleSentenceSplitter;
using acta::RunCalls;
using acta::RunCompleted;
using acta::RunEnd;
using acta::RunEnded;
using acta::RunError;
using acta::RunEvent;
using acta::RunLimits;
using acta::RunOptions;
using acta::RunRecord;
using acta::RunResult;
using acta::RunTimeTool;
using acta::SchemaDialect;
using acta::SchemaError;
using acta::SchemaMaps;
using acta::SchemaNotStrict;
using acta::SchemaOptions;
using acta::SchemaValidator;
using acta::ScopedEvent;
using acta::ScriptEnded;
using acta::ScriptedChatModel;
using acta::SentenceSplitter;
using acta::SetupInfo;
using acta::SetupRequirementsResponse;
using acta::SharedHistory;
using acta::Skill;
using acta::SkillAction;
using acta::SkillContext;
using acta::SkillError;
using acta::SkillFinding;
using acta::SkillHints;
using acta::SkillLimits;
using acta::SkillNotFound;
using acta::SkillOutcome;
using acta::SkillProgress;
using acta::SkillRegistry;
using acta::SkillRetry;
using acta::SkillRunOptions;
using acta::SkillsDeclaration;
using acta::SplitReasoning;
using acta::StepCompleted;
using acta::StepMetrics;
using acta::StepOfCall;
using acta::StepView;
using acta::StoreConflict;
using acta::StoreCorrupt;
using acta::StoreError;
using acta::StoreExists;
using acta::StoreGone;
using acta::StoreNotFound;
using acta::StoreTooNew;
using acta::StoredHistory;
using acta::Strictness;
using acta::Stuck;
using acta::StuckOptions;
using acta::StuckPattern;
using acta::SubRun;
using acta::SubRunEvent;
using acta::SubRunRegistered;
using acta::SuggestedGoalResponse;
using acta::SummarisedEpisode;
using acta::SummarizeTextOptions;
using acta::Summarizer;
using acta::SummarizerChain;
using acta::SummaryCost;
using acta::SummaryError;
using acta::SummaryExtended;
using acta::SummaryRequest;
using acta::SummarySet;
using acta::SummaryStep;
using acta::TerminalOptions;
using acta::TextChunk;
using acta::TextDelta;
using acta::TextSink;
using acta::TextSummary;
using acta::TimeLimit;
using acta::Timeout;
using acta::Timestamp;
using acta::TokenCounter;
using acta::TokenEncoding;
using acta::TokenPrices;
using acta::TokenUsage;
using acta::ToolChoice;
using acta::ToolDefinition;
using acta::ToolDefinitionOptions;
using acta::ToolDialect;
using acta::ToolFunction;
using acta::ToolList;
using acta::ToolNames;
using acta::ToolReply;
using acta::ToolResponse;
using acta::ToolResponseVariant;
using acta::ToolResult;
using acta::ToolStrictness;
using acta::Trajectory;
using acta::TrajectoryFormat;
using acta::TrajectoryNote;
using acta::TrajectoryNoteKind;
using acta::TrajectoryOptions;
using acta::TrajectoryReport;
using acta::TypedRunResult;
using acta::UnderstandingUpdatedResponse;
using acta::UnknownKeys;
using acta::UnknownResponse;
using acta::UnreadCall;
using acta::UnreadableReply;
using acta::Until;
using acta::UserReadiness;
using acta::ValidationError;
using acta::WebFetchResponse;
using acta::WebSearchResponse;
using acta::WorkspaceDeleteResponse;
using acta::WorkspaceFileContentResponse;
using acta::WorkspaceFileInfoData;
using acta::WorkspaceFileListResponse;
using acta::WorkspaceFileMetadataResponse;
using acta::WorkspaceWriteResponse;
using acta::WrapOtherValues;
using acta::agent_tool;
using acta::alias;
using acta::append_call;
using acta::append_python_repr;
using acta::append_python_str;
using acta::append_shown_call;
using acta::append_shown_text;
using acta::arguments_digest;
using acta::arguments_prompt;
using acta::as_tuple;
using acta::ask;
using acta::at_least;
using acta::at_most;
using acta::binary_placeholder;
using acta::call_ids;
using acta::call_schema;
using acta::calls_other_tool;
using acta::calls_tool;
using acta::check;
using acta::combine_instruction;
using acta::contained;
using acta::content_fault;
using acta::convert_schema;
using acta::deadline_in;
using acta::defaulted;
using acta::deprecated;
using acta::detect_trajectory;
using acta::dump;
using acta::dump_to;
using acta::episode_instruction;
using acta::execute;
using acta::export_json;
using acta::feedback_heading;
using acta::fenced;
using acta::field;
using acta::fields;
using acta::find_raw_message;
using acta::find_response_type;
using acta::finish_reason_of;
using acta::format_step;
using acta::get_tools;
using acta::handle_compression;
using acta::handle_compression_async;
using acta::has_tool_call;
using acta::hidden;
using acta::hide_binary;
using acta::history_from_messages;
using acta::import_json;
using acta::indent_text;
using acta::is_error;
using acta::is_marked_sentence;
using acta::is_success;
using acta::is_thoughts;
using acta::joined_result;
using acta::keep_large_numbers;
using acta::kept_keys;
using acta::length;
using acta::lists_from_maps;
using acta::literal;
using acta::load;
using acta::load_trajectory;
using acta::maps_from_lists;
using acta::mask_secrets;
using acta::match;
using acta::max_content_bytes;
using acta::max_content_depth;
using acta::message;
using acta::new_token;
using acta::no_limit;
using acta::non_empty;
using acta::observed;
using acta::omit_if_empty;
using acta::on;
using acta::one_of;
using acta::operator<<;
using acta::optional_field;
using acta::param;
using acta::parameter_names;
using acta::parse;
using acta::parse_arguments;
using acta::parse_call;
using acta::parse_calls;
using acta::parse_literal;
using acta::parse_timestamp;
using acta::parse_tool_response;
using acta::parse_trajectories;
using acta::parse_trajectory;
using acta::parts_text;
using acta::pattern;
using acta::print_call;
using acta::progress_heading;
using acta::proposal_from;
using acta::prune;
using acta::python_repr;
using acta::python_str;
using acta::range;
using acta::read_content_part;
using acta::read_history;
using acta::read_reply;
using acta::record_format;
using acta::require_thoughts;
using acta::required;
using acta::required_literal;
using acta::response_fields;
using acta::response_type;
using acta::response_type_name;
using acta::restore_arguments;
using acta::result_from_tool_response;
using acta::rolling_instruction;
using acta::run_agent;
using acta::save;
using acta::schema;
using acta::session_id;
using acta::set_calls;
using acta::shown_text;
using acta::split_into_chunks;
using acta::split_reasoning;
using acta::status;
using acta::stuck;
using acta::summarize_text;
using acta::summary_step;
using acta::take_reasoning;
using acta::terminal_text;
using acta::text_instruction;
using acta::thoughts_text;
using acta::to_assistant_message;
using acta::to_error_response;
using acta::to_html;
using acta::to_input_validation_error_response;
using acta::to_json_value;
using acta::to_messages;
using acta::to_string;
using acta::to_terminal;
using acta::tool_definition;
using acta::tools;
using acta::totals;
using acta::unanswered_run;
using acta::unknown_keys;
using acta::update_rolling_summary;
using acta::validate;
using acta::validate_tool_response;
using acta::values;
using acta::version;
using acta::visit_in_order;
using acta::without_binary;
using acta::wrap_other_values;
}  // namespace acta

export namespace acta::action_extension {
using acta::action_extension::ShortError;
using acta::action_extension::kind_of;
using acta::action_extension::lengthened;
using acta::action_extension::shortened;
}  // namespace acta::action_extension

export namespace acta::anthropic {
using acta::anthropic::ChatCodec;
using acta::anthropic::Options;
using acta::anthropic::from_wire;
using acta::anthropic::to_wire;
}  // namespace acta::anthropic

export namespace acta::ascii {
using acta::ascii::equals_ignoring_case;
using acta::ascii::hex_value;
using acta::ascii::is_alnum;
using acta::ascii::is_alpha;
using acta::ascii::is_blank;
using acta::ascii::is_digit;
using acta::ascii::is_lower;
using acta::ascii::is_misspelling;
using acta::ascii::is_space;
using acta::ascii::is_upper;
using acta::ascii::spaces;
using acta::ascii::to_lower;
using acta::ascii::to_upper;
using acta::ascii::trim;
}  // namespace acta::ascii

export namespace acta::atif {
using acta::atif::Agent;
using acta::atif::Content;
using acta::atif::Document;
using acta::atif::FinalMetrics;
using acta::atif::MediaSource;
using acta::atif::Metrics;
using acta::atif::Observation;
using acta::atif::ObservationResult;
using acta::atif::Options;
using acta::atif::Part;
using acta::atif::PartType;
using acta::atif::Source;
using acta::atif::Step;
using acta::atif::ToolCall;
using acta::atif::Version;
using acta::atif::check;
using acta::atif::to_document;
using acta::atif::to_history;
}  // namespace acta::atif

export namespace acta::autogpt {
using acta::autogpt::AssistantThoughts;
using acta::autogpt::Proposal;
using acta::autogpt::Run;
using acta::autogpt::is_run;
using acta::autogpt::parse;
using acta::autogpt::plain_history;
using acta::autogpt::read;
using acta::autogpt::to_document;
}  // namespace acta::autogpt

export namespace acta::chat_extension {
using acta::chat_extension::KeptRequest;
using acta::chat_extension::KeptState;
using acta::chat_extension::MessageHooks;
using acta::chat_extension::TypedQuestion;
using acta::chat_extension::UsageCounts;
using acta::chat_extension::add_instruction;
using acta::chat_extension::answer_json;
using acta::chat_extension::answer_schema;
using acta::chat_extension::cut_description;
using acta::chat_extension::faults_of;
using acta::chat_extension::finish_word;
using acta::chat_extension::has_answer_words;
using acta::chat_extension::is_base64;
using acta::chat_extension::is_recordable;
using acta::chat_extension::keep_if_unreadable;
using acta::chat_extension::keep_unreadable_arguments;
using acta::chat_extension::make_recordable;
using acta::chat_extension::max_openai_description;
using acta::chat_extension::merge_usage;
using acta::chat_extension::not_recorded;
using acta::chat_extension::prepend_text;
using acta::chat_extension::require_chat_model;
using acta::chat_extension::tool_without_name;
using acta::chat_extension::unreadable;
using acta::chat_extension::unreadable_arguments;
using acta::chat_extension::unreadable_reason;
using acta::chat_extension::usage_counts;
using acta::chat_extension::write_message;
}  // namespace acta::chat_extension

export namespace acta::codec {
using acta::codec::Alternative;
using acta::codec::Container;
using acta::codec::Decoder;
using acta::codec::Document;
using acta::codec::Encoder;
using acta::codec::FieldDecoder;
using acta::codec::JsonReader;
using acta::codec::JsonWriter;
using acta::codec::Mark;
using acta::codec::PathScope;
using acta::codec::Preview;
using acta::codec::Reading;
using acta::codec::RecordDecoder;
using acta::codec::Token;
using acta::codec::Writing;
using acta::codec::alternatives;
using acta::codec::append_pointer_key;
using acta::codec::decode_guess;
using acta::codec::decode_member;
using acta::codec::decode_record;
using acta::codec::decode_value;
using acta::codec::encode_item;
using acta::codec::encode_value;
using acta::codec::find_field;
using acta::codec::insert;
using acta::codec::loc_as_dots;
using acta::codec::max_fields;
using acta::codec::preview_object;
using acta::codec::read_file_text;
using acta::codec::read_json_document;
using acta::codec::read_text_document;
using acta::codec::reading_of;
using acta::codec::record_decoder;
using acta::codec::refuse_tag;
using acta::codec::tag_of;
using acta::codec::throw_in_file;
using acta::codec::write_json;
}  // namespace acta::codec

export namespace acta::compress_extension {
using acta::compress_extension::update_rolling_summary;
}  // namespace acta::compress_extension

export namespace acta::describe_extension {
using acta::describe_extension::PatternMatcher;
using acta::describe_extension::bound_message;
using acta::describe_extension::max_pattern_text;
using acta::describe_extension::size_message;
using acta::describe_extension::text_size_message;
}  // namespace acta::describe_extension

export namespace acta::event_names {
using acta::event_names::ask;
using acta::event_names::chat_model;
using acta::event_names::compress;
using acta::event_names::parse;
using acta::event_names::register_action;
using acta::event_names::register_message;
using acta::event_names::register_result;
using acta::event_names::rewind;
using acta::event_names::skill_call;
using acta::event_names::summarize;
}  // namespace acta::event_names

export namespace acta::execution_status {
using acta::execution_status::completed;
using acta::execution_status::failed;
using acta::execution_status::incomplete;
using acta::execution_status::is_failure;
using acta::execution_status::queued;
using acta::execution_status::running;
using acta::execution_status::terminated;
}  // namespace acta::execution_status

export namespace acta::http {
using acta::http::Demand;
using acta::http::Error;
using acta::http::EventStreamReader;
using acta::http::Fault;
using acta::http::Reply;
using acta::http::Request;
using acta::http::SecretFilter;
using acta::http::Secrets;
using acta::http::Sink;
using acta::http::Transport;
using acta::http::Url;
using acta::http::environment;
using acta::http::is_this_machine;
using acta::http::parse_retry_after;
}  // namespace acta::http

export namespace acta::introspection {
using acta::introspection::FieldOption;
using acta::introspection::ItemTraits;
using acta::introspection::Kind;
using acta::introspection::SmartPointer;
using acta::introspection::enum_name;
using acta::introspection::enum_names;
using acta::introspection::for_each_option;
using acta::introspection::is_optional;
using acta::introspection::is_ordered_map;
using acta::introspection::is_variant;
using acta::introspection::item_count;
using acta::introspection::item_key;
using acta::introspection::item_of;
using acta::introspection::keeps_unknown_keys;
using acta::introspection::keyed_count;
using acta::introspection::kind_of;
using acta::introspection::literal_text;
using acta::introspection::parameter_title;
using acta::introspection::pretty_type;
using acta::introspection::require_supported;
using acta::introspection::short_type_name;
using acta::introspection::template_name;
using acta::introspection::type_title;
}  // namespace acta::introspection

export namespace acta::json_extension {
using acta::json_extension::expected_form;
}  // namespace acta::json_extension

export namespace acta::mcp {
using acta::mcp::AudioContent;
using acta::mcp::CallToolResult;
using acta::mcp::ContentBlock;
using acta::mcp::EmbeddedResource;
using acta::mcp::ErrorObject;
using acta::mcp::ImageContent;
using acta::mcp::Message;
using acta::mcp::MessageError;
using acta::mcp::Notification;
using acta::mcp::OtherContent;
using acta::mcp::Request;
using acta::mcp::RequestId;
using acta::mcp::ResourceContents;
using acta::mcp::ResourceLink;
using acta::mcp::Response;
using acta::mcp::TextContent;
using acta::mcp::Version;
using acta::mcp::message_of;
using acta::mcp::parse_message;
using acta::mcp::to_action_result;
using acta::mcp::to_string;
using acta::mcp::to_text;
using acta::mcp::to_tool_result;
}  // namespace acta::mcp

export namespace acta::mcp::error_code {
using acta::mcp::error_code::header_mismatch;
using acta::mcp::error_code::internal_error;
using acta::mcp::error_code::invalid_params;
using acta::mcp::error_code::invalid_request;
using acta::mcp::error_code::method_not_found;
using acta::mcp::error_code::missing_capability;
using acta::mcp::error_code::parse_error;
using acta::mcp::error_code::resource_not_found;
using acta::mcp::error_code::unsupported_version;
using acta::mcp::error_code::url_elicitation_required;
}  // namespace acta::mcp::error_code

export namespace acta::openai {
using acta::openai::ChatCodec;
using acta::openai::KnownServer;
using acta::openai::Options;
using acta::openai::ResponsesCodec;
using acta::openai::SendReasoning;
using acta::openai::ServerTraits;
using acta::openai::from_wire;
using acta::openai::known_servers;
using acta::openai::server_traits;
using acta::openai::to_wire;
}  // namespace acta::openai

export namespace acta::openai::responses {
using acta::openai::responses::from_wire;
using acta::openai::responses::to_wire;
}  // namespace acta::openai::responses

export namespace acta::prompt_extension {
using acta::prompt_extension::PromptSeries;
using acta::prompt_extension::PromptUpdate;
using acta::prompt_extension::native_prompt;
using acta::prompt_extension::prompt_step;
}  // namespace acta::prompt_extension

export namespace acta::schema_introspection {
using acta::schema_introspection::FieldInfo;
using acta::schema_introspection::TypeInfo;
using acta::schema_introspection::TypeRef;
using acta::schema_introspection::annotate_all;
using acta::schema_introspection::has_option;
using acta::schema_introspection::make_schema;
using acta::schema_introspection::type_info;
}  // namespace acta::schema_introspection

export namespace acta::skill_extension {
using acta::skill_extension::cancelled;
using acta::skill_extension::clean_result;
using acta::skill_extension::cut_off;
using acta::skill_extension::failed;
using acta::skill_extension::has_whole_calls;
using acta::skill_extension::may_overlap;
using acta::skill_extension::may_run;
using acta::skill_extension::outcome_unknown;
using acta::skill_extension::refused;
using acta::skill_extension::run_calls;
using acta::skill_extension::succeeded;
}  // namespace acta::skill_extension

export namespace acta::swe_agent {
using acta::swe_agent::Document;
using acta::swe_agent::Function;
using acta::swe_agent::Message;
using acta::swe_agent::Step;
using acta::swe_agent::ToolCall;
using acta::swe_agent::to_history;
}  // namespace acta::swe_agent

export namespace acta::testing {
using acta::testing::CheckFailed;
using acta::testing::CheckedStore;
using acta::testing::StoreCheck;
using acta::testing::store_checks;
}  // namespace acta::testing

export namespace acta::texts {
using acta::texts::agents_found_name;
using acta::texts::agents_found_title;
using acta::texts::block_usage_hint;
using acta::texts::input_type;
using acta::texts::no_results_name;
using acta::texts::operation_accepted;
}  // namespace acta::texts

export namespace acta::unicode {
using acta::unicode::Char;
using acta::unicode::CharClass;
using acta::unicode::char_at;
using acta::unicode::char_class;
using acta::unicode::escaped_unit;
using acta::unicode::is_blank;
using acta::unicode::is_hidden;
using acta::unicode::is_high_surrogate;
using acta::unicode::is_letter;
using acta::unicode::is_low_surrogate;
using acta::unicode::is_pictograph;
using acta::unicode::is_python_identifier_part;
using acta::unicode::is_python_printable;
using acta::unicode::line_end_length;
using acta::unicode::next_line;
using acta::unicode::one_line;
using acta::unicode::python_title;
using acta::unicode::split_hidden;
using acta::unicode::trim;
}  // namespace acta::unicode

export namespace acta::utf8 {
using acta::utf8::append;
using acta::utf8::code_point;
using acta::utf8::count_code_points;
using acta::utf8::encode;
using acta::utf8::find_invalid;
using acta::utf8::is_boundary;
using acta::utf8::is_continuation;
using acta::utf8::is_valid;
using acta::utf8::prefix;
using acta::utf8::replace_invalid;
using acta::utf8::replacement;
using acta::utf8::sequence_length;
}  // namespace acta::utf8

#if defined(__clang__) && __clang_major__ < 19
// Before clang 19 an operator that a template finds by its arguments has to be visible where the program imports acta.
// Not `==` and `<`, of which std::variant has friends, which could no longer be declared there.
export namespace std {
using std::operator<=>;
using std::operator+;
using std::operator<<;
namespace chrono {
using std::chrono::operator==;
using std::chrono::operator<=>;
using std::chrono::operator<;
using std::chrono::operator+;
using std::chrono::operator-;
}  // namespace chrono
}  // namespace std
#endif
