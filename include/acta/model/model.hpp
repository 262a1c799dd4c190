// SPDX-License-Identifier: MIT
#pragma once

// The model layer whole: describe a struct once; read, check, write it and publish its schema.
#include "acta/model/constraints.hpp"
#include "acta/model/describe.hpp"
#include "acta/model/dump.hpp"
#include "acta/model/files.hpp"
#include "acta/model/nlohmann.hpp"
#include "acta/model/parse.hpp"
#include "acta/model/schema.hpp"
