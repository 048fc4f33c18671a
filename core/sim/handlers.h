// What runs each operation.
#pragma once

#include "plan.h"

namespace phobos::sim {

// How an access misses its buffer, in words.
inline std::string_view outside_by(std::int64_t index) { return index < 0 ? "before the start" : "past the end"; }

using Handler = void (*)(Cta&, const Instr&, Mask&);

// Fills in the handler and functions of an elementwise operation whose slots are set.
// `checks`: what is seldom meant is counted.
void choose_elementwise(Instr& instr, ScalarType from, bool checks);
void run_elementwise1(Cta&, const Instr&, Mask&);
void run_elementwise2(Cta&, const Instr&, Mask&);
void run_watched_shift(Cta&, const Instr&, Mask&);
void run_watched_conversion(Cta&, const Instr&, Mask&);
// Whether a conversion may give another number, past what rounding does.
bool may_lose(ScalarType from, ScalarType to);

// The functions of elementwise operations, by family; null where the operation is of another family.
ElementFunction arithmetic_function(ir::Opcode code, ScalarType element);
ElementFunction math_function(ir::Opcode code, ScalarType element);
ElementFunction conversion_function(ScalarType from, ScalarType to);
NarrowFunction narrow_function(ScalarType element);

void run_if(Cta&, const Instr&, Mask&);
void run_for(Cta&, const Instr&, Mask&);
void run_while(Cta&, const Instr&, Mask&);
void run_scope(Cta&, const Instr&, Mask&);

void run_extent(Cta&, const Instr&, Mask&);
void run_splat(Cta&, const Instr&, Mask&);
void run_broadcast(Cta&, const Instr&, Mask&);
void run_reshape(Cta&, const Instr&, Mask&);
void run_transpose(Cta&, const Instr&, Mask&);
void run_iota(Cta&, const Instr&, Mask&);
void run_tril(Cta&, const Instr&, Mask&);
void run_dot(Cta&, const Instr&, Mask&);
void run_row_fold(Cta&, const Instr&, Mask&);
void run_row_argmax(Cta&, const Instr&, Mask&);
void run_cumsum(Cta&, const Instr&, Mask&);
void run_run_fold(Cta&, const Instr&, Mask&);
void run_collective(Cta&, const Instr&, Mask&);
void run_shuffle(Cta&, const Instr&, Mask&);

void run_alloc(Cta&, const Instr&, Mask&);
void run_load(Cta&, const Instr&, Mask&);
void run_store(Cta&, const Instr&, Mask&);
void run_tile_load(Cta&, const Instr&, Mask&);
void run_tile_store(Cta&, const Instr&, Mask&);
void run_run_load(Cta&, const Instr&, Mask&);
void run_run_store(Cta&, const Instr&, Mask&);
void run_elem_load(Cta&, const Instr&, Mask&);
void run_elem_store(Cta&, const Instr&, Mask&);
void run_barrier(Cta&, const Instr&, Mask&);
void run_grid_barrier(Cta&, const Instr&, Mask&);
void run_atomic(Cta&, const Instr&, Mask&);
void run_load_acquire(Cta&, const Instr&, Mask&);
void run_store_release(Cta&, const Instr&, Mask&);

void run_print(Cta&, const Instr&, Mask&);
void run_mark(Cta&, const Instr&, Mask&);

// Compares in[0], computed by every thread, with the kind that was inferred for it (Instr::place).
void run_check_kind(Cta&, const Instr&, Mask&);
// That every thread has come to an operation of the CTA.
void run_check_reached(Cta&, const Instr&, Mask&);

}  // namespace phobos::sim
