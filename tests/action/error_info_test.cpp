// SPDX-License-Identifier: MIT
#include "acta/action/action.hpp"

#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "acta/json/json.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace app {

struct ToolError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
template <class T>
struct Mismatch : std::logic_error {
    using std::logic_error::logic_error;
};
struct Silent : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return ""; }
};
struct Odd {};

}  // namespace app

namespace {

using acta::ErrorInfo;
using acta::Json;

template <class Throw>
std::exception_ptr thrown(const Throw& act) {
    try {
        act();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}  // namespace

TEST_CASE("an exception is kept with type, message and repr as Python has them") {
    const auto error = ErrorInfo::from_exception(app::ToolError("it's gone\n"));
    CHECK(error.exception_type == "ToolError");
    CHECK(error.message == "it's gone\n");
    CHECK(error.repr == R"(ToolError("it's gone\n"))");
    CHECK(error.args == std::vector<Json>{"it's gone\n"});
    CHECK(acta::to_string(error) == error.repr);
    std::ostringstream out;
    out << error;
    CHECK(out.str() == error.repr);
    CHECK(ErrorInfo::from_exception(std::out_of_range("x")).exception_type == "out_of_range");
}

TEST_CASE("the type is that of what was thrown, not of the reference to it") {
    const app::ToolError error("x");
    const std::exception& base = error;
    CHECK(ErrorInfo::from_exception(base).exception_type == "ToolError");
    CHECK(ErrorInfo::from_exception(app::Mismatch<int>("x")).repr == "Mismatch[int]('x')");
}

TEST_CASE("an exception that says nothing has no args and an empty reason") {
    const auto result = acta::ActionErrorResult::from_exception(app::Silent());
    CHECK(result.reason.empty());
    CHECK(result.error->args.empty());
    CHECK(result.error->repr == "Silent()");
    CHECK(result.error->message.empty());
}

TEST_CASE("whatever was thrown can be kept") {
    const auto number = ErrorInfo::from_exception(thrown([] { throw 42; }));
    CHECK(number.exception_type == "int");
    CHECK(number.message == "42");
    const auto text = ErrorInfo::from_exception(thrown([] { throw std::string("bare"); }));
    CHECK(text.message == "bare");
    CHECK(text.repr == text.exception_type + "('bare')");
    CHECK(ErrorInfo::from_exception(thrown([] { throw "literal"; })).message == "literal");
    const auto odd = ErrorInfo::from_exception(thrown([] { throw app::Odd(); }));
    CHECK(odd.exception_type == "Odd");
    CHECK(odd.repr == "Odd()");
    CHECK(odd.args.empty());
    const auto nothing = ErrorInfo::from_exception(std::exception_ptr());
    CHECK(nothing.message.empty());
    CHECK(nothing.repr == nothing.exception_type + "()");
    const auto same = ErrorInfo::from_exception(thrown([] { throw app::ToolError("x"); }));
    CHECK(same == ErrorInfo::from_exception(app::ToolError("x")));
    CHECK(acta::ActionErrorResult::from_exception(thrown([] { throw 7; })).reason == "7");
}

TEST_CASE("nested exceptions keep their chain in args") {
    const auto pointer = thrown([] {
        try {
            try {
                throw std::out_of_range("deep");
            } catch (...) {
                std::throw_with_nested(std::runtime_error("middle"));
            }
        } catch (...) {
            std::throw_with_nested(app::ToolError("top"));
        }
    });
    const auto error = ErrorInfo::from_exception(pointer);
    CHECK(error.message == "top");
    REQUIRE(error.args.size() == 3);
    CHECK(error.args[0] == "top");
    CHECK_THAT(error.args[1].get<std::string>(), ends_with_text("('middle')"));
    CHECK(error.args[2] == "out_of_range('deep')");
}

TEST_CASE("the causes of an exception are kept to a certain depth") {
    below_at_above("nested causes of an exception that are kept", 32, [](std::size_t causes) {
        const std::function<void(std::size_t)> nest = [&nest](std::size_t deeper) {
            try {
                if (deeper == 0) throw std::runtime_error("the cause");
                nest(deeper - 1);
            } catch (const std::runtime_error&) {
                if (deeper == 0) throw;
                std::throw_with_nested(std::runtime_error("nested"));
            }
        };
        const auto error = ErrorInfo::from_exception(thrown([&] { nest(causes); }));
        return error.args.size() == causes + 1 &&
               error.args.back().get<std::string>().find("the cause") != std::string::npos;
    });
}

TEST_CASE("a nested exception is called by the name of what was thrown with it") {
    const auto error = ErrorInfo::from_exception(thrown([] {
        try {
            throw 1;
        } catch (...) {
            std::throw_with_nested(app::ToolError("top"));
        }
    }));
    CHECK(error.exception_type == "ToolError");
    CHECK(error.repr == "ToolError('top')");
    CHECK(error.args == std::vector<Json>{"top", "int('1')"});
}

TEST_CASE("bytes that are no UTF-8 are replaced, so that the record can be saved") {
    const auto result = acta::ActionErrorResult::from_exception(std::runtime_error("a\xff\xc3z"));
    CHECK(result.reason == "a\uFFFD\uFFFDz");
    CHECK(result.error->message == result.reason);
    CHECK(result.error->args == std::vector<Json>{result.reason});
    CHECK_NOTHROW(acta::dump(result));
}

TEST_CASE("long texts are cut on a code point, with a note") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "\u4eac";
    const acta::ErrorOptions options{.max_error_bytes = 10};
    const auto error = ErrorInfo::from_exception(std::runtime_error(text), options);
    CHECK(error.message == "\u4eac\u4eac\u4eac... (291 bytes cut)");
    CHECK(error.args == std::vector<Json>{error.message});
    CHECK(acta::utf8::is_valid(error.repr));
    CHECK_THAT(error.repr, contains_text("bytes cut)"));
    const std::string large(100000, 'x');
    const auto by_default = ErrorInfo::from_exception(std::runtime_error(large));
    CHECK(by_default.message.size() < 66000);
    CHECK(by_default.repr.size() < 66000);
    below_at_above("text of an error in a record", std::size_t{64} * 1024, [](std::size_t bytes) {
        const std::string exact(bytes, 'x');
        return ErrorInfo::from_exception(std::runtime_error(exact)).message == exact;
    });
    // No option makes an error that a record cannot have.
    constexpr std::size_t longest = std::size_t{32} * 1024 * 1024;
    const acta::ErrorOptions all{.max_error_bytes = std::string::npos};
    const auto longer = ErrorInfo::from_exception(std::runtime_error(std::string(longest + 5, 'x')), all);
    CHECK(longer.message.substr(longest) == "... (5 bytes cut)");
    CHECK_FALSE(acta::content_fault(longer.args[0]));
}

TEST_CASE("a redactor sees every text before it is kept") {
    acta::ErrorOptions options;
    options.redactor = [](std::string_view text) {
        std::string out(text);
        for (std::size_t at = out.find("key"); at != std::string::npos; at = out.find("key")) out.replace(at, 3, "***");
        return out;
    };
    const auto pointer = thrown([] {
        try {
            throw std::runtime_error("inner key");
        } catch (...) {
            std::throw_with_nested(app::ToolError("outer key"));
        }
    });
    const auto result = acta::ActionErrorResult::from_exception(pointer, options);
    CHECK(result.reason == "outer ***");
    CHECK(acta::dump(result).find("key") == std::string::npos);
    CHECK(result.error->args[1] == "runtime_error('inner ***')");
    // The redacted text is truncated, and its UTF-8 repaired, like any other text.
    options.redactor = [](std::string_view) { return std::string("\xff") + std::string(50, 'y'); };
    options.max_error_bytes = 8;
    CHECK(ErrorInfo::from_exception(std::runtime_error("x"), options).message == "\uFFFDyyyyy... (45 bytes cut)");
}

TEST_CASE("an exception whose what() is null has an empty message") {
    struct Wordless : std::exception {
        [[nodiscard]] const char* what() const noexcept override { return nullptr; }
    };
    CHECK(ErrorInfo::from_exception(Wordless()).message.empty());
    CHECK(ErrorInfo::from_exception(std::make_exception_ptr(Wordless())).exception_type == "Wordless");
}
