#include <phobos/passes/facts.h>

#include <algorithm>
#include <numeric>

namespace phobos::passes {
namespace {

using ir::Opcode;

constexpr std::int64_t most_extent = (std::int64_t{1} << 47) - 1;  // of any tensor: no machine addresses more

bool integer(ScalarType type) { return !is_float(type) && type != ScalarType::Bool; }

// Of a sum of bounds: nothing where one is not known, or the sum cannot be said.
std::int64_t sum(std::int64_t a, std::int64_t b, std::int64_t none) {
  std::int64_t made = 0;
  return a == none || b == none || __builtin_add_overflow(a, b, &made) ? none : made;
}

std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t none) {
  std::int64_t made = 0;
  return a == none || b == none || __builtin_mul_overflow(a, b, &made) ? none : made;
}

Fact number(std::int64_t value) { return {value == Fact::no_least ? 1 : std::abs(value), value, value, {}}; }

bool is_number(const Fact& fact) { return fact.least == fact.most; }

// A result that may have wrapped around is known to be a multiple of powers of two alone.
Fact checked(Fact made) {
  if (made.least != Fact::no_least && made.most != Fact::no_most) return made;
  return {made.divisor & -made.divisor, Fact::no_least, Fact::no_most, {}};
}

// Holds for both.
Fact either(const Fact& a, const Fact& b) {
  Fact made{std::gcd(a.divisor, b.divisor), std::min(a.least, b.least), std::max(a.most, b.most), {}};
  for (const auto& [dimension, far] : a.below)
    if (const auto other = b.below.find(dimension); other != b.below.end()) made.below[dimension] = std::min(far, other->second);
  return made;
}

Fact negated(const Fact& a) {
  return {a.divisor, a.most == Fact::no_most ? Fact::no_least : -a.most, a.least == Fact::no_least ? Fact::no_most : -a.least, {}};
}

Fact added(const Fact& a, const Fact& b) {
  Fact made{std::gcd(a.divisor, b.divisor), sum(a.least, b.least, Fact::no_least), sum(a.most, b.most, Fact::no_most), {}};
  const auto lowered = [&](const Fact& known, const Fact& by) {
    if (by.most == Fact::no_most) return;
    for (const auto& [dimension, far] : known.below) {
      std::int64_t left = 0;
      if (__builtin_sub_overflow(far, by.most, &left)) continue;
      const auto [found, fresh] = made.below.emplace(dimension, left);
      if (!fresh) found->second = std::max(found->second, left);
    }
  };
  lowered(a, b);
  lowered(b, a);
  return checked(std::move(made));
}

Fact multiplied(const Fact& a, const Fact& b) {
  Fact made;
  made.divisor = product(a.divisor, b.divisor, Fact::no_most);
  if (made.divisor == Fact::no_most) made.divisor = std::max(a.divisor, b.divisor);
  if (a.least >= 0 && b.least >= 0) {
    made.least = product(a.least, b.least, Fact::no_least);
    made.most = product(a.most, b.most, Fact::no_most);
  }
  return checked(std::move(made));
}

// By a positive number, of what is not negative.
Fact divided(const Fact& a, std::int64_t by) {
  return {a.divisor % by == 0 ? a.divisor / by : 1, a.least / by, a.most == Fact::no_most ? Fact::no_most : a.most / by, {}};
}

Fact remainder(const Fact& a, std::int64_t by) {
  return {std::gcd(a.divisor, by), 0, a.divisor % by == 0 ? 0 : std::min(a.most, by - 1), a.below};
}

Fact lesser(const Fact& a, const Fact& b) {
  Fact made{std::gcd(a.divisor, b.divisor), std::min(a.least, b.least), std::min(a.most, b.most), a.below};
  for (const auto& [dimension, far] : b.below) {
    const auto [found, fresh] = made.below.emplace(dimension, far);
    if (!fresh) found->second = std::max(found->second, far);
  }
  return made;
}

Fact greater(const Fact& a, const Fact& b) {
  Fact made = either(a, b);
  made.least = std::max(a.least, b.least);
  return made;
}

// What an integer type can hold.
Fact anything(ScalarType type) {
  if (type == ScalarType::Bool || is_float(type) || size_of(type) == 8) return {};
  const int bits = 8 * size_of(type);
  if (!is_signed(type)) return {1, 0, (std::int64_t{1} << bits) - 1, {}};
  return {1, -(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1, {}};
}

}  // namespace

Facts::Facts(const ir::Kernel& kernel) : kernel_(kernel), facts_(kernel.values.size()) {
  for (std::uint32_t i = 0; i < kernel.values.size(); ++i)
    if (const ir::ValueId id(i); kernel.type(id).is_scalar()) facts_[id] = anything(kernel.type(id).element);
  if (!kernel.body.valid()) return;
  const std::vector<ir::ValueId>& arguments = kernel[kernel.body].arguments;
  for (std::size_t i = 0; i < kernel.dimensions.size() && kernel.parameters.size() + i < arguments.size(); ++i)
    facts_[arguments[kernel.parameters.size() + i]] = {extent_divisor(ir::dynamic_extent(i)), 0, most_extent, {{i, 0}}};
  region(kernel.body);
}

std::int64_t Facts::extent_divisor(std::int64_t extent) const {
  if (!ir::is_dynamic(extent)) return extent;
  std::int64_t divisor = 1;
  for (const ir::Promise& promise : kernel_.promises)
    if (promise.dimension == kernel_.dimensions[ir::dimension_of(extent)]) divisor = std::lcm(divisor, promise.multiple);
  return divisor;
}

bool Facts::fits(ir::ValueId start, std::int64_t count, std::int64_t extent) const {
  const Fact& fact = facts_[start];
  if (!ir::is_dynamic(extent)) return fact.most != Fact::no_most && fact.most <= extent - count;
  const auto found = fact.below.find(ir::dimension_of(extent));
  return found != fact.below.end() && found->second >= count;
}

bool Facts::fits_where(ir::ValueId condition, ir::ValueId start, std::int64_t count, std::int64_t extent) const {
  if (fits(start, count, extent)) return true;
  const ir::OpId made = kernel_[condition].op;
  if (!made.valid() || kernel_[made].code != Opcode::CmpLt || kernel_[made].operands[0] != start) return false;
  const Fact& end = facts_[kernel_[made].operands[1]];
  const std::int64_t apart = std::max<std::int64_t>(1, std::gcd(facts_[start].divisor, end.divisor));
  if (!ir::is_dynamic(extent)) return end.most != Fact::no_most && end.most - apart <= extent - count;
  const auto found = end.below.find(ir::dimension_of(extent));
  return found != end.below.end() && found->second + apart >= count;
}

void Facts::region(ir::RegionId id) {
  for (const ir::OpId op_id : kernel_[id].ops) {
    const ir::Op& op = kernel_[op_id];
    if (op.code == Opcode::For) loop(op);
    for (const ir::RegionId inner : op.regions) region(inner);
    if (op.regions.empty() && op.results.size() == 1 && kernel_.type(op.results[0]).is_scalar() && integer(kernel_.type(op.results[0]).element)) {
      // What wraps around is not what was computed.
      Fact made = result(op);
      const Fact holds = anything(kernel_.type(op.results[0]).element);
      if (holds.least == Fact::no_least || (made.least >= holds.least && made.most <= holds.most)) facts_[op.results[0]] = std::move(made);
    }
  }
}

// Its variable stays below the end; by more than one where both are multiples of more.
void Facts::loop(const ir::Op& op) {
  const Fact &begin = facts_[op.operands[0]], &end = facts_[op.operands[1]], &step = facts_[op.operands[2]];
  if (step.least <= 0) return;
  const ir::ValueId variable = kernel_[op.regions[0]].arguments[0];
  if (begin.least == Fact::no_least) return;
  Fact fact{std::gcd(begin.divisor, step.divisor), begin.least, Fact::no_most, {}};
  const std::int64_t apart = std::max<std::int64_t>(1, std::gcd(fact.divisor, end.divisor));
  if (end.most != Fact::no_most) fact.most = std::max(fact.least, end.most - apart);
  for (const auto& [dimension, far] : end.below) fact.below[dimension] = far + apart;
  facts_[variable] = std::move(fact);
}

Fact Facts::result(const ir::Op& op) const {
  const auto operand = [&](std::size_t i) -> const Fact& { return facts_[op.operands[i]]; };
  const bool both = op.operands.size() == 2;
  const bool by_number = both && is_number(operand(1)) && operand(1).least > 0;
  switch (op.code) {
    case Opcode::Constant: return number(op.immediate);
    case Opcode::Ctx:
      switch (static_cast<ir::CtxValue>(op.immediate)) {
        case ir::CtxValue::Warp: return {1, 0, kernel_.threads / 32 - 1, {}};
        case ir::CtxValue::Thread: return {1, 0, kernel_.threads - 1, {}};
        case ir::CtxValue::Lane: return {1, 0, 31, {}};
        case ir::CtxValue::BlocksX:
        case ir::CtxValue::BlocksY:
        case ir::CtxValue::BlocksZ: return {1, 1, INT32_MAX, {}};
        default: return {1, 0, INT32_MAX - 1, {}};
      }
    case Opcode::Extent: {
      const std::int64_t extent = kernel_.type(op.operands[0]).shape[static_cast<std::size_t>(op.immediate)];
      if (!ir::is_dynamic(extent)) return number(extent);
      return {extent_divisor(extent), 0, most_extent, {{ir::dimension_of(extent), 0}}};
    }
    case Opcode::Add: return added(operand(0), operand(1));
    case Opcode::Sub: return added(operand(0), negated(operand(1)));
    case Opcode::Mul: return multiplied(operand(0), operand(1));
    case Opcode::Shl:
      if (is_number(operand(1)) && operand(1).least >= 0 && operand(1).least < 62) return multiplied(operand(0), number(std::int64_t{1} << operand(1).least));
      break;
    case Opcode::Div:
      if (by_number && operand(0).least >= 0) return divided(operand(0), operand(1).least);
      break;
    case Opcode::Rem:
      if (by_number && operand(0).least >= 0) return remainder(operand(0), operand(1).least);
      break;
    case Opcode::And:
      if (by_number) return {1, 0, operand(1).least, {}};
      break;
    case Opcode::Min: return lesser(operand(0), operand(1));
    case Opcode::Max: return greater(operand(0), operand(1));
    case Opcode::Select: return either(operand(1), operand(2));
    case Opcode::Convert:
      if (integer(kernel_.type(op.operands[0]).element)) return operand(0);
      break;
    default: break;
  }
  return anything(kernel_.type(op.results[0]).element);
}

}  // namespace phobos::passes
