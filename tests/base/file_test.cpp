// SPDX-License-Identifier: MIT
#include "acta/base/file.hpp"

#if !defined(_WIN32)
#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "support/catch.hpp"
#include "support/temp_folder.hpp"

TEST_CASE("a file is read as it is, and not far beyond the limit") {
    const TempFolder folder;
    const std::string bytes = std::string("a\0\r\n\xFF", 5) + std::string(200'000, 'x');
    write_file(folder / "f", bytes);
    CHECK(acta::base::read_file(folder / "f") == bytes);
    const std::string part = acta::base::read_file(folder / "f", 10);
    CHECK(part.size() > 10);
    CHECK(part.size() <= 10 + 64 * 1024);
    write_file(folder / "empty", "");
    CHECK(acta::base::read_file(folder / "empty").empty());
}

TEST_CASE("a file that cannot be read is named, with the reason") {
    const TempFolder folder;
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            static_cast<void>(acta::base::read_file(path));
            return {};
        } catch (const acta::FileError& error) {
            return error.what();
        }
    };
    CHECK(message(folder / "none") == "Cannot read '" + (folder / "none").string() + "': No such file or directory");
    CHECK(message(folder / ".") == "Cannot read '" + (folder / ".").string() + "': Is a directory");
}

TEST_CASE("a replacement takes the place of a file when it is complete, and leaves nothing when it is abandoned") {
    using acta::base::ReplacementFile;
    const TempFolder folder;
    write_file(folder / "f", "old");
    {
        ReplacementFile file(folder / "f");
        file.write("ne");
        CHECK(folder.files() == 2);
        CHECK(std::filesystem::exists(folder / "f.acta0.tmp"));
        ReplacementFile other(folder / "f");  // another writer of this moment
        CHECK(std::filesystem::exists(folder / "f.acta1.tmp"));
        other.write("abandoned");
        file.write("w");
        CHECK(read_file(folder / "f") == "old");
        file.commit();
        CHECK(read_file(folder / "f") == "new");
    }
    CHECK(folder.files() == 1);
    {  // One that is complete does not take the name of the next one with it.
        auto first = std::make_optional<ReplacementFile>(folder / "f");
        first->commit();
        ReplacementFile second(folder / "f");
        CHECK(std::filesystem::exists(folder / "f.acta0.tmp"));
        first.reset();
        CHECK(std::filesystem::exists(folder / "f.acta0.tmp"));
        second.write("second");
        second.commit();
    }
    CHECK(read_file(folder / "f") == "second");
    write_file(folder / "f.acta0.tmp", "of a writer that was killed");
    ReplacementFile(folder / "f").commit();
    CHECK(folder.files() == 1);
    CHECK(read_file(folder / "f").empty());
    CHECK_THROWS_WITH(ReplacementFile(folder / "none/f"),
                      "Cannot write '" + (folder / "none/f").string() + "': No such file or directory");
    CHECK_THROWS_WITH(ReplacementFile(folder / ".").commit(), contains_text("Cannot write '"));
}

#if !defined(_WIN32)
TEST_CASE("the name of a replacement is as long as the file system allows, and cut between code points") {
    const TempFolder folder;
    constexpr std::size_t ending = 12;  // .acta999.tmp
    for (const std::size_t bytes : {255 - ending, 256 - ending, std::size_t{255}}) {
        CAPTURE(bytes);
        const std::string name = std::string(bytes - 3, 'x') + "\xE6\x97\xA5";
        acta::base::ReplacementFile file(folder / name);
        const std::string stem = bytes == 255 - ending ? name : std::string(bytes == 255 ? 243 : 241, 'x');
        CHECK(std::filesystem::exists(folder / (stem + ".acta0.tmp")));
        file.commit();
        CHECK(std::filesystem::exists(folder / name));
    }
}

TEST_CASE("a replacement has the mode and the group of the file, and its owner where that may be given") {
    const TempFolder folder;
    write_file(folder / "f", "old");
    const bool is_given = ::chown((folder / "f").c_str(), 1234, 4321) == 0;  // by root, unless a container forbids it
    REQUIRE(::chmod((folder / "f").c_str(), 04755) == 0);
    acta::base::ReplacementFile(folder / "f").commit();
    struct ::stat now {};
    REQUIRE(::stat((folder / "f").c_str(), &now) == 0);
    CHECK((now.st_mode & 07777U) == 04755);
    if (is_given) CHECK(now.st_uid == 1234);
    if (is_given) CHECK(now.st_gid == 4321);
    CHECK_THROWS_WITH(acta::base::ReplacementFile("/dev/null"), "Cannot write '/dev/null': Not a regular file");
}

TEST_CASE("a user other than the owner replaces a file without its owner and its special bits") {
    if (::geteuid() != 0) ACTA_SKIP("only root can become another user");
    const TempFolder folder;
    write_file(folder / "f", "old");
    constexpr ::gid_t group = 4321;
    if (::chown((folder / "f").c_str(), 0, group) != 0) ACTA_SKIP("this container has no other users");
    REQUIRE(::chmod((folder / "f").c_str(), 04777) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0333) == 0);  // it cannot be read
    std::vector<::gid_t> groups(64);
    groups.resize(static_cast<std::size_t>(::getgroups(64, groups.data())));
    if (::setgroups(1, &group) != 0) ACTA_SKIP("this container has no other groups");
    REQUIRE(::seteuid(65534) == 0);
    std::string error;
    try {
        acta::base::ReplacementFile file(folder / "f");
        file.write("new");
        file.commit();
    } catch (const acta::FileError& failed) {
        error = failed.what();
    }
    REQUIRE(::seteuid(0) == 0);
    REQUIRE(::setgroups(groups.size(), groups.data()) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0700) == 0);
    CHECK(error.empty());
    struct ::stat now {};
    REQUIRE(::stat((folder / "f").c_str(), &now) == 0);
    CHECK(read_file(folder / "f") == "new");
    CHECK((now.st_mode & 07777U) == 0777);
    CHECK(now.st_uid == 65534);
    CHECK(now.st_gid == group);
}

TEST_CASE("replacements leave no file open") {
    const TempFolder folder;
    const auto open_files = [] {
        const std::filesystem::directory_iterator all("/proc/self/fd");
        return std::distance(begin(all), end(all));
    };
    if (!std::filesystem::exists("/proc/self/fd")) ACTA_SKIP("there is no /proc here");
    const auto before = open_files();
    for (int i = 0; i < 3; ++i) {
        write_file(folder / "f.acta0.tmp", "of a writer that was killed");
        acta::base::ReplacementFile abandoned(folder / "f");
        acta::base::ReplacementFile(folder / "f").commit();
    }
    CHECK(open_files() == before);
}

TEST_CASE("a link to a file is followed through at most 40 links") {
    const TempFolder folder;
    write_file(folder / "0", "old");
    for (int i = 1; i <= 41; ++i) std::filesystem::create_symlink(std::to_string(i - 1), folder / std::to_string(i));
    acta::base::ReplacementFile file(folder / "40");
    file.write("new");
    file.commit();
    CHECK(read_file(folder / "0") == "new");
    CHECK(std::filesystem::is_symlink(folder / "40"));
    CHECK_THROWS_WITH(acta::base::ReplacementFile(folder / "41"),
                      "Cannot write '" + (folder / "41").string() + "': Too many levels of symbolic links");
}

TEST_CASE("at most a thousand replacements of a file are made at a time") {
    const TempFolder folder;
    const auto name = [&folder](int number) { return folder / ("f.acta" + std::to_string(number) + ".tmp"); };
    write_file(name(0), "in use");
    const int other = ::open(name(0).c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(other, LOCK_EX) == 0);
    for (int i = 1; i < 1000; ++i) std::filesystem::create_hard_link(name(0), name(i));
    CHECK_THROWS_WITH(acta::base::ReplacementFile(folder / "f"),
                      "Cannot write '" + (folder / "f").string() + "': " + std::generic_category().message(EBUSY));
    std::filesystem::remove(name(999));
    acta::base::ReplacementFile(folder / "f").commit();
    CHECK(std::filesystem::exists(folder / "f"));
    ::close(other);
}

TEST_CASE("what another program has in the way of a replacement is left alone") {
    const TempFolder folder;
    write_file(folder / "f.acta0.tmp", "in use");
    const int other = ::open((folder / "f.acta0.tmp").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(other, LOCK_EX) == 0);
    std::filesystem::create_directory(folder / "f.acta1.tmp");
    std::filesystem::create_symlink("elsewhere", folder / "f.acta2.tmp");
    acta::base::ReplacementFile file(folder / "f");
    CHECK(std::filesystem::exists(folder / "f.acta3.tmp"));
    file.commit();
    ::close(other);
    CHECK(read_file(folder / "f.acta0.tmp") == "in use");
    CHECK(folder.files() == 4);
}
#endif
