// SPDX-License-Identifier: MIT
#if defined(ACTA_HAS_CLIENT)
#include "acta/provider/openai/chat_model.hpp"
// The order of the two is what this file tests, so they are apart for the formatter.
#include "acta/interop/openai/history.hpp"
#include "acta/interop/trajectory.hpp"
#include "interop/openai_reply_checks.hpp"

TEST_CASE("the client reads a reply with calls alone before the header of trajectories") { check_openai_reply(); }
#endif
