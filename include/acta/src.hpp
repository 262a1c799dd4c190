// SPDX-License-Identifier: MIT
#pragma once

// The definitions of acta's functions, for a program that compiles them once without CMake: define ACTA_COMPILED for
// all of its sources, and include this header in one of them. All other sources then see declarations, and compile in a
// fraction of the time. With CMake link acta::compiled instead (docs/building.md).
//
// Each section is one source of the library that its first line names. What needs another library is included where
// its macro is defined: ACTA_SRC_CLIENT (libcurl), ACTA_SRC_SQLITE, ACTA_SRC_POSTGRES. YAML and ICU
// (acta/skill/yaml.hpp, acta/text/icu_sentences.hpp) remain header-only.
#if !defined(ACTA_COMPILED)
#error "acta: define ACTA_COMPILED for all sources of the program, e.g. with -DACTA_COMPILED, to use acta/src.hpp"
#endif

// clang-format off
// acta::compiled
#include "acta/base/detail/file.inl.hpp"
#include "acta/base/detail/json_value.inl.hpp"
#include "acta/base/detail/retry.inl.hpp"
#include "acta/base/detail/unicode.inl.hpp"
#include "acta/base/detail/utf8.inl.hpp"
#include "acta/describe/detail/constraints.inl.hpp"
#include "acta/json/detail/decode.inl.hpp"
#include "acta/json/detail/encode.inl.hpp"
#include "acta/json/detail/issue.inl.hpp"
#include "acta/json/detail/timestamp.inl.hpp"
#include "acta/schema/detail/convert.inl.hpp"
#include "acta/schema/detail/maps.inl.hpp"
#include "acta/schema/detail/schema.inl.hpp"
#include "acta/pysyntax/detail/call.inl.hpp"
#include "acta/pysyntax/detail/call_error.inl.hpp"
#include "acta/pysyntax/detail/literal.inl.hpp"
#include "acta/pysyntax/detail/repr.inl.hpp"
#include "acta/observe/detail/counting_observer.inl.hpp"
#include "acta/observe/detail/observer.inl.hpp"
#include "acta/observe/detail/redactor.inl.hpp"
#include "acta/observe/detail/scoped_event.inl.hpp"

// acta::compiled
#include "acta/text/detail/byte_pair.inl.hpp"
#include "acta/text/detail/chunks.inl.hpp"
#include "acta/text/detail/sentences.inl.hpp"
#include "acta/text/detail/tokens.inl.hpp"
#include "acta/chat/detail/ask.inl.hpp"
#include "acta/chat/detail/binary_placeholder.inl.hpp"
#include "acta/chat/detail/content_part.inl.hpp"
#include "acta/chat/detail/message.inl.hpp"
#include "acta/chat/detail/observed_model.inl.hpp"
#include "acta/chat/detail/reasoning.inl.hpp"
#include "acta/chat/detail/scripted_model.inl.hpp"
#include "acta/chat/detail/tool_names.inl.hpp"
#include "acta/action/detail/error_info.inl.hpp"
#include "acta/action/detail/proposal.inl.hpp"
#include "acta/action/detail/result.inl.hpp"
#include "acta/history/detail/call_order.inl.hpp"
#include "acta/history/detail/conversation.inl.hpp"
#include "acta/history/detail/episode.inl.hpp"
#include "acta/history/detail/metrics.inl.hpp"
#include "acta/history/detail/stuck.inl.hpp"
#include "acta/prompt/detail/answer_text.inl.hpp"
#include "acta/prompt/detail/builder.inl.hpp"
#include "acta/prompt/detail/messages.inl.hpp"
#include "acta/prompt/detail/native_step.inl.hpp"
#include "acta/prompt/detail/options.inl.hpp"
#include "acta/prompt/detail/prompt.inl.hpp"
#include "acta/prompt/detail/said.inl.hpp"
#include "acta/prompt/detail/steps.inl.hpp"

// acta::compiled
#include "acta/compress/detail/chat_summarizer.inl.hpp"
#include "acta/compress/detail/compression.inl.hpp"
#include "acta/compress/detail/compressor.inl.hpp"
#include "acta/compress/detail/extractive.inl.hpp"
#include "acta/compress/detail/rolling_facts.inl.hpp"
#include "acta/compress/detail/rolling_run.inl.hpp"
#include "acta/compress/detail/summarize_text.inl.hpp"
#include "acta/compress/detail/summarizer_chain.inl.hpp"
#include "acta/skill/detail/arguments.inl.hpp"
#include "acta/skill/detail/arguments_action.inl.hpp"
#include "acta/skill/detail/check.inl.hpp"
#include "acta/skill/detail/declaration.inl.hpp"
#include "acta/skill/detail/execute.inl.hpp"
#include "acta/skill/detail/registered.inl.hpp"
#include "acta/skill/detail/registry.inl.hpp"
#include "acta/skill/detail/reply.inl.hpp"
#include "acta/skill/detail/skill_action.inl.hpp"
#include "acta/skill/detail/tools.inl.hpp"
#include "acta/agent/detail/instances.inl.hpp"
#include "acta/agent/detail/loop.inl.hpp"
#include "acta/agent/detail/text_calls.inl.hpp"
#include "acta/provider/anthropic/detail/from_wire.inl.hpp"
#include "acta/provider/anthropic/detail/to_wire.inl.hpp"
#include "acta/provider/openai/detail/responses_from_wire.inl.hpp"
#include "acta/provider/openai/detail/responses_to_wire.inl.hpp"
#include "acta/provider/openai/detail/wire.inl.hpp"

// acta::compiled_store
#include "acta/store/detail/call_log.inl.hpp"
#include "acta/store/detail/history_store.inl.hpp"
#include "acta/store/detail/lease_keeper.inl.hpp"
#include "acta/store/detail/memory_store.inl.hpp"
#include "acta/store/detail/open_calls.inl.hpp"
#include "acta/store/detail/record.inl.hpp"
#include "acta/store/detail/rules.inl.hpp"

// acta::compiled_view
#include "acta/view/detail/html.inl.hpp"
#include "acta/view/detail/shown_json.inl.hpp"
#include "acta/view/detail/terminal.inl.hpp"

// acta::compiled_interop
#include "acta/interop/atif/detail/check.inl.hpp"
#include "acta/interop/atif/detail/mend.inl.hpp"
#include "acta/interop/atif/detail/read_steps.inl.hpp"
#include "acta/interop/atif/detail/write_steps.inl.hpp"
#include "acta/interop/autogpt/detail/read.inl.hpp"
#include "acta/interop/autogpt/detail/write.inl.hpp"
#include "acta/interop/detail/lenient.inl.hpp"
#include "acta/interop/detail/mend_messages.inl.hpp"
#include "acta/interop/detail/tool_response_result.inl.hpp"
#include "acta/interop/detail/trajectory.inl.hpp"
#include "acta/interop/detail/validation_reply.inl.hpp"
#include "acta/interop/mcp/detail/result.inl.hpp"
#include "acta/interop/openhands/detail/events.inl.hpp"
#include "acta/interop/swe_agent/detail/align.inl.hpp"
#include "acta/interop/swe_agent/detail/mend.inl.hpp"
#include "acta/interop/swe_agent/detail/reader.inl.hpp"
#include "acta/tool_response/detail/operation_tracker.inl.hpp"
#include "acta/tool_response/detail/tool_response.inl.hpp"

// acta::compiled_testing
#include "acta/testing/detail/check_tools.inl.hpp"
#include "acta/testing/detail/fork_checks.inl.hpp"
#include "acta/testing/detail/lease_checks.inl.hpp"
#include "acta/testing/detail/position_checks.inl.hpp"
#include "acta/testing/detail/query_checks.inl.hpp"
#include "acta/testing/detail/record_checks.inl.hpp"
#include "acta/testing/detail/store_conformance.inl.hpp"

#if defined(ACTA_SRC_CLIENT)
// acta::compiled_client
#include "acta/provider/anthropic/detail/chat_model.inl.hpp"
#include "acta/provider/detail/http_chat_model.inl.hpp"
#include "acta/provider/http/detail/http.inl.hpp"
#include "acta/provider/openai/detail/chat_model.inl.hpp"
#include "acta/provider/openai/detail/responses_model.inl.hpp"
#endif

#if defined(ACTA_SRC_SQLITE)
// acta::compiled_sqlite
#include "acta/store/sqlite/detail/store.inl.hpp"
#endif

#if defined(ACTA_SRC_POSTGRES)
// acta::compiled_postgres
#include "acta/store/postgres/detail/store.inl.hpp"
#endif
// clang-format on
