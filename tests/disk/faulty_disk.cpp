// SPDX-License-Identifier: MIT
#include "disk/faulty_disk.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

std::atomic<int> made = 0;  // by several writers at once
int failing = 0;
int failing_with = 0;
int deadly = 0;
bool slow = false;

bool fails() noexcept {
    const int call = ++made;
    if (call == deadly) ::kill(::getpid(), SIGKILL);
    if (call != failing) return false;
    errno = failing_with;
    return true;
}

}  // namespace

namespace disk {

void fail(int n, int error) noexcept {
    made = 0;
    failing = n;
    failing_with = error;
}
void kill_at(int n) noexcept {
    made = 0;
    deadly = n;
}
void write_slowly(bool wanted) noexcept { slow = wanted; }
int stop() noexcept {
    failing = deadly = 0;
    slow = false;
    return made;
}

}  // namespace disk

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
int __real_open(const char* path, int flags, ...);
int __real_flock(int fd, int operation);
ssize_t __real_write(int fd, const void* data, std::size_t size);
int __real_fchmod(int fd, mode_t mode);
int __real_fsync(int fd);
int __real_rename(const char* from, const char* to);

int __wrap_open(const char* path, int flags, mode_t mode);
int __wrap_flock(int fd, int operation);
ssize_t __wrap_write(int fd, const void* data, std::size_t size);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fsync(int fd);
int __wrap_rename(const char* from, const char* to);

int __wrap_open(const char* path, int flags, mode_t mode) {
    return fails() ? -1 : __real_open(path, flags, (flags & O_CREAT) != 0 ? mode : mode_t{0});
}
int __wrap_flock(int fd, int operation) { return fails() ? -1 : __real_flock(fd, operation); }
ssize_t __wrap_write(int fd, const void* data, std::size_t size) {
    return fails() ? -1 : __real_write(fd, data, slow && size > 1 ? 1 : size);
}
int __wrap_fchmod(int fd, mode_t mode) { return fails() ? -1 : __real_fchmod(fd, mode); }
int __wrap_fsync(int fd) { return fails() ? -1 : __real_fsync(fd); }
int __wrap_rename(const char* from, const char* to) { return fails() ? -1 : __real_rename(from, to); }
}
// NOLINTEND(bugprone-reserved-identifier)
