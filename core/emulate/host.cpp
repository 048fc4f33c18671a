#include "host.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <phobos/support/float16.h>

#include "machine.h"
#include "matrices.h"

namespace phobos::emulate {

namespace {

std::uint32_t read_register(std::uint32_t which) { return Machine::current().special_register(static_cast<Register>(which)); }
std::byte* shared_memory() { return Machine::current().shared_memory(); }
void barrier(SiteId site) { Machine::current().barrier(0, 0, site); }
std::uint32_t warp(std::uint32_t op, std::uint32_t value, std::uint32_t lane, SiteId site) {
  return Machine::current().warp(static_cast<WarpOp>(op), value, lane, site);
}
void matrices(std::uint32_t op, const std::uint32_t* in, std::uint32_t* out, SiteId site) {
  Machine::current().matrices(static_cast<MatrixOp>(op), in, out, site);
}
void copy(std::uintptr_t to, std::uintptr_t from, std::uint32_t bytes, std::uint32_t mask, SiteId site) {
  if ((mask & 1) != 0) Machine::current().copy(to, from, bytes, site);
}
void multiply_by_groups(std::uint32_t factor, std::uint32_t along_k, std::uint32_t registers, std::uint32_t n, std::uint64_t a, std::uint64_t b, void* sums, SiteId site) {
  Machine::current().multiply_by_groups({static_cast<Factor>(factor), along_k != 0, registers != 0, n}, a, b, sums, site);
}
void publish() { Machine::current().publish(); }
void group_barrier(std::uint32_t number, std::uint32_t threads, SiteId site) { Machine::current().barrier(number, threads, site); }
void arrive_at_barrier(std::uint32_t number, std::uint32_t threads, SiteId site) { Machine::current().arrive_at_barrier(number, threads, site); }
void make_phases(std::uintptr_t at, std::uint32_t arrivals, SiteId site) { Machine::current().make_phases(at, arrivals, site); }
void expect(std::uintptr_t at, std::uint32_t bytes, SiteId site) { Machine::current().arrive(at, bytes, site); }
void arrive(std::uintptr_t at, SiteId site) { Machine::current().arrive(at, 0, site); }
void wait_for_phase(std::uintptr_t at, std::uint32_t phase, SiteId site) { Machine::current().wait_for_phase(at, phase, site); }
void load_box(std::uintptr_t to, const TensorMap* map, std::uintptr_t barrier, std::int32_t x, std::int32_t y, SiteId site) {
  Machine::current().load_box(to, *map, barrier, x, y, site);
}
void store_box(const TensorMap* map, std::uintptr_t from, std::int32_t x, std::int32_t y, SiteId site) { Machine::current().store_box(*map, from, x, y, site); }
void commit_boxes(SiteId) { Machine::current().commit_boxes(); }
void wait_for_boxes(std::uint32_t groups, SiteId) { Machine::current().wait_for_boxes(groups); }
void set_registers(std::uint32_t count, std::uint32_t more, SiteId site) { Machine::current().set_registers(count, more != 0, site); }
void begin_groups(SiteId site) { Machine::current().begin_groups(site); }
void commit_groups(SiteId site) { Machine::current().commit_groups(site); }
void wait_for_groups(std::uint32_t groups) { Machine::current().wait_for_groups(groups); }
void commit_copies() { Machine::current().commit_copies(); }
void wait_for_copies(std::uint32_t groups) { Machine::current().wait_for_copies(groups); }
void print(const char* format, const std::uint64_t* values, SiteId site) {
  Machine::current().spend(site);
  Machine::current().print(format, values);
}
void trap(SiteId site) { Machine::current().trap(site); }
void turn(SiteId site) { Machine::current().spend(site); }
void check(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment, std::uint32_t how, SiteId site) {
  Machine::current().access(address, bytes, alignment, how, site);
}
std::uint64_t masked_load(std::uintptr_t address, std::uint32_t bytes, std::uint32_t mask, std::uint32_t how, SiteId site) {
  if ((mask & 1) == 0) return 0;
  check(address, bytes, bytes, how, site);
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}
void masked_store(std::uint64_t value, std::uintptr_t address, std::uint32_t bytes, std::uint32_t mask, std::uint32_t how, SiteId site) {
  if ((mask & 1) == 0) return;
  check(address, bytes, bytes, how | access::write, site);
  std::memcpy(reinterpret_cast<void*>(address), &value, bytes);
}

// The hardware's approximations, better than it has them. Denormals are flushed where it flushes them.
float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
float exp2_approximately(float x) { return flushed(static_cast<float>(std::exp2(static_cast<double>(flushed(x))))); }
float rsqrt_approximately(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
float divide_approximately(float a, float b) { return a / b; }

template <class Byte>
std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<Byte>(a >> shift)) * static_cast<std::int32_t>(static_cast<Byte>(b >> shift)));
  return sum;
}
std::uint32_t dot4_signed(std::uint32_t a, std::uint32_t b, std::uint32_t sum) { return dot4<std::int8_t>(a, b, sum); }
std::uint32_t dot4_unsigned(std::uint32_t a, std::uint32_t b, std::uint32_t sum) { return dot4<std::uint8_t>(a, b, sum); }

// The compiler's own conversions of 16-bit floats, which it calls where the machine has no instruction for them. Such a float lies in
// the lowest bits of the register of a float.
float sixteen_bits(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
float bf16_of_float(float x) { return sixteen_bits(float_to_bf16(x)); }
float f16_of_float(float x) { return sixteen_bits(float_to_f16(x)); }
float float_of_f16(float half) { return f16_to_float(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(half))); }

}  // namespace

const std::vector<std::pair<std::string, void*>>& host_functions() {
  using Real = float (*)(float);
  using Wide = double (*)(double);
  static const std::vector<std::pair<std::string, void*>> functions = {
      {"phobos_emulate_register", reinterpret_cast<void*>(&read_register)},
      {"phobos_emulate_shared", reinterpret_cast<void*>(&shared_memory)},
      {"phobos_emulate_barrier", reinterpret_cast<void*>(&barrier)},
      {"phobos_emulate_warp", reinterpret_cast<void*>(&warp)},
      {"phobos_emulate_matrices", reinterpret_cast<void*>(&matrices)},
      {"phobos_emulate_copy", reinterpret_cast<void*>(&copy)},
      {"phobos_emulate_groups", reinterpret_cast<void*>(&multiply_by_groups)},
      {"phobos_emulate_publish", reinterpret_cast<void*>(&publish)},
      {"phobos_emulate_group_barrier", reinterpret_cast<void*>(&group_barrier)},
      {"phobos_emulate_arrive_at_barrier", reinterpret_cast<void*>(&arrive_at_barrier)},
      {"phobos_emulate_make_phases", reinterpret_cast<void*>(&make_phases)},
      {"phobos_emulate_expect", reinterpret_cast<void*>(&expect)},
      {"phobos_emulate_arrive", reinterpret_cast<void*>(&arrive)},
      {"phobos_emulate_wait_for_phase", reinterpret_cast<void*>(&wait_for_phase)},
      {"phobos_emulate_load_box", reinterpret_cast<void*>(&load_box)},
      {"phobos_emulate_store_box", reinterpret_cast<void*>(&store_box)},
      {"phobos_emulate_commit_boxes", reinterpret_cast<void*>(&commit_boxes)},
      {"phobos_emulate_wait_for_boxes", reinterpret_cast<void*>(&wait_for_boxes)},
      {"phobos_emulate_set_registers", reinterpret_cast<void*>(&set_registers)},
      {"phobos_emulate_begin_groups", reinterpret_cast<void*>(&begin_groups)},
      {"phobos_emulate_commit_groups", reinterpret_cast<void*>(&commit_groups)},
      {"phobos_emulate_wait_for_groups", reinterpret_cast<void*>(&wait_for_groups)},
      {"phobos_emulate_commit_copies", reinterpret_cast<void*>(&commit_copies)},
      {"phobos_emulate_wait_for_copies", reinterpret_cast<void*>(&wait_for_copies)},
      {"phobos_emulate_print", reinterpret_cast<void*>(&print)},
      {"phobos_emulate_trap", reinterpret_cast<void*>(&trap)},
      {"phobos_emulate_turn", reinterpret_cast<void*>(&turn)},
      {"phobos_emulate_check", reinterpret_cast<void*>(&check)},
      {"phobos_emulate_masked_load", reinterpret_cast<void*>(&masked_load)},
      {"phobos_emulate_masked_store", reinterpret_cast<void*>(&masked_store)},
      {"phobos_emulate_exp2", reinterpret_cast<void*>(&exp2_approximately)},
      {"phobos_emulate_rsqrt", reinterpret_cast<void*>(&rsqrt_approximately)},
      {"phobos_emulate_divide", reinterpret_cast<void*>(&divide_approximately)},
      {"phobos_emulate_round_tf32", reinterpret_cast<void*>(&round_to_tf32)},
      {"phobos_emulate_dot4_signed", reinterpret_cast<void*>(&dot4_signed)},
      {"phobos_emulate_dot4_unsigned", reinterpret_cast<void*>(&dot4_unsigned)},
      {"__truncsfbf2", reinterpret_cast<void*>(&bf16_of_float)},
      {"__truncsfhf2", reinterpret_cast<void*>(&f16_of_float)},
      {"__extendhfsf2", reinterpret_cast<void*>(&float_of_f16)},
      {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma))},
      {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma))},
      {"floorf", reinterpret_cast<void*>(static_cast<Real>(&std::floor))},
      {"floor", reinterpret_cast<void*>(static_cast<Wide>(&std::floor))},
      {"ceilf", reinterpret_cast<void*>(static_cast<Real>(&std::ceil))},
      {"ceil", reinterpret_cast<void*>(static_cast<Wide>(&std::ceil))},
      {"truncf", reinterpret_cast<void*>(static_cast<Real>(&std::trunc))},
      {"trunc", reinterpret_cast<void*>(static_cast<Wide>(&std::trunc))},
      {"roundevenf", reinterpret_cast<void*>(static_cast<Real>(&std::nearbyint))},
      {"roundeven", reinterpret_cast<void*>(static_cast<Wide>(&std::nearbyint))},
      {"memcpy", reinterpret_cast<void*>(&std::memcpy)},
      {"memset", reinterpret_cast<void*>(&std::memset)},
      {"memmove", reinterpret_cast<void*>(&std::memmove)},
  };
  return functions;
}

}  // namespace phobos::emulate
