// What is wrong with the `//#` comments of an item: a misspelt `//# run`, a word that no run line has, a name that its kernel has not.
// Such a line would only be passed over, or fail once somebody runs it.
#pragma once

#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/syntax/ast.h>

namespace phobos::session {

std::vector<diag::Diagnostic> check_run_lines(const syntax::Item& item);

}  // namespace phobos::session
