// What each name in an item means, and where it is said: the one table that definition, references, rename, highlights, call
// hierarchy, semantic tokens and completion read. It is made of the item's tokens, so that it has every name of a text, a broken one
// too; what a name means follows from the declarations in the syntax tree and the blocks that they stand in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/sema/checked.h>
#include <phobos/source/span.h>
#include <phobos/support/id.h>

namespace phobos::ide {

using SymbolId = Id<struct SymbolTag>;

struct Symbol {
  enum class Form : std::uint8_t {
    Parameter, Dimension, Constant, Let, Var, LoopVariable,  // declared in the item; Constant: by `@autotune`
    Item,       // a kernel or a function of the file
    Builtin,
    Ctx, Field, Axis,  // `ctx`, `block`, `x`
    Attribute,
    Type,       // `tile`, `f32`
    Word,       // `range`, `over`, `xor`, `unroll`, `tf32`: means something in its place alone
    Unknown,
  };
  Form form = Form::Unknown;
  std::string name;
  // Of what is declared in the item:
  Span declared;         // its name there
  Span visible;          // where the name means it, unless an inner one does
  sema::LocalId local;   // none where the checker made nothing of it
};
constexpr bool is_local(Symbol::Form form) { return form <= Symbol::Form::LoopVariable; }

enum class Role : std::uint8_t { Declaration, Read, Write };
struct Occurrence {
  Span span;
  SymbolId symbol;
  Role role = Role::Read;
};

// A word of a run line that names something of its kernel: `N` of `N=100`.
struct RunName {
  Span span;
  Span value;  // behind the `=`
  bool expected = false;  // behind `expect`
};

// What reaches over several lines: a pair of brackets, or comments that follow each other.
struct Fold {
  Span span;  // the brackets included
  bool comment = false;
};

struct Index {
  IdVector<SymbolId, Symbol> symbols;  // those that are declared in the item first, in the order of their declarations
  std::vector<Occurrence> occurrences;  // by place
  std::vector<RunName> run_names;
  std::vector<Fold> folds;

  const Symbol& operator[](SymbolId id) const { return symbols[id]; }
  // Of two that touch the offset, the one that begins there. Null for none.
  const Occurrence* at(std::uint32_t offset) const;
  // What a name of the item means at an offset; none where it is nothing that the item declares.
  SymbolId meaning(std::string_view name, std::uint32_t offset) const;
  // What the item declares for the whole of it by that name: a parameter, a dimension, a constant.
  SymbolId declared_by_head(std::string_view name) const;
};

Index make_index(const sema::CheckedItem& item);

}  // namespace phobos::ide
