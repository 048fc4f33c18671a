// Changes of a text that leave its meaning as it is. What is found here looks right; whoever offers one tries it first
// (session/fixes.h).
#pragma once

#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct Refactoring {
  enum class Sort { Extract, Inline, Rewrite };
  Sort sort = Sort::Rewrite;
  std::string title;
  std::vector<Edit> edits;  // of the file, in order
};
// For a selection or, where it is empty, for what stands at it:
//  * an expression that is selected becomes a `let` before its statement;
//  * a `let` that only names a value is written where it is used, and goes;
//  * a kernel without `@launch` gets one.
std::vector<Refactoring> refactorings(const File& file, Span range);

}  // namespace phobos::ide
