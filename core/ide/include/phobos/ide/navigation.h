// From a name to where it is declared, and to wherever else it stands. All spans are of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

// What a name in the file stands for: a symbol of `item`, in whose index it is. A name in a run line stands for what its kernel
// declares, and belongs to that kernel.
struct Subject {
  const ItemView* item = nullptr;
  SymbolId symbol;
  Span span;  // of the name at the offset
  Role role = Role::Read;
  bool in_run_line = false;
  const Symbol& what() const { return item->index()[symbol]; }
};
std::optional<Subject> subject_at(const File& file, std::uint32_t offset);

struct Target {
  Span from;   // the name that was asked about
  Span name;   // where it is declared
  Span whole;  // the whole declaration
};
// Where the name at the offset is declared; for a kernel or a function its head. Nothing for what the language brings along.
std::optional<Target> definition(const File& file, std::uint32_t offset);
// Where the type of the value at the offset is written: in its declaration, or in that of what it is initialised with.
std::optional<Target> type_definition(const File& file, std::uint32_t offset);

struct Reference {
  Span span;
  Role role = Role::Read;
  bool in_run_line = false;
};
// All places of the file that name the same, in order, declarations and run lines included.
std::vector<Reference> references(const File& file, const Subject& subject);
std::vector<Reference> references(const File& file, std::uint32_t offset);

}  // namespace phobos::ide
