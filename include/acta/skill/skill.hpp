// SPDX-License-Identifier: MIT
#pragma once

// Skills: declared, registered as functions, asked for in plain words, run. YAML is separate: acta/skill/yaml.hpp.
#include "acta/skill/arguments.hpp"         // what a model is asked, and how its call is read
#include "acta/skill/arguments_action.hpp"  // asking it
#include "acta/skill/check.hpp"             // a declaration against the functions
#include "acta/skill/declaration.hpp"       // what skills.yaml says
#include "acta/skill/execute.hpp"           // whole proposals
#include "acta/skill/registry.hpp"          // functions by name
#include "acta/skill/skill_action.hpp"      // one call
#include "acta/skill/tools.hpp"             // a registry for a model
