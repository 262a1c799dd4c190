// SPDX-License-Identifier: MIT
#pragma once

// Progress of a compression: a bar on a terminal, some lines in a file.

#include <acta/compress/compress.hpp>
#include <cstddef>
#include <ostream>
#include <string>

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

class Progress {
public:
    Progress(std::ostream& out, bool bar) : out_(out), bar_(bar) {}

    void operator()(const acta::CompressionProgress& progress) {
        if (progress.total == 0) return;
        const bool last = progress.done == progress.total;
        const std::size_t part = progress.done * parts() / progress.total;
        if (part == shown_ && !last) return;
        shown_ = part;
        const std::string count =
            std::to_string(progress.done) + " of " + std::to_string(progress.total) + " steps compressed";
        if (bar_)
            out_ << "\r[" << std::string(part, '#') << std::string(parts() - part, '.') << "] " << count
                 << (last ? "\n" : "") << std::flush;
        else
            out_ << count << "\n";
    }

private:
    /// The number of different bars, or the most lines.
    [[nodiscard]] std::size_t parts() const { return bar_ ? 40 : 10; }

    std::ostream& out_;
    bool bar_;
    std::size_t shown_ = 0;
};

}  // namespace replay
