// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/base/unicode.hpp"

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace acta::inline ACTA_ABI {

namespace base {

[[gnu::cold]] ACTA_INLINE void throw_file_error(std::string_view action, const std::filesystem::path& path,
                                                std::error_code error) {
    const auto name = path.u8string();  // in UTF-8 on Windows too, where string() cannot have all characters
    // The words of POSIX, where an error of the system has an equivalent there.
    throw FileError("Cannot " + std::string(action) + " '" + std::string(name.begin(), name.end()) +
                    "': " + error.default_error_condition().message());
}
[[gnu::cold]] ACTA_INLINE void throw_file_error(std::string_view action, const std::filesystem::path& path, int error) {
    throw_file_error(action, path, std::error_code(error, std::generic_category()));
}

ACTA_INLINE std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw_file_error("read", path, EISDIR);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw_file_error("read", path, errno != 0 ? errno : ENOENT);
    std::string text;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size < max_bytes) text.reserve(static_cast<std::size_t>(size));
    // A pipe or a device has no size, and that of a regular file may have changed: only the end counts.
    char buffer[std::size_t{64} * 1024];
    while (text.size() <= max_bytes && (in.read(buffer, sizeof buffer), in.gcount() > 0))
        text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (in.bad()) throw_file_error("read", path, errno != 0 ? errno : EIO);
    return text;
}

}  // namespace base

namespace base_detail {

/// Returns the file that a link leads to, so that the link itself stays.
ACTA_INLINE std::filesystem::path link_target(const std::filesystem::path& link) {
    constexpr int most_links = 40;
    std::error_code error;
    std::filesystem::path path = link;
    for (int i = 0; std::filesystem::is_symlink(path, error); ++i) {
        if (i == most_links) base::throw_file_error("write", link, ELOOP);
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error) base::throw_file_error("write", link, error);
        path = path.parent_path() / next;  // an absolute one replaces all
    }
    return path;
}

/// New files beside one target are numbered, one for each writer of this moment.
inline constexpr int most_pending_files = 1000;
inline constexpr std::size_t longest_ending = std::string_view(".acta999.tmp").size();

#if !defined(_WIN32)

class PendingFile {
public:
    /// Makes the new file. Throws `FileError`, also if `target` exists and is not a regular file.
    explicit PendingFile(const std::filesystem::path& target) : target_(link_target(target)) {
        struct ::stat old {};
        if (::stat(target_.c_str(), &old) == 0) {
            if (!S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))  // so that a file never replaces /dev/null
                throw FileError("Cannot write '" + target_.string() + "': Not a regular file");
            old_ = old;
        }
        open_own(0600);  // what agents record may be private
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile() {
        if (!done_) ::unlink(name_.c_str());
        ::close(fd_);
    }

    /// Appends to the new file. Throws `FileError`, such as when the disk is full.
    void write(std::string_view text) {
        while (!text.empty()) {
            const ::ssize_t written = ::write(fd_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) base::throw_file_error("write", target_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    /// Puts the file in its place. Throws `FileError`.
    void commit() {  // The file is closed last, since that ends its lock.
        const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
        if (old_) take_over_owner_and_mode();
        if (::fsync(fd_) != 0) base::throw_file_error("write", target_, errno);
        if (::rename(name_.c_str(), target_.c_str()) != 0) base::throw_file_error("write", target_, errno);
        done_ = true;
        sync_folder(folder);
    }

private:
    /// Gives the new file owner, group and mode of the old one, as far as this process may. The owner comes first,
    /// since changing it clears the set-user-ID bit, which must not be given to another owner either.
    void take_over_owner_and_mode() const {
        const bool all = ::fchown(fd_, old_->st_uid, old_->st_gid) == 0;
        if (!all) static_cast<void>(::fchown(fd_, static_cast<::uid_t>(-1), old_->st_gid));
        static_cast<void>(::fchmod(fd_, old_->st_mode & (all ? 07777U : 0777U)));
    }
    /// Returns the target's name, truncated if it would be too long with another ending.
    [[nodiscard]] std::string name_stem() const {
        constexpr std::size_t usual_limit = 255;
        const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
        const long stated = ::pathconf(folder.c_str(), _PC_NAME_MAX);
        const std::size_t limit = stated > 0 ? static_cast<std::size_t>(stated) : usual_limit;
        const std::string name = target_.filename().string();
        if (name.size() + longest_ending <= limit) return target_.string();
        return (folder / utf8::prefix(name, limit - std::min(limit, longest_ending))).string();
    }
    void open_own(::mode_t mode) {
        const std::string stem = name_stem();
        for (int i = 0; i < most_pending_files; ++i) {
            name_ = stem + ".acta" + std::to_string(i) + ".tmp";
            do {
                fd_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
                if (fd_ < 0 && errno != EEXIST) base::throw_file_error("write", target_, errno);
                if (fd_ >= 0 && is_locked()) return;
                if (fd_ >= 0) ::close(std::exchange(fd_, -1));
            } while (remove_left());
        }
        base::throw_file_error("write", target_, EBUSY);
    }
    /// Another writer may remove a new file in the moment before it is locked, taking it for an abandoned one. File
    /// systems without locks (some network disks) count as locked; abandoned files are not removed there.
    [[nodiscard]] bool is_locked() const {
        if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
        struct ::stat own {};
        struct ::stat named {};
        return ::fstat(fd_, &own) == 0 && ::lstat(name_.c_str(), &named) == 0 && own.st_ino == named.st_ino;
    }
    /// Removes a file that is not locked. Returns false if it still exists.
    [[nodiscard]] bool remove_left() const {
        const int fd = ::open(name_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) return errno == ENOENT;
        struct ::stat own {};
        struct ::stat named {};
        bool removed = ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &own) == 0 && S_ISREG(own.st_mode);
        if (removed && ::lstat(name_.c_str(), &named) == 0 && own.st_ino == named.st_ino)
            removed = ::unlink(name_.c_str()) == 0;
        ::close(fd);
        return removed;
    }
    /// Makes the rename itself durable, if the file system can.
    static void sync_folder(const std::filesystem::path& folder) noexcept {
        const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0) return;
        static_cast<void>(::fsync(fd));
        ::close(fd);
    }

    std::filesystem::path target_;
    std::string name_{};
    std::optional<struct ::stat> old_{};  // the file that is replaced
    int fd_ = -1;
    bool done_ = false;
};

#else

/// The same with the calls of Windows, and the guarantees that `save` documents for it.
class PendingFile {
public:
    explicit PendingFile(const std::filesystem::path& target) : target_(link_target(target)) {
        std::error_code error;
        const std::filesystem::file_status old = std::filesystem::status(target_, error);
        if (std::filesystem::is_directory(old)) base::throw_file_error("write", target_, EISDIR);
        open_own();
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile() {
        if (!done_) {
            ::FILE_DISPOSITION_INFO removed{};
            removed.DeleteFile = TRUE;
            ::SetFileInformationByHandle(file_, FileDispositionInfo, &removed, sizeof removed);
        }
        ::CloseHandle(file_);
    }
    void write(std::string_view text) {
        while (!text.empty()) {
            constexpr std::size_t most_at_once = std::size_t{1} << 30;
            ::DWORD written = 0;
            if (!::WriteFile(file_, text.data(), static_cast<::DWORD>(std::min(text.size(), most_at_once)), &written,
                             nullptr))
                fail();
            text.remove_prefix(written);
        }
    }
    void commit() {
        if (!::FlushFileBuffers(file_)) fail();
        rename_to_target();
        done_ = true;
    }

private:
    [[noreturn]] void fail() const {
        base::throw_file_error("write", target_,
                               std::error_code(static_cast<int>(::GetLastError()), std::system_category()));
    }
    /// Returns the target's name, truncated if it would be too long with another ending.
    [[nodiscard]] std::wstring name_stem() const {
        constexpr std::size_t limit = 255;
        std::wstring name = target_.filename().wstring();
        if (name.size() + longest_ending <= limit) return target_.wstring();
        name.resize(limit - longest_ending);
        if ((name.back() & 0xFC00) == 0xD800) name.pop_back();  // half of a pair
        return (target_.parent_path() / name).wstring();
    }
    /// The file is not shared, so it cannot be removed while it is open, and one that can be removed was abandoned.
    void open_own() {
        const std::wstring stem = name_stem();
        for (int i = 0; i < most_pending_files; ++i) {
            const std::wstring name = stem + L".acta" + std::to_wstring(i) + L".tmp";
            do {
                file_ = ::CreateFileW(name.c_str(), GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
                if (file_ != INVALID_HANDLE_VALUE) return;
                if (::GetLastError() != ERROR_FILE_EXISTS) fail();
            } while (::DeleteFileW(name.c_str()) || ::GetLastError() == ERROR_FILE_NOT_FOUND);
        }
        base::throw_file_error("write", target_, EBUSY);
    }
    /// By the handle, which is closed last: no other writer can take the file between the two. A reader that has the
    /// old file open keeps it from being replaced, and is waited for, at most a second.
    void rename_to_target() {
        const std::wstring name = std::filesystem::absolute(target_).wstring();
        const std::size_t bytes = name.size() * sizeof(wchar_t);
        // The name begins in the last member of the structure and continues after it.
        std::vector<::FILE_RENAME_INFO> info(1 + (bytes + sizeof(::FILE_RENAME_INFO) - 1) / sizeof(::FILE_RENAME_INFO));
        info[0].ReplaceIfExists = TRUE;
        info[0].FileNameLength = static_cast<::DWORD>(bytes);
        std::copy(name.begin(), name.end(), info[0].FileName);
        const auto size = static_cast<::DWORD>(info.size() * sizeof(::FILE_RENAME_INFO));
        constexpr int tries = 100;
        constexpr ::DWORD pause_ms = 10;
        for (int i = 1; !::SetFileInformationByHandle(file_, FileRenameInfo, info.data(), size); ++i) {
            const ::DWORD error = ::GetLastError();
            if (i == tries || (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION)) fail();
            ::Sleep(pause_ms);
        }
    }

    std::filesystem::path target_;
    ::HANDLE file_ = INVALID_HANDLE_VALUE;
    bool done_ = false;
};

#endif

}  // namespace base_detail

namespace base {

ACTA_INLINE ReplacementFile::ReplacementFile(const std::filesystem::path& target)
    : file_(std::make_unique<base_detail::PendingFile>(target)) {}
ACTA_INLINE ReplacementFile::~ReplacementFile() = default;
ACTA_INLINE void ReplacementFile::write(std::string_view text) { file_->write(text); }
ACTA_INLINE void ReplacementFile::commit() { file_->commit(); }

}  // namespace base

}  // namespace acta::inline ACTA_ABI
