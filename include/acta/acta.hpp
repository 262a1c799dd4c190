// SPDX-License-Identifier: MIT
#pragma once

// What most sources of an agent need, of the rooms that need only nlohmann_json, in the order in which they build on
// one another. The rest is included by name where it is used, for each of them costs every source time: the summarizers
// (acta/compress/compress.hpp has all), a model for tests (acta/message/scripted_model.hpp), the replies of a
// platform's tools (acta/tool_response/tool_response.hpp), other systems' formats (acta/interop/, a header for each)
// and text splitting (acta/text/).
#include "acta/version.hpp"
// clang-format off
#include "acta/model/model.hpp"             // describe a struct once: read, check, write, publish
#include "acta/python/call.hpp"             // Python's spelling of values and calls
#include "acta/observe/counting_observer.hpp"  // what happens, told to whom it concerns
#include "acta/message/message.hpp"         // what is said to a model and by it
#include "acta/message/chat_model.hpp"      // what acta asks of a model
#include "acta/message/observed_model.hpp"  // a model whose calls an observer hears of
#include "acta/action/action.hpp"           // what an agent proposes and what comes of it
#include "acta/history/shared_history.hpp"  // the record of both, also for several threads
#include "acta/compress/compressor.hpp"     // summaries of it
#include "acta/compress/prompt.hpp"         // the next prompt
#include "acta/skill/skill.hpp"             // functions that a model calls by name
