// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/utility.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/json_rpc.hpp"

namespace acta::inline ACTA_ABI {

namespace mcp_detail {

ACTA_INLINE std::optional<mcp::RequestId> id_of(const Json& value) {
    if (value.is_string()) return base::text_of(value);
    if (!value.is_number()) return std::nullopt;
    if (const std::optional<std::int64_t> number = base::whole_number(value)) return *number;
    return std::nullopt;
}

/// The members of a message, which are taken out of it.
class MessageReader {
public:
    explicit MessageReader(Json& value) : value_(value) {
        if (value_.is_array()) fail("is a batch, which this version does not have");
        if (!value_.is_object()) fail("is not an object");
        const Json* const version = base::find_key(value_, "jsonrpc");
        if (version == nullptr || !base::is_text(*version, "2.0")) fail("has no \"jsonrpc\": \"2.0\"");
    }

    mcp::Message read() {
        if (base::find_key(value_, "method") != nullptr) return call();
        mcp::Response out;
        Json* const id = base::find_key(value_, "id");
        if (id != nullptr && !id->is_null()) out.id = require_id();
        if (const Json* const error = base::find_key(value_, "error"); error != nullptr && !error->is_null()) {
            out.outcome = error_of(*error);
            return out;
        }
        Json* const result = base::find_key(value_, "result");
        if (result == nullptr) fail("has neither a method nor a result nor an error");
        if (!out.id) fail("has a result without the id of its request");
        out.outcome = std::move(*result);
        return out;
    }

private:
    [[noreturn]] void fail(std::string_view what) const {
        const Json* const id = base::find_key(value_, "id");
        throw mcp::MessageError(mcp::error_code::invalid_request, base::concat({"the message ", what}),
                                id == nullptr ? std::nullopt : id_of(*id));
    }

    mcp::Message call() {
        Json& method = *base::find_key(value_, "method");
        if (!method.is_string()) fail("has a method that is not a text");
        JsonObject params;
        if (Json* const given = base::find_key(value_, "params"); given != nullptr && !given->is_null()) {
            if (!given->is_object()) fail("has params that are not an object");
            params = JsonObject(std::move(given->get_ref<Json::object_t&>()));
        }
        std::string name = std::move(method.get_ref<std::string&>());
        if (base::find_key(value_, "id") == nullptr) return mcp::Notification{std::move(name), std::move(params)};
        return mcp::Request{require_id(), std::move(name), std::move(params)};
    }
    mcp::RequestId require_id() const {
        std::optional<mcp::RequestId> id = id_of(*base::find_key(value_, "id"));
        if (!id) fail("has an id that is neither a text nor an integer");
        return *std::move(id);
    }
    mcp::ErrorObject error_of(const Json& error) const {
        const Json* const code = base::find_key(error, "code");
        const std::optional<std::int64_t> number =
            code != nullptr && code->is_number() ? base::whole_number(*code) : std::nullopt;
        if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
            fail("has an error without a code");
        mcp::ErrorObject out{static_cast<int>(*number), base::text_member(error, "message"), std::nullopt};
        if (const Json* const data = base::find_key(error, "data")) out.data = *data;
        return out;
    }

    Json& value_;
};

ACTA_INLINE Json id_json(const mcp::RequestId& id) {
    return std::visit([](const auto& one) { return Json(one); }, id);
}

ACTA_INLINE Json parse_json(std::string_view text, std::size_t max_bytes) {
    try {
        return parse<Json>(text, {.keep_large_numbers = true, .max_bytes = max_bytes});
    } catch (const ValidationError& error) {
        throw mcp::MessageError(mcp::error_code::parse_error,
                                "the message is not JSON: " + error.issues().front().message);
    }
}

/// Writes a message member by member, since a value of the whole would copy what it holds.
class MessageWriter {
public:
    std::string text(const mcp::Message& message) {
        std::visit([this](const auto& one) { write(one); }, message);
        return std::move(out_) + "}";
    }

private:
    template <class T>
    void add(std::string_view key, const T& value) {
        out_ += base::concat({",\"", key, "\":", dump(value, {.invalid_utf8 = InvalidUtf8::replace})});
    }
    void write(const mcp::Request& request) {
        add("id", id_json(request.id));
        write_call(request.method, request.params);
    }
    void write(const mcp::Notification& notification) { write_call(notification.method, notification.params); }
    void write_call(const std::string& method, const JsonObject& params) {
        add("method", method);
        if (!params.empty()) add("params", params);
    }
    void write(const mcp::Response& response) {
        if (response.id) add("id", id_json(*response.id));
        if (const Json* const result = std::get_if<Json>(&response.outcome)) return add("result", *result);
        const auto& error = std::get<mcp::ErrorObject>(response.outcome);
        JsonObject said{{"code", error.code}, {"message", error.message}};
        if (error.data) base::put(said, "data", *error.data);
        add("error", said);
    }

    std::string out_ = R"({"jsonrpc":"2.0")";
};

}  // namespace mcp_detail

namespace mcp {

ACTA_INLINE std::string to_string(const RequestId& id) {
    return dump(mcp_detail::id_json(id), {.invalid_utf8 = InvalidUtf8::replace});
}

ACTA_INLINE Message message_of(Json value) { return mcp_detail::MessageReader(value).read(); }

ACTA_INLINE Message parse_message(std::string_view text, std::size_t max_bytes) {
    return message_of(mcp_detail::parse_json(text, max_bytes));
}

ACTA_INLINE std::string to_text(const Message& message) { return mcp_detail::MessageWriter().text(message); }

}  // namespace mcp
}  // namespace acta::inline ACTA_ABI
