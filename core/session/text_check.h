// Whether a text can be analysed at all, and which of its bytes are not UTF-8.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>

namespace phobos::session {

// Why the text is not analysed: too large, UTF-16, binary.
std::optional<diag::Diagnostic> unfit(std::string_view text);

// One for each run of invalid bytes, the first hundred of them.
std::vector<diag::Diagnostic> invalid_utf8(std::string_view text);

// Whether a text of which nothing is to be said here is still such a text after an edit that put the bytes of `inserted` there.
// (Its size aside.)
bool stays_clean(std::string_view text, Span inserted);

}  // namespace phobos::session
