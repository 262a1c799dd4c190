// SPDX-License-Identifier: MIT
#pragma once

#include <sqlite3.h>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>

/// SQLite's own access to files, of which one call can be made to fail. While it lives, it is what a store opens its
/// file with.
class FaultyVfs {
public:
    /// Which calls.
    enum class Call { write, sync, truncate, read, map };

    FaultyVfs() : base_(sqlite3_vfs_find(nullptr)) {
        if (the_one() != nullptr || base_ == nullptr) throw std::logic_error("there is one already");
        the_one() = this;
        vfs_ = *base_;
        vfs_.zName = "acta_faulty";
        vfs_.xOpen = open;
        sqlite3_vfs_register(&vfs_, 1);
    }
    FaultyVfs(const FaultyVfs&) = delete;
    FaultyVfs& operator=(const FaultyVfs&) = delete;
    ~FaultyVfs() {
        sqlite3_vfs_unregister(&vfs_);
        sqlite3_vfs_register(base_, 1);
        the_one() = nullptr;
    }

    /// From now on the n-th call of a kind fails with an error of SQLite's, counted from 1; and all later ones if the
    /// disk stays as it is.
    void fail(Call call, int n, int error, bool stays) noexcept {
        call_ = call;
        failing_ = n;
        error_ = error;
        stays_ = stays;
        made_ = 0;
    }
    /// All is as it was. Returns whether a call failed.
    bool stop() noexcept {
        const bool reached = failing_ != 0 && made_ >= failing_;
        failing_ = 0;
        return reached;
    }

private:
    /// The functions of a file, and those that they stand for.
    struct Methods {
        sqlite3_io_methods own{};
        const sqlite3_io_methods* base = nullptr;
    };

    static FaultyVfs*& the_one() {
        static FaultyVfs* one = nullptr;
        return one;
    }
    static const sqlite3_io_methods& base(const sqlite3_file* file) { return *the_one()->methods_of(file).base; }
    [[nodiscard]] const Methods& methods_of(const sqlite3_file* file) const {
        for (const auto& [key, methods] : methods_) {
            if (&methods->own == file->pMethods) return *methods;
        }
        throw std::logic_error("a file that was opened before");
    }
    /// Returns SQLITE_OK unless this call is to fail.
    static int next(Call call) noexcept {
        FaultyVfs& self = *the_one();
        if (self.failing_ == 0 || call != self.call_) return SQLITE_OK;
        const int n = ++self.made_;
        return n == self.failing_ || (self.stays_ && n > self.failing_) ? self.error_ : SQLITE_OK;
    }

    static int open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
        FaultyVfs& self = *the_one();
        const int code = self.base_->xOpen(self.base_, name, file, flags, out_flags);
        if (code != SQLITE_OK || file->pMethods == nullptr) return code;
        auto& methods = self.methods_[file->pMethods];
        if (!methods) {
            methods = std::make_unique<Methods>();
            methods->base = file->pMethods;
            methods->own = *file->pMethods;
            methods->own.xWrite = write;
            methods->own.xSync = sync;
            methods->own.xTruncate = truncate;
            methods->own.xRead = read;
            if (methods->own.xShmMap != nullptr) methods->own.xShmMap = map;
        }
        file->pMethods = &methods->own;
        return SQLITE_OK;
    }
    static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
        const int error = next(Call::write);
        if (error == SQLITE_OK) return base(file).xWrite(file, data, size, offset);
        base(file).xWrite(file, data, size / 2, offset);  // as much as fitted
        return error;
    }
    static int sync(sqlite3_file*, int) { return next(Call::sync); }  // nobody pulls the plug here
    static int truncate(sqlite3_file* file, sqlite3_int64 size) {
        const int error = next(Call::truncate);
        return error == SQLITE_OK ? base(file).xTruncate(file, size) : error;
    }
    static int read(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
        const int error = next(Call::read);
        return error == SQLITE_OK ? base(file).xRead(file, data, size, offset) : error;
    }
    static int map(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
        const int error = next(Call::map);
        if (error == SQLITE_OK) return base(file).xShmMap(file, page, size, extend, memory);
        *memory = nullptr;
        return error;
    }

    sqlite3_vfs* base_;
    sqlite3_vfs vfs_{};
    std::map<const sqlite3_io_methods*, std::unique_ptr<Methods>> methods_{};
    Call call_ = Call::write;
    int failing_ = 0;
    int error_ = SQLITE_OK;
    bool stays_ = false;
    int made_ = 0;
};

/// Interrupts the n-th instruction that a statement of any connection makes, counted from when `interrupt` was called.
/// Sees the connections that are opened while it lives.
class Interruptions {
public:
    Interruptions() {
        the_one() = this;
        sqlite3_auto_extension(reinterpret_cast<void (*)()>(opened));
    }
    Interruptions(const Interruptions&) = delete;
    Interruptions& operator=(const Interruptions&) = delete;
    ~Interruptions() {
        sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(opened));
        the_one() = nullptr;
    }

    void interrupt(int n) noexcept {
        failing_ = n;
        made_ = 0;
    }
    /// Returns whether it came to that.
    bool stop() noexcept {
        const bool reached = failing_ != 0 && made_ >= failing_;
        failing_ = 0;
        return reached;
    }
    /// The newest connection, which must not have been closed.
    [[nodiscard]] sqlite3* connection() const noexcept { return connection_; }

private:
    static Interruptions*& the_one() {
        static Interruptions* one = nullptr;
        return one;
    }
    static int opened(sqlite3* connection, const char**, const void*) {
        the_one()->connection_ = connection;
        sqlite3_progress_handler(
            connection, 1,
            [](void*) {
                Interruptions* const self = the_one();
                return self != nullptr && self->failing_ != 0 && ++self->made_ == self->failing_ ? 1 : 0;
            },
            nullptr);
        return SQLITE_OK;
    }

    int failing_ = 0;
    int made_ = 0;
    sqlite3* connection_ = nullptr;
};
