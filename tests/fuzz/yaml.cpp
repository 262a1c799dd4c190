// SPDX-License-Identifier: MIT
// YAML: any value, and declarations of skills. What is thrown is a YamlError or a ValidationError, nothing else.
#include "acta/skill/yaml.hpp"

#include "acta/skill/declaration.hpp"
#include "fuzz.hpp"

namespace {

void run(std::string_view text) {
    acta::Json json;
    try {
        json = acta::yaml_to_json(std::string(text), {.max_values = 20'000});
    } catch (const acta::YamlError& error) {
        fuzz::require(acta::utf8::is_valid(error.what()), "an error that is not UTF-8", error.what());
        return;
    }
    const std::string written = acta::dump(json);
    fuzz::require(acta::dump(acta::parse<acta::Json>(written)) == written, "no JSON, or another", written);
    acta::SkillsDeclaration declaration;
    if (fuzz::read_twice(written, declaration)) (void)declaration.get_skill_list();
}

}  // namespace

FUZZ_TARGET(run)
