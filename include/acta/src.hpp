// SPDX-License-Identifier: MIT
#pragma once

// The definitions of acta's functions, for a program that compiles them once without CMake: define ACTA_COMPILED for
// all of its sources, and include this header in one of them. All other sources then see declarations, and compile in a
// fraction of the time. With CMake link acta::compiled instead (docs/building.md).
//
// Each section is one source of the library that its first line names. What needs another library is included where
// its macro is defined: ACTA_SRC_CLIENT (libcurl), ACTA_SRC_SQLITE, ACTA_SRC_POSTGRES. YAML and ICU
// (acta/skill/yaml.hpp, acta/text/icu_sentences.hpp) remain header-only.
#include "acta/version.hpp"

#if !defined(ACTA_COMPILED)
#error "acta: define ACTA_COMPILED for all sources of the program, e.g. with -DACTA_COMPILED, to use acta/src.hpp"
#endif

// clang-format off
// acta::compiled
#include "acta/base/detail/base.inl.hpp"
#include "acta/base/detail/file.inl.hpp"
#include "acta/base/detail/process.inl.hpp"
#include "acta/base/detail/process_parts.inl.hpp"
#include "acta/base/detail/process_posix.inl.hpp"
#include "acta/base/detail/process_windows.inl.hpp"
#include "acta/base/detail/unicode.inl.hpp"
#include "acta/base/detail/workers.inl.hpp"
#include "acta/describe/detail/constraints.inl.hpp"
#include "acta/describe/detail/pattern.inl.hpp"
#include "acta/json/detail/decode.inl.hpp"
#include "acta/json/detail/encode.inl.hpp"
#include "acta/json/detail/issue.inl.hpp"
#include "acta/json/detail/timestamp.inl.hpp"
#include "acta/schema/detail/schema.inl.hpp"
#include "acta/schema/detail/validator.inl.hpp"
#include "acta/pysyntax/detail/call.inl.hpp"
#include "acta/pysyntax/detail/repr.inl.hpp"
#include "acta/observe/detail/observer.inl.hpp"

// acta::compiled
#include "acta/text/detail/byte_pair.inl.hpp"
#include "acta/text/detail/chunks.inl.hpp"
#include "acta/text/detail/tokens.inl.hpp"
#include "acta/chat/detail/binary_placeholder.inl.hpp"
#include "acta/chat/detail/chat_model.inl.hpp"
#include "acta/chat/detail/message.inl.hpp"
#include "acta/chat/detail/recordable.inl.hpp"
#include "acta/action/detail/action.inl.hpp"
#include "acta/history/detail/change.inl.hpp"
#include "acta/history/detail/episode.inl.hpp"
#include "acta/history/detail/history_view.inl.hpp"
#include "acta/history/detail/stuck.inl.hpp"
#include "acta/prompt/detail/messages.inl.hpp"
#include "acta/prompt/detail/prompt.inl.hpp"
#include "acta/prompt/detail/steps.inl.hpp"

// acta::compiled
#include "acta/compress/detail/chat_summarizer.inl.hpp"
#include "acta/compress/detail/compress.inl.hpp"
#include "acta/compress/detail/extractive.inl.hpp"
#include "acta/compress/detail/rolling_summary.inl.hpp"
#include "acta/skill/detail/arguments_action.inl.hpp"
#include "acta/skill/detail/declaration.inl.hpp"
#include "acta/skill/detail/execute.inl.hpp"
#include "acta/skill/detail/registry.inl.hpp"
#include "acta/agent/detail/agent_run.inl.hpp"
#include "acta/agent/detail/calls.inl.hpp"
#include "acta/agent/detail/summaries.inl.hpp"
#include "acta/agent/detail/run.inl.hpp"

// acta::compiled
#include "acta/provider/anthropic/detail/codec.inl.hpp"
#include "acta/provider/anthropic/detail/wire.inl.hpp"
#include "acta/provider/detail/codec.inl.hpp"
#include "acta/provider/detail/http_chat_model.inl.hpp"
#include "acta/provider/detail/server_text.inl.hpp"
#include "acta/provider/http/detail/http.inl.hpp"
#include "acta/provider/http/detail/secrets.inl.hpp"
#include "acta/provider/openai/detail/codec.inl.hpp"
#include "acta/provider/openai/detail/server_traits.inl.hpp"
#include "acta/provider/openai/detail/wire.inl.hpp"

// acta::compiled_store
#include "acta/store/detail/history_store.inl.hpp"
#include "acta/store/detail/memory_store.inl.hpp"
#include "acta/store/detail/stored_history.inl.hpp"

// acta::compiled_view
#include "acta/view/detail/html.inl.hpp"
#include "acta/view/detail/terminal.inl.hpp"

// acta::compiled_interop
#include "acta/interop/atif/detail/atif.inl.hpp"
#include "acta/interop/atif/detail/repair.inl.hpp"
#include "acta/interop/autogpt/detail/autogpt.inl.hpp"
#include "acta/interop/claude_code/detail/session.inl.hpp"
#include "acta/interop/codex/detail/items.inl.hpp"
#include "acta/interop/detail/api_requests.inl.hpp"
#include "acta/interop/detail/chat_logs.inl.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/detail/tool_response_result.inl.hpp"
#include "acta/interop/detail/trajectory.inl.hpp"
#include "acta/interop/goose/detail/session.inl.hpp"
#include "acta/interop/openhands/detail/events.inl.hpp"
#include "acta/interop/swe_agent/detail/swe_agent.inl.hpp"
#include "acta/tool_response/detail/tool_response.inl.hpp"

// acta::compiled_mcp
#include "acta/mcp/detail/client.inl.hpp"
#include "acta/mcp/detail/http_server.inl.hpp"
#include "acta/mcp/detail/http_transport.inl.hpp"
#include "acta/mcp/detail/json_rpc.inl.hpp"
#include "acta/mcp/detail/protocol.inl.hpp"
#include "acta/mcp/detail/result.inl.hpp"
#include "acta/mcp/detail/serve.inl.hpp"
#include "acta/mcp/detail/server.inl.hpp"
#include "acta/mcp/detail/servers.inl.hpp"
#include "acta/mcp/detail/stdio_transport.inl.hpp"

// acta::compiled_trace
#include "acta/trace/detail/exporter.inl.hpp"
#include "acta/trace/detail/span.inl.hpp"
#include "acta/trace/detail/tracer.inl.hpp"

// acta::compiled_testing
#include "acta/testing/detail/golden_run.inl.hpp"
#include "acta/testing/detail/recorded_model.inl.hpp"
#include "acta/testing/detail/recorded_run.inl.hpp"
#include "acta/testing/detail/store_conformance.inl.hpp"
#include "acta/testing/detail/trajectory_match.inl.hpp"

#if defined(ACTA_SRC_CLIENT)
// acta::compiled_client
#include "acta/provider/http/detail/curl.inl.hpp"
#include "acta/provider/http/detail/curl_multi.inl.hpp"
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
