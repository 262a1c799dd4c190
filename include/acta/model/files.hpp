// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/model/dump.hpp"
#include "acta/model/parse.hpp"

#if defined(_WIN32)
#include <atomic>
#else
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace acta::inline v0 {

namespace detail {

[[noreturn]] inline void throw_file_error(const char* what, const std::filesystem::path& path, int error) {
    throw FileError(std::string("Cannot ") + what + " '" + path.string() +
                    "': " + std::error_code(error, std::generic_category()).message());
}

inline std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw_file_error("read", path, EISDIR);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw_file_error("read", path, errno != 0 ? errno : ENOENT);
    std::string text;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size < max_bytes) text.reserve(static_cast<std::size_t>(size));
    // What is no regular file has no size: read until the end, or until it is too large to be parsed.
    char buffer[std::size_t{64} * 1024];
    while (text.size() <= max_bytes && (in.read(buffer, sizeof buffer), in.gcount() > 0))
        text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (in.bad()) throw_file_error("read", path, errno != 0 ? errno : EIO);
    return text;
}

#if !defined(_WIN32)

/// A new file beside `target` that takes its place once it is whole and on the disk. Until then, and
/// when it is given up, the target is untouched.
class ReplacementFile {
public:
    explicit ReplacementFile(const std::filesystem::path& target) : target_(resolved(target)) {
        name_ = target_.string() + ".XXXXXX";
        fd_ = ::mkstemp(name_.data());
        if (fd_ < 0) throw_file_error("write", target_, errno);
        keep_mode();
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile() {
        if (fd_ >= 0) ::close(fd_);
        if (!done_) ::unlink(name_.c_str());
    }

    void write(std::string_view text) {
        while (!text.empty()) {
            const ::ssize_t written = ::write(fd_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw_file_error("write", target_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void commit() {
        if (::fsync(fd_) != 0) throw_file_error("write", target_, errno);
        const int closed = ::close(fd_);
        fd_ = -1;
        if (closed != 0) throw_file_error("write", target_, errno);
        if (::rename(name_.c_str(), target_.c_str()) != 0) throw_file_error("write", target_, errno);
        done_ = true;
        sync_folder();
    }

private:
    /// The file a link leads to: the link itself is to stay one.
    static std::filesystem::path resolved(const std::filesystem::path& target) {
        constexpr int most_links = 40;
        std::error_code error;
        std::filesystem::path path = target;
        for (int i = 0; std::filesystem::is_symlink(path, error); ++i) {
            if (i == most_links) throw_file_error("write", target, ELOOP);
            const std::filesystem::path next = std::filesystem::read_symlink(path, error);
            if (error) throw_file_error("write", target, error.value());
            path = path.parent_path() / next;  // an absolute one replaces all
        }
        return path;
    }
    void keep_mode() const {
        struct ::stat old {};
        if (::stat(target_.c_str(), &old) == 0) {
            static_cast<void>(::fchmod(fd_, old.st_mode & 07777U));
        } else {
            const ::mode_t mask = ::umask(0);
            ::umask(mask);
            static_cast<void>(::fchmod(fd_, 0666U & ~mask));
        }
    }
    /// The rename itself must outlast a power cut too; not every file system can say so.
    void sync_folder() const noexcept {
        const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
        const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0) return;
        static_cast<void>(::fsync(fd));
        ::close(fd);
    }

    std::filesystem::path target_;
    std::string name_{};
    int fd_ = -1;
    bool done_ = false;
};

#else

class ReplacementFile {
public:
    explicit ReplacementFile(const std::filesystem::path& target) : target_(target) {
        static std::atomic<unsigned> counter{0};
        name_ = target;
        name_ += "." + std::to_string(counter++) + ".tmp";
        out_.open(name_, std::ios::binary | std::ios::trunc);
        if (!out_) throw_file_error("write", target_, errno);
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile() {
        std::error_code ignored;
        out_.close();
        if (!done_) std::filesystem::remove(name_, ignored);
    }
    void write(std::string_view text) {
        if (!out_.write(text.data(), static_cast<std::streamsize>(text.size())))
            throw_file_error("write", target_, EIO);
    }
    void commit() {
        out_.close();
        if (!out_) throw_file_error("write", target_, EIO);
        std::error_code error;
        std::filesystem::rename(name_, target_, error);
        if (error) throw_file_error("write", target_, error.value());
        done_ = true;
    }

private:
    std::filesystem::path target_;
    std::filesystem::path name_{};
    std::ofstream out_{};
    bool done_ = false;
};

#endif

}  // namespace detail

/// Reads a `T` from a JSON file. Throws `FileError` where it cannot be read, `ValidationError` where
/// it does not fit.
template <class T>
[[nodiscard]] T load(const std::filesystem::path& path, const ParseOptions& options = {}) {
    return parse<T>(detail::read_file(path, options.max_bytes), options);
}

/// Writes a value to a JSON file, atomically: the path holds the old file or the whole new one, whatever
/// happens meanwhile (a new file is written beside it, synced and renamed). The mode of an
/// existing file is kept, a link stays one. Throws `FileError` or `EncodeError`; the old file stays then.
template <class T>
void save(const T& value, const std::filesystem::path& path, const DumpOptions& options = {}) {
    detail::ReplacementFile file(path);
    dump_to(
        value, [&file](std::string_view text) { file.write(text); }, options);
    file.commit();
}

}  // namespace acta::inline v0
