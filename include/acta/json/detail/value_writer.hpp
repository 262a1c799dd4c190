// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "acta/base/entries.hpp"
#include "acta/json/detail/encode.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Builds a `Json`. Numbers that are not finite stay as they are. A template, always on `Json`, so that a source that
/// only writes text does not compile it.
template <class AnyJson>
class JsonValueWriter final : public JsonWriter {
public:
    void null() override { put(nullptr); }
    void boolean(bool value) override { put_scalar(value); }
    void integer(std::int64_t value) override { put_scalar(value); }
    void unsigned_integer(std::uint64_t value) override { put_scalar(value); }
    void real(double value) override { put_scalar(value); }
    void text(std::string_view value) override { put(base::text_json(value)); }
    void json(const AnyJson& value) override { put(value); }
    void begin_object() override { open(AnyJson::value_t::object); }
    void end_object() override { close(); }
    void begin_array() override { open(AnyJson::value_t::array); }
    void end_array() override { close(); }
    void key(std::string_view key) override { key_ = key; }
    void field(std::string_view key) override { key_ = key; }

    [[nodiscard]] AnyJson take() { return std::move(root_); }

private:
    struct Open {
        AnyJson value;
        std::string key;  // of this value in the one around it
    };

    template <class Scalar>
    void put_scalar(Scalar value) {
        AnyJson made;
        base::set(made, value);
        put(std::move(made));
    }
    void put(AnyJson value) {
        AnyJson* const around = open_.empty() ? nullptr : &open_.back().value;
        if (around == nullptr)
            root_ = std::move(value);
        else if (around->is_array())
            around->template get_ref<JsonArray&>().push_back(std::move(value));
        else
            base::entries(around->template get_ref<Json::object_t&>()).emplace_back(std::move(key_), std::move(value));
    }
    void open(typename AnyJson::value_t type) { open_.push_back({AnyJson(type), std::move(key_)}); }
    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        key_ = std::move(done.key);
        put(std::move(done.value));
    }

    AnyJson root_{};
    std::vector<Open> open_{};
    std::string key_{};
};

}  // namespace acta::inline ACTA_ABI::json_detail
