// SPDX-License-Identifier: MIT
#pragma once

#include <libpq-fe.h>
#if defined(_WIN32)
#include <winsock2.h>
#else
#include <poll.h>
#endif

#include <cerrno>
#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/store/postgres/detail/values.hpp"
#include "acta/store/postgres/options.hpp"
#include "acta/store/store_error.hpp"

namespace acta::inline ACTA_ABI::postgres_detail {

/// The connection was lost after a statement was sent: it may have taken effect or not.
class ConnectionLost : public StoreError {
public:
    using StoreError::StoreError;
};
/// The server took a statement back because of another transaction; the same one may succeed.
class TakenBack : public StoreError {
public:
    using StoreError::StoreError;
};
/// The server does not carry out a statement, and has changed nothing.
class Refused : public StoreError {
public:
    Refused(const std::string& message, std::string code) : StoreError(message), code_(std::move(code)) {}
    [[nodiscard]] const std::string& code() const noexcept { return code_; }

private:
    std::string code_;
};

/// A connection string that was taken apart.
class Target {
public:
    /// Throws `StoreError` without a part of the string: libpq quotes what it does not understand, and that may be a part
    /// of a password.
    explicit Target(const std::string& text) {
        require_escaped(text);
        char* error = nullptr;
        const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(text.c_str(), &error));
        PQfreemem(error);
        if (!options)
            throw StoreError(
                "postgres: libpq cannot read the connection string, which is not shown here because it may have a "
                "password");
        for (const PQconninfoOption* one = options.get(); one->keyword != nullptr; ++one) {
            if (one->val == nullptr) continue;
            values_[one->keyword] = one->val;
        }
        // A connection string in the place of a database's name would be shown as one.
        if (const auto found = values_.find("dbname");
            found != values_.end() && found->second.find_first_of("=:") != std::string::npos)
            throw StoreError("postgres: the name of a database has no '=' and no ':'");
        for (const char* const key : {"host", "hostaddr", "dbname"}) {
            if (const auto found = values_.find(key); found != values_.end()) {
                name_ = "postgres '" + found->second + "'";
            }
        }
        if (const auto found = values_.find("password"); found != values_.end()) password_ = found->second;
        values_.try_emplace("fallback_application_name", "acta");
        values_["client_encoding"] = "UTF8";
    }

    [[nodiscard]] PGconn* start() const {
        std::vector<const char*> keys;
        std::vector<const char*> values;
        for (const auto& [key, value] : values_) {
            keys.push_back(key.c_str());
            values.push_back(value.c_str());
        }
        keys.push_back(nullptr);
        values.push_back(nullptr);
        return PQconnectStartParams(keys.data(), values.data(), 0);
    }
    /// Returns how errors call the database.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Returns what libpq or the server says, as one line that begins with the name and has no password.
    [[nodiscard]] std::string message(std::string_view said) const {
        std::string text(said.substr(0, said.find_last_not_of(" \n") + 1));
        for (char& c : text) {
            if (c == '\n' || c == '\t') c = ' ';
        }
        if (!password_.empty()) {
            for (std::size_t at = 0; (at = text.find(password_, at)) != std::string::npos; at += 3)
                text.replace(at, password_.size(), "***");
        }
        return name_ + ": " + text;
    }

private:
    struct Free {
        void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
    };

    /// A password with one of these that is not escaped would end too early, and its rest would be taken for a host, which
    /// errors name.
    static void require_escaped(std::string_view text) {
        const std::size_t begin = text.find("://");
        const std::size_t at = text.rfind('@');
        if (begin == std::string_view::npos || at == std::string_view::npos) return;
        if (text.substr(0, begin) != "postgresql" && text.substr(0, begin) != "postgres") return;
        if (text.substr(begin + 3, at - begin - 3).find_first_of("@/?#[] ") != std::string_view::npos)
            throw StoreError(
                "postgres: in the URI of a connection '@' stands once, after user and password; any other '@', and any "
                "of '/?#[] ' before it, is written as %40 and the like");
    }

    std::map<std::string, std::string> values_{};
    std::string name_ = "postgres";
    std::string password_{};
};

/// A connection. One whose statement did not come to its end is not used again.
class Connection {
public:
    /// Throws `StoreError` if it cannot be made in time.
    Connection(const Target& target, const postgres::Options& options, const Deadline& deadline)
        : target_(target), prepares_(options.prepared_statements), raw_(target.start()) {
        if (!raw_) throw std::bad_alloc();
        PQsetNoticeProcessor(
            raw_.get(), [](void*, const char*) {}, nullptr);  // else they go to standard error
        for (PostgresPollingStatusType next = PGRES_POLLING_WRITING;; next = PQconnectPoll(raw_.get())) {
            if (PQstatus(raw_.get()) == CONNECTION_BAD || next == PGRES_POLLING_FAILED)
                throw StoreError(target.message(PQerrorMessage(raw_.get())));
            if (next == PGRES_POLLING_OK) break;
            if (!wait(next == PGRES_POLLING_WRITING ? POLLOUT : POLLIN, deadline))
                throw StoreError(target.message("no connection within " + deadline.text()));
        }
        require_server();
        PQsetnonblocking(raw_.get(), 1);
        schema_ = identifier(options.schema);
    }

    /// Runs one statement. In its text, which must live as long as the program, `acta.` stands for the schema.
    Rows run(const char* sql, const Parameters& parameters, const Deadline& deadline) {
        Statement& statement = statement_of(sql);
        const char* const name = statement.name.c_str();
        if (prepares_ && !statement.is_prepared) {
            sent(parameters.pass([&](int count, const Oid* types, const char* const*, const int*, const int*) {
                return PQsendPrepare(raw_.get(), name, statement.sql.c_str(), count, types);
            }));
            static_cast<void>(answer(deadline));
            statement.is_prepared = true;
        }
        sent(parameters.pass(
            [&](int count, const Oid* types, const char* const* values, const int* lengths, const int* formats) {
                if (prepares_) return PQsendQueryPrepared(raw_.get(), name, count, values, lengths, formats, 0);
                return PQsendQueryParams(raw_.get(), statement.sql.c_str(), count, types, values, lengths, formats, 0);
            }));
        return answer(deadline);
    }
    /// Runs statements without parameters, which are not prepared.
    void execute(std::string_view sql, const Deadline& deadline) {
        sent(PQsendQuery(raw_.get(), in_schema(sql).c_str()));
        static_cast<void>(answer(deadline));
    }

    /// Returns the name of the schema in quotes.
    [[nodiscard]] const std::string& schema() const noexcept { return schema_; }
    /// Returns whether it can take a statement: the last one came to its end, and the server has not closed it since.
    [[nodiscard]] bool is_usable() {
        for (int i = 0; i < 3; ++i) {
            if (PQstatus(raw_.get()) != CONNECTION_OK || PQtransactionStatus(raw_.get()) != PQTRANS_IDLE) return false;
            if (!is_ready(POLLIN, 0)) return true;
            if (PQconsumeInput(raw_.get()) == 0) return false;  // it was closed, or else it says why it will be
        }
        return PQstatus(raw_.get()) == CONNECTION_OK;
    }

private:
    struct Finish {
        void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
    };
    struct Statement {
        std::string sql{};
        std::string name{};
        bool is_prepared = false;
    };

    [[nodiscard]] Statement& statement_of(const char* sql) {
        Statement& kept = statements_[sql];
        if (kept.sql.empty()) {
            kept.name = "acta_" + std::to_string(statements_.size());
            kept.sql = in_schema(sql);
        }
        return kept;
    }
    [[nodiscard]] std::string in_schema(std::string_view sql) const {
        constexpr std::string_view usual = "acta.";
        const std::string own = schema_ + ".";
        std::string out(sql);
        for (std::size_t at = 0; (at = out.find(usual, at)) != std::string::npos; at += own.size())
            out.replace(at, usual.size(), own);
        return out;
    }
    [[nodiscard]] std::string identifier(const std::string& name) const {
        const std::unique_ptr<char, void (*)(void*)> quoted(PQescapeIdentifier(raw_.get(), name.data(), name.size()),
                                                            PQfreemem);
        if (!quoted) throw StoreError(target_.message(PQerrorMessage(raw_.get())));
        return quoted.get();
    }

    void require_server() const {
        constexpr int oldest = 130'000;
        if (PQserverVersion(raw_.get()) < oldest)
            throw StoreError(target_.message("the server is older than PostgreSQL 13"));
        const char* const encoding = PQparameterStatus(raw_.get(), "server_encoding");
        if (encoding != nullptr && std::string_view(encoding) != "UTF8")
            throw StoreError(target_.message("the database's encoding is " + std::string(encoding) + ", not UTF8"));
    }

    /// Waits until the socket can be read or written, as `events` says. Returns false when the time is up.
    [[nodiscard]] bool wait(short events, const Deadline& deadline) const {
        while (!is_ready(events, deadline.left())) {
            if (deadline.has_passed()) return false;
        }
        return true;
    }
    [[nodiscard]] bool is_ready(short events, int milliseconds) const {
        pollfd one{};
        one.fd = PQsocket(raw_.get());
        one.events = events;
#if defined(_WIN32)
        return WSAPoll(&one, 1, milliseconds) > 0;
#else
        return poll(&one, 1, milliseconds) > 0;
#endif
    }

    void sent(int ok) const {
        if (ok == 0) lost();
    }
    void sent_by(const Deadline& deadline) {
        for (;;) {
            const int left = PQflush(raw_.get());
            if (left <= 0) return;  // below 0 the server went, and what it said before can still be read
            await(POLLIN | POLLOUT, deadline);
            if (is_ready(POLLIN, 0) && PQconsumeInput(raw_.get()) == 0) lost();
        }
    }
    void await(short events, const Deadline& deadline) const {
        if (wait(events, deadline)) return;
        throw StoreError(
            target_.message("no answer within " + deadline.text() + ": what was asked for may be done or not"));
    }

    /// Returns the answer to what was sent.
    [[nodiscard]] Rows answer(const Deadline& deadline) {
        sent_by(deadline);
        Rows first(nullptr);
        for (;;) {
            while (PQisBusy(raw_.get()) != 0) {
                await(POLLIN, deadline);
                if (PQconsumeInput(raw_.get()) == 0) lost();
            }
            Rows next(PQgetResult(raw_.get()));
            if (next.get() == nullptr) break;
            // Of several statements, that which failed is the last.
            if (first.get() == nullptr || !succeeded(next)) first = std::move(next);
        }
        if (first.get() == nullptr) lost();
        if (!succeeded(first)) fail(first);
        return first;
    }
    [[nodiscard]] static bool succeeded(const Rows& rows) {
        const ExecStatusType status = PQresultStatus(rows.get());
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    }

    [[noreturn]] void lost() const {
        const std::string why = PQerrorMessage(raw_.get());
        throw ConnectionLost(target_.message("the connection was lost: " + why));
    }
    /// The details that the server adds to its message are left out: they may show what others have stored.
    [[noreturn]] void fail(const Rows& rows) const {
        const auto field = [&](int code) {
            const char* const value = PQresultErrorField(rows.get(), code);
            return std::string(value == nullptr ? "" : value);
        };
        const std::string code = field(PG_DIAG_SQLSTATE);
        if (PQstatus(raw_.get()) != CONNECTION_OK || code.empty() || code.starts_with("57P")) lost();
        std::string text = target_.message(field(PG_DIAG_MESSAGE_PRIMARY) + " (" + code + ")");
        if (code == "26000" || code == "42P05")
            text +=
                "; behind a pooler that does not keep prepared statements, Options::prepared_statements has to be off";
        if (code.starts_with("40")) throw TakenBack(text);
        throw Refused(text, code);
    }

    const Target& target_;
    bool prepares_;
    std::string schema_{};  // in quotes
    std::unique_ptr<PGconn, Finish> raw_;
    std::map<const char*, Statement> statements_{};
};

/// A transaction that writes. What is not committed is taken back together with the connection, which is not used again.
class Transaction {
public:
    Transaction(Connection& connection, const Deadline& deadline) : connection_(connection), deadline_(deadline) {
        // Each statement sees what others have committed before it, whatever the database's default is.
        connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", deadline);
    }
    void commit() { connection_.execute("COMMIT", deadline_); }

private:
    Connection& connection_;
    const Deadline& deadline_;
};

}  // namespace acta::inline ACTA_ABI::postgres_detail
