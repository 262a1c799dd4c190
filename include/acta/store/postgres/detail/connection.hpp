// SPDX-License-Identifier: MIT
#pragma once

#include <libpq-fe.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/postgres/store.hpp"

#if defined(_WIN32)
#include <winsock2.h>
#else
#include <poll.h>
#endif

// What goes to the server and what comes from it.
namespace acta::inline ACTA_ABI::postgres_detail {

/// When a call must be over.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    explicit Deadline(std::chrono::milliseconds timeout) : timeout_(timeout), end_(deadline_in(timeout)) {}

    [[nodiscard]] Clock::time_point end() const noexcept { return end_; }
    [[nodiscard]] bool has_passed() const noexcept { return Clock::now() >= end_; }
    /// Returns what is left, rounded up, for poll().
    [[nodiscard]] int left() const noexcept {
        constexpr std::int64_t most = 3'600'000;
        const auto now = Clock::now();
        if (now >= end_) return 0;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - now).count();
        return static_cast<int>(std::min<std::int64_t>(left, most));
    }
    [[nodiscard]] std::string text() const { return std::to_string(timeout_.count()) + " ms"; }

private:
    std::chrono::milliseconds timeout_;
    Clock::time_point end_;
};

/// The parameters of a statement. They go as bytes with their length, so that a text needs no escaping and is not cut
/// at a NUL, which the server refuses.
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

    /// Calls `callback` with the arrays that libpq takes.
    template <class Callback>
    int pass(const Callback& callback) const {
        std::vector<Oid> types;
        std::vector<const char*> values;
        std::vector<int> lengths;
        for (const Value& one : values_) {
            types.push_back(one.type);
            values.push_back(one.is_null ? nullptr : one.bytes.data());
            lengths.push_back(static_cast<int>(one.bytes.size()));
        }
        const std::vector<int> formats(values_.size(), 1);
        return callback(static_cast<int>(values_.size()), types.data(), values.data(), lengths.data(), formats.data());
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
    /// Throws `StoreError` without a part of the string: libpq quotes what it does not understand, and that may be a
    /// part of a password.
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
        // A connection string instead of the name of a database would be shown in errors.
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

    /// A password with one of these that is not escaped would end too early, and its rest would be taken for a host,
    /// which errors name.
    static void require_escaped(std::string_view text) {
        const std::size_t begin = text.find("://");
        const std::size_t at = text.rfind('@');
        if (begin == std::string_view::npos || at == std::string_view::npos) return;
        if (text.substr(0, begin) != "postgresql" && text.substr(0, begin) != "postgres") return;
        if (text.substr(begin + 3, at - begin - 3).find_first_of("@/?#[] ") != std::string_view::npos)
            throw StoreError(
                "postgres: in the URI of a connection '@' occurs once, after user and password; any other '@', and any "
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
        PQsetErrorVerbosity(raw_.get(), PQERRORS_VERBOSE);    // so that there is a code
        for (PostgresPollingStatusType next = PGRES_POLLING_WRITING;; next = PQconnectPoll(raw_.get())) {
            if (PQstatus(raw_.get()) == CONNECTION_BAD || next == PGRES_POLLING_FAILED) no_connection();
            if (next == PGRES_POLLING_OK) break;
            if (deadline.has_passed() || !wait(next == PGRES_POLLING_WRITING ? POLLOUT : POLLIN, deadline))
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
            if (PQtransactionStatus(raw_.get()) != PQTRANS_IDLE) return false;  // also if it was closed
            if (!is_ready(POLLIN, 0)) return true;
            static_cast<void>(PQconsumeInput(raw_.get()));  // it was closed, or else it says why it will be
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

    /// Returns the name of a prepared statement, which says what its text is: behind a pooler other clients use the
    /// same server process, and a name must not stand for another statement there.
    [[nodiscard]] static std::string name_of(std::string_view sql) {
        return "acta_" + std::to_string(base::fnv1a(sql));
    }
    [[nodiscard]] Statement& statement_of(const char* sql) {
        Statement& kept = statements_[sql];
        if (kept.sql.empty()) {
            kept.sql = in_schema(sql);
            kept.name = name_of(kept.sql);
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

    /// Throws what libpq or the server says. A server that refuses the role, its password or the database will do so
    /// again.
    [[noreturn]] void no_connection() const {
        std::string text;
        std::string code;
        const std::string said = PQerrorMessage(raw_.get());
        for (std::size_t begin = 0; begin < said.size();) {
            const std::size_t end = std::min(said.find('\n', begin), said.size());
            std::string line = said.substr(begin, end - begin);
            begin = end + 1;
            // "FATAL:  28P01: password ...", in any language, and after it "LOCATION:  file, line".
            const std::size_t colon = line.find(":  ");
            if (colon == std::string::npos) {
                text += line + '\n';
                continue;
            }
            const std::string_view rest = std::string_view(line).substr(colon + 3);
            const bool has_code =
                rest.size() > 6 && rest[5] == ':' &&
                rest.substr(0, 5).find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
            if (!has_code) continue;
            code = rest.substr(0, 5);
            text += line.substr(0, colon + 3) + std::string(rest.substr(7)) + " (" + code + ")\n";
        }
        const std::string message = target_.message(text.empty() ? said : text);
        if (code.empty() || code.starts_with("57") || code.starts_with("53") || code.starts_with("08"))
            throw StoreError(message);
        throw Refused(message, code);
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
        Rows last(nullptr);  // of several statements, that which failed
        for (;;) {
            while (PQisBusy(raw_.get()) != 0) {
                await(POLLIN, deadline);
                if (PQconsumeInput(raw_.get()) == 0) lost();
            }
            Rows next(PQgetResult(raw_.get()));
            if (next.get() == nullptr) break;
            last = std::move(next);
        }
        if (last.get() == nullptr) lost();
        if (!succeeded(last)) fail(last);
        return last;
    }
    [[nodiscard]] static bool succeeded(const Rows& rows) {
        const ExecStatusType status = PQresultStatus(rows.get());
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    }

    [[noreturn]] void lost() const {
        const std::string why = PQerrorMessage(raw_.get());
        throw ConnectionLost(target_.message("the connection was lost: " + why));
    }
    /// The details that the server adds to its message are omitted: they may show what others have stored.
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
        if (code == "42501")
            text +=
                "; the role needs USAGE on the schema, SELECT on its tables, INSERT and UPDATE on history, INSERT on "
                "record, "
                "DELETE on record to erase a history, and to make or change the schema the rights of its owner";
        if (code.starts_with("40")) throw TakenBack(text);
        throw Refused(text, code);
    }

    const Target& target_;
    bool prepares_;
    std::string schema_{};  // in quotes
    std::unique_ptr<PGconn, Finish> raw_;
    std::map<const char*, Statement> statements_{};
};

/// A transaction that writes. What is not committed is taken back together with the connection, which is not used
/// again.
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

/// Whether a call may be made again when its answer was lost.
enum class Repeat { no, yes };

/// Connections, each made when it is needed and kept for the next call.
class Pool {
public:
    Pool(const std::string& connection, const postgres::Options& options) : target_(connection), options_(options) {
        constexpr std::size_t longest = 63;
        if (options.schema.empty() || options.schema.size() > longest)
            throw StoreError(target_.message("the name of a schema has 1 to 63 bytes"));
        options_.connections = std::max<std::size_t>(options_.connections, 1);
    }

    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    /// In a child process the connections are the parent's: closing them would end them there.
    ~Pool() {
        if (process_ == store_detail::this_process()) return;
        for (std::unique_ptr<Connection>& one : idle_) static_cast<void>(one.release());
    }

    [[nodiscard]] const postgres::Options& options() const noexcept { return options_; }
    [[nodiscard]] const Target& target() const noexcept { return target_; }

    /// Returns what `act` returns for a connection and the time that the call has. It is called again if the server
    /// took it back, and with `Repeat::yes` if the connection was lost.
    template <class Act>
    auto call(Repeat repeat, const Act& act) {
        const Deadline deadline(options_.timeout);
        constexpr int most_losses = 3;
        for (int losses = 0;;) {
            const Borrowed borrowed(*this, deadline);
            try {
                return act(borrowed.connection(), deadline);
            } catch (const TakenBack&) {
                if (deadline.has_passed()) throw;
            } catch (const ConnectionLost&) {
                if (repeat == Repeat::no || ++losses == most_losses || deadline.has_passed()) throw;
            }
        }
    }

    /// Makes the first connection. It fails at once if there is no server; a later one waits until the time is up.
    void connect() {
        const Deadline deadline(options_.timeout);
        idle_.push_back(std::make_unique<Connection>(target_, options_, deadline));
        ++made_;
    }

private:
    /// A connection for one call.
    class Borrowed {
    public:
        Borrowed(Pool& pool, const Deadline& deadline) : pool_(pool), connection_(pool.take(deadline)) {}
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        ~Borrowed() { pool_.give_back(std::move(connection_)); }

        [[nodiscard]] Connection& connection() const noexcept { return *connection_; }

    private:
        Pool& pool_;
        std::unique_ptr<Connection> connection_;
    };

    [[nodiscard]] std::unique_ptr<Connection> take(const Deadline& deadline) {
        if (process_ != store_detail::this_process())
            throw StoreError(target_.message("it was opened before fork(): the child has to open a store of its own"));
        std::unique_lock lock(mutex_);
        for (;;) {
            const bool is_there = base::wait_until(freed_, lock, stop_token(), deadline.end(),
                                                   [this] { return !idle_.empty() || made_ < options_.connections; });
            if (!is_there)
                throw StoreError(target_.message("none of its " + std::to_string(options_.connections) +
                                                 " connections became free within " + deadline.text()));
            if (idle_.empty()) break;
            std::unique_ptr<Connection> newest = std::move(idle_.back());
            idle_.pop_back();
            if (newest->is_usable()) return newest;
            --made_;  // the server has closed it
        }
        idle_.reserve(made_ + 1);
        ++made_;
        lock.unlock();
        try {
            return connected(deadline);
        } catch (...) {
            forget();
            throw;
        }
    }
    /// A server that is being restarted is waited for.
    [[nodiscard]] std::unique_ptr<Connection> connected(const Deadline& deadline) {
        constexpr std::chrono::milliseconds longest{200};
        for (std::chrono::milliseconds pause{10};; pause = std::min(2 * pause, longest)) {
            try {
                return std::make_unique<Connection>(target_, options_, deadline);
            } catch (const Refused&) {
                throw;
            } catch (const StoreError&) {
                if (Deadline::Clock::now() + pause >= deadline.end()) throw;
            }
            std::this_thread::sleep_for(pause);
        }
    }
    void give_back(std::unique_ptr<Connection> connection) noexcept {
        if (!connection->is_usable()) {
            connection.reset();
            return forget();
        }
        {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(connection));  // does not allocate: it was in it before
        }
        freed_.notify_one();
    }
    void forget() noexcept {
        {
            const std::lock_guard lock(mutex_);
            --made_;
        }
        freed_.notify_one();
    }

    Target target_;
    postgres::Options options_;
    std::int64_t process_ = store_detail::this_process();
    std::mutex mutex_{};
    condition_variable_any freed_{};
    std::vector<std::unique_ptr<Connection>> idle_{};
    std::size_t made_ = 0;  // those that are used included
};

/// Runs one statement for one call.
[[nodiscard]] inline Rows run(Pool& pool, Repeat repeat, const char* sql, const Parameters& parameters) {
    return pool.call(repeat, [&](Connection& connection, const Deadline& deadline) {
        return connection.run(sql, parameters, deadline);
    });
}

// Records as the server has them.

/// The columns of records, as arrays.
struct Columns {
    explicit Columns(std::span<const NewRecord> records) {
        for (const NewRecord& one : records) {
            kinds.push_back(to_string(one.kind));
            calls.push_back(one.call_id);
            bodies.push_back(one.body);
            digits_.push_back(std::to_string(store_detail::checksum(kinds.back(), one.call_id, one.body)));
        }
        checksums.assign(digits_.begin(), digits_.end());
    }
    std::vector<std::string_view> kinds{};
    std::vector<std::string_view> calls{};
    std::vector<std::string_view> bodies{};
    std::vector<std::string_view> checksums{};

private:
    std::vector<std::string> digits_{};
};

/// Returns whether the record after `version` was stored by this append.
[[nodiscard]] inline bool has_token(Pool& pool, std::string_view id, std::uint64_t version, std::string_view token) {
    const Rows found = run(pool, Repeat::yes,
                           "SELECT 1 FROM acta.history h JOIN acta.record r ON r.history = h.key WHERE h.id = $1 AND "
                           "r.seq = $2 AND r.token = $3",
                           Parameters().add(id).add(version + 1).add(token));
    return !found.empty();
}

[[nodiscard]] inline Record record_of(const Rows& rows, int row, std::string_view id) {
    Record out;
    out.seq = rows.number(row, 2);
    out.kind = store_detail::kind_of_name(rows.text(row, 3), id, out.seq);
    out.format = static_cast<int>(rows.integer(row, 4));
    out.at = store_detail::timestamp_of(rows.integer(row, 5));
    out.call_id = rows.text(row, 6);
    out.body = rows.text(row, 7);
    store_detail::require_checksum(out, rows.is_null(row, 8) ? std::nullopt : std::optional(rows.integer(row, 8)), id);
    return out;
}

/// Records of a history, and its version.
struct Page {
    std::uint64_t version = 0;
    std::vector<Record> records{};
};
/// Returns records from `first` to `last`, as many as make a page: 1000, or 4 MB and one more. The lengths of bodies
/// are known without reading them. Throws `StoreCorrupt` if the history's entry cannot be read, whose labels are only
/// in the first row.
[[nodiscard]] inline Page page(Pool& pool, std::string_view id, std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t more = 999;
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    last = std::min(last, std::min(first, largest - more) + more);
    const Rows rows =
        run(pool, Repeat::yes,
            "SELECT h.head, h.erased IS NOT NULL, p.seq, p.kind, p.format, "
            "(extract(epoch FROM p.at) * 1000000)::bigint, p.call_id, p.body, p.checksum, h.epoch, h.snapshot, "
            "CASE WHEN p.seq IS NULL OR p.seq = $2 THEN h.labels_text END FROM acta.history h "
            "LEFT JOIN LATERAL (SELECT * FROM (SELECT r.*, pg_catalog.sum(pg_catalog.octet_length(body)) OVER "
            "(ORDER BY seq) - pg_catalog.octet_length(body) AS before FROM acta.record r "
            "WHERE r.history = h.key AND r.seq BETWEEN $2 AND $3) s WHERE before < 4000000) p "
            "ON true WHERE h.id = $1 ORDER BY p.seq",
            Parameters().add(id).add(first).add(last));
    if (rows.empty()) store_detail::throw_not_found(id);
    if (rows.boolean(0, 1)) store_detail::throw_gone(id);
    HistoryInfo info;
    info.id = id;
    info.position = {rows.number(0, 0), rows.number(0, 9)};
    info.snapshot = rows.number(0, 10);
    store_detail::complete(info, rows.is_null(0, 11) ? "{}" : rows.text(0, 11));
    store_detail::require_readable(info);
    Page out;
    out.version = info.position.version;
    if (rows.is_null(0, 2)) return out;
    for (int row = 0; row < rows.size(); ++row) out.records.push_back(record_of(rows, row, id));
    return out;
}

}  // namespace acta::inline ACTA_ABI::postgres_detail
