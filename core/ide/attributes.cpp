#include "attributes.h"

namespace phobos::ide {

namespace {

constexpr AttributeRow rows[] = {
    {"launch", "@launch(threads[, minBlocks[, maxRegs]])",
     "The threads of a CTA: a positive multiple of 32, at most 1024. The other two bound what the compiler may spend: CTAs that "
     "should fit on a multiprocessor together, and registers a thread."},
    {"autotune", "@autotune(X in [a, b], …)",
     "Compile-time constants that the tuner chooses. Two values are bounds, taken in doubling steps; more are a list. The first "
     "is the default."},
    {"aligned", "@aligned(K = 128)", "Promises that a dimension is a multiple. The launcher checks it."},
    {"persistent", "@persistent", "The grid is sized to the card, so that all its CTAs run at once and `grid_barrier` is safe."},
    {"tensorcore", "@tensorcore[(tf32)]",
     "Contractions of f32 may round their operands to f16 (or tf32) to run on the tensor cores at full speed."},
    {"pipeline", "@pipeline[(stages)]", "Asserts that a loop of the kernel is software-pipelined; an error says why where none is."},
    {"dynshared", "@dynshared", "Shared memory past the static limit."},
    {"precise", "@precise", "Exact math functions instead of the hardware's approximations."},
    {"cluster", "@cluster(X in […])", "Experimental: super-tiles of the output are dealt to nodes."},
    {"registers", "@registers(n)", "A cap on the registers of a thread."},
    {"swizzle", "@swizzle(n)", "The order in which CTAs walk the grid: in bands of `n`, so that neighbours share what they load."},
};

}  // namespace

std::optional<AttributeRow> attribute_named(std::string_view name) {
  for (const AttributeRow& row : rows)
    if (row.name == name) return row;
  return std::nullopt;
}

}  // namespace phobos::ide
