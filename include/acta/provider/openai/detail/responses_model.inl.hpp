// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "acta/provider/openai/detail/chat_api.hpp"
#include "acta/provider/openai/detail/responses_api.hpp"
#include "acta/provider/openai/responses_model.hpp"

namespace acta::inline ACTA_ABI::openai {

ACTA_INLINE ResponsesModel::ResponsesModel(const Options& options)
    : HttpChatModel(openai_detail::settings_of(options, "/responses"),
                    std::make_shared<openai_detail::ResponsesApi>(options)) {}

}  // namespace acta::inline ACTA_ABI::openai
