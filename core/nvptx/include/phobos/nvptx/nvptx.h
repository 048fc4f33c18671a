// Tile IR to LLVM IR to PTX. With core/emulate the only user of LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ir/ir.h>
#include <phobos/passes/bulk.h>
#include <phobos/passes/chip.h>
#include <phobos/support/result.h>

namespace phobos::nvptx {

struct Options {
  std::string chip = "sm_90a";  // one of passes::chips()
  bool debug_locations = true;  // `.loc` for each source line, when `source` is given
  std::string file;             // of the `.loc` directives
  std::string source;           // the text that spans point into
  // Accesses to single elements test their indices. The kernel takes one parameter more, the last: a pointer to `report_words` words of
  // 64 bits, zero before the launch.
  bool checked = false;
};

// PTX with the line of the source that each piece comes from above it, as a comment.
std::string with_source(std::string_view ptx, std::string_view file, std::string_view source);

// An index that is tested: the report's first word counts them from 1. The words behind it: the index, the extent, the thread, its
// block's x, y and z.
struct PointCheck {
  Span span;
  std::string buffer;
  int axis = 0;
};
inline constexpr std::size_t report_words = 8;

// Milliseconds that this thread worked: the emitter, LLVM's optimiser, its code generation.
struct StageTimes {
  double emit = 0, optimise = 0, generate = 0;
};

// What the address of a tensor is a multiple of. The launch contract says so.
inline constexpr int tensor_alignment = 16;

// PTX parameters, in order: one a kernel parameter (a 64-bit pointer for a tensor, the value for a scalar: bool as u8, index as
// s64), then one s64 a dimension, in the kernel's order.
struct Compiled {
  // A tensor as bulk copies see it: two axes, of which they move a box of so many rows and columns.
  struct Map {
    std::size_t parameter = 0;
    std::int64_t rows = 0, columns = 0;
    std::int64_t swizzle = 128;  // bytes of a row of the box in shared memory
    bool rounds = false;         // f32 to tf32 on the way
    friend bool operator==(const Map&, const Map&) = default;
  };
  // A second entry of the same kernel, which is faster and asks more of its arguments: each tensor that has a map has rows of a multiple
  // of 16 bytes, and no extent of 0 or more than `largest_extent`, and the grid less than 2^31 blocks. It takes the same parameters, then
  // the maps (128 bytes each, at multiples of 64), then the three extents of the grid, as u32; and it is launched with one CTA for each
  // multiprocessor, or as many fewer as do with the same number of rounds.
  struct Bulk {
    std::string entry;
    int threads = 0;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<Map> maps;
    static constexpr std::int64_t largest_extent = 0x7fff0000, row_granule = 16;
    friend bool operator==(const Bulk&, const Bulk&) = default;
  };

  std::string text;                     // PTX, or LLVM IR from emit_llvm
  std::string entry;                    // the name of the kernel's entry
  std::uint32_t shared_bytes = 0;       // static shared memory
  std::uint32_t dynamic_shared_bytes = 0;  // to be passed at launch; past 48 KB it needs the opt-in attribute
  std::vector<PointCheck> checks;          // of a checked kernel
  std::optional<Bulk> bulk;
  StageTimes stages;
  std::vector<ir::Decision> decisions;         // in the order of the source
};

// Why a kernel is not compiled.
struct Refusal : Error {
  explicit Refusal(std::string message) : Error{std::move(message)} {}
  explicit Refusal(diag::Diagnostic why) : Error{why.message}, diagnostic(std::move(why)) {}

  std::optional<diag::Diagnostic> diagnostic;  // PH08xx, absolute in the file: the program is the reason
};
using Outcome = Result<Compiled, Refusal>;

// The same kernel before its operands were staged, with a plan for bulk copies.
struct BulkKernel {
  ir::Kernel kernel;
  passes::BulkPlan plan;
};
// With the entry for bulk copies as well, where it is given and fits.
Outcome emit_ptx(const ir::Kernel& kernel, const Options& options, const BulkKernel* bulk = nullptr);
Outcome emit_llvm(const ir::Kernel& kernel, const Options& options, const BulkKernel* bulk = nullptr);  // the module before code generation

}  // namespace phobos::nvptx
