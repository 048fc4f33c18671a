// The colours of text that is no item's: comments between items, before the first and behind the last.
#pragma once

#include <string_view>
#include <vector>

#include <phobos/ide/semantic_tokens.h>

namespace phobos::ide {

// What its words alone say; spans are of the text.
std::vector<Token> loose_tokens(std::string_view text);
TokenRun loose_token_run(std::string_view text, Encoding encoding);

}  // namespace phobos::ide
