// Random kernels mean the same after the passes as before.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <phobos/ir/builder.h>
#include <phobos/ir/text.h>
#include <phobos/passes/passes.h>
#include <phobos/sim/simulator.h>

using namespace phobos;
using namespace phobos::ir;

namespace {

constexpr int threads = 64;
constexpr ScalarType types[] = {ScalarType::I32, ScalarType::F32, ScalarType::I64, ScalarType::U8, ScalarType::BF16, ScalarType::Bool};

// Writes a kernel of scalar operations, branches and loops over what its threads load; everything that is made at the top level is
// stored at the end.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed), b_(kernel_) {}

  Kernel kernel() {
    kernel_.name = "random";
    kernel_.threads = threads;
    kernel_.body = b_.new_region();
    for (ScalarType type : types) parameter(type, "A", true);
    for (ScalarType type : types) parameter(type, "O", false);
    b_.set_region(kernel_.body);
    thread_ = b_.value(Opcode::Ctx, Type::scalar(ScalarType::Index), Kind::Varying, {}, static_cast<int>(CtxValue::Thread));
    std::vector<ValueId> values;
    const std::vector<ValueId> arguments = kernel_[kernel_.body].arguments;
    for (std::size_t i = 0; i < std::size(types); ++i)
      values.push_back(b_.value(Opcode::Load, Type::scalar(types[i]), {arguments[i], thread_}));
    for (ScalarType type : types) values.push_back(constant(type));
    statements(values, 14, 0);
    for (std::size_t i = 0; i < std::size(types); ++i) {
      ValueId sum;
      for (ValueId value : values)
        if (kernel_.type(value).element == types[i])
          sum = sum.valid() ? b_.value(types[i] == ScalarType::Bool ? Opcode::Xor : Opcode::Add, Type::scalar(types[i]), {sum, value}) : value;
      b_.op(Opcode::Store, {arguments[std::size(types) + i], sum, thread_});
    }
    b_.op(Opcode::Return, {});
    return std::move(kernel_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void parameter(ScalarType type, std::string name, bool read) {
    name += name_of(type);
    const Type buffer = Type::buffer(type, {threads}, Type::Space::Global);
    kernel_.parameters.push_back({name, buffer, read, !read});
    b_.add_argument(kernel_.body, buffer, Kind::Uniform, name);
  }

  ValueId constant(ScalarType type) {
    const double reals[] = {0, -0.0, 1, -1, 0.1, 1e30, 2.5};
    const std::int64_t integers[] = {0, 1, -1, 2, 7, 255, INT32_MAX};
    if (type == ScalarType::Bool) return b_.integer(type, below(2));
    if (is_float(type)) return b_.real(type, reals[below(7)]);
    const std::int64_t value = integers[below(7)];
    return b_.integer(type, type == ScalarType::U8 ? value & 255 : value);
  }

  ValueId pick(const std::vector<ValueId>& values, ScalarType type) {
    std::vector<ValueId> fitting;
    for (ValueId value : values)
      if (kernel_.type(value).element == type) fitting.push_back(value);
    return below(5) == 0 ? constant(type) : fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))];
  }

  void statements(std::vector<ValueId>& values, int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int what = below(depth < 3 ? 10 : 8);
      if (what == 8) branch(values, depth);
      else if (what == 9) loop(values, depth);
      else values.push_back(operation(values));
    }
  }

  ValueId operation(const std::vector<ValueId>& values) {
    const ScalarType type = types[below(std::size(types))];
    const ValueId a = pick(values, type), b = pick(values, type);
    if (below(6) == 0) {
      const ScalarType to = types[below(std::size(types))];
      return b_.value(Opcode::Convert, Type::scalar(to), {a});
    }
    if (below(5) == 0 && type != ScalarType::Bool) {
      const auto code = static_cast<Opcode>(static_cast<int>(Opcode::CmpEq) + below(6));
      return b_.value(code, Type::scalar(ScalarType::Bool), {a, b});
    }
    if (below(6) == 0) return b_.value(Opcode::Select, Type::scalar(type), {pick(values, ScalarType::Bool), a, b});
    static constexpr Opcode logic[] = {Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Not};
    static constexpr Opcode real[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div, Opcode::Min,
                                      Opcode::Max, Opcode::Neg, Opcode::Abs, Opcode::Floor, Opcode::Round};
    static constexpr Opcode whole[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Shl,
                                       Opcode::Shr, Opcode::Min, Opcode::Max, Opcode::Neg, Opcode::Not, Opcode::Abs};
    const Opcode code = type == ScalarType::Bool ? logic[below(std::size(logic))]
                        : is_float(type)         ? real[below(std::size(real))]
                                                 : whole[below(std::size(whole))];
    const bool unary = code == Opcode::Neg || code == Opcode::Not || code == Opcode::Abs || code == Opcode::Floor || code == Opcode::Round;
    return b_.value(code, Type::scalar(type), unary ? std::vector{a} : std::vector{a, b});
  }

  RegionId inside(OpId op) {
    const RegionId region = b_.new_region();
    kernel_[op].regions.push_back(region);
    b_.set_region(region);
    return region;
  }

  void branch(std::vector<ValueId>& values, int depth) {
    const ScalarType type = types[below(std::size(types))];
    const ValueId condition = pick(values, ScalarType::Bool);
    const OpId op = b_.op(Opcode::If, {condition});
    const RegionId outside = b_.region();
    Kind kind = kernel_[condition].kind;
    for (int i = 0; i < 2; ++i) {
      inside(op);
      std::vector<ValueId> inner = values;
      statements(inner, 1 + below(3), depth + 1);
      const ValueId result = pick(inner, type);
      kind = join(kind, kernel_[result].kind);
      b_.op(Opcode::Yield, {result});
    }
    b_.set_region(outside);
    values.push_back(b_.add_result(op, Type::scalar(type), kind));
  }

  // The carried value is varying, so that nobody has to find out how varying it becomes.
  void loop(std::vector<ValueId>& values, int depth) {
    const ScalarType type = types[below(std::size(types))];
    const ValueId zero = b_.integer(ScalarType::I32, 0), one = b_.integer(ScalarType::I32, 1), end = b_.integer(ScalarType::I32, below(4));
    const OpId op = b_.op(Opcode::For, {zero, end, one, pick(values, type)});
    const RegionId outside = b_.region();
    const RegionId region = inside(op);
    std::vector<ValueId> inner = values;
    inner.push_back(b_.add_argument(region, Type::scalar(ScalarType::I32), Kind::Uniform));
    inner.push_back(b_.add_argument(region, Type::scalar(type), Kind::Varying));
    statements(inner, 1 + below(4), depth + 1);
    if (below(2) == 0) leave(pick(inner, ScalarType::Bool), pick(inner, type));
    b_.op(Opcode::Yield, {pick(inner, type)});
    b_.set_region(outside);
    values.push_back(b_.add_result(op, Type::scalar(type), Kind::Varying));
  }

  void leave(ValueId condition, ValueId value) {
    const OpId op = b_.op(Opcode::If, {condition});
    const RegionId outside = b_.region();
    inside(op);
    b_.op(below(2) == 0 ? Opcode::Break : Opcode::Continue, {value});
    inside(op);
    b_.op(Opcode::Yield, {});
    b_.set_region(outside);
  }


  std::mt19937 random_;
  Kernel kernel_;
  Builder b_;
  ValueId thread_;
};

// NaNs are all alike: which bits they have is nobody's business.
bool same(ScalarType type, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (!is_float(type)) return a == b;
  const auto size = static_cast<std::size_t>(size_of(type));
  const std::uint64_t sign = std::uint64_t{1} << (bits_of(type) - 1);
  const std::uint64_t infinity = type == ScalarType::F64   ? 0x7ff0000000000000u
                                 : type == ScalarType::F32 ? 0x7f800000u
                                 : type == ScalarType::F16 ? 0x7c00u
                                                           : 0x7f80u;
  for (std::size_t i = 0; i < a.size(); i += size) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, a.data() + i, size);
    std::memcpy(&y, b.data() + i, size);
    const bool nan = (x & ~sign) > infinity && (y & ~sign) > infinity;
    if (!nan && x != y) return false;
  }
  return true;
}

using Memory = std::vector<std::vector<std::byte>>;

Memory run(const Kernel& kernel, unsigned seed, bool check_kinds) {
  std::mt19937 random(seed);
  Memory memory;
  for (const Parameter& parameter : kernel.parameters) {
    std::vector<std::byte> data(static_cast<std::size_t>(threads * size_of(parameter.type.element)));
    for (std::byte& byte : data) byte = std::byte(parameter.type.element == ScalarType::Bool ? random() % 2 : random() % 256);
    memory.push_back(std::move(data));
  }
  sim::Launch launch;
  for (auto& data : memory) launch.arguments.push_back(sim::Tensor{data.data(), {threads}});
  sim::Options options;
  options.workers = 1;
  options.check_kinds = check_kinds;
  options.checks = false;  // such kernels shift and convert as no person would
  const sim::Outcome outcome = sim::run(kernel, launch, options);
  for (const auto& finding : outcome.findings) FAIL_CHECK(finding.message);
  return memory;
}

void check_same(const Kernel& kernel, const Memory& before, const Memory& after, std::string_view what) {
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK_MESSAGE(same(kernel.parameters[i].type.element, before[i], after[i]), what, " changes ", kernel.parameters[i].name);
}

}  // namespace

TEST_CASE("random kernels mean the same after each pass, as text, and with kinds checked") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed ", seed);
    const Kernel kernel = Generator(seed).kernel();
    const auto faults = verify(kernel);
    REQUIRE_MESSAGE(faults.empty(), faults[0]);
    const Memory before = run(kernel, seed, false);
    check_same(kernel, before, run(kernel, seed, true), "checking kinds");
    const auto read = parse(print(kernel));
    REQUIRE_MESSAGE(read.ok(), read.message());
    check_same(kernel, before, run(*read, seed, false), "the text");
    Kernel changed = kernel;
    for (const passes::Pass& pass : passes::pipeline()) {
      pass.run(changed, passes::chip_named("sm_90a"));
      const auto after = verify(changed);
      REQUIRE_MESSAGE(after.empty(), pass.name, ": ", after[0]);
      check_same(kernel, before, run(changed, seed, false), pass.name);
    }
  }
}

namespace {

// O[8 i + j] = op(constant i, constant j), or, where `to` is another type, the constants converted.
Kernel of_constants(Opcode code, ScalarType type, ScalarType to) {
  const double least = -std::numeric_limits<double>::denorm_min();
  const double reals[] = {0, -0.0, 1.5, -1, 65519.999, 3.4028235677973366e38, std::numeric_limits<double>::infinity(), least};
  const std::int64_t integers[] = {0, 1, -1, 7, 127, -128, INT64_MAX, (std::int64_t{1} << 24) + 1};
  Kernel kernel;
  kernel.name = "constants";
  kernel.threads = threads;
  Builder b(kernel);
  kernel.body = b.new_region();
  const bool compares = code >= Opcode::CmpEq && code <= Opcode::CmpGe;
  const ScalarType result = compares ? ScalarType::Bool : to;
  kernel.parameters.push_back({"O", Type::buffer(result, {threads}, Type::Space::Global), false, true});
  const ValueId out = b.add_argument(kernel.body, kernel.parameters[0].type, Kind::Uniform, "O");
  b.set_region(kernel.body);
  const auto constant = [&](int i) {
    if (is_float(type)) return b.real(type, type == ScalarType::F64 ? reals[i] : static_cast<double>(static_cast<float>(reals[i])));
    const std::int64_t value = integers[i];
    switch (type) {
      case ScalarType::Bool: return b.integer(type, value & 1);
      case ScalarType::U8: return b.integer(type, static_cast<std::uint8_t>(value));
      case ScalarType::I8: return b.integer(type, static_cast<std::int8_t>(value));
      case ScalarType::I32: return b.integer(type, static_cast<std::int32_t>(value));
      default: return b.integer(type, value);
    }
  };
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const ValueId left = constant(i), right = constant(j);
      const bool one = code == Opcode::Convert || code == Opcode::Neg || code == Opcode::Abs || code == Opcode::Not || code == Opcode::Floor ||
                       code == Opcode::Ceil || code == Opcode::Round;
      const ValueId value = b.value(code, Type::scalar(result), one ? std::vector{left} : std::vector{left, right});
      b.op(Opcode::Store, {out, value, b.integer(ScalarType::Index, 8 * i + j)});
    }
  b.op(Opcode::Return, {});
  return kernel;
}

void check_folding(Opcode code, ScalarType type, ScalarType to) {
  const Kernel kernel = of_constants(code, type, to);
  Kernel folded = kernel;
  passes::fold_constants(folded, passes::chip_named("sm_90a"));
  check_same(kernel, run(kernel, 1, false), run(folded, 1, false), name_of(type));
}

}  // namespace

TEST_CASE("what is folded of constants is what the simulator computes") {
  using enum ScalarType;
  using enum Opcode;
  for (ScalarType type : {F16, BF16, F32, F64})
    for (Opcode code : {Add, Sub, Mul, Div, Min, Max, Neg, Abs, Floor, Ceil, Round, CmpEq, CmpNe, CmpLt, CmpLe, CmpGt, CmpGe}) {
      INFO(ir::info(code).mnemonic);
      check_folding(code, type, type);
    }
  for (ScalarType type : {I8, U8, I32, I64})
    for (Opcode code : {Add, Sub, Mul, And, Or, Xor, Shl, Shr, Min, Max, Neg, Not, Abs, CmpEq, CmpNe, CmpLt, CmpLe, CmpGt, CmpGe}) {
      INFO(ir::info(code).mnemonic);
      check_folding(code, type, type);
    }
  for (ScalarType from : {F16, BF16, F32, F64, I8, U8, I32, I64, Bool})
    for (ScalarType to : {F16, BF16, F32, F64, I8, U8, I32, I64, Bool})
      if (from != to) check_folding(Convert, from, to);
}
