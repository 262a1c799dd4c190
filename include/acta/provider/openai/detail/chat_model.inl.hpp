// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "acta/provider/http/http.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "acta/provider/openai/detail/chat_api.hpp"

namespace acta::inline ACTA_ABI::openai {

ACTA_INLINE ChatModel::ChatModel(const Options& options)
    : HttpChatModel(openai_detail::settings_of(options, "/chat/completions"),
                    std::make_shared<openai_detail::ChatApi>(
                        options, openai_detail::rules_of(provider_detail::host_of(options.base_url)))) {}

}  // namespace acta::inline ACTA_ABI::openai

namespace acta::inline ACTA_ABI::openai {

ACTA_INLINE ResponsesModel::ResponsesModel(const Options& options)
    : HttpChatModel(openai_detail::settings_of(options, "/responses"),
                    std::make_shared<openai_detail::ResponsesApi>(options)) {}

}  // namespace acta::inline ACTA_ABI::openai
