// How a function, a built-in or an attribute is called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <phobos/builtins/builtins.h>
#include <phobos/ide/signature_help.h>
#include <phobos/syntax/ast.h>

namespace phobos::ide {

// The type as it is written.
std::string text_of(const syntax::TypeSyntax& type);
// `fn name(a: f32) -> f32`
SignatureFacts signature_of(const syntax::Item& item);
// One for each way to call it.
std::vector<SignatureFacts> signatures_of(const builtins::Row& row);
// Of `name(a, b[, c])`.
SignatureFacts signature_from(std::string label);

}  // namespace phobos::ide
