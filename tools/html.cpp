// SPDX-License-Identifier: MIT
#include <acta/observe/observer.hpp>
#include <acta/view/html.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct HtmlCommand {
    std::vector<std::string> words{};  // of the address
    std::string out{};
    std::string title{};
    std::size_t max_output_bytes = 65'536;
    bool mask_secrets = false;
    bool lenient = false;
};

Exit html(const HtmlCommand& command) {
    const Address source = address_of(command.words, Place::any);
    require_other_file(source, command.out);
    const Run run = read_run(source, command.lenient);
    acta::HtmlOptions options;
    // Not the path: pages are given to others.
    options.title = command.title.empty() ? run.name.substr(run.name.find_last_of('/') + 1) : command.title;
    options.max_output_bytes = command.max_output_bytes;
    if (command.mask_secrets) options.redactor = acta::mask_secrets;
    write_result(command.out, [&](const Sink& sink) { acta::to_html(run.history, sink, options); });
    return Exit::fine;
}

}  // namespace

Command add_html(CLI::App& app) {
    const auto command = std::make_shared<HtmlCommand>();
    CLI::App* const html_app = app.add_subcommand("html", "Write a run as a page that opens in a browser");
    html_app->add_option("FILE", command->words, std::string(file_help))->required()->option_text("FILE [ID]");
    html_app->add_option("-o,--output", command->out, "The page; - for standard output")->type_name("OUT")->required();
    html_app
        ->add_option("--title", command->title, "The title of the page; by default the name of FILE without its folder")
        ->type_name("TEXT");
    html_app
        ->add_option("--max-output-bytes", command->max_output_bytes,
                     "Cut outputs, arguments and messages beyond N bytes (65536)")
        ->type_name("N");
    html_app->add_flag("--mask-secrets", command->mask_secrets,
                       "Hide what looks like a key or a password. It knows the common forms only");
    html_app->add_flag("--lenient", command->lenient, "Keep what the strict reader refuses, and say what that was");
    html_app->footer("Example:\n  acta html run.json -o run.html --mask-secrets");
    return {html_app, [command] { return html(*command); }};
}

}  // namespace tools
