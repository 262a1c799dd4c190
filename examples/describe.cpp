// SPDX-License-Identifier: MIT

#include <acta/acta.hpp>
#include <iostream>

namespace shop {

enum class Unit { piece, kilogram };

/// A custom scalar: in JSON a text like "A-17", in C++ a number.
struct ArticleId {
    int number = 0;
};

struct Order {
    ArticleId article{};
    double amount = 1;
    Unit unit = Unit::piece;
    std::string note{};
    std::vector<std::string> tags{};
};

}  // namespace shop

// Descriptions are next to the types, outside their namespace, with one line per field.
template <>
struct acta::Describe<shop::Unit> {
    static constexpr auto values =
        acta::values<shop::Unit>({{"piece", shop::Unit::piece}, {"kilogram", shop::Unit::kilogram}});
};

template <>
struct acta::Describe<shop::ArticleId> {
    using representation = std::string;
    static shop::ArticleId from_representation(const std::string& text) {
        if (!text.starts_with("A-")) throw std::invalid_argument("an article id begins with A-");
        return {std::stoi(text.substr(2))};
    }
    static std::string to_representation(const shop::ArticleId& id) { return "A-" + std::to_string(id.number); }
};

template <>
struct acta::Describe<shop::Order> {
    static constexpr std::string_view doc = "Something to buy.";
    static constexpr auto fields =
        acta::fields(acta::required("article", &shop::Order::article, "Which one."),
                     acta::defaulted("amount", &shop::Order::amount, "How much of it.", acta::range(0.5, 100)),
                     acta::defaulted("unit", &shop::Order::unit),
                     acta::defaulted("note", &shop::Order::note, "For the packer.", acta::length(0, 40)),
                     acta::optional_field("tags", &shop::Order::tags));
};

int main() {
    const auto order = acta::parse<shop::Order>(R"({"article": "A-17", "amount": "2.5", "unit": "kilogram"})");
    std::cout << acta::dump(order) << "\n\n";

    // Everything that is wrong, at once.
    constexpr std::string_view wrong = R"({
  "article": "17",
  "amount": 1000,
  "unit": "box",
  "tags": ["new", 3]
})";
    try {
        static_cast<void>(acta::parse<shop::Order>(wrong));
    } catch (const acta::ValidationError& error) {
        std::cout << error.what() << "\n\n";
        for (const acta::Issue& issue : error.issues())
            std::cout << issue.pointer() << " is at line " << issue.line << "\n";
    }

    // Strict: no text for a number, and no unknown keys.
    try {
        static_cast<void>(acta::parse<shop::Order>(
            R"({"article": "A-17", "amount": "2.5", "colour": "red"})",
            {.strictness = acta::Strictness::strict, .unknown_keys = acta::UnknownKeys::forbid}));
    } catch (const acta::ValidationError& error) {
        std::cout << "\n" << error.what() << "\n";
    }

    std::cout << "\n" << acta::schema<shop::Order>().dump(2) << "\n";
    return 0;
}
