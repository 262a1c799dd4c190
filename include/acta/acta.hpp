// SPDX-License-Identifier: MIT
#pragma once

// The headers that most source files of an agent need, from the components that depend on nlohmann_json only, in the
// order of their dependencies. Include the rest by name where you use it, since each header slows the compilation of
// every source file that includes it: the loop (acta/agent/run.hpp), models (acta/provider/, a folder for each
// provider), summaries of a long record (acta/compress/compress.hpp), the replies of a platform's tools
// (acta/tool_response/tool_response.hpp), other systems' formats (acta/interop/, a folder for each) and text splitting
// (acta/text/).
#include "acta/version.hpp"
// clang-format off
#include "acta/describe/describe.hpp"          // describe a struct once ...
#include "acta/describe/constraints.hpp"       // ... with what its values must satisfy ...
#include "acta/json/json.hpp"                  // ... and parse, validate and write it ...
#include "acta/schema/schema.hpp"              // ... and publish its JSON Schema
#include "acta/pysyntax/call.hpp"              // Python's spelling of values and calls
#include "acta/observe/observer.hpp"           // events, and who receives them
#include "acta/chat/message.hpp"               // messages to and from a model
#include "acta/chat/chat_model.hpp"            // models: the concept, typed answers, scripted and observed ones
#include "acta/action/action.hpp"              // what an agent proposes, and the result
#include "acta/history/shared_history.hpp"     // the record of both, also for several threads
#include "acta/prompt/messages.hpp"            // a history as messages, and back
#include "acta/prompt/prompt.hpp"              // the next prompt
#include "acta/skill/registry.hpp"             // functions that a model calls by name ...
#include "acta/skill/execute.hpp"              // ... executed, checked and listed for a model ...
#include "acta/skill/arguments_action.hpp"     // ... and called in text
