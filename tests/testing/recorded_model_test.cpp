// SPDX-License-Identifier: MIT
#include "acta/testing/recorded_model.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/file.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"
#include "testing/environment.hpp"

namespace {

namespace testing = acta::testing;
using acta::ChatMessage;
using acta::ChatOptions;
using acta::ScriptedChatModel;
using testing::RecordedChatModel;
using testing::RecordingMode;
using testing_tests::Variable;

using Messages = std::vector<ChatMessage>;

struct Folder : TempFolder {
    [[nodiscard]] std::filesystem::path file() const { return *this / "run.jsonl"; }
    [[nodiscard]] std::string text() const { return acta::base::read_file(file()); }
    void write(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

    const Variable no_ci{"CI", ""};
};

template <class Error, class Function>
std::string error_of(const Function& function) {
    try {
        function();
    } catch (const Error& caught) {
        return caught.what();
    }
    return "nothing";
}
std::string answer(const RecordedChatModel& model, const Messages& messages, const ChatOptions& options = {}) {
    return model(messages, options).message.content;
}
RecordedChatModel record(const Folder& folder, ScriptedChatModel live, testing::RecordingOptions options = {}) {
    options.mode = RecordingMode::record;
    return RecordedChatModel(std::move(live), folder.file(), std::move(options));
}
const Messages question{ChatMessage::system("Be brief."), ChatMessage::user("When is high water?")};

/// Runs an agent with one tool, and returns its answer.
std::string run_agent_with(const acta::AnyChatModel& model, const std::string& output = "12:15") {
    acta::SkillRegistry skills;
    skills.add(
        "tides", "Looks up the tides.", [&](const std::string& port) { return port + " " + output; }, "port");
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("When is high water?"));
    return acta::run_agent(model, skills, history).answer;
}

}  // namespace

TEST_CASE("a recorded run is replayed without its model") {
    const Folder folder;
    ScriptedChatModel live;
    live.reply_call("tides", {{"port", "Brest"}}).reply_call("tides", {{"port", "Dover"}}).reply("At noon.");
    CHECK(run_agent_with(record(folder, live)) == "At noon.");
    const RecordedChatModel replayed(folder.file());
    CHECK(replayed.size() == 3);
    CHECK(replayed.unused() == 3);
    CHECK(run_agent_with(replayed) == "At noon.");
    CHECK(replayed.unused() == 0);
    CHECK(run_agent_with(replayed) == "At noon.");
}

TEST_CASE("a request that is not recorded says how it differs from the nearest one") {
    const Folder folder;
    ScriptedChatModel live;
    live.reply_call("tides", {{"port", "Brest"}}).reply("At noon.");
    CHECK(run_agent_with(record(folder, live)) == "At noon.");
    const RecordedChatModel replayed(folder.file());
    acta::RunResult run;
    acta::SkillRegistry skills;
    skills.add(
        "tides", "Looks up the tides.", [](const std::string& port) { return port + " 13:00"; }, "port");
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("When is high water?"));
    run = acta::run_agent(replayed, skills, history);
    CHECK(run.end == acta::RunEnd::failed);
    const std::string name = "the recording '" + folder.file().string() + "'";
    CHECK(error_of<testing::NotRecorded>([&] { answer(replayed, {ChatMessage::user("When?")}); }) ==
          name + R"( has no answer to this request
/tools/0: recorded {"description":"Looks up the tides.","name":"tides","parameters":{"properties":{"port":{"title":"Por..., asked nothing)");
    CHECK(error_of<testing::NotRecorded>([&] { answer(replayed, {}, {.model = "m", .max_tokens = 5}); }) ==
          name +
              " has no answer to this request\n/options/model: recorded nothing, asked \"m\"\n"
              "/options/max_tokens: recorded nothing, asked 5");
}

TEST_CASE("a request is another one if any member of its last message is, right after the one that it is like") {
    ChatMessage base = ChatMessage::user("Look.");
    base.tool_call_id = "c1";
    base.reasoning_content = "";
    base.parts = {{.type = "text", .text = "a"}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    base.parts[1].extra = acta::JsonObject{{"detail", 1}};
    base.tool_calls = {{"c0", {"tides", {{"port", "Brest"}}}}};
    std::vector<ChatMessage> all(1, base);
    const auto changed = [&](const auto& change) {
        all.push_back(base);
        change(all.back());
    };
    for (const acta::ChatRole role : {acta::ChatRole::system, acta::ChatRole::assistant, acta::ChatRole::tool})
        changed([&](ChatMessage& one) { one.role = role; });
    changed([](ChatMessage& one) {
        one.role = acta::ChatRole::tool;
        one.is_error = true;
    });
    changed([](ChatMessage& one) { one.content = "look."; });
    changed([](ChatMessage& one) { one.reasoning_content = "Hm."; });
    changed([](ChatMessage& one) { one.parts.pop_back(); });
    changed([](ChatMessage& one) { std::swap(one.parts[0], one.parts[1]); });
    for (const auto member : {&acta::ContentPart::type, &acta::ContentPart::text, &acta::ContentPart::media_type,
                              &acta::ContentPart::data, &acta::ContentPart::url, &acta::ContentPart::name})
        changed([&](ChatMessage& one) { one.parts[1].*member += "x"; });
    changed([](ChatMessage& one) { one.parts[1].extra["detail"] = 2; });
    changed([](ChatMessage& one) { one.tool_calls[0].function.name = "tide"; });
    changed([](ChatMessage& one) { one.tool_calls[0].function.arguments["port"] = "Dover"; });
    changed([](ChatMessage& one) { one.tool_calls.push_back(one.tool_calls[0]); });
    ScriptedChatModel live;
    for (std::size_t i = 0; i < all.size(); ++i) live.reply(std::to_string(i));
    const Folder folder;
    {
        const RecordedChatModel recorded = record(folder, live);
        for (const ChatMessage& one : all) answer(recorded, {ChatMessage::system("Be brief."), one});
    }
    const RecordedChatModel replayed(folder.file());
    CHECK(replayed.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            CAPTURE(i, k);
            CHECK(answer(replayed, {ChatMessage::system("Be brief."), all[i]}) == std::to_string(i));
            CHECK(answer(replayed, {ChatMessage::system("Be brief."), all[k]}) == std::to_string(k));
        }
    }
}

TEST_CASE("a difference is shown in ten lines at most") {
    const Folder folder;
    ScriptedChatModel live({"one", "two"});
    const RecordedChatModel recorded = record(folder, live);
    answer(recorded, question);
    acta::JsonObject many;
    for (int i = 0; i < 30; ++i) many["k" + std::to_string(i)] = i;
    Messages longer = question;
    longer.push_back(ChatMessage::assistant("", {{"c1", {"tides", many}}}));
    answer(recorded, longer);
    for (auto& [key, value] : many) value = 100;
    longer.back().tool_calls[0].function.arguments = many;
    const std::string said = error_of<testing::NotRecorded>([&] { answer(RecordedChatModel(folder.file()), longer); });
    CHECK(said.find("/messages/2/calls/0/arguments/k0: recorded 0, asked 100") != std::string::npos);
    CHECK(std::count(said.begin(), said.end(), '\n') == 9);
    longer.push_back(ChatMessage::user("And?"));
    Messages further = question;
    further.push_back(ChatMessage::user("And?"));
    further.push_back(ChatMessage::user("And?"));
    CHECK(error_of<testing::NotRecorded>([&] {
              answer(RecordedChatModel(folder.file()), further);
          }).find("/messages/2/role: recorded \"assistant\", asked \"user\"") != std::string::npos);
    CHECK(error_of<testing::NotRecorded>([&] {
              answer(RecordedChatModel(folder.file()), {question[0]});
          }).find("/messages/1: recorded {\"role\":\"user\",\"content\":\"When is high water?\"}, asked nothing") !=
          std::string::npos);
}

TEST_CASE("ids that servers make, data of providers and the order of keys do not count") {
    const Folder folder;
    const auto with = [](const std::string& id, acta::JsonObject arguments, const std::string& answered) {
        Messages out = question;
        out.push_back(ChatMessage::assistant("", {{id + "1", {"a", arguments}}, {id + "2", {"b", {}}}}));
        out.back().extra = {{"openai", id}};
        out.push_back(ChatMessage::tool(id + answered, "well"));
        return out;
    };
    answer(record(folder, ScriptedChatModel({"yes"})), with("x", {{"p", 1}, {"q", {{"r", 1}, {"s", 2}}}}, "1"));
    const RecordedChatModel replayed(folder.file());
    CHECK(answer(replayed, with("y", {{"q", {{"s", 2}, {"r", 1}}}, {"p", 1}}, "1")) == "yes");
    CHECK_THROWS_AS(answer(replayed, with("y", {{"p", 1}, {"q", {{"r", 1}, {"s", 3}}}}, "1")), testing::NotRecorded);
    CHECK_THROWS_AS(answer(replayed, with("y", {{"p", 1}, {"q", {{"r", 1}, {"s", 2}}}}, "2")), testing::NotRecorded);
}

TEST_CASE("what does not count can be named, and texts can be made equal") {
    const Folder folder;
    testing::RecordingOptions options{.ignored = {"model", "temperature"}};
    options.redactor = [](std::string_view text) {
        std::string out(text);
        if (const std::size_t at = out.find("12:"); at != std::string::npos) out.replace(at, 5, "<time>");
        return out;
    };
    const auto at = [](const std::string& time) { return Messages{ChatMessage::user("It is " + time + ".")}; };
    answer(record(folder, ScriptedChatModel({"It is 12:07."}), options), at("12:01"), {.model = "a"});
    CHECK(folder.text().find("12:") == std::string::npos);
    const RecordedChatModel replayed(folder.file(), options);
    CHECK(answer(replayed, at("12:34"), {.model = "b", .temperature = 0.5}) == "It is <time>.");
    CHECK_THROWS_AS(answer(replayed, at("13:00")), testing::NotRecorded);
    CHECK_THROWS_AS(answer(replayed, at("12:34"), {.max_tokens = 5}), testing::NotRecorded);
    CHECK(error_of<testing::RecordingError>([&] { RecordedChatModel(folder.file(), {.ignored = {"seed"}}); }) ==
          "a recording knows no option 'seed' of a request");
}

TEST_CASE("a recording is filled with what it lacks") {
    const Folder folder;
    ScriptedChatModel live({"one", "two", "three"});
    const testing::RecordingOptions fill{.mode = RecordingMode::fill};
    const Messages other{ChatMessage::user("And low water?")};
    {
        const RecordedChatModel model(live, folder.file(), fill);
        CHECK(answer(model, question) == "one");
        CHECK(answer(model, question) == "one");
        CHECK(answer(model, other) == "two");
    }
    const RecordedChatModel model(live, folder.file(), fill);
    CHECK(model.size() == 2);
    CHECK(answer(model, other) == "two");
    CHECK(answer(model, {question[0]}) == "three");
    CHECK(live.remaining() == 0);
    CHECK(answer(RecordedChatModel(folder.file()), {question[0]}) == "three");
}

TEST_CASE("the same request has its answers in the order in which they were recorded") {
    const Folder folder;
    const RecordedChatModel recorded = record(folder, ScriptedChatModel({"one", "two"}));
    answer(recorded, question);
    answer(recorded, question);
    const RecordedChatModel replayed(folder.file());
    for (const std::string expected : {"one", "two", "two"}) CHECK(answer(replayed, question) == expected);
    // Recording again replaces all of it.
    answer(record(folder, ScriptedChatModel({"new"})), question);
    CHECK(answer(RecordedChatModel(folder.file()), question) == "new");
}

TEST_CASE("the same messages with other options, or other tools, are other requests, in any order") {
    const Folder folder;
    ChatOptions warm;
    warm.temperature = 0.5;
    ChatOptions with_tools;
    acta::SkillRegistry skills;
    skills.add("now", "Says the time.", [] { return "12:15"; });
    with_tools.tools = acta::tools(skills);
    const std::vector<ChatOptions> all{{}, warm, with_tools};
    const RecordedChatModel recorded = record(folder, ScriptedChatModel({"plain", "warm", "tools"}));
    for (const ChatOptions& one : all) answer(recorded, question, one);
    const RecordedChatModel replayed(folder.file());
    std::string given;
    for (const std::size_t i : {2U, 0U, 1U, 1U, 2U, 0U}) given += answer(replayed, question, all[i]) + " ";
    CHECK(given == "tools plain warm warm tools plain ");
}

TEST_CASE("the parts of a stream are replayed as they came") {
    const Folder folder;
    const auto live = [](std::span<const ChatMessage>, const ChatOptions& options) {
        acta::ChatCompletion out;
        out.message.content = "At noon.";
        if (options.on_event)
            for (const acta::ChatDelta& one : std::vector<acta::ChatDelta>{
                     acta::ReasoningDelta{"Hm."}, acta::TextDelta{"At"}, acta::AnswerRestarted{},
                     acta::CallDelta{1, "c", "f", "{"}, acta::TextDelta{" noon."}})
                options.on_event(one);
        return out;
    };
    const auto parts_of = [](const RecordedChatModel& model, const Messages& messages) {
        std::vector<acta::ChatDelta> out;
        std::string text;
        ChatOptions options;
        options.on_event = [&](const acta::ChatDelta& one) { out.push_back(one); };
        options.on_text = [&](std::string_view one) { text += std::string(one) + "|"; };
        static_cast<void>(model(messages, options));
        return std::pair(out, text);
    };
    const RecordedChatModel recorded(live, folder.file(), {.mode = RecordingMode::record});
    const auto streamed = parts_of(recorded, question);
    CHECK(streamed.first.size() == 5);
    CHECK(streamed.second == "At| noon.|");
    const RecordedChatModel replayed(folder.file());
    CHECK(parts_of(replayed, question) == streamed);
    CHECK(answer(replayed, question) == "At noon.");
    // An answer that was recorded as a whole comes in words.
    const Messages other{ChatMessage::user("?")};
    answer(recorded, other);
    CHECK(parts_of(RecordedChatModel(folder.file()), other).second == "At |noon.|");
    // Where only the text is looked at, or only the parts, all is recorded, and replayed as it is asked for.
    for (const bool is_text : {true, false}) {
        const Messages third{ChatMessage::user(is_text ? "text" : "parts")};
        std::string text;
        std::vector<acta::ChatDelta> parts;
        ChatOptions options;
        if (is_text)
            options.on_text = [&](std::string_view one) { text += std::string(one) + "|"; };
        else
            options.on_event = [&](const acta::ChatDelta& one) { parts.push_back(one); };
        for (const bool is_live : {true, false}) {
            text.clear();
            parts.clear();
            CHECK(answer(is_live ? recorded : RecordedChatModel(folder.file()), third, options) == "At noon.");
            CHECK(text == (is_text ? "At| noon.|" : ""));
            CHECK(parts == (is_text ? std::vector<acta::ChatDelta>() : streamed.first));
        }
        CHECK(parts_of(RecordedChatModel(folder.file()), third) == streamed);
    }
}

TEST_CASE("a request is repeated while it is recorded as it would be without that") {
    const Folder folder;
    bool may_restart = false;
    const auto live = [&](std::span<const ChatMessage>, const ChatOptions& options) {
        may_restart = options.on_event && options.restart;
        return acta::ChatCompletion();
    };
    const RecordedChatModel recorded(live, folder.file(), {.mode = RecordingMode::record});
    const auto with = [&](bool has_event, bool restart) {
        ChatOptions options{.restart = restart};
        options.on_text = [](std::string_view) {};
        if (has_event) options.on_event = [](const acta::ChatDelta&) {};
        static_cast<void>(recorded(question, options));
        return may_restart;
    };
    CHECK(with(true, true));
    CHECK_FALSE(with(true, false));
    CHECK_FALSE(with(false, true));
}

TEST_CASE("arguments that nest as deep as a document may are recorded and replayed") {
    const Folder folder;
    acta::Json deep;
    for (int i = 0; i < 126; ++i) deep = acta::Json::array({deep});
    Messages messages = question;
    messages.push_back(ChatMessage::assistant("", {{"c", {"f", {{"deep", deep}}}}}));
    answer(record(folder, ScriptedChatModel({"yes"})), messages);
    CHECK(answer(RecordedChatModel(folder.file()), messages) == "yes");
}

TEST_CASE("nothing is recorded where changes are tested, nor without a model") {
    const Folder folder;
    answer(record(folder, ScriptedChatModel({"one"})), question);
    const std::string before = folder.text();
    const Variable ci("CI", "true");
    for (const RecordingMode mode : {RecordingMode::record, RecordingMode::fill})
        CHECK(error_of<testing::RecordingError>([&] {
                  RecordedChatModel(ScriptedChatModel(), folder.file(), {.mode = mode});
              }) == "the recording '" + folder.file().string() + "' is not recorded where the environment has CI");
    CHECK(answer(RecordedChatModel(folder.file()), question) == "one");
    CHECK(folder.text() == before);
    const Variable off("CI", "false");
    CHECK(error_of<testing::RecordingError>([&] {
              RecordedChatModel(folder.file(), {.mode = RecordingMode::fill});
          }).find("cannot be recorded without a model") != std::string::npos);
    answer(record(folder, ScriptedChatModel({"two"})), question);
    CHECK(answer(RecordedChatModel(folder.file()), question) == "two");
}

TEST_CASE("an error of the model is passed on, and not recorded") {
    const Folder folder;
    ScriptedChatModel live;
    live.fail(std::runtime_error("overloaded")).reply("one");
    const RecordedChatModel recorded = record(folder, live);
    CHECK(error_of<std::runtime_error>([&] { answer(recorded, question); }) == "overloaded");
    CHECK(answer(recorded, question) == "one");
    CHECK(recorded.size() == 1);
}

TEST_CASE("a recording that is cut, changed or of another kind is an error that says where") {
    const Folder folder;
    ScriptedChatModel live({"one", "two"});
    const RecordedChatModel recorded = record(folder, live);
    answer(recorded, question);
    answer(recorded, {ChatMessage::user("?")});
    const std::string good = folder.text();
    const auto why = [&](const std::string& text) {
        folder.write(text);
        const std::string said = error_of<testing::RecordingError>([&] { RecordedChatModel{folder.file()}; });
        const std::string name = "the recording '" + folder.file().string() + "'";
        return said.starts_with(name) ? said.substr(name.size()) : said;
    };
    CHECK(why(good) == "nothing");
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return why(text);
    };
    CHECK(changed("one", "won") == ", line 10: the answer, or what its request has, was changed: its key does not fit");
    CHECK(changed("brief", "quick") ==
          ", line 10: the answer, or what its request has, was changed: its key does not fit");
    // On line 3 there are one node, 0, and one part, 0.
    for (const std::string node : {"[7,0]", "[1,0]", "[0,1]", "[0,0,1]", "[0]", "[-1,0]", "[0,0.5]", R"(["0",0])", "0"})
        CHECK(changed(R"({"node":[0,0]})", R"({"node":)" + node + "}") == ", line 3: the node is not valid");
    for (const std::string to : {R"("4")", "4.5", "-1", "5", "null"})
        CHECK(changed(R"("to":4)", R"("to":)" + to) ==
              ", line 10: the line is neither a part, nor a node, nor an answer");
    CHECK(changed(R"({"node":[0,0]})", R"({"edge":[0,0]})") ==
          ", line 3: the line is neither a part, nor a node, nor an answer");
    CHECK(changed(R"("acta_recording":1)", R"("acta_recording":2)") == ", line 1: the version is 2, not 1");
    CHECK(changed(R"({"acta_recording":1})", "[]") == ", line 1: this is not a recording");
    CHECK(why("") == " is empty");
    CHECK(why(good + "{\n").starts_with(", line 14: "));
    // Each cut is one, or leaves a recording of whole lines.
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string said = why(good.substr(0, size));
        CHECK((said == "nothing") == (size != 0 && good[size - 1] == '\n'));
    }
    CHECK_THROWS_AS(RecordedChatModel(folder / "none.jsonl"), acta::FileError);
    CHECK_THROWS_AS(
        record(folder, live).size() + RecordedChatModel(live, folder / "no" / "x", {RecordingMode::record}).size(),
        acta::FileError);
}

TEST_CASE("a recording that is changed while it is replayed answers nothing that was not in it") {
    const Folder folder;
    const RecordedChatModel model = record(folder, ScriptedChatModel{"At noon.", "At one."});
    CHECK(answer(model, question) == "At noon.");
    CHECK(answer(model, {ChatMessage::user("And low water?")}) == "At one.");
    const RecordedChatModel replayed(folder.file());
    const std::string before = folder.text();
    std::string text = before;
    text.replace(text.find("At noon."), 8, "At nine.");
    folder.write(text);
    CHECK_THAT(error_of<testing::RecordingError>([&] { answer(replayed, question); }),
               ends_with_text("run.jsonl' was changed while it was replayed"));
    CHECK(answer(replayed, {ChatMessage::user("And low water?")}) == "At one.");
    folder.write("");
    CHECK_THAT(error_of<testing::RecordingError>([&] { answer(replayed, question); }),
               ends_with_text("run.jsonl' was changed while it was replayed"));
    CHECK_THAT(error_of<testing::NotRecorded>([&] { answer(replayed, {ChatMessage::user("Why?")}); }),
               ends_with_text("has no answer to this request"));
    folder.write(before);
    CHECK(answer(replayed, question) == "At noon.");
}

TEST_CASE("what repeats is written once") {
    const Folder folder;
    ScriptedChatModel live;
    for (int i = 0; i < 200; ++i) live.reply("answer " + std::to_string(i));
    const RecordedChatModel recorded = record(folder, live);
    Messages all;
    std::size_t distinct = 0;
    for (int i = 0; i < 200; ++i) {
        all.push_back(ChatMessage::user(std::to_string(i) + std::string(1000, 'x')));
        distinct += all.back().content.size();
        answer(recorded, all);
    }
    CHECK(folder.text().size() < distinct * 14 / 10);
}
