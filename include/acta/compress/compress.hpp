// SPDX-License-Identifier: MIT
#pragma once

// How a long history fits the next prompt (docs/reference/compress.md, "Compression").
// clang-format off
#include "acta/compress/summarizer.hpp"        // what acta asks of a summarizer
#include "acta/compress/compressor.hpp"        // summaries for the steps of a history
#include "acta/compress/extractive.hpp"        // a summarizer without a model
#include "acta/compress/chat_summarizer.hpp"   // one that asks a model
#include "acta/compress/summarizer_chain.hpp"  // one after the other
#include "acta/compress/summarize_text.hpp"    // any text, also one longer than a model's window
#include "acta/compress/rolling_summary.hpp"   // what is remembered of the steps that left the prompt
#include "acta/prompt/prompt.hpp"            // what the model is shown of a history
