// SPDX-License-Identifier: MIT
#pragma once

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/skill/yaml.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

[[noreturn]] inline void throw_yaml(const std::string& message, const YAML::Mark& mark) {
    const auto place = [](int n) { return n < 0 ? std::size_t{0} : static_cast<std::size_t>(n) + 1; };
    throw YamlError(message, place(mark.line), place(mark.column));
}

/// A plain scalar that YAML 1.1, which the reference's loader follows, reads as null or a boolean (`~`, `yes`).
inline std::optional<Json> yaml_constant(std::string_view text) {
    constexpr std::array<std::string_view, 5> nulls{"", "~", "null", "Null", "NULL"};
    constexpr std::array<std::string_view, 9> trues{"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"};
    constexpr std::array<std::string_view, 9> falses{"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
    const auto has = [text](const auto& words) { return std::find(words.begin(), words.end(), text) != words.end(); };
    if (has(nulls)) return Json(nullptr);
    if (has(trues)) return Json(true);
    if (has(falses)) return Json(false);
    return std::nullopt;
}

inline std::optional<std::uint64_t> yaml_magnitude(std::string_view digits) {
    int base = 10;
    if (digits.starts_with("0x")) base = 16;
    if (digits.starts_with("0o")) base = 8;
    if (digits.starts_with("0b")) base = 2;
    if (base != 10) {
        digits.remove_prefix(2);
    } else if (digits.size() > 1 && digits.front() == '0') {
        base = 8;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

inline std::string without_all_underscores(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != '_') out += c;
    }
    return out;
}

/// A plain scalar that YAML 1.1 reads as a number, in any base. Dates stay text.
inline std::optional<Json> yaml_number(std::string_view text) {
    if (text.empty() || text.front() == '_') return std::nullopt;
    const bool negative = text.front() == '-';
    std::string_view body = text;
    if (negative || text.front() == '+') body.remove_prefix(1);
    if (body == ".inf" || body == ".Inf" || body == ".INF") {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return Json(negative ? -infinity : infinity);
    }
    if (text == ".nan" || text == ".NaN" || text == ".NAN") return Json(std::nan(""));
    if (body.find_first_not_of("0123456789abcdefABCDEFox_.+-") != std::string_view::npos) return std::nullopt;
    if (const auto magnitude = yaml_magnitude(without_all_underscores(body))) {
        constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (!negative) return *magnitude <= largest ? Json(static_cast<std::int64_t>(*magnitude)) : Json(*magnitude);
        if (*magnitude <= largest + 1) return Json(static_cast<std::int64_t>(~*magnitude + 1));
        return std::nullopt;
    }
    // A float has a point, and a digit before or after it.
    const std::size_t point = body.find('.');
    if (point == std::string_view::npos || body.find_first_of("0123456789") == std::string_view::npos)
        return std::nullopt;
    std::string plain = without_all_underscores(body);
    if (plain.front() == '.') plain.insert(0, 1, '0');
    const std::size_t behind = plain.find('.') + 1;
    if (behind == plain.size() || plain[behind] < '0' || plain[behind] > '9') plain.insert(behind, 1, '0');
    Json value = Json::parse((negative ? "-" : "") + plain, nullptr, false);
    if (!value.is_number()) return std::nullopt;
    return value;
}

/// Counts the values that a text spells out, before yaml-cpp makes a node, of hundreds of bytes, of each.
class YamlCounter : public YAML::EventHandler {
public:
    explicit YamlCounter(const YamlOptions& options) : options_(options) {}

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { count(mark); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { count(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {
        count(mark);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override {
        count(mark);
    }
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {
        count(mark);
    }
    void OnMapEnd() override {}

private:
    void count(const YAML::Mark& mark) {
        // A key and its value are two, of which the reader counts the value.
        if (++nodes_ / 2 > options_.max_values) throw_yaml("the YAML has more values than the limit allows", mark);
    }

    const YamlOptions& options_;
    std::size_t nodes_ = 0;
};

class YamlReader {
public:
    explicit YamlReader(const YamlOptions& options) : options_(options) {}

    [[nodiscard]] Json read(const YAML::Node& node, std::size_t depth = 0) {
        if (++values_ > options_.max_values) throw_yaml("the YAML has more values than the limit allows", node.Mark());
        if (depth > options_.max_depth) throw_yaml("the YAML is nested too deeply", node.Mark());
        switch (node.Type()) {
            case YAML::NodeType::Scalar: return scalar(node);
            case YAML::NodeType::Sequence: return sequence(node, depth);
            case YAML::NodeType::Map: return map(node, depth);
            default: return Json(nullptr);
        }
    }

private:
    /// Checks the text, since yaml-cpp passes bytes through unchanged. Counts it, as an alias copies it.
    const std::string& text_of(const YAML::Node& node) {
        const std::string& text = node.Scalar();
        bytes_ += text.size();
        if (bytes_ > options_.max_bytes)
            throw_yaml("the texts of the YAML have more bytes than the limit allows", node.Mark());
        if (!utf8::is_valid(text)) throw_yaml("the text is not UTF-8", node.Mark());
        return text;
    }
    /// Quoted scalars and those with a tag are text.
    Json scalar(const YAML::Node& node) {
        const std::string& text = text_of(node);
        const std::string& tag = node.Tag();
        if (tag == "?" || tag.empty()) {
            if (const auto constant = yaml_constant(text)) return *constant;
            if (const auto number = yaml_number(text)) return *number;
        }
        return Json(text);
    }
    Json sequence(const YAML::Node& node, std::size_t depth) {
        JsonArray out;
        for (const YAML::Node& element : node) out.push_back(read(element, depth + 1));
        return Json(std::move(out));
    }
    Json map(const YAML::Node& node, std::size_t depth) {
        JsonObject out;
        for (const auto& entry : node) {
            if (!entry.first.IsScalar()) throw_yaml("a key is not a text", entry.first.Mark());
            base::entries(out).emplace_back(text_of(entry.first), read(entry.second, depth + 1));
        }
        base::drop_repeated_keys(out);
        return Json(std::move(out));
    }

    const YamlOptions& options_;
    std::size_t values_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace skill_detail

inline Json yaml_to_json(const std::string& text, const YamlOptions& options) {
    if (text.size() > options.max_bytes) throw YamlError("the YAML has more bytes than the limit allows", 0, 0);
    try {
        if (text.size() / 2 > options.max_values) {
            std::istringstream in(text);
            skill_detail::YamlCounter counter(options);
            static_cast<void>(YAML::Parser(in).HandleNextDocument(counter));
        }
        return skill_detail::YamlReader(options).read(YAML::Load(text));
    } catch (const YAML::DeepRecursion& error) {  // yaml-cpp's own limit, which it calls a bad file
        skill_detail::throw_yaml("the YAML is nested too deeply", error.mark);
    } catch (const YAML::Exception& error) {
        skill_detail::throw_yaml("this is not YAML: " + utf8::replace_invalid(error.msg), error.mark);
    }
}

}  // namespace acta::inline ACTA_ABI
