// SPDX-License-Identifier: MIT
#pragma once

// Progress of a compression: a bar on a terminal, some lines in a file.

#include <acta/observe/observer.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <variant>

#if defined(_WIN32)
#include <io.h>
#include <stdio.h>
#else
#include <unistd.h>
#endif

namespace replay {

/// Whether standard error is a terminal.
inline bool error_is_terminal() {
#if defined(_WIN32)
    return ::_isatty(::_fileno(stderr)) != 0;
#else
    return ::isatty(STDERR_FILENO) != 0;
#endif
}

/// Shows the events of a compression, each step of which may be summarised in a thread of its own.
class Progress : public acta::Observer {
public:
    Progress(std::ostream& out, bool bar) : out_(out), bar_(bar) {}

private:
    void on_event(const acta::Event& event) override {
        const std::lock_guard lock(mutex_);
        if (event.name == acta::event_names::compress && bar_ && done_ != 0) out_ << "\n";  // the end of all steps
        const acta::EventValue* const total = event.find("total");
        if (event.name != acta::event_names::summarize || total == nullptr) return;
        ++done_;
        show(static_cast<std::size_t>(std::get<std::int64_t>(*total)));
    }
    void show(std::size_t total) {
        const bool last = done_ == total;
        const std::size_t part = done_ * parts() / total;
        if (part == shown_ && !last) return;
        shown_ = part;
        const std::string count = std::to_string(done_) + " of " + std::to_string(total) + " steps compressed";
        if (bar_)
            out_ << "\r[" << std::string(part, '#') << std::string(parts() - part, '.') << "] " << count << std::flush;
        else
            out_ << count << "\n";
    }
    /// The number of different bars, or the most lines.
    [[nodiscard]] std::size_t parts() const { return bar_ ? 40 : 10; }

    std::ostream& out_;
    bool bar_;
    std::mutex mutex_{};
    std::size_t done_ = 0;
    std::size_t shown_ = 0;
};

}  // namespace replay
