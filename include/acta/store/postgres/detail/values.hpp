// SPDX-License-Identifier: MIT
#pragma once

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/store/store_error.hpp"

// What goes to the server and what comes from it.
namespace acta::inline ACTA_ABI::postgres_detail {

/// When a call must be over.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    explicit Deadline(std::chrono::milliseconds timeout)
        : timeout_(timeout),
          end_(Clock::now() + std::min<std::chrono::milliseconds>(timeout, std::chrono::hours(9999))) {}

    [[nodiscard]] Clock::time_point end() const noexcept { return end_; }
    [[nodiscard]] bool has_passed() const noexcept { return Clock::now() >= end_; }
    /// Returns what is left, rounded up, for poll().
    [[nodiscard]] int left() const noexcept {
        constexpr std::int64_t most = 3'600'000;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
    }
    [[nodiscard]] std::string text() const { return std::to_string(timeout_.count()) + " ms"; }

private:
    std::chrono::milliseconds timeout_;
    Clock::time_point end_;
};

/// The parameters of a statement. They go as bytes with their length, so that a text needs no escaping and is not cut at
/// a NUL, which the server refuses.
class Parameters {
public:
    Parameters& add(std::string_view text) { return add(oid_text, std::string(text)); }
    Parameters& add(std::int64_t value) { return add(oid_bigint, number(static_cast<std::uint64_t>(value), 8)); }
    /// What no bigint holds is the largest, which no history reaches.
    Parameters& add(std::uint64_t value) {
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        return add(static_cast<std::int64_t>(std::min(value, most)));
    }
    Parameters& add(std::optional<std::int64_t> value) {
        if (value) return add(*value);
        values_.push_back({oid_bigint, {}, true});
        return *this;
    }
    /// Adds an array.
    Parameters& add(std::span<const std::string_view> texts) {
        std::size_t size = 20;
        for (const std::string_view one : texts) size += 4 + one.size();
        std::string bytes;
        bytes.reserve(size);
        bytes += number(texts.empty() ? 0 : 1, 4);  // dimensions
        bytes += number(0, 4);                      // none is NULL
        bytes += number(oid_text, 4);
        if (!texts.empty()) bytes += number(texts.size(), 4) + number(1, 4);
        for (const std::string_view one : texts) {
            require_size(one.size());
            bytes += number(one.size(), 4);
            bytes += one;
        }
        return add(oid_texts, std::move(bytes));
    }

    /// Calls `use` with the arrays that libpq wants.
    template <class Use>
    int pass(const Use& use) const {
        std::vector<Oid> types;
        std::vector<const char*> values;
        std::vector<int> lengths;
        for (const Value& one : values_) {
            types.push_back(one.type);
            values.push_back(one.is_null ? nullptr : one.bytes.data());
            lengths.push_back(static_cast<int>(one.bytes.size()));
        }
        const std::vector<int> formats(values_.size(), 1);
        return use(static_cast<int>(values_.size()), types.data(), values.data(), lengths.data(), formats.data());
    }

private:
    struct Value {
        Oid type = 0;
        std::string bytes{};
        bool is_null = false;
    };
    static constexpr Oid oid_bigint = 20;
    static constexpr Oid oid_text = 25;
    static constexpr Oid oid_texts = 1009;

    static std::string number(std::uint64_t value, std::size_t size) {
        std::string bytes(size, '\0');
        for (std::size_t i = size; i-- > 0; value >>= 8U) bytes[i] = static_cast<char>(value & 0xFFU);
        return bytes;
    }
    static void require_size(std::size_t size) {
        constexpr std::size_t most = 1'000'000'000;  // of a message
        if (size > most)
            throw StoreError("postgres: " + std::to_string(size) + " bytes are more than it takes at once");
    }
    Parameters& add(Oid type, std::string bytes) {
        require_size(bytes.size());
        values_.push_back({type, std::move(bytes), false});
        return *this;
    }

    std::vector<Value> values_{};
};

/// The rows of an answer, as text.
class Rows {
public:
    explicit Rows(PGresult* result) : result_(result) {}

    [[nodiscard]] PGresult* get() const noexcept { return result_.get(); }
    [[nodiscard]] int size() const noexcept { return PQntuples(get()); }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] bool is_null(int row, int column) const { return PQgetisnull(get(), row, column) != 0; }
    [[nodiscard]] std::string text(int row, int column) const { return std::string(view(row, column)); }
    [[nodiscard]] bool boolean(int row, int column) const { return view(row, column) == "t"; }
    /// Returns a number; 0 for NULL.
    [[nodiscard]] std::int64_t integer(int row, int column) const {
        const std::string_view text = view(row, column);
        std::int64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    }
    [[nodiscard]] std::uint64_t number(int row, int column) const {
        return static_cast<std::uint64_t>(integer(row, column));
    }

private:
    struct Clear {
        void operator()(PGresult* result) const noexcept { PQclear(result); }
    };

    [[nodiscard]] std::string_view view(int row, int column) const {
        return {PQgetvalue(get(), row, column), static_cast<std::size_t>(PQgetlength(get(), row, column))};
    }

    std::unique_ptr<PGresult, Clear> result_;
};

}  // namespace acta::inline ACTA_ABI::postgres_detail
