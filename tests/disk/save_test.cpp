// SPDX-License-Identifier: MIT
#include <cerrno>
#include <csignal>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acta/base/stop_token.hpp"
#include "acta/json/json.hpp"
#include "disk/faulty_disk.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "support/temp_folder.hpp"

// Whatever happens to the disk or to the program, a file is the old or the new one, and what is left beside it does not
// become more and more.
namespace {

using Lines = std::vector<std::string>;

const Lines old_lines{"the old file"};
const Lines new_lines{"the new file", "which is longer"};

std::string save_error(const Lines& lines, const std::filesystem::path& path) {
    try {
        acta::save(lines, path);
    } catch (const acta::FileError& error) {
        return error.what();
    }
    return "";
}

/// Runs `work` in a process of its own; returns what it returns, or -1 where it was killed.
template <class Work>
int in_child(const Work& work) {
    const ::pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Where files are in memory, if there is such a place: to be killed there does not wait for a slow disk.
std::filesystem::path fast_disk() {
    const std::filesystem::path shared = "/dev/shm";
    return ::access(shared.c_str(), W_OK) == 0 ? shared : std::filesystem::temp_directory_path();
}

/// A folder on a disk of its own, of 256 KiB; empty where this may not be made here.
class SmallDisk {
public:
    SmallDisk() { mounted_ = ::mount("acta", path().c_str(), "tmpfs", 0, "size=256k") == 0; }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (mounted_) ::umount2(path().c_str(), MNT_DETACH);
    }
    [[nodiscard]] bool is_there() const { return mounted_; }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / ""; }
    [[nodiscard]] const TempFolder& folder() const { return folder_; }

private:
    TempFolder folder_{};
    bool mounted_ = false;
};

}  // namespace

TEST_CASE("each system call of a save that fails leaves the old file or the new one, and says which path it was") {
    const TempFolder folder;
    const auto path = folder / "n.json";
    int errors = 0;
    for (const int error : {ENOSPC, EIO, EDQUOT}) {
        for (int n = 1;; ++n) {
            acta::save(old_lines, path);
            disk::fail(n, error);
            const std::string said = save_error(new_lines, path);
            const int calls = disk::stop();
            INFO("call " << n << " of " << calls << ": " << said);
            CHECK(read_file(path) == acta::dump(said.empty() ? new_lines : old_lines));
            CHECK(folder.files() == 1);
            if (!said.empty()) {
                ++errors;
                CHECK_THAT(said, starts_with_text("Cannot write '" + path.string() + "': "));
                CHECK_THAT(said, contains_text(std::generic_category().message(error)));
            }
            if (calls < n) break;
        }
    }
    CHECK(errors >= 3 * 4);  // open, write, fsync, rename
}

TEST_CASE("a write that takes less than it was given goes on, and an interrupted one, too") {
    const TempFolder folder;
    disk::write_slowly(true);
    CHECK(save_error(new_lines, folder / "n.json").empty());
    disk::fail(3, EINTR);
    disk::write_slowly(true);
    CHECK(save_error(new_lines, folder / "interrupted.json").empty());
    disk::stop();
    CHECK(acta::load<Lines>(folder / "n.json") == new_lines);
    CHECK(acta::load<Lines>(folder / "interrupted.json") == new_lines);
}

TEST_CASE("a process that is killed before any of its system calls leaves the old file or the new one") {
    const TempFolder folder;
    const auto path = folder / "n.json";
    const std::string old_text = acta::dump(old_lines);
    const std::string new_text = acta::dump(new_lines);
    int killed = 0;
    std::size_t most_files = 0;
    for (int n = 1;; ++n) {
        acta::save(old_lines, path);
        REQUIRE(folder.files() == 1);  // what the one before left is gone
        const int result = in_child([&] {
            disk::write_slowly(true);
            disk::kill_at(n);
            acta::save(new_lines, path);
            return 0;
        });
        const std::string found = read_file(path);
        INFO("killed before call " << n);
        CHECK((found == old_text || found == new_text));
        most_files = std::max(most_files, folder.files());
        if (result == 0) break;
        ++killed;
    }
    CHECK(killed > static_cast<int>(new_text.size()));
    CHECK(most_files == 2);
}

TEST_CASE("a process that saves again and again and is killed each time loses nothing and leaves no heap") {
    const TempFolder folder(fast_disk());
    const auto path = folder / "n.json";
    const Lines first(4000, std::string(100, 'a'));
    const Lines second(3000, std::string(90, 'b'));
    const std::string first_text = acta::dump(first);
    const std::string second_text = acta::dump(second);
    acta::save(first, path);
    std::mt19937 random(8);
    int torn = 0;
    std::size_t most_files = 0;
    for (std::size_t kills = test_size(50, 1000); kills > 0; --kills) {
        const ::pid_t child = ::fork();
        if (child == 0) {
            for (;;) {
                acta::save(second, path);
                acta::save(first, path);
            }
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const std::string found = read_file(path);
        torn += found == first_text || found == second_text ? 0 : 1;
        most_files = std::max(most_files, folder.files());
    }
    CHECK(torn == 0);
    CHECK(most_files <= 2);
    acta::save(first, path);
    CHECK(folder.files() == 1);
}

TEST_CASE("on a full disk a save says so, and the old file stays") {
    const SmallDisk disk;
    if (!disk.is_there()) ACTA_SKIP("no disk of its own may be mounted here");
    const auto path = disk.folder() / "n.json";
    acta::save(old_lines, path);
    for (int i = 0; i < 3; ++i) {
        const std::string said = save_error(Lines(5000, std::string(100, 'x')), path);
        CHECK(said == "Cannot write '" + path.string() + "': No space left on device");
        CHECK(acta::load<Lines>(path) == old_lines);
        CHECK(disk.folder().files() == 1);
    }
    // What is still smaller than the rest of the disk can be saved.
    CHECK(save_error(Lines(500, std::string(100, 'x')), path).empty());
    CHECK(acta::load<Lines>(path).size() == 500);
    // A file of a killed process that fills the disk is not in the way.
    write_file(path.string() + ".acta0.tmp", std::string(150 * 1024, 'x'));
    CHECK(save_error(Lines(1000, std::string(100, 'y')), path).empty());
    CHECK(disk.folder().files() == 1);
}

TEST_CASE("where files may not grow any more a save says so, and the old file stays") {
    const TempFolder folder;
    const auto path = folder / "n.json";
    acta::save(old_lines, path);
    const int result = in_child([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const ::rlimit limit{65536, 65536};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string said = save_error(Lines(5000, std::string(100, 'x')), path);
        return said == "Cannot write '" + path.string() + "': File too large" ? 7 : 1;
    });
    CHECK(result == 7);
    CHECK(acta::load<Lines>(path) == old_lines);
    CHECK(folder.files() == 1);
}

TEST_CASE("several writers of one file leave one whole file") {
    const TempFolder folder;
    const auto path = folder / "n.json";
    const auto lines_of = [](int thread) {
        return Lines(static_cast<std::size_t>(100 * (thread + 1)), std::string(100, static_cast<char>('a' + thread)));
    };
    std::vector<acta::jthread> writers;
    for (int thread = 0; thread < 4; ++thread) {
        writers.emplace_back([&, thread] {
            for (int i = 0; i < 25; ++i) acta::save(lines_of(thread), path);
        });
    }
    writers.clear();
    const auto found = acta::load<Lines>(path);
    CHECK(found == lines_of(found.front().front() - 'a'));
    CHECK(folder.files() == 1);
}

TEST_CASE("the file of a writer that is still at work is left alone, and removed once it is gone") {
    const TempFolder folder;
    const auto path = folder / "n.json";
    const auto other = folder / "n.json.acta0.tmp";
    write_file(other, "not ready");
    const int fd = ::open(other.c_str(), O_RDWR);
    REQUIRE(::flock(fd, LOCK_EX) == 0);
    acta::save(new_lines, path);
    CHECK(acta::load<Lines>(path) == new_lines);
    CHECK(read_file(other) == "not ready");
    CHECK(folder.files() == 2);
    ::close(fd);
    acta::save(old_lines, path);
    CHECK(acta::load<Lines>(path) == old_lines);
    CHECK(folder.files() == 1);
}

TEST_CASE("a link or a folder with the name of the new file is not touched") {
    const TempFolder folder;
    write_file(folder / "precious", "kept");
    std::filesystem::create_symlink("precious", folder / "n.json.acta0.tmp");
    std::filesystem::create_directories(folder / "n.json.acta1.tmp");
    acta::save(new_lines, folder / "n.json");
    CHECK(acta::load<Lines>(folder / "n.json") == new_lines);
    CHECK(read_file(folder / "precious") == "kept");
    CHECK(folder.files() == 4);
}

TEST_CASE("what is not a regular file is not replaced by one") {
    const TempFolder folder;
    const auto pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(save_error(new_lines, pipe) == "Cannot write '" + pipe.string() + "': Not a regular file");
    CHECK(save_error(new_lines, "/dev/full") == "Cannot write '/dev/full': Not a regular file");
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(folder.files() == 1);
}

TEST_CASE("files whose names are too long for another ending can be saved") {
    const TempFolder folder;
    std::string umlauts;
    for (int i = 0; i < 125; ++i) umlauts += "\xC3\xA4";
    for (const std::string& name : {std::string(250, 'n'), std::string(255, 'm'), umlauts, "x" + umlauts + "y"}) {
        INFO(name.size());
        CHECK(save_error(old_lines, folder / name).empty());
        CHECK(save_error(new_lines, folder / name).empty());
        CHECK(acta::load<Lines>(folder / name) == new_lines);
    }
    CHECK(folder.files() == 4);
    CHECK_THAT(save_error(new_lines, folder / std::string(256, 'n')), contains_text("File name too long"));
}

TEST_CASE("owner, group and mode of a file are kept") {
    if (::geteuid() != 0) ACTA_SKIP("only root may give files away");
    const TempFolder folder;
    const auto path = folder / "n.json";
    acta::save(old_lines, path);
    REQUIRE(::chown(path.c_str(), 4321, 1234) == 0);
    REQUIRE(::chmod(path.c_str(), 04640) == 0);
    acta::save(new_lines, path);
    struct ::stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    CHECK(found.st_uid == 4321);
    CHECK(found.st_gid == 1234);
    CHECK((found.st_mode & 07777U) == 04640U);
}

TEST_CASE("where the owner may not be kept, the file is saved all the same, without rights of the old owner") {
    if (::geteuid() != 0) ACTA_SKIP("only root may become another user");
    const TempFolder folder;
    const auto path = folder / "n.json";
    acta::save(old_lines, path);
    REQUIRE(::chmod(path.c_str(), 04755) == 0);
    REQUIRE(::chmod(path.parent_path().c_str(), 0777) == 0);
    const int result = in_child([&] {
        if (::setgid(1234) != 0 || ::setuid(4321) != 0) return 1;
        return save_error(new_lines, path).empty() ? 7 : 2;
    });
    CHECK(result == 7);
    CHECK(acta::load<Lines>(path) == new_lines);
    struct ::stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    CHECK(found.st_uid == 4321);
    CHECK((found.st_mode & 07777U) == 0755U);
}
