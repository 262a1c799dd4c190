// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include "acta/text/byte_pair.hpp"
#include "memory/failing_new.hpp"
#include "text/data.hpp"
#if defined(ACTA_HAS_YAML)
#include "acta/skill/yaml.hpp"
#endif

// What is read by the libraries of others, or from their files, without memory.

TEST_CASE("without memory a text has no tokens, and a file of ranks makes no tokenizer") {
    const auto path = acta_test::text_data() / "small.tiktoken";
    constexpr auto encoding = acta::TokenEncoding::o200k_base;
    const auto tokenizer = acta::BytePairTokenizer::from_file(path, encoding);
    const std::string text =
        "The tides of the north sea, all 23 of them: \xE4\xBA\xAC\xE4\xBA\xAC, and a looooooooong word.";
    const auto tokens = tokenizer.encode(text);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer(text)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer.encode(text)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(tokenizer.decode(tokens)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::BytePairTokenizer::from_file(path, encoding)); });
}

#if defined(ACTA_HAS_YAML)
TEST_CASE("without memory a YAML text is not read") {
    const std::string text =
        "name: a name too long for a string itself\nlist: [1, 2.5, null, {deep: yes}]\nfolded: >\n  a\n  b\n";
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::yaml_to_json(text)); });
}
#endif
