// The scalar helpers on packed bytes, in ordinary i32 operations.
#include "lowering.h"

#include <fmt/format.h>

namespace phobos::lower {

namespace {
ir::Type word_type() { return ir::Type::scalar(ScalarType::I32); }
}  // namespace

ValueId Lowering::with_integer(Opcode code, ValueId left, std::int64_t right) {
  const ir::Type type = kernel_.type(left);
  return emit(code, type, {left, builder_.integer(type.element, right)});
}

// Pairs, nibbles, bytes, and their sum in the top byte. Shifts are arithmetic; the masks take the copied sign bits away.
ValueId Lowering::popcount(ValueId x) {
  x = emit(Opcode::Sub, word_type(), {x, with_integer(Opcode::And, with_integer(Opcode::Shr, x, 1), 0x55555555)});
  const ValueId high = with_integer(Opcode::And, with_integer(Opcode::Shr, x, 2), 0x33333333);
  x = emit(Opcode::Add, word_type(), {with_integer(Opcode::And, x, 0x33333333), high});
  x = with_integer(Opcode::And, emit(Opcode::Add, word_type(), {x, with_integer(Opcode::Shr, x, 4)}), 0x0f0f0f0f);
  return with_integer(Opcode::Shr, with_integer(Opcode::Mul, x, 0x01010101), 24);
}

// Byte `i` of the result is the one of the eight that nibble `i` of `selector` numbers: `a` has 0 to 3, `b` 4 to 7.
ValueId Lowering::byteperm(ValueId a, ValueId b, ValueId selector) {
  ValueId result;
  for (int i = 0; i < 4; ++i) {
    const ValueId number = with_integer(Opcode::Shr, selector, 4 * i);
    const ValueId in_b = convert(with_integer(Opcode::And, number, 4), ScalarType::Bool);
    const ValueId word = emit(Opcode::Select, word_type(), {in_b, b, a});
    const ValueId bits = with_integer(Opcode::Mul, with_integer(Opcode::And, number, 3), 8);
    const ValueId byte = with_integer(Opcode::And, emit(Opcode::Shr, word_type(), {word, bits}), 0xff);
    const ValueId placed = with_integer(Opcode::Shl, byte, 8 * i);
    result = result ? emit(Opcode::Or, word_type(), {result, placed}) : placed;
  }
  return result;
}

ValueId Lowering::dp4a(ValueId a, ValueId b, ValueId sum) {
  const auto byte = [&](ValueId word, int i) {
    return with_integer(Opcode::Shr, with_integer(Opcode::Shl, word, 24 - 8 * i), 24);
  };
  for (int i = 0; i < 4; ++i) sum = emit(Opcode::Add, word_type(), {sum, emit(Opcode::Mul, word_type(), {byte(a, i), byte(b, i)})});
  return sum;
}

// Four bytes from a point on along the last axis, the first one lowest.
ValueId Lowering::word(const sema::BuiltinCall& node) {
  const ValueId buffer = buffer_of(node.arguments[0]);
  const ir::Type element = ir::Type::scalar(kernel_.type(buffer).element);
  if (size_of(element.element) != 1) throw NotYet{fmt::format("`word` of {} elements", phobos::name_of(element.element))};
  mark(buffer, true, false);
  Values at = {buffer};
  for (std::size_t i = 1; i < node.arguments.size(); ++i) at.push_back(expr(node.arguments[i]));
  const ValueId last = at.back();
  ValueId result;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) at.back() = with_integer(Opcode::Add, last, i);
    const ValueId byte = with_integer(Opcode::And, convert(emit(Opcode::Load, element, at), ScalarType::I32), 0xff);
    const ValueId placed = i > 0 ? with_integer(Opcode::Shl, byte, 8 * i) : byte;
    result = result ? emit(Opcode::Or, word_type(), {result, placed}) : placed;
  }
  return result;
}

// From the fields of the bits, exactly: (1024 + fraction) * 2^(exponent - 25), or fraction * 2^-24 where the exponent is 0. The
// power is a product of a factor for each bit of the exponent. An exponent of 31 is an infinity or, with a fraction, no number.
ValueId Lowering::f16_of_bits(ValueId bits) {
  const ir::Type real = ir::Type::scalar(ScalarType::F32), truth = ir::Type::scalar(ScalarType::Bool);
  const auto number = [&](double value) { return builder_.real(ScalarType::F32, value); };
  const auto field = [&](int shift, std::int64_t mask) {
    return with_integer(Opcode::And, with_integer(Opcode::Shr, bits, shift), mask);
  };
  const auto is = [&](ValueId x, std::int64_t value) {
    return emit(Opcode::CmpEq, truth, {x, builder_.integer(ScalarType::I32, value)});
  };
  const auto choose = [&](ValueId condition, ValueId a, ValueId b) {
    return emit(Opcode::Select, kernel_.type(a), {condition, a, b});
  };
  const ValueId exponent = field(10, 31), fraction = field(0, 0x3ff);
  const ValueId denormal = is(exponent, 0);
  const ValueId significand = choose(denormal, fraction, with_integer(Opcode::Add, fraction, 1024));
  const ValueId unit = choose(denormal, number(0x1p-24), number(0x1p-25));
  ValueId value = emit(Opcode::Mul, real, {convert(significand, ScalarType::F32), unit});
  constexpr double factors[] = {0x1p1, 0x1p2, 0x1p4, 0x1p8, 0x1p16};
  for (int bit = 0; bit < 5; ++bit)
    value = emit(Opcode::Mul, real, {value, choose(is(field(10 + bit, 1), 1), number(factors[bit]), number(1))});
  const ValueId special = emit(Opcode::Div, real, {choose(is(fraction, 0), number(1), number(0)), number(0)});
  value = choose(is(exponent, 31), special, value);
  value = choose(is(field(15, 1), 1), emit(Opcode::Neg, real, {value}), value);
  return convert(value, ScalarType::F16);
}

ValueId Lowering::bytes(ExprId id, const sema::BuiltinCall& node) {
  using builtins::Builtin;
  if (node.id == Builtin::Word) {
    place_span(item_[id].location);
    return word(node);
  }
  const Values operands = exprs(node.arguments);
  place_span(item_[id].location);
  const auto word_of = [&](std::size_t i) { return convert(operands[i], ScalarType::I32); };
  switch (node.id) {
    case Builtin::BytePerm: return byteperm(word_of(0), word_of(1), word_of(2));
    case Builtin::Dp4a: return dp4a(word_of(0), word_of(1), word_of(2));
    case Builtin::F16Bits: return f16_of_bits(word_of(0));
    default: break;
  }
  const ScalarType element = kernel_.type(operands[0]).element;
  if (element == ScalarType::I8) return popcount(with_integer(Opcode::And, word_of(0), 0xff));
  if (size_of(element) < 8) return popcount(word_of(0));
  const ValueId low = popcount(word_of(0));
  const ValueId high = popcount(convert(with_integer(Opcode::Shr, operands[0], 32), ScalarType::I32));
  return emit(Opcode::Add, word_type(), {low, high});
}

}  // namespace phobos::lower
