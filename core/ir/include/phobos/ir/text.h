// The IR as text, and back: parse(print(k)) prints the same text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/support/result.h>

namespace phobos::ir {

struct PrintOptions {
  bool spans = false;  // `@begin:end` after each operation
};
std::string print(const Kernel& kernel, const PrintOptions& options = {});
std::string print(const Kernel& kernel, const Op& op);  // one operation without its regions, for messages
Result<Kernel> parse(std::string_view text);

// What is wrong with a kernel, each fault in words with the operation's text; empty for a valid one. Checks operand and result
// counts, types and shapes, kinds (a result is no less varying than its operands unless the operation lowers kinds; CTA-wide
// operations stand under uniform control), terminators, dominance, and that each value is made once.
std::vector<std::string> verify(const Kernel& kernel);

}  // namespace phobos::ir
