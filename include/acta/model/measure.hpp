// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/model/text_writer.hpp"

namespace acta::inline v0::detail {

/// Counts how large the compact text gets, so that it is written into memory of its size. Reals are
/// counted at their longest, invalid UTF-8 as replaced.
class Measure final : public Sink {
public:
    explicit Measure(const DumpOptions& options) : replace_(options.invalid_utf8 == InvalidUtf8::replace) {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

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
    void real(double) override { size_ += longest_real + 1; }
    void text(std::string_view value) override { size_ += quoted(value) + 1; }
    void json(const Json& value) override {
        walk_json(value, *this, [this](const Json& one) { scalar(one); });
    }
    void begin_object() override { size_ += 1; }
    void end_object() override { size_ += 2; }
    void begin_array() override { size_ += 1; }
    void end_array() override { size_ += 2; }
    void key(std::string_view key) override { size_ += quoted(key) + 1; }
    void field(std::string_view key) override { size_ += key.size() + 3; }

private:
    static constexpr std::size_t longest_real = 25;

    void scalar(const Json& value) {
        switch (value.type()) {
            case Json::value_t::number_integer: return integer(value.get<std::int64_t>());
            case Json::value_t::number_unsigned: return unsigned_integer(value.get<std::uint64_t>());
            case Json::value_t::number_float: return real(0);
            case Json::value_t::string: return text(value.get_ref<const std::string&>());
            default: size_ += 6;
        }
    }
    [[nodiscard]] std::size_t quoted(std::string_view value) const {
        const std::size_t size = 2 + value.size() + count_escapes(value.data(), value.data() + value.size());
        return replace_ && !is_utf8(value.data(), value.data() + value.size()) ? size + 2 * value.size() : size;
    }

    std::size_t size_ = 1;
    bool replace_;
};

}  // namespace acta::inline v0::detail
