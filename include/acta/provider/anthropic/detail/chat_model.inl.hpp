// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "acta/provider/anthropic/chat_model.hpp"
#include "acta/provider/anthropic/detail/chat_api.hpp"

namespace acta::inline ACTA_ABI::anthropic {

ACTA_INLINE ChatModel::ChatModel(const Options& options)
    : HttpChatModel(anthropic_detail::settings_of(options), std::make_shared<anthropic_detail::ChatApi>(options)) {}

}  // namespace acta::inline ACTA_ABI::anthropic
