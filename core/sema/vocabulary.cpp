#include "vocabulary.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace phobos::sema {

namespace {

struct Word {
  std::string_view theirs, ours;
};
struct NearestType {
  std::string_view theirs, ours, is;
};

constexpr Word types[] = {
    {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"int", "i32"}, {"long", "i64"}, {"char", "i8"}, {"uchar", "u8"}, {"byte", "u8"},
    {"float16", "f16"}, {"float32", "f32"}, {"float64", "f64"}, {"fp16", "f16"}, {"fp32", "f32"}, {"fp64", "f64"},
    {"bfloat16", "bf16"}, {"__half", "f16"}, {"__nv_bfloat16", "bf16"}, {"b16", "bf16"},
    {"int8", "i8"}, {"int32", "i32"}, {"int64", "i64"}, {"uint8", "u8"}, {"int8_t", "i8"}, {"int32_t", "i32"}, {"int64_t", "i64"},
    {"uint8_t", "u8"}, {"s8", "i8"}, {"s32", "i32"}, {"s64", "i64"}, {"isize", "i64"}, {"boolean", "bool"}, {"i1", "bool"}};

// Types that have no counterpart, and what the nearest one does otherwise.
constexpr NearestType nearest_types[] = {
    {"u32", "i32", "signed"}, {"uint", "i32", "signed"}, {"uint32", "i32", "signed"}, {"uint32_t", "i32", "signed"}, {"unsigned", "i32", "signed"},
    {"size_t", "i64", "signed"}, {"u64", "i64", "signed"}, {"uint64", "i64", "signed"}, {"uint64_t", "i64", "signed"}, {"usize", "i64", "signed"},
    {"index", "i64", "as wide and can be written"}, {"i16", "i32", "wider"}, {"short", "i32", "wider"}, {"int16", "i32", "wider"},
    {"int16_t", "i32", "wider"}, {"u16", "i32", "wider"}, {"uint16", "i32", "wider"}, {"uint16_t", "i32", "wider"}, {"tf32", "f32", "wider"},
    {"f8", "f16", "wider"}, {"fp8", "f16", "wider"}, {"float8", "f16", "wider"}};

constexpr std::pair<std::string_view, FieldMeant> fields[] = {
    {"thread", {"thread", "this thread"}}, {"lane", {"lane", "this thread's lane"}}, {"warp", {"warp", "this thread's warp"}}, {"block", {"block", "this CTA's index"}},
    {"blocks", {"blocks", "the grid's extent"}}, {"threads", {"threads", "the CTA's size"}}, {"warps", {"warps", "the number of warps"}}, {"lanes", {"lanes", "the warp width"}},
    {"threadIdx", {"thread", "this thread"}}, {"thread_id", {"thread", "this thread"}}, {"threadId", {"thread", "this thread"}},
    {"thread_idx", {"thread", "this thread"}}, {"tid", {"thread", "this thread"}},
    {"blockIdx", {"block", "this CTA's index"}}, {"block_id", {"block", "this CTA's index"}}, {"blockId", {"block", "this CTA's index"}},
    {"block_idx", {"block", "this CTA's index"}}, {"bid", {"block", "this CTA's index"}}, {"pid", {"block", "this CTA's index"}},
    {"blockDim", {"threads", "the CTA's size"}}, {"block_dim", {"threads", "the CTA's size"}}, {"block_size", {"threads", "the CTA's size"}},
    {"num_threads", {"threads", "the CTA's size"}},
    {"gridDim", {"blocks", "the grid's extent"}}, {"grid_dim", {"blocks", "the grid's extent"}}, {"num_blocks", {"blocks", "the grid's extent"}},
    {"grid", {"blocks", "the grid's extent"}},
    {"warpSize", {"lanes", "the warp width"}}, {"warp_size", {"lanes", "the warp width"}}, {"WARP_SIZE", {"lanes", "the warp width"}},
    {"lane_count", {"lanes", "the warp width"}}, {"num_lanes", {"lanes", "the warp width"}},
    {"laneId", {"lane", "this thread's lane"}}, {"lane_id", {"lane", "this thread's lane"}}, {"laneid", {"lane", "this thread's lane"}},
    {"lane_idx", {"lane", "this thread's lane"}},
    {"warpId", {"warp", "this thread's warp"}}, {"warp_id", {"warp", "this thread's warp"}}, {"warpid", {"warp", "this thread's warp"}},
    {"warp_idx", {"warp", "this thread's warp"}}, {"num_warps", {"warps", "the number of warps"}}};

constexpr std::string_view no_infinity = "infinity has no literal; the largest `f32` is `3.4028235e38`";
constexpr std::pair<std::string_view, ValueMeant> values[] = {
    {"inf", {"3.4028235e38", no_infinity}}, {"Inf", {"3.4028235e38", no_infinity}}, {"INF", {"3.4028235e38", no_infinity}}, {"infinity", {"3.4028235e38", no_infinity}},
    {"INFINITY", {"3.4028235e38", no_infinity}}, {"Infinity", {"3.4028235e38", no_infinity}}, {"HUGE_VALF", {"3.4028235e38", no_infinity}}, {"CUDART_INF_F", {"3.4028235e38", no_infinity}},
    {"FLT_MAX", {"3.4028235e38", "the largest `f32` is `3.4028235e38`"}}, {"FLT_MIN", {"1.1754944e-38", "the smallest normal `f32` is `1.1754944e-38`"}},
    {"FLT_EPSILON", {"1.1920929e-7", "of `f32` it is `1.1920929e-7`"}}, {"INT_MAX", {"2147483647", "the largest `i32` is `2147483647`"}},
    {"M_PI", {"3.141592653589793", "it is written `3.141592653589793`"}}, {"pi", {"3.141592653589793", "it is written `3.141592653589793`"}},
    {"PI", {"3.141592653589793", "it is written `3.141592653589793`"}}, {"nan", {"", "NaN has no literal"}}, {"NaN", {"", "NaN has no literal"}}, {"NAN", {"", "NaN has no literal"}},
    {"None", {"", "every name has a value"}}, {"null", {"", "every name has a value"}}, {"nullptr", {"", "every name has a value"}}, {"NULL", {"", "every name has a value"}}};

constexpr Word functions[] = {
    {"maximum", "tmax"}, {"fmax", "tmax"}, {"fmaxf", "tmax"}, {"minimum", "tmin"}, {"fmin", "tmin"}, {"fminf", "tmin"},
    {"clamp", "tmin(tmax($1, $2), $3)"}, {"clip", "tmin(tmax($1, $2), $3)"}, {"relu", "tmax($1, 0)"},
    {"sigmoid", "(1.0 / (1.0 + exp(-$1)))"}, {"reciprocal", "(1.0 / $1)"}, {"rcp", "(1.0 / $1)"}, {"fma", "($1 * $2 + $3)"},
    {"fmaf", "($1 * $2 + $3)"}, {"cdiv", "(($1 + $2 - 1) / $2)"}, {"ceil_div", "(($1 + $2 - 1) / $2)"}, {"ceildiv", "(($1 + $2 - 1) / $2)"},
    {"exp2", "pow(2.0, $1)"}, {"exp2f", "pow(2.0, $1)"}, {"exp10", "pow(10.0, $1)"},
    {"log2", "(log($1) * 1.4426950408889634)"}, {"log2f", "(log($1) * 1.4426950408889634)"}, {"log10", "(log($1) * 0.4342944819032518)"},
    {"log10f", "(log($1) * 0.4342944819032518)"}, {"log1p", "log(1.0 + $1)"}, {"expm1", "(exp($1) - 1.0)"}, {"tan", "(sin($1) / cos($1))"},
    {"tanf", "(sin($1) / cos($1))"}, {"ln", "log"}, {"triu", "transpose(tril(transpose($1)))"}, {"colsum", "transpose(rowsum(transpose($1)))"},
    {"colmax", "transpose(rowmax(transpose($1)))"}, {"colmin", "transpose(rowmin(transpose($1)))"}, {"colargmax", "rowargmax(transpose($1))"},
    {"max3", "tmax(tmax($1, $2), $3)"}, {"min3", "tmin(tmin($1, $2), $3)"}, {"dot_nn", "dot"}, {"dot_nt", "dot_t"}, {"dot_tn", "dot(transpose($1), $2)"},
    {"add", "($1 + $2)"}, {"sub", "($1 - $2)"}, {"mul", "($1 * $2)"}, {"div", "($1 / $2)"}, {"mod", "($1 % $2)"}, {"mad", "($1 * $2 + $3)"},
    {"sinh", "(0.5 * (exp($1) - exp(-$1)))"}, {"cosh", "(0.5 * (exp($1) + exp(-$1)))"}, {"not", "!"},
    {"matmul", "dot"}, {"mm", "dot"}, {"gemm", "dot"}, {"trans", "transpose"}, {"permute", "transpose"}, {"ravel", "flat"}, {"flatten", "flat"},
    {"argmax", "rowargmax"}, {"select", "where"}, {"if_then_else", "where"}, {"arange", "iota($1)"}, {"len", "extent($1, 0)"},
    {"shape", "extent"}, {"size", "extent"},
    {"syncthreads", "barrier"}, {"__syncthreads", "barrier"}, {"sync_threads", "barrier"}, {"debug_barrier", "barrier"}, {"sync", "barrier"},
    {"workgroupBarrier", "barrier"}, {"block_barrier", "barrier"}, {"grid_sync", "grid_barrier"},
    {"atomicAdd", "atomic_add"}, {"atomicMax", "atomic_max"}, {"atomicMin", "atomic_min"}, {"atomicExch", "atomic_exch"},
    {"atomicCAS", "atomic_cas"}, {"atomic_xchg", "atomic_exch"},
    {"atomic_sub", "atomic_add($1, $2, -$3)"}, {"atomicSub", "atomic_add($1, $2, -$3)"}, {"atomic_inc", "atomic_add($1, $2, 1)"}, {"atomic_dec", "atomic_add($1, $2, -1)"},
    {"__shfl_xor_sync", "shfl<xor $3>($2)"}, {"__shfl_up_sync", "shfl<up $3>($2)"}, {"__shfl_down_sync", "shfl<down $3>($2)"},
    {"__shfl_sync", "shfl<from $3>($2)"}, {"__any_sync", "any<over ctx.lane>($2)"}, {"__all_sync", "all<over ctx.lane>($2)"},
    {"__reduce_add_sync", "sum<over ctx.lane>($2)"}, {"__reduce_max_sync", "max<over ctx.lane>($2)"},
    {"__reduce_min_sync", "min<over ctx.lane>($2)"},
    {"shfl_xor", "shfl<xor $2>($1)"}, {"shfl_up", "shfl<up $2>($1)"}, {"shfl_down", "shfl<down $2>($1)"}, {"shuffle_xor", "shfl<xor $2>($1)"},
    {"warp_reduce_sum", "sum<over ctx.lane>($1)"}, {"warp_sum", "sum<over ctx.lane>($1)"}, {"warpReduceSum", "sum<over ctx.lane>($1)"},
    {"warp_reduce_max", "max<over ctx.lane>($1)"}, {"block_reduce_sum", "sum<over ctx.thread>($1)"}, {"block_sum", "sum<over ctx.thread>($1)"},
    {"blockReduceSum", "sum<over ctx.thread>($1)"}, {"block_reduce_max", "max<over ctx.thread>($1)"},
    {"expf", "exp"}, {"__expf", "exp"}, {"logf", "log"}, {"__logf", "log"}, {"sqrtf", "sqrt"}, {"rsqrtf", "rsqrt"}, {"tanhf", "tanh"},
    {"sinf", "sin"}, {"__sinf", "sin"}, {"cosf", "cos"}, {"__cosf", "cos"}, {"powf", "pow"}, {"__powf", "pow"}, {"floorf", "floor"},
    {"ceilf", "ceil"}, {"roundf", "round"}, {"rint", "round"}, {"rintf", "round"}, {"fabs", "abs"}, {"fabsf", "abs"}, {"absolute", "abs"},
    {"__popc", "popcount"}, {"__popcll", "popcount"}, {"popc", "popcount"}, {"__dp4a", "dp4a"}, {"__byte_perm", "byteperm"},
    {"__float2half", "f16"}, {"__half2float", "f32"}, {"__float2bfloat16", "bf16"}, {"__bfloat162float", "f32"}, {"__float2int_rz", "i32"},
    {"__int2float_rn", "f32"}, {"__half_as_ushort", "f16bits"}};

constexpr std::string_view no_inverse = "it has no counterpart: there are `sin`, `cos` and `tanh`";
constexpr std::string_view signs = "write `where(x > 0.0, 1.0, where(x < 0.0, -1.0, 0.0))`";
constexpr std::string_view row_folds = "rows of a tile are folded by `rowsum`, `rowmax`, `rowmin` and `rowargmax`";
constexpr std::string_view of_mean = "divide a `rowsum` by the number of columns";
constexpr Word instead[] = {
    {"acos", no_inverse}, {"asin", no_inverse}, {"atan", no_inverse}, {"atan2", no_inverse}, {"acosf", no_inverse}, {"asinf", no_inverse}, {"atanf", no_inverse},
    {"atan2f", no_inverse}, {"acosh", no_inverse}, {"asinh", no_inverse}, {"atanh", no_inverse}, {"arccos", no_inverse}, {"arcsin", no_inverse},
    {"arctan", no_inverse}, {"arctan2", no_inverse}, {"sign", signs}, {"sgn", signs}, {"signum", signs}, {"copysign", "write `where(s < 0.0, -abs(x), abs(x))`"},
    {"sqr", "write `x * x`"}, {"square", "write `x * x`"}, {"cbrt", "write `pow(x, 1.0 / 3.0)`"}, {"rowmean", of_mean}, {"rowavg", of_mean}, {"average", of_mean},
    {"colmean", "divide `transpose(rowsum(transpose(t)))` by the number of rows"}, {"rowargmin", "`rowargmax(-t)` is the lowest index of the minimum"},
    {"argmin", "`rowargmax(-t)` is the lowest index of the minimum"}, {"colargmin", "`rowargmax(-transpose(t))` is the lowest index of the minimum"},
    {"rowprod", row_folds}, {"rowstd", row_folds}, {"rowvar", row_folds}, {"rowall", row_folds}, {"rowany", row_folds}, {"rownorm", row_folds},
    {"dot_n", "`dot(a, b)` is `a @ b`, and `dot_t(a, b)` is `a @ bᵀ`"}, {"dot_tt", "`dot(a, b)` is `a @ b`, and `dot_t(a, b)` is `a @ bᵀ`"},
    {"fmod", "`%` takes integers; of floats it is `a - b * floor(a / b)`, where both have one sign"}, {"trunc", "write `where(x < 0.0, ceil(x), floor(x))`"},
    {"isnan", "write `x != x`"}, {"isinf", "write `abs(x) > 3.4028235e38`"}, {"isfinite", "write `abs(x) <= 3.4028235e38`"},
    {"zeros", "declare `var t: tile<f32>[R, C] = 0.0`"}, {"full", "declare `var t: tile<f32>[R, C] = x`"},
    {"ones", "declare `var t: tile<f32>[R, C] = 1.0`"}, {"load", "read a slice, as in `A[i :+ 64]`"},
    {"softmax", "divide `exp(x - rowmax(x))` by its `rowsum`"}, {"__syncwarp", "a warp's threads meet at `shfl` and at folds `over ctx.lane`"},
    {"printf", "`print(x, y)` shows values, each after its text"}, {"println", "`print(x, y)` shows values, each after its text"},
    {"range", "it stands only in `for i in range(a, b)`"}, {"mean", of_mean},
    {"assert", "what holds of a dimension is promised by `@aligned(N = 64)`"},
    {"__ballot_sync", "`any` and `all` fold conditions, as in `any<over ctx.lane>(c)`"}, {"__activemask", "a fold or `shfl` takes every lane of the warp"},
    {"get_global_id", "it is `ctx.block.x * ctx.threads + ctx.thread`"}, {"get_global_size", "it is `ctx.blocks.x * ctx.threads`"},
    {"cudaMemcpy", "a kernel runs on the device, and its tensors are there"}, {"malloc", "a tile is declared with `var t: tile<f32>[R, C]`"},
    {"reduce", "rows of a tile are folded by `rowsum`, lanes by `sum<over ctx.lane>`, threads by `sum<over ctx.thread>`"},
    {"__threadfence_block", "`barrier()` shows each thread of the CTA what the others wrote"},
    {"atomic_and", "the atomic operations are `atomic_add`, `atomic_max`, `atomic_min`, `atomic_exch` and `atomic_cas`"},
    {"atomic_or", "the atomic operations are `atomic_add`, `atomic_max`, `atomic_min`, `atomic_exch` and `atomic_cas`"},
    {"atomic_xor", "the atomic operations are `atomic_add`, `atomic_max`, `atomic_min`, `atomic_exch` and `atomic_cas`"},
    {"__threadfence", "`store_release` and `load_acquire` order memory between CTAs"}};

template <class Row, std::size_t n>
const Row* find_word(const Row (&table)[n], std::string_view theirs) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const Row& row) {
    if constexpr (requires { row.theirs; }) return row.theirs == theirs;
    else return row.first == theirs;
  });
  return found == std::end(table) ? nullptr : found;
}

std::optional<std::string_view> ours(const Word* word) { return word ? std::optional(word->ours) : std::nullopt; }

}  // namespace

std::optional<std::string_view> type_meant(std::string_view theirs) {
  if (const NearestType* near = find_word(nearest_types, theirs)) return near->ours;
  return ours(find_word(types, theirs));
}

std::string said_of_type(std::string_view theirs) {
  if (const NearestType* near = find_word(nearest_types, theirs)) return fmt::format("the nearest is `{}`, which is {}", near->ours, near->is);
  return fmt::format("it is spelt `{}`", type_meant(theirs).value_or(theirs));
}

std::optional<FieldMeant> field_meant(std::string_view theirs) {
  const auto* row = find_word(fields, theirs);
  return row ? std::optional(row->second) : std::nullopt;
}

std::optional<ValueMeant> value_meant(std::string_view theirs) {
  const auto* row = find_word(values, theirs);
  return row ? std::optional(row->second) : std::nullopt;
}

std::optional<std::string_view> function_meant(std::string_view theirs) {
  if (const auto* word = find_word(functions, theirs)) return word->ours;
  return type_meant(theirs);
}

std::optional<std::string_view> instead_of(std::string_view theirs) { return ours(find_word(instead, theirs)); }

bool is_foreign_module(std::string_view name) {
  constexpr std::string_view modules[] = {"tl", "triton", "np", "numpy", "jnp", "torch", "math", "F", "cp", "cuda", "std"};
  return std::find(std::begin(modules), std::end(modules), name) != std::end(modules);
}

}  // namespace phobos::sema
