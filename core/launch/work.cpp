// Loop bounds are index arithmetic on dimensions, constants and `ctx`. So a CTA's work is found by walking its IR with the integer
// scalars that are known, turn by turn, and adding up the shapes of what is computed.

#include <phobos/launch/work.h>

#include <algorithm>
#include <optional>

namespace phobos::launch {
namespace {

using ir::Opcode;

bool is_arithmetic(Opcode code) {
  switch (code) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Div:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Pow:
    case Opcode::Exp:
    case Opcode::Log:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Tanh:
    case Opcode::Sin:
    case Opcode::Cos: return true;
    default: return false;
  }
}

class Counter {
 public:
  Counter(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid)
      : kernel_(kernel), grid_(grid), known_(kernel.values.size()) {
    const ir::Region& body = kernel[kernel.body];
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      known_[body.arguments[kernel.parameters.size() + d]] = dimensions[d];
  }

  enum class What { Operations, Traffic };
  double cta(const Grid& block, What what) {
    block_ = block;
    what_ = what;
    budget_ = 200'000;
    return region(kernel_.body);
  }

 private:
  double region(ir::RegionId id) {
    double total = 0;
    for (const ir::OpId op : kernel_[id].ops) total += operation(kernel_[op]);
    return total;
  }

  double operation(const ir::Op& op) {
    --budget_;
    switch (op.code) {
      case Opcode::For: return loop(op);
      case Opcode::If: return branch(op);
      case Opcode::While: return region(op.regions[0]) + region(op.regions[1]);
      case Opcode::ScopeOp: return region(op.regions[0]);
      default: break;
    }
    if (what_ == What::Traffic) {
      if (op.results.size() == 1) known_[op.results[0]] = value_of(op);
      return bytes(op);
    }
    switch (op.code) {
      case Opcode::Dot: {
        const ir::Type& left = kernel_.type(op.operands[0]);
        return 2.0 * elements(op.results[0]) * static_cast<double>(left.shape.back());
      }
      case Opcode::RowFold:
      case Opcode::CumSum:
      case Opcode::RunFold: return floats(op.operands[0]);
      default: break;
    }
    if (op.results.size() == 1) known_[op.results[0]] = value_of(op);
    return is_arithmetic(op.code) ? floats(op.results[0]) : 0;
  }

  bool is_tensor(ir::ValueId id) const { return kernel_.type(id).is_buffer() && kernel_.type(id).space == ir::Type::Space::Global; }

  // That an operation takes from tensors, or gives to them.
  double bytes(const ir::Op& op) const {
    switch (op.code) {
      case Opcode::Load:
      case Opcode::TileLoad:
      case Opcode::RunLoad:
      case Opcode::ElemLoad:
        return is_tensor(op.operands[0]) ? elements(op.results[0]) * size_of(kernel_.type(op.operands[0]).element) : 0;
      case Opcode::Store:
      case Opcode::TileStore:
      case Opcode::RunStore: return is_tensor(op.operands[0]) ? elements(op.operands[1]) * size_of(kernel_.type(op.operands[0]).element) : 0;
      case Opcode::ElemStore: return is_tensor(op.operands[0]) ? elements(op.operands.back()) * size_of(kernel_.type(op.operands[0]).element) : 0;
      default: return 0;
    }
  }

  double loop(const ir::Op& op) {
    const std::optional<std::int64_t> begin = known_[op.operands[0]], end = known_[op.operands[1]], step = known_[op.operands[2]];
    const ir::ValueId variable = kernel_[op.regions[0]].arguments[0];
    if (!begin || !end || !step || *step < 1) {
      known_[variable] = std::nullopt;
      return region(op.regions[0]);
    }
    double total = 0, turns = 0;
    for (std::int64_t i = *begin; i < *end; i += *step) {
      known_[variable] = i;
      total += region(op.regions[0]);
      ++turns;
      // Past the budget the turns so far stand for the rest.
      if (budget_ < 0) return total * (static_cast<double>(*end - *begin) / static_cast<double>(*step)) / turns;
    }
    return total;
  }

  double branch(const ir::Op& op) {
    const std::optional<std::int64_t> condition = known_[op.operands[0]];
    if (condition) return *condition != 0 ? region(op.regions[0]) : op.regions.size() > 1 ? region(op.regions[1]) : 0;
    double longest = 0;
    for (const ir::RegionId id : op.regions) longest = std::max(longest, region(id));
    return longest;
  }

  // Elements that a value's computation makes: of a tile once, of a scalar or run in every thread that has its own.
  double elements(ir::ValueId id) const {
    const ir::Value& value = kernel_[id];
    const double count = static_cast<double>(ir::element_count(value.type.shape));
    return value.type.is_tile() || value.kind == Kind::Uniform ? count : count * kernel_.threads;
  }
  double floats(ir::ValueId id) const { return is_float(kernel_.type(id).element) ? elements(id) : 0; }

  std::optional<std::int64_t> value_of(const ir::Op& op) const {
    if (op.code == Opcode::Constant)
      return is_float(kernel_.type(op.results[0]).element) ? std::nullopt : std::optional(op.immediate);
    if (op.code == Opcode::Ctx) return ctx_value(static_cast<ir::CtxValue>(op.immediate));
    if (op.operands.empty() || !kernel_.type(op.results[0]).is_scalar()) return std::nullopt;
    const std::optional<std::int64_t> a = known_[op.operands[0]];
    if (!a) return std::nullopt;
    if (op.code == Opcode::Convert && is_integer(kernel_.type(op.results[0]).element)) return a;
    if (op.operands.size() < 2 || !known_[op.operands[1]]) return std::nullopt;
    return combine(op.code, *a, *known_[op.operands[1]]);
  }

  std::optional<std::int64_t> ctx_value(ir::CtxValue value) const {
    const int index = static_cast<int>(value);
    if (value <= ir::CtxValue::BlockZ) return block_[static_cast<std::size_t>(index)];
    if (value <= ir::CtxValue::BlocksZ) return grid_[static_cast<std::size_t>(index - 3)];
    return 0;  // the first thread stands for all
  }

  static std::optional<std::int64_t> combine(Opcode code, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (code) {
      case Opcode::Add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case Opcode::Sub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case Opcode::Mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case Opcode::Div: return b < 1 ? std::nullopt : std::optional(a / b);
      case Opcode::Rem: return b < 1 ? std::nullopt : std::optional(a % b);
      case Opcode::Min: return std::min(a, b);
      case Opcode::Max: return std::max(a, b);
      case Opcode::CmpLt: return a < b;
      case Opcode::CmpLe: return a <= b;
      case Opcode::CmpGt: return a > b;
      case Opcode::CmpGe: return a >= b;
      case Opcode::CmpEq: return a == b;
      case Opcode::CmpNe: return a != b;
      default: return std::nullopt;
    }
  }

  const ir::Kernel& kernel_;
  const Grid& grid_;
  Grid block_{};
  What what_ = What::Operations;
  std::int64_t budget_ = 0;
  IdVector<ir::ValueId, std::optional<std::int64_t>> known_;
};

}  // namespace

namespace {

double over_grid(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid, Counter::What what) {
  const std::int64_t ctas = grid[0] * grid[1] * grid[2];
  if (ctas == 0) return 0;
  constexpr std::int64_t most = 64;
  const std::int64_t samples = std::min(ctas, most);
  Counter counter(kernel, dimensions, grid);
  double total = 0;
  for (std::int64_t s = 0; s < samples; ++s) {
    const std::int64_t cta = static_cast<std::int64_t>(static_cast<double>(s) / static_cast<double>(samples) * static_cast<double>(ctas));
    total += counter.cta({cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]}, what);
  }
  return total / static_cast<double>(samples) * static_cast<double>(ctas);
}

}  // namespace

double count_operations(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid) {
  return over_grid(kernel, dimensions, grid, Counter::What::Operations);
}

double count_traffic(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid) {
  return over_grid(kernel, dimensions, grid, Counter::What::Traffic);
}

}  // namespace phobos::launch
