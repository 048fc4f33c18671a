// The outline of a file, and what of several files has a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

struct OutlineSymbol {
  enum class Sort { Kernel, Function, Constant, Parameter };
  Sort sort = Sort::Kernel;
  std::string name;    // never empty
  std::string detail;  // a parameter's type, a constant's choices
  Span whole, place;   // of the file; `place`: its name
  std::vector<OutlineSymbol> children;
};
OutlineSymbol outline_of(const ItemView& item);
std::vector<OutlineSymbol> outline(const File& file);

// Whether a name has all letters of the query, in their order; any case.
bool answers_query(std::string_view name, std::string_view query);

}  // namespace phobos::ide
