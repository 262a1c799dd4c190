// SPDX-License-Identifier: MIT
#pragma once

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"

namespace acta::inline ACTA_ABI {

/// Sentences as ICU's break iterator finds them: all of UAX #29, as tailored for a locale by the ICU of the machine.
/// Needs the target `acta::icu`. Does not know code blocks and lists; a blank line is a piece of its own. Models
/// `SentenceSplitter`; every call works on a clone, so that threads may share one.
///
/// @code{.cpp}
/// acta::IcuSentenceSplitter split;
/// auto sentences = split("Mr. Fox left. It was late.");  // "Mr. Fox left. ", "It was late."
/// @endcode
class IcuSentenceSplitter {
public:
    /// `locale` as ICU names it; `en@ss=standard` suppresses breaks after the locale's abbreviations (`Mr.`). Throws
    /// `Error` if ICU has no sentence rules for it.
    explicit IcuSentenceSplitter(const std::string& locale = "en@ss=standard") {
        UErrorCode status = U_ZERO_ERROR;
        prototype_.reset(icu::BreakIterator::createSentenceInstance(icu::Locale(locale.c_str()), status));
        check(status, "ICU has no sentence rules for the locale " + locale);
    }

    /// Returns the sentences of `text`, which must outlive them. Throws `Error` if ICU fails, or if the text is longer
    /// than 2 GiB, which ICU cannot index.
    [[nodiscard]] std::vector<std::string_view> operator()(std::string_view text) const {
        std::vector<std::string_view> pieces;
        if (text.empty()) return pieces;
        if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
            throw Error("a text of " + std::to_string(text.size()) + " bytes is too long for ICU");
        }
        UErrorCode status = U_ZERO_ERROR;
        const std::unique_ptr<UText, CloseText> source(
            utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status));
        check(status, "ICU cannot read the text");
        const std::unique_ptr<icu::BreakIterator> breaks(prototype_->clone());
        if (breaks == nullptr) throw Error("ICU cannot copy a break iterator");
        breaks->setText(source.get(), status);
        check(status, "ICU cannot split the text");
        std::size_t start = 0;
        for (std::int32_t at = breaks->next(); at != icu::BreakIterator::DONE; at = breaks->next()) {
            const auto end = static_cast<std::size_t>(at);
            if (end <= start || !utf8::is_boundary(text, end)) continue;
            pieces.push_back(text.substr(start, end - start));
            start = end;
        }
        if (start < text.size()) pieces.push_back(text.substr(start));
        return pieces;
    }

private:
    struct CloseText {
        void operator()(UText* text) const noexcept { utext_close(text); }
    };

    static void check(UErrorCode status, const std::string& message) {
        if (U_FAILURE(status)) throw Error(message + ": " + u_errorName(status));
    }

    std::shared_ptr<const icu::BreakIterator> prototype_;
};

}  // namespace acta::inline ACTA_ABI
