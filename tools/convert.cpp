// SPDX-License-Identifier: MIT
#include <acta/interop/atif/atif.hpp>
#include <acta/json/json.hpp>
#include <acta/prompt/messages.hpp>
#include <acta/provider/anthropic/wire.hpp>
#include <acta/provider/openai/wire.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct ConvertOptions {
    std::vector<std::string> words{};  // of the address
    std::string to{};
    std::string out{};
    bool lenient = false;
};

template <class T>
void write_json(const T& value, const std::string& path) {
    const bool to_file = !path.empty() && path != "-";
    write_result(path, [&](const Sink& sink) {
        const std::string text = acta::dump(value, {.indent = 2, .invalid_utf8 = acta::InvalidUtf8::replace}) + "\n";
        sink(to_file ? text : safe_json(text));
    });
}

Exit convert(const ConvertOptions& options) {
    const Address source = address_of(options.words, Place::any);
    require_other_file(source, options.out);
    const Run run = read_run(source, options.lenient);
    if (options.to == "openai")
        write_json(acta::openai::to_wire(acta::to_messages(run.history)), options.out);
    else if (options.to == "anthropic")
        write_json(acta::anthropic::to_wire(acta::to_messages(run.history)), options.out);
    else if (options.to == "atif")
        write_json(acta::atif::to_document(run.history, {.session_id = run.name}), options.out);
    else
        write_json(run.history, options.out);
    return Exit::fine;
}

}  // namespace

Command add_convert(CLI::App& app) {
    const auto options = std::make_shared<ConvertOptions>();
    CLI::App* const convert_app = app.add_subcommand("convert", "Write a run in another format");
    convert_app->add_option("FILE", options->words, std::string(file_help))->required()->option_text("FILE [ID]");
    convert_app
        ->add_option("--to", options->to,
                     "acta keeps everything, and so does atif; openai and anthropic are the messages that a model "
                     "would be sent")
        ->type_name("FORMAT")
        ->required()
        ->check(one_of({"openai", "anthropic", "atif", "acta"}));
    convert_app->add_option("-o,--output", options->out, "Write to OUT instead of standard output")->type_name("OUT");
    convert_app->add_flag("--lenient", options->lenient, "Keep what the strict reader refuses, and say what that was");
    convert_app->footer("Example:\n  acta convert run.traj --to atif -o run.atif.json");
    return {convert_app, [options] { return convert(*options); }};
}

}  // namespace tools
