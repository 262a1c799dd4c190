// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/model/text_writer.hpp"

namespace acta::inline v0::detail {

/// Finds how large the compact text gets, so that it is written into memory of its size. Escapes are
/// counted in the first stretch of text; of what is beyond, in one piece of eight (counting all of a
/// large document costs a tenth of writing it, since it passes through memory once more). Reals are
/// counted at their longest.
class Measure final : public Sink {
public:
    /// The size, exact or nearly so, and then a little more.
    [[nodiscard]] std::size_t size() const noexcept {
        const std::size_t sampled = sampled_escapes_ * sampling;
        return size_ + escapes_ + sampled + sampled / 8;
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
    [[nodiscard]] std::size_t quoted(std::string_view value) {
        const char* p = value.data();
        const char* const end = p + value.size();
        while (p != end) {
            const char* const stop = p + std::min<std::ptrdiff_t>(end - p, piece);
            if (counted_ < exact)
                escapes_ += count_escapes(p, stop);
            else if (++turn_ % sampling == 0)
                sampled_escapes_ += count_escapes(p, stop);
            counted_ += static_cast<std::size_t>(stop - p);
            p = stop;
        }
        return 2 + value.size();
    }

    static constexpr std::ptrdiff_t piece = 4096;
    static constexpr std::size_t exact = std::size_t{256} * 1024;
    static constexpr std::size_t sampling = 8;
    std::size_t size_ = 1;
    std::size_t escapes_ = 0;
    std::size_t sampled_escapes_ = 0;
    std::size_t counted_ = 0;
    std::size_t turn_ = 0;
};

}  // namespace acta::inline v0::detail
