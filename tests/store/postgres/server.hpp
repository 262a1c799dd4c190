// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/temp_folder.hpp"

/// A PostgreSQL server for one test, which ends with it. It listens on 127.0.0.1, and everybody is let in but the role
/// `guarded`, who needs a password. It runs as the user postgres where the test runs as root.
class PostgresServer {
public:
    /// Returns why there can be none here; nothing if there can.
    [[nodiscard]] static std::string missing() {
        if (programs().empty()) return "the programs of a PostgreSQL server are not there";
        if (getuid() == 0 && getpwnam("postgres") == nullptr) return "there is no user postgres for a server";
        return {};
    }

    /// `is_durable`: it waits for the disk, as one that is not for tests.
    explicit PostgresServer(bool is_durable = false) : fsync_(is_durable ? "fsync=on" : "fsync=off") {
        if (const passwd* const user = getuid() == 0 ? getpwnam("postgres") : nullptr) {
            user_ = {user->pw_uid, user->pw_gid};
            if (chown((folder_ / "").c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown");
        }
        const pid_t made = run({programs() / "initdb", "-D", data(), "-U", "acta", "-A", "trust", "-E", "UTF8",
                                "--locale=C", "--no-sync"});
        int status = 0;
        if (waitpid(made, &status, 0) != made || status != 0) throw std::runtime_error("initdb: " + read_file(log()));
        const std::string hba = data() + "/pg_hba.conf";
        write_file(hba, "host all guarded 127.0.0.1/32 scram-sha-256\n" + read_file(hba));
        port_ = free_port();
        start();
    }
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer() {
        if (pooler_ > 0) {
            kill(pooler_, SIGQUIT);
            waitpid(pooler_, nullptr, 0);
        }
        stop(SIGQUIT);
    }

    [[nodiscard]] std::string log_text() const { return read_file(log()); }

    /// Returns why there can be no pooler here; nothing if there can.
    [[nodiscard]] static std::string pooler_missing() {
        return std::filesystem::exists(pgbouncer) ? missing() : "PgBouncer is not there";
    }
    /// Starts PgBouncer, which gives each transaction one of `connections` connections to the server. Returns its port.
    int start_pooler(int connections) {
        const int port = free_port();
        const std::string file = (folder_ / "pooler.ini").string();
        write_file(file, "[databases]\npostgres = host=127.0.0.1 port=" + std::to_string(port_) +
                             " dbname=postgres user=acta\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " +
                             std::to_string(port) + "\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n" +
                             "default_pool_size = " + std::to_string(connections) +
                             "\nignore_startup_parameters = extra_float_digits\n");
        std::filesystem::permissions(file, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
        pooler_ = run({pgbouncer, file});
        for (int i = 0; i < 1000; ++i) {
            if (PQping(address_at(port).c_str()) == PQPING_OK) return port;
            if (waitpid(pooler_, nullptr, WNOHANG) == pooler_) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        throw std::runtime_error("PgBouncer does not start: " + read_file(log()));
    }

    void start() {
        process_ = run({programs() / "postgres",
                        "-D",
                        data(),
                        "-p",
                        std::to_string(port_),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-k",
                        data(),
                        "-c",
                        fsync_,
                        "-c",
                        "max_connections=60",
                        "-c",
                        "shared_buffers=8MB",
                        "-c",
                        "autovacuum=off",
                        "-c",
                        "max_wal_senders=0",
                        "-c",
                        "wal_level=minimal"});
        for (int i = 0; i < 1000; ++i) {
            if (PQping(address().c_str()) == PQPING_OK) return;
            if (waitpid(process_, nullptr, WNOHANG) == process_) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        throw std::runtime_error("the server does not start: " + read_file(log()));
    }
    /// SIGINT: connections are ended; SIGQUIT: at once, as when it had crashed.
    void stop(int signal = SIGINT) {
        if (process_ <= 0) return;
        kill(process_, signal);
        waitpid(std::exchange(process_, -1), nullptr, 0);
    }

    [[nodiscard]] int port() const noexcept { return port_; }
    /// Returns a connection string.
    [[nodiscard]] std::string address(const std::string& user = "acta") const { return address_at(port_, user); }
    [[nodiscard]] static std::string address_at(int port, const std::string& user = "acta") {
        return "host=127.0.0.1 port=" + std::to_string(port) + " dbname=postgres user=" + user;
    }

    /// Runs statements and returns the rows of the last one: values divided by '|', rows by '\n'.
    std::string sql(const std::string& text, const std::string& user = "acta") const {
        const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(address(user).c_str()), PQfinish);
        const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection.get(), text.c_str()), PQclear);
        const auto status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw std::runtime_error(std::string("sql: ") + PQerrorMessage(connection.get()));
        std::string out;
        for (int row = 0; row < PQntuples(result.get()); ++row) {
            for (int column = 0; column < PQnfields(result.get()); ++column) {
                if (column > 0) out += '|';
                out += PQgetvalue(result.get(), row, column);
            }
            if (row + 1 < PQntuples(result.get())) out += '\n';
        }
        return out;
    }

private:
    static constexpr const char* pgbouncer = "/usr/sbin/pgbouncer";

    struct User {
        uid_t user = 0;
        gid_t group = 0;
    };

    /// Returns where postgres and initdb are: in PATH, or where Debian has them.
    static const std::filesystem::path& programs() {
        static const std::filesystem::path found = [] {
            const auto has_both = [](const std::filesystem::path& folder) {
                return std::filesystem::exists(folder / "initdb") && std::filesystem::exists(folder / "postgres");
            };
            std::error_code ignored;
            const char* const path = std::getenv("PATH");
            std::string_view left = path == nullptr ? "" : path;
            while (!left.empty()) {
                const std::string_view one = left.substr(0, left.find(':'));
                left.remove_prefix(std::min(left.size(), one.size() + 1));
                // initdb looks for the other programs beside itself, not beside a link to it.
                if (has_both(one))
                    return std::filesystem::canonical(std::filesystem::path(one) / "initdb").parent_path();
            }
            for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", ignored)) {
                if (has_both(version.path() / "bin")) return version.path() / "bin";
            }
            return std::filesystem::path();
        }();
        return found;
    }
    /// Below the ports that systems take for outgoing connections: one of those could have it while the server
    /// restarts.
    static int free_port() {
        std::random_device random;
        for (int i = 0; i < 100; ++i) {
            const int port = 20'000 + static_cast<int>(random() % 12'000);
            const int one = socket(AF_INET, SOCK_STREAM, 0);
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            address.sin_port = htons(static_cast<std::uint16_t>(port));
            const bool is_free = bind(one, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
            close(one);
            if (is_free) return port;
        }
        throw std::runtime_error("no free port");
    }
    [[nodiscard]] std::string data() const { return (folder_ / "data").string(); }
    [[nodiscard]] std::string log() const { return (folder_ / "log").string(); }

    [[nodiscard]] pid_t run(const std::vector<std::string>& words) const {
        std::vector<char*> arguments;
        for (const std::string& one : words) arguments.push_back(const_cast<char*>(one.c_str()));
        arguments.push_back(nullptr);
        const std::string output = log();
        const pid_t child = fork();
        if (child != 0) return child;
        const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0 || chdir("/") != 0) _exit(120);
        if (user_ &&
            (fchown(file, user_->user, user_->group) != 0 || setgid(user_->group) != 0 || setuid(user_->user) != 0))
            _exit(121);
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, SIGQUIT);  // also when the test is killed
#endif
        execv(arguments[0], arguments.data());
        _exit(122);
    }

    std::string fsync_;
    TempFolder folder_{};
    std::optional<User> user_{};
    int port_ = 0;
    pid_t process_ = -1;
    pid_t pooler_ = -1;
};
