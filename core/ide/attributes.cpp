#include "attributes.h"

namespace phobos::ide {

namespace {

constexpr AttributeRow rows[] = {
    {"launch", "@launch(threads[, minBlocks[, maxRegs]])",
     "The threads of a CTA: a positive multiple of 32, at most 1024. The other two bound what the compiler may spend: CTAs that "
     "should fit on a multiprocessor together, and registers a thread.",
     "`threads`: 32, 64, …, 1024, a constant of `@autotune`, or arithmetic of those; without the attribute 256. `minBlocks` and `maxRegs`: as the compiler chooses.", "launch(${1:256})"},
    {"autotune", "@autotune(X in [a, b], …)",
     "Compile-time constants that the tuner chooses. Two values are bounds, taken in doubling steps; more are a list. The first "
     "is the default.",
     "Positive whole numbers; without tuning the first.", "autotune(${1:BLOCK} in [${2:64}, ${3:256}])"},
    {"aligned", "@aligned(K = 128)", "Promises that a dimension is a multiple. The launcher checks it.",
     "A dimension of a parameter, and a positive whole number; without the attribute 1.", "aligned(${1:K} = ${2:128})"},
    {"persistent", "@persistent", "The grid is sized to the card, so that all its CTAs run at once and `grid_barrier` is safe.",
     "Without it the grid is as large as the data asks.", "persistent"},
    {"tensorcore", "@tensorcore[(tf32)]",
     "Contractions of f32 may round their operands to f16 (or tf32) to run on the tensor cores at full speed.",
     "`f16`, which `@tensorcore` alone means, or `tf32`; without the attribute nothing is rounded.", "tensorcore"},
    {"pipeline", "@pipeline[(stages)]", "Asserts that a loop of the kernel is software-pipelined; an error says why where none is.",
     "`stages`: a positive whole number, or as many as suit; without the attribute pipelining is tried.", "pipeline(${1:3})"},
    {"dynshared", "@dynshared", "Shared memory past the static limit.", "Without it the compiler decides.", "dynshared"},
    {"precise", "@precise", "Exact math functions instead of the hardware's approximations.",
     "Without it `tanh`, `sin` and `cos` may be approximations.", "precise"},
    {"cluster", "@cluster(X in […])", "Experimental: super-tiles of the output are dealt to nodes.",
     "Positive whole numbers; without it one node runs all.", "cluster(${1:X} in [${2:1}, ${3:2}])"},
    {"registers", "@registers(n)", "A cap on the registers of a thread.", "A positive whole number, at most 255; without it the compiler decides.",
     "registers(${1:128})"},
    {"swizzle", "@swizzle(n)", "The order in which CTAs walk the grid: in bands of `n`, so that neighbours share what they load.",
     "A positive whole number; without it the compiler decides.", "swizzle(${1:8})"},
};

constexpr TypeRow types[] = {
    {"tensor", "tensor<T>[dims]", "An argument of the kernel in global memory: row-major, without gaps. A dimension is a number or a name that is bound at launch."},
    {"tile", "tile<T>[dims]", "A value that the whole CTA owns: there is one of it. All its extents are known when the kernel is compiled."},
    {"f16", "f16", "IEEE binary16. Arithmetic is done in f32 and rounded once."},
    {"bf16", "bf16", "bfloat16: f32 with 8 bits of precision. Arithmetic is done in f32 and rounded once."},
    {"f32", "f32", "IEEE binary32."},
    {"f64", "f64", "IEEE binary64."},
    {"i8", "i8", "A whole number from -128 to 127, in two's complement; it wraps."},
    {"u8", "u8", "A whole number from 0 to 255; it wraps."},
    {"i32", "i32", "A whole number of 32 bits, in two's complement; it wraps."},
    {"i64", "i64", "A whole number of 64 bits, in two's complement; it wraps."},
    {"bool", "bool", "`true` or `false`; one byte in memory, 0 or 1."},
};

}  // namespace

std::optional<TypeRow> type_named(std::string_view name) {
  for (const TypeRow& row : types)
    if (row.name == name) return row;
  return std::nullopt;
}

std::span<const AttributeRow> attributes() {
  return rows;
}

std::optional<AttributeRow> attribute_named(std::string_view name) {
  for (const AttributeRow& row : rows)
    if (row.name == name) return row;
  return std::nullopt;
}

}  // namespace phobos::ide
