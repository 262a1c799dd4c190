// SPDX-License-Identifier: MIT
#include "acta/json/json.hpp"

#if defined(_WIN32)
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>
#else
#include <sys/stat.h>
#endif

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

namespace {

using Numbers = std::map<std::string, std::vector<int>>;

std::string load_error(const std::filesystem::path& path) {
    try {
        static_cast<void>(acta::load<Numbers>(path));
    } catch (const acta::FileError& error) {
        return error.what();
    }
    return "was read";
}

template <class T>
std::string save_error(const T& value, const std::filesystem::path& path) {
    try {
        acta::save(value, path);
    } catch (const acta::FileError& error) {
        return error.what();
    }
    return "was written";
}

}  // namespace

TEST_CASE("what is saved is loaded") {
    const TempFolder folder;
    const Numbers numbers{{"a", {1, 2}}, {"\u4eac", {}}};
    acta::save(numbers, folder / "n.json");
    CHECK(read_file(folder / "n.json") == acta::dump(numbers));
    CHECK(acta::load<Numbers>(folder / "n.json") == numbers);
    acta::save(numbers, folder / "n.json", {.indent = 2});
    CHECK(read_file(folder / "n.json") == acta::dump(numbers, {.indent = 2}));
    CHECK(acta::load<Numbers>(folder / "n.json") == numbers);
    CHECK(folder.files() == 1);
}

TEST_CASE("large values are saved in pieces and loaded whole") {
    const TempFolder folder;
    Numbers numbers;
    for (int i = 0; i < 20000; ++i) numbers["key" + std::to_string(i)] = {i, i, i};
    acta::save(numbers, folder / "large.json");
    CHECK(acta::load<Numbers>(folder / "large.json") == numbers);
}

TEST_CASE("a value that cannot be written leaves the old file, and no other") {
    const TempFolder folder;
    write_file(folder / "kept.json", "{\"old\":[1]}");
    std::vector<std::string> bad(10000, std::string(20, 'x'));
    bad.emplace_back("\xff");
    CHECK_THROWS_AS(acta::save(bad, folder / "kept.json"), acta::EncodeError);
    CHECK(read_file(folder / "kept.json") == "{\"old\":[1]}");
    CHECK_THROWS_AS(acta::save(bad, folder / "new.json"), acta::EncodeError);
    CHECK(folder.files() == 1);
}

TEST_CASE("errors name the path and the reason") {
    const TempFolder folder;
    const auto missing = folder / "missing.json";
    CHECK(load_error(missing) == "Cannot read '" + missing.string() + "': No such file or directory");
    CHECK(load_error(folder / "") == "Cannot read '" + (folder / "").string() + "': Is a directory");
    const auto nowhere = folder / "no/such/folder.json";
    CHECK(save_error(Numbers{}, nowhere) == "Cannot write '" + nowhere.string() + "': No such file or directory");
    std::filesystem::create_directories(folder / "taken");
    CHECK_THAT(save_error(Numbers{}, folder / "taken"), contains_text("taken': Is a directory"));
    CHECK(folder.files() == 1);
}

TEST_CASE("a file that does not fit is a validation error with its place") {
    const TempFolder folder;
    write_file(folder / "bad.json", "{\n\"a\": [1, \"x\"]}");
    try {
        static_cast<void>(acta::load<Numbers>(folder / "bad.json"));
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        CHECK(error.issues()[0].pointer() == "/a/1");
        CHECK(error.issues()[0].line == 2);
    }
    write_file(folder / "empty.json", "");
    CHECK_THROWS_AS(acta::load<Numbers>(folder / "empty.json"), acta::ValidationError);
    write_file(folder / "long.json", "{\"a\": []}" + std::string(100, ' '));
    CHECK_THROWS_AS(acta::load<Numbers>(folder / "long.json", {.max_bytes = 50}), acta::ValidationError);
    CHECK_NOTHROW(acta::load<Numbers>(folder / "long.json", {.max_bytes = 109}));
}

TEST_CASE("the temporary file of a save that was killed is removed by the next one") {
    const TempFolder folder;
    write_file(folder / "n.json.acta0.tmp", "{\"a\":");
    acta::save(Numbers{}, folder / "n.json");
    CHECK(folder.files() == 1);
}

TEST_CASE("names of files have any characters, and are UTF-8 in errors") {
    const TempFolder folder;
    const auto path = folder.path() / std::filesystem::path(u8"\u4eac\u00fc.json");
    acta::save(Numbers{{"a", {1}}}, path);
    CHECK(acta::load<Numbers>(path) == Numbers{{"a", {1}}});
    std::filesystem::remove(path);
    CHECK_THAT(load_error(path), ends_with_text("\u4eac\u00fc.json': No such file or directory"));
}

#if defined(_WIN32)
TEST_CASE("a save waits for a program that has the old file open") {
    const TempFolder folder;
    acta::save(Numbers{}, folder / "n.json");
    std::ifstream reader(folder / "n.json");
    std::thread closes([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        reader.close();
    });
    acta::save(Numbers{{"a", {}}}, folder / "n.json");
    closes.join();
    CHECK(read_file(folder / "n.json") == "{\"a\":[]}");
}
#else
TEST_CASE("the mode of a file is kept, and only its owner can read a new one") {
    namespace fs = std::filesystem;
    const TempFolder folder;
    const auto path = folder / "n.json";
    acta::save(Numbers{}, path);
    const ::mode_t mask = ::umask(0);
    acta::save(Numbers{}, folder / "open.json");
    ::umask(mask);
    CHECK(fs::status(folder / "open.json").permissions() == static_cast<fs::perms>(0600));
    fs::permissions(path, static_cast<fs::perms>(0644));
    acta::save(Numbers{{"a", {}}}, path);
    CHECK(fs::status(path).permissions() == static_cast<fs::perms>(0644));
    CHECK(read_file(path) == "{\"a\":[]}");
}

TEST_CASE("a link stays one and what it leads to is replaced") {
    const TempFolder folder;
    write_file(folder / "target.json", "{}");
    std::filesystem::create_symlink("target.json", folder / "link.json");
    acta::save(Numbers{{"a", {}}}, folder / "link.json");
    CHECK(std::filesystem::is_symlink(folder / "link.json"));
    CHECK(read_file(folder / "target.json") == "{\"a\":[]}");
    std::filesystem::create_symlink("later.json", folder / "dangling.json");
    acta::save(Numbers{}, folder / "dangling.json");
    CHECK(std::filesystem::is_symlink(folder / "dangling.json"));
    CHECK(read_file(folder / "later.json") == "{}");
    CHECK(folder.files() == 4);
    std::filesystem::create_symlink("circle.json", folder / "circle.json");
    CHECK_THAT(save_error(Numbers{}, folder / "circle.json"), contains_text("circle.json': Too many"));
}
#endif

TEST_CASE("an object of somebody else's is not loaded, and so not overwritten") {
    using History = acta::EpisodicActionHistory<>;
    const TempFolder folder;
    const auto fault = [&](const std::string& text) {
        write_file(folder / "other's.json", text);
        try {
            static_cast<void>(acta::load<History>(folder / "other's.json"));
            return std::string("was read");
        } catch (const acta::ValidationError& error) {
            return error.issues().front().type + ": " + error.what();
        }
    };
    for (const char* other : {R"({"theme": "dark"})", R"({"epsiodes": []})", R"({"a": {"episodes": []}})",
                              R"({"epsiodes": [], "cursor": 0})", R"({"episode": [], "cursor": 1})"}) {
        CHECK_THAT(fault(other), starts_with_text("no_known_member: "));
        CHECK_THAT(fault(other), contains_text("in file '" + (folder / "other's.json").string() + "'"));
        CHECK(acta::parse<History>(other).empty());  // a text is not a file that could be lost
    }
    // A member that is misspelt is looked for among the first 32 keys that are not known.
    std::string others;
    for (int i = 0; i < 31; ++i) others += "\"k" + std::to_string(i) + "\":0,";
    CHECK_THAT(fault("{\"cursor\":0," + others + "\"epsiodes\":[]}"), starts_with_text("no_known_member: "));
    CHECK(fault("{\"cursor\":0," + others + "\"k31\":0,\"epsiodes\":[]}") == "was read");
    CHECK(fault("{}") == "was read");
    CHECK(fault(R"({"theme": "dark", "cursor": 0})") == "was read");
    CHECK_THAT(fault(R"({"episodes": 3})"), contains_text("other's.json'"));
}

TEST_CASE("a file that is not UTF-8 without a mark says what it is") {
    const TempFolder folder;
    const auto fault = [&](const std::string& text) {
        write_file(folder / "n.json", text);
        try {
            static_cast<void>(acta::load<Numbers>(folder / "n.json"));
            return std::string("was read");
        } catch (const acta::ValidationError& error) {
            CHECK(error.issues().front().type == "json_invalid");
            return error.issues().front().message + error.what();
        }
    };
    CHECK_THAT(fault("\xEF\xBB\xBF{}"), contains_text("begins with a byte order mark"));
    CHECK_THAT(fault("\xFF\xFE{\x00}\x00"), contains_text("is UTF-16"));
    CHECK_THAT(fault("\xFE\xFF"), contains_text("is UTF-16"));
    CHECK_THAT(fault(std::string("{\0}\0", 4)), contains_text("is UTF-16 or UTF-32"));
    CHECK_THAT(fault(std::string("\0{\0}", 4)), contains_text("n.json'"));
}

TEST_CASE("what could not be read back is not saved, and the error has its path") {
    const TempFolder folder;
    write_file(folder / "kept.json", "{\"old\":[1]}");
    const auto fault = [&](const auto& value) {
        try {
            acta::save(value, folder / "kept.json");
            return std::string("was saved");
        } catch (const acta::EncodeError& error) {
            return error.pointer();
        }
    };
    const double nan = std::nan("");
    CHECK(fault(std::map<std::string, std::vector<double>>{{"a", {1, nan}}}) == "/a/1");
    CHECK(fault(std::vector<std::optional<float>>{std::numeric_limits<float>::infinity()}) == "/0");
    CHECK(fault(acta::Json{{"a", {1, {{"b", -INFINITY}}}}}) == "/a/1/b");
    acta::Json deep = 1;
    for (int i = 0; i < 128; ++i) deep = acta::Json::array({std::move(deep)});
    CHECK(fault(deep) == "was saved");
    CHECK(acta::load<acta::Json>(folder / "kept.json") == deep);
    std::string pointer = "/a";
    for (int i = 0; i < 127; ++i) pointer += "/0";
    CHECK(fault(std::map<std::string, acta::Json>{{"a", deep}}) == pointer);
    CHECK(acta::load<acta::Json>(folder / "kept.json") == deep);
    // Without a file it is as pydantic writes it.
    CHECK(acta::dump(std::vector<double>{nan}) == "[null]");
}
