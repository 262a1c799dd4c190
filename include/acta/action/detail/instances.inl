// SPDX-License-Identifier: MIT
// The instances of this room's templates that acta::compiled contains. Included twice, by the room's header and by the
// library's source that defines ACTA_DETAIL_INSTANCES, so there is no #pragma once.
#include "acta/fwd.hpp"
#include "acta/json/document.hpp"

#if defined(ACTA_DETAIL_INSTANCES)
#define ACTA_DETAIL_INSTANCE template
#else
#define ACTA_DETAIL_INSTANCE extern template
#endif

namespace acta::inline ACTA_ABI {

ACTA_DETAIL_INSTANCE struct codec::Document<AssistantFunctionCall>;
ACTA_DETAIL_INSTANCE struct codec::Document<ActionProposal<>>;
ACTA_DETAIL_INSTANCE struct codec::Document<ActionResult>;

}  // namespace acta::inline ACTA_ABI

#undef ACTA_DETAIL_INSTANCE
