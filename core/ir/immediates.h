// The words that immediates are written as.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <phobos/ir/ir.h>

namespace phobos::ir {

// What stands between `<` and `>` after the mnemonic; empty where nothing does. A number where no word is known.
std::string immediate_text(const Op& op);
std::optional<std::int64_t> immediate_named(Opcode code, std::string_view text);

// Whether the number has a meaning for that opcode.
bool immediate_valid(const Op& op);

}  // namespace phobos::ir
