// SPDX-License-Identifier: MIT
#pragma once

// Proposals of action and their results.
#include "acta/action/error_info.hpp"
#include "acta/action/proposal.hpp"
#include "acta/action/result.hpp"
