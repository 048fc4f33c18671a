// The one table of built-in operations. Typing, the rules, hover, completion, lowering and the reference page read it;
// builtins.def has the rows.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <phobos/support/kind.h>

namespace phobos::builtins {

// How the checker types a call; one checker per form, the row's name tells the operation.
enum class Form {
  Math1,        // one float scalar or tile, elementwise: exp log sqrt rsqrt tanh sin cos floor ceil round; abs also integers
  Math2,        // two operands that join, elementwise: pow tmax tmin
  Where,        // where(c, a, b)
  Convert,      // f32(x) …; the name is the type
  Dot,          // dot, dot_t
  RowFold,      // rowsum rowmax rowmin
  RowArg,       // rowargmax
  Scan,         // cumsum
  Tril,
  Transpose,
  Flat,
  Iota,
  Generate,
  Fold,         // sum max min any all: over lanes, over threads, or over a thread's own run
  Shuffle,
  Elem,
  Store,
  Barrier,
  GridBarrier,
  Atomic,       // atomic_add …; atomic_cas has one more operand
  LoadAcquire,
  StoreRelease,
  Quantised,    // qdot_t, qmma_t
  Word, BytePerm, PopCount, Dp4a, F16Bits,
  Extent,
  Print,
};

// What a call needs of the control around it, and what it is allowed to be handed (language.md, 12).
enum class Needs {
  Anything,      // runs in each thread on its own
  CtaIfTile,     // scalar operands: anything; a tile operand: once per CTA
  Cta,           // once per CTA: uniform control, uniform scalar operands
  ByFold,        // sum … and shfl: by what stands in `<…>`: lane → the whole warp, thread → the whole CTA, none → anything
};

enum class Gives { JoinOfOperands, Uniform, ByFold };

enum class Builtin {
#define PHOBOS_BUILTIN(id, ...) id,
#include <phobos/builtins/builtins.def>
#undef PHOBOS_BUILTIN
  count_
};

struct Row {
  Builtin id;
  std::string_view name;
  Form form;
  Needs needs;
  Gives gives;
  std::string_view signature;      // as shown to a user
  std::string_view documentation;  // a sentence or two
  std::string_view example;        // one line of source
};

const Row& row(Builtin id);
std::span<const Row> all();
std::optional<Builtin> find(std::string_view name);

// The fields of `ctx` (language.md, 9).
enum class CtxField { Blocks, Block, Threads, Warps, Lanes, Warp, Thread, Lane };
struct CtxRow {
  CtxField field;
  std::string_view name;
  bool has_axis;      // .x .y .z follows
  Kind kind;
  bool compile_time;
  std::string_view documentation;
};
const CtxRow& row(CtxField field);
std::span<const CtxRow> ctx_fields();

// The nearest of `candidates` to a misspelt name: an edit for every three letters, letters of the other case for nothing. None when
// all are farther. Ties go to the first.
std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace phobos::builtins
