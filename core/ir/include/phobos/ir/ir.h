// The tile IR: typed SSA with structured control. One IR, three consumers: `sim` runs it (its meaning is the language's),
// `nvptx` compiles it, `emulate` runs what was compiled. ops.def lists the operations with their operands and results.
//
// Control is structured: `for`, `while`, `if` and `scope` hold regions, and what changes in a region leaves it as a result.
// A region is one list of operations; its last one is a terminator:
//   yield v…     ends an iteration of a loop body, a branch of an `if`, or a scope, with the values it gives
//   continue v…  ends this iteration of the innermost loop, for the threads that reach it, with the next carried values
//   break v…     leaves the innermost loop with its results
//   leave v…     leaves the innermost `scope` with its results (any loops inside the scope as well)
//   return       ends the kernel for the threads that reach it
//   condition c v…  (condition region of `while` only) goes on with v… as the body's arguments where c, else ends the loop; the
//                loop's results are the values carried into the condition region
// Under varying control a terminator other than yield retires only the threads that reach it; the others go on behind the `if`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <phobos/ir/decision.h>
#include <phobos/source/span.h>
#include <phobos/support/id.h>
#include <phobos/support/kind.h>
#include <phobos/support/scalar_type.h>

namespace phobos::ir {

using ValueId = Id<struct ValueTag>;
using OpId = Id<struct OpTag>;
using RegionId = Id<struct RegionTag>;

// Extents are numbers; a negative one, -(d + 1), is dimension d of the kernel, bound at launch (buffers in global memory only).
using Shape = std::vector<std::int64_t>;
constexpr bool is_dynamic(std::int64_t extent) { return extent < 0; }
constexpr std::size_t dimension_of(std::int64_t extent) { return static_cast<std::size_t>(-extent - 1); }
constexpr std::int64_t dynamic_extent(std::size_t dimension) { return -static_cast<std::int64_t>(dimension) - 1; }
std::int64_t element_count(const Shape& shape);  // of a static shape

struct Type {
  enum class Form : unsigned char {
    Scalar,  // one a thread; its kind says how far it may differ
    Tile,    // one a CTA, immutable
    Run,     // a thread's own vector of 1 to 16 elements
    Buffer,  // memory: a tensor (Global) or a tile that is accessed in part or per thread (Shared)
  };
  enum class Space : unsigned char { Global, Shared };
  Form form = Form::Scalar;
  ScalarType element = ScalarType::Index;
  Shape shape;  // row-major; empty for scalars; one extent for runs
  Space space = Space::Global;

  static Type scalar(ScalarType element) { return {Form::Scalar, element, {}, Space::Global}; }
  static Type tile(ScalarType element, Shape shape) { return {Form::Tile, element, std::move(shape), Space::Global}; }
  static Type run(ScalarType element, std::int64_t length) { return {Form::Run, element, {length}, Space::Global}; }
  static Type buffer(ScalarType element, Shape shape, Space space) { return {Form::Buffer, element, std::move(shape), space}; }
  bool is_scalar() const { return form == Form::Scalar; }
  bool is_tile() const { return form == Form::Tile; }
  bool is_run() const { return form == Form::Run; }
  bool is_buffer() const { return form == Form::Buffer; }
  int rank() const { return static_cast<int>(shape.size()); }
  friend bool operator==(const Type&, const Type&) = default;
};

enum class Opcode {
#define PHOBOS_OP(id, ...) id,
#include <phobos/ir/ops.def>
#undef PHOBOS_OP
  count_
};

// What an opcode is in general; the verifier, the printer and dead-code removal read it.
enum class Trait : unsigned {
  None = 0,
  Elementwise = 1,   // operands and result of one shape: all scalars, all tiles, or all runs
  CtaWide = 2,       // once per CTA when an operand or result is a tile, or always (see ops.def): needs uniform control
  Effect = 4,        // writes memory, synchronises, or may not be removed
  Terminator = 8,
  Regions = 16,
};
constexpr Trait operator|(Trait a, Trait b) { return static_cast<Trait>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr bool has(Trait set, Trait one) { return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0; }

struct OpInfo {
  Opcode id;
  std::string_view mnemonic;
  Trait traits;
  std::string_view immediate;  // what Op::immediate means, "" for none; see ops.def
};
const OpInfo& info(Opcode code);
std::optional<Opcode> opcode_named(std::string_view mnemonic);

// Immediates with a meaning of their own; printed as words.
enum class CtxValue { BlockX, BlockY, BlockZ, BlocksX, BlocksY, BlocksZ, Warp, Thread, Lane };
enum class FoldOp { Sum, Max, Min, Any, All };
enum class Scope { Lane, Thread };
enum class ShuffleMode { Xor, Up, Down, From };
enum class AtomicOp { Add, Max, Min, Exchange, CompareExchange };
// Immediate of Collective: fold and scope in one.
constexpr std::int64_t collective_immediate(FoldOp fold, Scope scope) {
  return static_cast<std::int64_t>(fold) * 2 + static_cast<std::int64_t>(scope);
}
constexpr FoldOp collective_fold(std::int64_t immediate) { return static_cast<FoldOp>(immediate / 2); }
constexpr Scope collective_scope(std::int64_t immediate) { return static_cast<Scope>(immediate % 2); }

struct Value {
  Type type;
  Kind kind = Kind::Uniform;  // scalars and runs; tiles and buffers are uniform: there is one of them
  OpId op;                    // that makes it; none for a region's argument
  std::uint32_t index = 0;    // among the op's results or the region's arguments
  std::string name;           // of the source variable, for people; may be empty
};

struct Op {
  Opcode code;
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  std::vector<RegionId> regions;
  std::int64_t immediate = 0;
  double real = 0;     // Constant of a float type
  Span span;           // in the file, absolute
  std::uint32_t call = 0;  // the inlined call that it came through, Kernel::calls[call - 1]; 0: none
};

struct Region {
  std::vector<ValueId> arguments;
  std::vector<OpId> ops;
};

struct Parameter {
  std::string name;
  Type type;           // a scalar, or a buffer in global memory
  bool read = false;   // for buffers: whether the kernel reads or writes it
  bool written = false;
};

// What belongs to a Print or a Mark.
struct Note {
  enum class Form {
    Print,
    Values,     // a statement that has given these names a value
    Stored,     // to memory: (b, s, t or r, i…), a start an axis; or one index, row-major
    Changed,    // (b, i): the element at row-major position i, by an atomic or a release
    Condition,  // of a branch, or of a round of a `while`
    Loop,       // a `for` begins; its bounds
    Round,      // one of its rounds; its variable
    Barrier,
    GridBarrier,
    Leave,      // break, continue, return
    Call,       // any other statement
  };
  Form form = Form::Print;
  Kind control = Kind::Uniform;     // that it stands under
  std::vector<std::string> labels;  // as written in the source; Print and Values: one an operand
  std::vector<Kind> kinds;          // Values: of the variables, for their whole life
};
std::string_view name_of(Note::Form form);
std::optional<Note::Form> note_named(std::string_view name);

// Promised or required by the source, checked by the launcher.
struct Promise {
  std::string dimension;
  std::int64_t multiple = 1;
};

// How the grid follows from the arguments (language.md, 14.3). Axis i covers `extent` in steps of `step` elements, rounded up.
struct GridAxis {
  std::int64_t extent = 1;  // a number, or a dynamic extent
  std::int64_t step = 1;
};
struct GridRule {
  std::optional<std::vector<GridAxis>> axes;  // x, y, z; absent where the grid has to be given
  std::string reason;                         // why it has, with the place
  Span span;
};

// A call of a function, inlined. Debug information names it; the text of the IR does not have it.
struct InlinedCall {
  std::string function;
  Span site;                 // of the call
  std::uint32_t caller = 0;  // the inlined call that it stands in, as in Op::call
};

// To what f32 contractions may round their operands (language.md, 13: `@tensorcore`).
enum class Rounding { None, F16, Tf32 };

// That a loop is pipelined (`@pipeline`): a kernel without one is not compiled.
struct PipelineDemand {
  std::int64_t stages = 0;  // 0: as many as suit
  Span span;                // of the attribute
  bool met = false;
};

struct Kernel {
  std::string name;
  int threads = 256;
  std::vector<Parameter> parameters;
  std::vector<std::string> dimensions;                          // bound at launch, in this order
  std::vector<std::pair<std::string, std::int64_t>> constants;  // autotune names and their values
  std::vector<Promise> promises;
  std::optional<int> min_blocks, max_registers;
  bool persistent = false, precise = false;
  Rounding rounding = Rounding::None;
  std::optional<PipelineDemand> pipeline;
  std::int64_t band = 0;  // CTAs walk the grid in bands of so many along y; 0: as the machine does
  GridRule grid;
  std::vector<Note> notes;  // by the immediates of Print and Mark
  std::vector<InlinedCall> calls;
  std::vector<Decision> decisions;  // of passes; the text of the IR does not have them
  RegionId body;  // arguments: one a parameter, then one (index, uniform) a dimension

  IdVector<ValueId, Value> values;
  IdVector<OpId, Op> ops;
  IdVector<RegionId, Region> regions;

  const Value& operator[](ValueId id) const { return values[id]; }
  const Op& operator[](OpId id) const { return ops[id]; }
  const Region& operator[](RegionId id) const { return regions[id]; }
  Value& operator[](ValueId id) { return values[id]; }
  Op& operator[](OpId id) { return ops[id]; }
  Region& operator[](RegionId id) { return regions[id]; }
  const Type& type(ValueId id) const { return values[id].type; }
};

// `X[8, 128] of f32`: what is read or written of a buffer.
std::string slice_text(const Kernel& kernel, ValueId buffer, const Shape& shape);

}  // namespace phobos::ir
