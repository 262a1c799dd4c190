// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "acta/interop/detail/mend_messages.inl.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE void mend_swe_agent(Json& document, Mending& mending) {
    const std::string steps_key = "trajectory";
    if (Json* const steps = json_member(document, "trajectory"); steps != nullptr && steps->is_array()) {
        for (std::size_t i = 0; i < steps->size(); ++i) {
            Json& step = (*steps)[i];
            try {
                static_cast<void>(validate<swe_agent::Step>(step));
            } catch (const ValidationError&) {
                mending.note(TrajectoryNoteKind::kept, {steps_key, i},
                             "The step cannot be read: kept as the response of a step without an action");
                std::string text = json_text(step);
                step = Json::object();
                step["action"] = "";
                step["response"] = std::move(text);
            }
        }
    }
    if (Json* const messages = json_member(document, "history"); messages != nullptr && messages->is_array())
        mend_openai_messages(*messages, {std::string("history")}, true, mending);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
