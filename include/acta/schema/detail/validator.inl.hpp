// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/real.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"
#include "acta/schema/detail/compiled_schema.hpp"
#include "acta/schema/validator.hpp"

namespace acta::inline ACTA_ABI {
namespace schema_detail {

// Values of JSON Schema: 1 and 1.0 are the same number, and the order of keys does not count.

/// An integer as its sign and, in two's complement, its bits: those that are not negative are held in either type.
struct Whole {
    bool negative = false;
    std::uint64_t bits = 0;
};

[[nodiscard]] ACTA_INLINE Whole whole_of(const Json& integer) {
    if (integer.is_number_unsigned()) return {false, base::unsigned_of(integer)};
    return {base::integer_of(integer) < 0, static_cast<std::uint64_t>(base::integer_of(integer))};
}

/// A number in decimals: digits times a power of ten.
struct Decimal {
    std::uint64_t digits = 0;  // below 10^20
    int exponent = 0;
};

[[nodiscard]] ACTA_INLINE Decimal decimal_of(const Json& number) {
    if (number.is_number_integer()) {
        const Whole whole = whole_of(number);
        return {whole.negative ? ~whole.bits + 1 : whole.bits, 0};
    }
    const base::ShortestDigits shortest = base::shortest_digits(base::real_of(number));
    Decimal out;
    for (std::size_t i = 0; i < shortest.count; ++i)
        out.digits = 10 * out.digits + static_cast<std::uint64_t>(shortest.digits[i] - '0');
    out.exponent = shortest.exponent - static_cast<int>(shortest.count) + 1;
    return out;
}

/// Returns `a * b % m` for factors below `m`.
[[nodiscard]] ACTA_INLINE std::uint64_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
    const auto sum = [m](std::uint64_t x, std::uint64_t y) { return x >= m - y ? x - (m - y) : x + y; };
    std::uint64_t out = 0;
    for (; b != 0; b >>= 1U) {
        if ((b & 1U) != 0) out = sum(out, a);
        a = sum(a, a);
    }
    return out;
}

/// Returns whether a finite number is a multiple of another one, both as they are written in decimals.
[[nodiscard]] ACTA_INLINE bool is_multiple(const Json& number, const Json& divisor) {
    const Decimal value = decimal_of(number);
    Decimal unit = decimal_of(divisor);
    if (value.digits == 0) return true;
    std::uint64_t left = value.digits;
    int exponent = value.exponent - unit.exponent;
    for (; exponent < 0; ++exponent) {  // ends, since 20 digits have at most 19 zeros at their end
        if (left % 10 != 0) return false;
        left /= 10;
    }
    left %= unit.digits;
    for (; exponent > 0 && left != 0; --exponent) left = product_modulo(left, 10 % unit.digits, unit.digits);
    return left == 0;
}

/// Returns less than, equal to or greater than 0 for the order of two numbers; NaN, which JSON lacks, comes last.
[[nodiscard]] ACTA_INLINE int number_order(const Json& a, const Json& b) {
    const auto is_nan = [](const Json& one) { return one.is_number_float() && std::isnan(base::real_of(one)); };
    if (is_nan(a) || is_nan(b)) return static_cast<int>(is_nan(a)) - static_cast<int>(is_nan(b));
    const auto sign = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
    const auto order = [&sign](const Whole& x, const Whole& y) {  // in two's complement -1 is above -2
        return x.negative == y.negative ? sign(x.bits, y.bits) : x.negative ? -1 : 1;
    };
    if (b.is_number_float() && !a.is_number_float()) return -number_order(b, a);
    if (!a.is_number_float()) return order(whole_of(a), whole_of(b));
    const double real = base::real_of(a);
    if (b.is_number_float()) return sign(real, base::real_of(b));
    if (real < -0x1p63 || real >= 0x1p64) return real < 0 ? -1 : 1;
    const double whole = std::trunc(real);
    const Whole parts{whole < 0, whole < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                                           : static_cast<std::uint64_t>(whole)};
    const int found = order(parts, whole_of(b));
    return found != 0 ? found : sign(real, whole);
}

/// The kinds of values that differ: one for all numbers.
[[nodiscard]] ACTA_INLINE int kind_of(const Json& value) {
    return value.is_number() ? static_cast<int>(Json::value_t::number_integer) : static_cast<int>(value.type());
}

/// The entries of an object by key.
[[nodiscard]] ACTA_INLINE std::vector<const Json::object_t::value_type*> sorted_entries(const Json& value) {
    std::vector<const Json::object_t::value_type*> out;
    for (const auto& entry : base::object_of(value)) out.push_back(&entry);
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
    return out;
}

/// Orders any two values, equal ones of JSON Schema as equal. Adds the number of values compared to `steps`, in which
/// 256 bytes of texts count as one. Linear in their size, times its logarithm.
[[nodiscard]] ACTA_INLINE int value_order(const Json& a, const Json& b, std::size_t& steps) {
    ++steps;
    if (const int kinds = kind_of(a) - kind_of(b); kinds != 0) return kinds;
    if (a.is_number()) return number_order(a, b);
    if (a.is_string()) {
        const std::string &left = base::text_of(a), &right = base::text_of(b);
        steps += std::min(left.size(), right.size()) / 256;
        return left.compare(right);
    }
    if (a.is_boolean()) return static_cast<int>(base::boolean_of(a)) - static_cast<int>(base::boolean_of(b));
    if (!a.is_structured() || a.size() != b.size()) return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
    if (a.is_array()) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (const int order = value_order(a[i], b[i], steps); order != 0) return order;
        return 0;
    }
    steps += a.size();
    const auto left = sorted_entries(a), right = sorted_entries(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (const int order = left[i]->first.compare(right[i]->first); order != 0) return order;
        if (const int order = value_order(left[i]->second, right[i]->second, steps); order != 0) return order;
    }
    return 0;
}

[[nodiscard]] ACTA_INLINE bool is_of_type(const Json& value, std::string_view type) {
    if (type == "integer")
        return value.is_number_integer() ||
               (value.is_number_float() && std::trunc(base::real_of(value)) == base::real_of(value));
    return type == (value.is_number() ? "number" : value.type_name());
}

/// Where a value is: a step from the value around it.
struct Place {
    const Place* around = nullptr;
    const std::string* key = nullptr;  // null for an element of a list
    std::size_t index = 0;

    [[nodiscard]] std::vector<LocElement> loc() const {
        std::vector<LocElement> out;
        for (const Place* step = this; step->around != nullptr; step = step->around)
            out.push_back(step->key != nullptr ? LocElement(*step->key) : LocElement(step->index));
        std::reverse(out.begin(), out.end());
        return out;
    }
};

/// Which elements or entries of a value schemas have been applied to, by index.
using Evaluated = std::vector<bool>;

/// Why a check ends before it knows whether a schema accepts a value.
struct Stopped {
    const char* why;
};

/// One check of a value. Returns whether a schema accepts it, and adds the issues to a list, unless that is null: what
/// an alternative does not accept is an issue only if no other one does. Throws `Stopped`.
class Validation {
public:
    using Issues = std::vector<Issue>;

    explicit Validation(std::size_t max_issues) : max_issues_(max_issues) {}

    bool check(const SchemaNode& node, const Json& value, const Place& place, Issues* issues, Evaluated* evaluated) {
        spend(1);
        if (depth_ == SchemaValidator::max_depth) throw Stopped{"its references or the value are nested too deep"};
        ++depth_;
        Evaluated own;
        Scope scope{node, value, place, issues, evaluated != nullptr || node.asks_evaluated() ? &own : nullptr};
        if (scope.evaluated != nullptr && value.is_structured()) {
            spend(value.size() / looked_at);
            own.resize(value.size());
        }
        const bool accepted = check_all(scope);
        if (accepted && evaluated != nullptr) merge(own, *evaluated);
        --depth_;
        return accepted;
    }

private:
    struct Scope {
        const SchemaNode& node;
        const Json& value;
        const Place& place;
        Issues* issues;
        Evaluated* evaluated;

        void mark(std::size_t index) const {
            if (evaluated != nullptr) (*evaluated)[index] = true;
        }
    };

    static void merge(const Evaluated& from, Evaluated& to) {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i]) to[i] = true;
    }

    /// Counts work, in schemas that a value is checked with.
    void spend(std::size_t work) {
        work_ += work;
        if (work_ > SchemaValidator::max_work) throw Stopped{"it takes too long to be checked"};
    }
    int order(const Json& a, const Json& b) {
        std::size_t steps = 0;
        const int out = value_order(a, b, steps);
        spend(steps / compared);
        return out;
    }
    const Json* member(const Json& object, const std::string& name) {
        looks_ += object.size() + 1;
        spend(looks_ / looked_at);
        looks_ %= looked_at;
        return base::find_key(object, name);
    }

    bool refuse(const Scope& at, const char* type, const std::function<std::string()>& message) const {
        if (at.issues != nullptr && at.issues->size() < max_issues_)
            at.issues->push_back({.loc = at.place.loc(),
                                  .type = type,
                                  .message = message(),
                                  .input = std::string(utf8::prefix(excerpt(at.value), 100))});
        return false;
    }
    /// Returns a value as JSON, cheaply also if it is large.
    [[nodiscard]] static std::string excerpt(const Json& value) {
        if (value.is_array()) return base::concat({"[", value.empty() ? "" : "…", "]"});
        if (value.is_object()) return base::concat({"{", value.empty() ? "" : "…", "}"});
        return text_of_value(value.is_string() ? base::text_json(utf8::prefix(base::text_of(value), 100)) : value);
    }
    bool undecided(const Scope& at, std::string_view why) {
        ++undecided_;
        return refuse(at, "schema_unusable", [&] { return base::concat({"Input cannot be checked, since ", why}); });
    }

    /// Whether a check is over when something was not accepted, as no further issues are wanted.
    [[nodiscard]] static bool ends(const Scope& at) { return at.issues == nullptr; }

    using Check = bool (Validation::*)(const Scope&);

    bool check_all(const Scope& at) {
        if (at.node.is_false)
            return refuse(at, "extra_forbidden", [] { return std::string("Extra inputs are not permitted"); });
        if (!at.node.fault.empty()) return undecided(at, at.node.fault);
        bool accepted = true;
        static constexpr Check checks[] = {&Validation::kinds,        &Validation::numbers,    &Validation::texts,
                                           &Validation::lists,        &Validation::objects,    &Validation::everything,
                                           &Validation::alternatives, &Validation::single,     &Validation::negation,
                                           &Validation::conditional,  &Validation::unevaluated};
        for (const Check one : checks) {
            if (!(this->*one)(at)) {
                accepted = false;
                if (ends(at) || one == &Validation::kinds) break;
            }
        }
        return accepted;
    }

    // Values ----------------------------------------------------------------------------------------------------------

    bool kinds(const Scope& at) {
        const auto fits = [&](const Json& type) { return is_of_type(at.value, base::text_of(type)); };
        const JsonArray& types = at.node.types;
        spend(types.size() / compared);
        if (!types.empty() && std::none_of(types.begin(), types.end(), fits))
            return refuse(at, "type", [&] {
                return "Input should be of the type " + dump(types.size() == 1 ? types.front() : Json(types));
            });
        const auto& allowed = at.node.allowed;
        if (!allowed) return true;
        spend(allowed->size() / compared);
        for (const Json& one : *allowed)
            if (order(one, at.value) == 0) return true;
        return refuse(at, allowed->size() == 1 ? "literal_error" : "enum", [&] { return words_of(*allowed); });
    }
    /// Names the values that are allowed, the first of them if there are many.
    [[nodiscard]] static std::string words_of(const JsonArray& allowed) {
        constexpr std::size_t most = 20;
        if (allowed.empty()) return "Input has no value that is allowed";
        std::string out = "Input should be ";
        for (std::size_t i = 0; i < std::min(allowed.size(), most); ++i)
            base::append(out, {i == 0 ? "" : i + 1 == allowed.size() ? " or " : ", ", quoted(allowed[i])});
        if (allowed.size() > most) base::append(out, {" or one of ", std::to_string(allowed.size() - most), " others"});
        return out;
    }
    [[nodiscard]] static std::string quoted(const Json& value) {
        constexpr std::size_t longest = 200;
        const std::string text =
            value.is_string() ? base::concat({"'", base::text_of(value), "'"}) : text_of_value(value);
        return text.size() <= longest ? text : base::concat({utf8::prefix(text, longest), "…"});
    }
    [[nodiscard]] static std::string text_of_value(const Json& value) {
        return dump(value, {.invalid_utf8 = InvalidUtf8::replace});
    }

    bool numbers(const Scope& at) {
        if (!at.value.is_number()) return true;
        const SchemaNode& node = at.node;
        bool accepted = true;
        const auto compare = [&](const std::optional<Json>& bound, auto holds, const char* type, const char* words) {
            if (!bound || holds(number_order(at.value, *bound), 0)) return;
            accepted =
                refuse(at, type, [&] { return describe_extension::bound_message(words, bound_of(*bound), false); });
        };
        compare(node.minimum, std::greater_equal<>(), "greater_than_equal", "greater than or equal to");
        compare(node.above, std::greater<>(), "greater_than", "greater than");
        compare(node.maximum, std::less_equal<>(), "less_than_equal", "less than or equal to");
        compare(node.below, std::less<>(), "less_than", "less than");
        if (node.multiple_of && (!is_finite(at.value) || !is_multiple(at.value, *node.multiple_of)))
            accepted = refuse(at, "multiple_of", [&] {
                return describe_extension::bound_message("a multiple of", bound_of(*node.multiple_of), false);
            });
        return accepted;
    }
    [[nodiscard]] static NumberBound bound_of(const Json& number) {
        return number.is_number_float()      ? NumberBound(base::real_of(number))
               : number.is_number_unsigned() ? NumberBound(base::unsigned_of(number))
                                             : NumberBound(base::integer_of(number));
    }
    [[nodiscard]] static bool is_finite(const Json& number) {
        return !number.is_number_float() || std::isfinite(base::real_of(number));
    }

    bool size(const Scope& at, const char* what, std::size_t least, std::size_t most) const {
        const std::size_t found = at.value.size();
        if (found < least)
            return refuse(at, "too_short",
                          [&] { return describe_extension::size_message(what, "least", least, found); });
        return found <= most ||
               refuse(at, "too_long", [&] { return describe_extension::size_message(what, "most", most, found); });
    }

    bool length(const Scope& at, std::size_t found) const {
        const SchemaNode& node = at.node;
        if (found < node.min_length)
            return refuse(at, "string_too_short",
                          [&] { return describe_extension::text_size_message("least", node.min_length); });
        return found <= node.max_length || refuse(at, "string_too_long", [&] {
                   return describe_extension::text_size_message("most", node.max_length);
               });
    }

    bool texts(const Scope& at) {
        if (!at.value.is_string()) return true;
        const SchemaNode& node = at.node;
        const std::string& text = base::text_of(at.value);
        bool accepted = true;
        if (node.min_length > 0 || node.max_length < text.size()) {
            spend(text.size() / counted);
            accepted = length(at, utf8::count_code_points(text));
        }
        if (node.pattern && (accepted || !ends(at))) accepted = matches(at, *node.pattern, text) && accepted;
        return accepted;
    }

    bool matches(const Scope& at, const SchemaPattern& pattern, const std::string& text) {
        if (!pattern.matcher) return undecided(at, pattern.fault);
        if (text.size() > describe_extension::max_pattern_text) {
            return refuse(at, "string_too_long", [] {
                return base::concat({"String should have at most ",
                                     std::to_string(describe_extension::max_pattern_text),
                                     " bytes, as it is matched with a pattern"});
            });
        }
        return find(pattern, text) || refuse(at, "string_pattern_mismatch", [&] {
                   return base::concat({"String should match pattern '", pattern.text, "'"});
               });
    }
    bool find(const SchemaPattern& pattern, const std::string& text) {
        const std::function<void()> spend_steps = [this] { spend(work_of_pattern); };
        spend(work_of_match);
        return pattern.matcher->matches(text, &spend_steps);
    }

    // Lists -----------------------------------------------------------------------------------------------------------

    bool lists(const Scope& at) {
        if (!at.value.is_array()) return true;
        const SchemaNode& node = at.node;
        bool accepted = size(at, "List", node.min_items, node.max_items);
        if (!accepted && ends(at)) return false;
        for (std::size_t i = 0; i < at.value.size(); ++i) {
            const SchemaNode* const schema = i < node.prefix.size() ? node.prefix[i] : node.items;
            if (schema == nullptr) break;
            at.mark(i);
            accepted = check(*schema, at.value[i], {&at.place, nullptr, i}, at.issues, nullptr) && accepted;
            if (!accepted && ends(at)) return false;
        }
        if (node.unique) accepted = unique(at) && accepted;
        if (node.contains != nullptr) accepted = contains(at) && accepted;
        return accepted;
    }

    bool unique(const Scope& at) {
        std::vector<std::size_t> sorted(at.value.size());
        for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
        spend(sorted.size() / compared);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::size_t a, std::size_t b) { return order(at.value[a], at.value[b]) < 0; });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (order(at.value[sorted[i - 1]], at.value[sorted[i]]) != 0) continue;
            return refuse(at, "unique_items", [&] {
                return base::concat({"List should have no item twice, but items ", std::to_string(sorted[i - 1]),
                                     " and ", std::to_string(sorted[i]), " are equal"});
            });
        }
        return true;
    }

    bool contains(const Scope& at) {
        const SchemaNode& node = at.node;
        const std::size_t before = undecided_;
        std::size_t found = 0;
        for (std::size_t i = 0; i < at.value.size(); ++i) {
            if (!check(*node.contains, at.value[i], {&at.place, nullptr, i}, nullptr, nullptr)) continue;
            at.mark(i);
            ++found;
        }
        if (undecided_ != before) return undecided(at, "an item of it cannot be");
        if (found >= node.min_contains && found <= node.max_contains) return true;
        const bool is_small = found < node.min_contains;
        return refuse(at, "contains", [&] {
            return base::concat({"List should contain at ", is_small ? "least " : "most ",
                                 std::to_string(is_small ? node.min_contains : node.max_contains),
                                 " of the items that \"contains\" accepts, not ", std::to_string(found)});
        });
    }

    // Objects ---------------------------------------------------------------------------------------------------------

    bool objects(const Scope& at) {
        if (!at.value.is_object()) return true;
        const SchemaNode& node = at.node;
        bool accepted = size(at, "Dictionary", node.min_properties, node.max_properties);
        if (!accepted && ends(at)) return false;
        for (const std::string& name : node.required) accepted = has(at, name) && accepted;
        for (const auto& [name, others] : node.dependent_required) {
            if (member(at.value, name) == nullptr) continue;
            for (const std::string& other : others) accepted = has(at, other) && accepted;
        }
        if (!accepted && ends(at)) return false;
        if (node.asks_keys()) {
            spend(at.value.size() / compared);
            std::size_t index = 0;
            for (const auto& [name, value] : base::object_of(at.value)) {
                accepted = property(at, name, value, index++) && accepted;
                if (!accepted && ends(at)) return false;
            }
        }
        for (const auto& [name, schema] : node.dependent) {
            if (member(at.value, name) == nullptr) continue;
            accepted = check(*schema, at.value, at.place, at.issues, at.evaluated) && accepted;
        }
        return accepted;
    }

    bool has(const Scope& at, const std::string& name) {
        if (member(at.value, name) != nullptr) return true;
        const Place place{&at.place, &name, 0};
        return refuse({at.node, at.value, place, at.issues, nullptr}, "missing",
                      [] { return std::string("Field required"); });
    }

    bool property(const Scope& at, const std::string& name, const Json& value, std::size_t index) {
        const SchemaNode& node = at.node;
        const Place place{&at.place, &name, 0};
        bool accepted = true;
        bool is_known = false;
        const auto apply = [&](const SchemaNode& schema) {
            is_known = true;
            at.mark(index);
            accepted = check(schema, value, place, at.issues, nullptr) && accepted;
        };
        const auto found = std::lower_bound(node.properties.begin(), node.properties.end(), name,
                                            [](const auto& one, const std::string& key) { return one.first < key; });
        if (found != node.properties.end() && found->first == name) apply(*found->second);
        for (const auto& [pattern, schema] : node.patterns) {
            if (!pattern.matcher) return undecided(at, pattern.fault);
            if (find(pattern, name)) apply(*schema);
        }
        if (!is_known && node.additional != nullptr) apply(*node.additional);
        if (node.names != nullptr)
            accepted = check(*node.names, base::text_json(name), place, at.issues, nullptr) && accepted;
        return accepted;
    }

    // Combinations ----------------------------------------------------------------------------------------------------

    bool everything(const Scope& at) {
        bool accepted = true;
        for (const SchemaNode* const one : at.node.all_of) {
            accepted = check(*one, at.value, at.place, at.issues, at.evaluated) && accepted;
            if (!accepted && ends(at)) break;
        }
        return accepted;
    }

    bool alternatives(const Scope& at) {
        if (at.node.any_of.empty()) return true;
        const std::size_t before = undecided_;
        std::vector<Issues> refused;
        bool accepted = false;
        for (const SchemaNode* const one : at.node.any_of) {
            Issues issues;
            if (check(*one, at.value, at.place, at.issues == nullptr ? nullptr : &issues, at.evaluated)) {
                accepted = true;
                if (at.evaluated == nullptr) break;
            }
            refused.push_back(std::move(issues));
        }
        if (accepted) {
            undecided_ = before;  // which did not count
            return true;
        }
        return report(at, refused);
    }

    /// Adds what is wrong with a value that no alternative accepts: the issues of the one that was meant, if the kind
    /// of value shows it, else one issue with the first of each.
    bool report(const Scope& at, std::vector<Issues>& refused) const {
        if (at.issues == nullptr) return false;
        const std::size_t depth = at.place.loc().size();
        Issues* meant = nullptr;
        std::size_t possible = 0;
        for (Issues& issues : refused) {
            const bool is_other = std::any_of(issues.begin(), issues.end(), [&](const Issue& one) {
                return one.loc.size() == depth &&
                       (one.type == "type" || one.type == "literal_error" || one.type == "enum");
            });
            if (is_other) continue;
            meant = &issues;
            ++possible;
        }
        if (possible == 1) {
            for (Issue& one : *meant)
                if (at.issues->size() < max_issues_) at.issues->push_back(std::move(one));
            return false;
        }
        return refuse(at, "union_error", [&] {
            std::string out = "Input should be what one of " + std::to_string(refused.size()) + " schemas accepts";
            for (std::size_t i = 0; i < refused.size() && i < 4; ++i)
                if (!refused[i].empty()) base::append(out, {i == 0 ? ": " : "; ", refused[i].front().message});
            return out;
        });
    }

    bool single(const Scope& at) {
        if (at.node.one_of.empty()) return true;
        const std::size_t before = undecided_;
        std::vector<Issues> refused;
        std::vector<std::size_t> accepting;
        for (std::size_t i = 0; i < at.node.one_of.size(); ++i) {
            Issues issues;
            Evaluated evaluated(at.evaluated == nullptr ? 0 : at.evaluated->size());
            if (check(*at.node.one_of[i], at.value, at.place, at.issues == nullptr ? nullptr : &issues,
                      at.evaluated == nullptr ? nullptr : &evaluated)) {
                accepting.push_back(i);
                if (at.evaluated != nullptr) merge(evaluated, *at.evaluated);
            }
            refused.push_back(std::move(issues));
        }
        if (accepting.size() > 1)
            return refuse(at, "one_of", [&] {
                return base::concat({"Input should be what exactly one of ", std::to_string(at.node.one_of.size()),
                                     " schemas accepts, but those at ", std::to_string(accepting[0]), " and ",
                                     std::to_string(accepting[1]), " both do"});
            });
        if (accepting.empty()) return report(at, refused);
        return undecided_ == before || undecided(at, "one of its alternatives cannot be");
    }

    bool negation(const Scope& at) {
        if (at.node.negated == nullptr) return true;
        const std::size_t before = undecided_;
        if (check(*at.node.negated, at.value, at.place, nullptr, nullptr))
            return refuse(at, "not", [] { return std::string("Input should not be what \"not\" accepts"); });
        return undecided_ == before || undecided(at, "\"not\" cannot be");
    }

    bool conditional(const Scope& at) {
        if (at.node.condition == nullptr) return true;
        const std::size_t before = undecided_;
        const bool holds = check(*at.node.condition, at.value, at.place, nullptr, at.evaluated);
        if (undecided_ != before) return undecided(at, "\"if\" cannot be");
        const SchemaNode* const next = holds ? at.node.then : at.node.otherwise;
        return next == nullptr || check(*next, at.value, at.place, at.issues, at.evaluated);
    }

    bool unevaluated(const Scope& at) {
        const SchemaNode* const schema = at.value.is_array()    ? at.node.unevaluated_items
                                         : at.value.is_object() ? at.node.unevaluated_properties
                                                                : nullptr;
        if (schema == nullptr) return true;
        bool accepted = true;
        for (std::size_t i = 0; i < at.value.size(); ++i) {
            if ((*at.evaluated)[i]) continue;
            at.mark(i);
            if (at.value.is_array()) {
                accepted = check(*schema, at.value[i], {&at.place, nullptr, i}, at.issues, nullptr) && accepted;
            } else {
                const auto& [name, value] = base::object_of(at.value).begin()[static_cast<std::ptrdiff_t>(i)];
                accepted = check(*schema, value, {&at.place, &name, 0}, at.issues, nullptr) && accepted;
            }
        }
        return accepted;
    }

    // What takes as long as a check with one schema, about.
    static constexpr std::size_t looked_at = 16;         // keys of an object
    static constexpr std::size_t compared = 4;           // values
    static constexpr std::size_t counted = 256;          // bytes of a text
    static constexpr std::size_t work_of_match = 8;      // of a pattern, at least
    static constexpr std::size_t work_of_pattern = 200;  // of 1 000 steps of one

    std::size_t max_issues_;
    std::size_t work_ = 0;
    std::size_t looks_ = 0;  // at keys, which do not yet make a step
    std::size_t depth_ = 0;
    std::size_t undecided_ = 0;
};

}  // namespace schema_detail

ACTA_INLINE SchemaValidator::SchemaValidator(Json schema, MalformedKeywords malformed) {
    auto compiled = std::make_shared<schema_detail::CompiledSchema>();
    compiled->document = std::move(schema);
    schema_detail::SchemaCompiler(*compiled, malformed).compile();
    compiled_ = std::move(compiled);
}

ACTA_INLINE const Json& SchemaValidator::schema() const noexcept { return compiled_->document; }

ACTA_INLINE bool SchemaValidator::accepts(const Json& value) const {
    try {
        return schema_detail::Validation(0).check(*compiled_->root, value, {}, nullptr, nullptr);
    } catch (const schema_detail::Stopped&) {
        return false;
    }
}

ACTA_INLINE std::vector<Issue> SchemaValidator::issues(const Json& value, std::size_t max_issues) const {
    std::vector<Issue> out;
    try {
        if (schema_detail::Validation(0).check(*compiled_->root, value, {}, nullptr, nullptr)) return out;
        schema_detail::Validation validation(std::max<std::size_t>(max_issues, 1));
        static_cast<void>(validation.check(*compiled_->root, value, {}, &out, nullptr));
    } catch (const schema_detail::Stopped& stopped) {
        out.clear();
        out.push_back({.type = "schema_unusable", .message = std::string("Input cannot be checked: ") + stopped.why});
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI
