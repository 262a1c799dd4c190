// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string_view>

#include "acta/json/detail/write/json_text_writer.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// The parts of a document, of which all are counted at first and then one in eight.
class Sampling {
public:
    explicit Sampling(std::size_t exact) : exact_(exact) {}

    /// Returns whether the next part is to be measured.
    bool takes_next() noexcept {
        constexpr std::size_t every = 8;
        const bool takes = turn_ < exact_ || turn_ % every == 0;
        ++turn_;
        skipped_ += takes ? 0 : 1;
        return takes;
    }
    void measured(std::size_t size) noexcept {
        // A part much larger than the rest says nothing about the skipped ones.
        constexpr std::size_t usual = std::size_t{64} * 1024;
        if (size > usual) return;
        sum_ += size;
        ++count_;
    }
    /// Returns the estimated size of the skipped parts, with a little added.
    [[nodiscard]] std::size_t rest() const noexcept {
        const std::size_t rest = count_ == 0 ? 0 : skipped_ * (sum_ / count_ + 1);
        return rest + rest / 16;
    }

private:
    std::size_t exact_;
    std::size_t turn_ = 0;
    std::size_t skipped_ = 0;
    std::size_t sum_ = 0;
    std::size_t count_ = 0;
};

/// Measures the size of the compact text, so that it is written into memory of that size. Small documents are measured
/// completely; in a long list, after the first few hundred elements, only one in eight is: a pass over all of a large
/// document costs a quarter of writing it, since it goes through memory once more.
class Measure final : public JsonWriter {
public:
    /// Returns the size, exact or nearly so.
    [[nodiscard]] std::size_t size() const noexcept { return size_ + rest_; }

    bool wants_element(std::size_t i, std::size_t count) override {
        if (count < 2 * exact_elements || (sampled_level_ != 0 && sampled_level_ != level_)) return true;
        if (i == 0) {
            sampled_level_ = level_;
            elements_ = Sampling(exact_elements);
        } else {
            close_element();
        }
        in_element_ = elements_.takes_next();
        element_start_ = size_;
        return in_element_;
    }
    void null() override { size_ += 5; }
    void boolean(bool) override { size_ += 6; }
    void integer(std::int64_t value) override {
        unsigned_integer(value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value));
        size_ += value < 0 ? 1 : 0;
    }
    void unsigned_integer(std::uint64_t value) override {
        size_ += 2;
        for (; value > 9; value /= 10) ++size_;
    }
    void real(double value) override {
        char digits[64];
        size_ += std::isfinite(value) ? base::write_real(value, digits, base::json_reals) + 1 : 5;
    }
    void text(std::string_view value) override { size_ += quoted(value) + 1; }
    void json(const Json& value) override {
        walk_json(value, *this, [this](const Json& one) { scalar(one); });
    }
    void begin_object() override { size_ += 1; }
    void end_object() override { size_ += 2; }
    void begin_array() override {
        size_ += 1;
        ++level_;
    }
    void end_array() override {
        size_ += 2;
        if (level_ == sampled_level_) {
            close_element();
            rest_ += elements_.rest();
            sampled_level_ = 0;
        }
        --level_;
    }
    void key(std::string_view key) override { size_ += quoted(key) + 1; }
    void field(std::string_view key) override { size_ += key.size() + 3; }

private:
    void scalar(const Json& value) {
        switch (value.type()) {
            case Json::value_t::number_integer: return integer(base::integer_of(value));
            case Json::value_t::number_unsigned: return unsigned_integer(base::unsigned_of(value));
            case Json::value_t::number_float: return real(base::real_of(value));
            case Json::value_t::string: return text(base::text_of(value));
            default: size_ += 6;
        }
    }
    static std::size_t quoted(std::string_view value) {
        return 2 + value.size() + count_escapes(value.data(), value.data() + value.size());
    }
    void close_element() noexcept {
        if (in_element_) elements_.measured(size_ - element_start_);
        in_element_ = false;
    }

    static constexpr std::size_t exact_elements = 512;
    std::size_t size_ = 1;
    std::size_t rest_ = 0;
    std::size_t level_ = 0;          // arrays that are open
    std::size_t sampled_level_ = 0;  // of the list whose elements are sampled, or 0
    Sampling elements_{exact_elements};
    bool in_element_ = false;
    std::size_t element_start_ = 0;
};

}  // namespace acta::inline ACTA_ABI::json_detail
