// Loop bounds are index arithmetic on dimensions, constants and `ctx`. So a CTA's work is found by walking its IR with the integer
// scalars that are known, turn by turn, and adding up the shapes of what is computed.

#include <phobos/launch/work.h>

#include <algorithm>
#include <cmath>
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

  Work cta(const Grid& block) {
    block_ = block;
    budget_ = 200'000;
    return region(kernel_.body);
  }

 private:
  Work region(ir::RegionId id) {
    Work total;
    for (const ir::OpId op : kernel_[id].ops) total += operation(kernel_[op]);
    return total;
  }

  Work operation(const ir::Op& op) {
    --budget_;
    switch (op.code) {
      case Opcode::For: return loop(op);
      case Opcode::If: return branch(op);
      case Opcode::While: {
        Work both = region(op.regions[0]);
        return both += region(op.regions[1]);
      }
      case Opcode::ScopeOp: return region(op.regions[0]);
      case Opcode::Dot: {
        const double products = 2.0 * elements(op.results[0]) * static_cast<double>(kernel_.type(op.operands[0]).shape.back());
        return {products, products, 0};
      }
      case Opcode::RowFold:
      case Opcode::CumSum:
      case Opcode::RunFold: return {floats(op.operands[0]), 0, 0};
      default: break;
    }
    if (op.results.size() == 1) known_[op.results[0]] = value_of(op);
    return {is_arithmetic(op.code) ? floats(op.results[0]) : 0, 0, bytes(op)};
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

  Work loop(const ir::Op& op) {
    const std::optional<std::int64_t> begin = known_[op.operands[0]], end = known_[op.operands[1]], step = known_[op.operands[2]];
    const ir::ValueId variable = kernel_[op.regions[0]].arguments[0];
    if (!begin || !end || !step || *step < 1) {
      known_[variable] = std::nullopt;
      return region(op.regions[0]);
    }
    if (*end <= *begin) return {};
    if (is_straight(op.regions[0])) {  // all turns do the same
      known_[variable] = *begin;
      return region(op.regions[0]).times(std::ceil((static_cast<double>(*end) - static_cast<double>(*begin)) / static_cast<double>(*step)));
    }
    Work total;
    double turns = 0;
    for (std::int64_t i = *begin; i < *end; i += *step) {
      known_[variable] = i;
      total += region(op.regions[0]);
      ++turns;
      // Past the budget the turns so far stand for the rest.
      if (budget_ < 0) return total.times(static_cast<double>(*end - *begin) / static_cast<double>(*step) / turns);
    }
    return total;
  }

  bool is_straight(ir::RegionId id) const {
    const std::vector<ir::OpId>& ops = kernel_[id].ops;
    return std::all_of(ops.begin(), ops.end(), [&](ir::OpId op) { return kernel_[op].regions.empty(); });
  }

  Work branch(const ir::Op& op) {
    const std::optional<std::int64_t> condition = known_[op.operands[0]];
    if (condition) return *condition != 0 ? region(op.regions[0]) : op.regions.size() > 1 ? region(op.regions[1]) : Work();
    Work longest;
    for (const ir::RegionId id : op.regions) {
      const Work one = region(id);
      longest = {std::max(longest.operations, one.operations), std::max(longest.contractions, one.contractions), std::max(longest.traffic, one.traffic)};
    }
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
  std::int64_t budget_ = 0;
  IdVector<ir::ValueId, std::optional<std::int64_t>> known_;
};

}  // namespace

Work count_work(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid) {
  const std::int64_t ctas = grid[0] * grid[1] * grid[2];
  if (ctas == 0) return {};
  constexpr std::int64_t most = 64;
  constexpr double golden = 0.6180339887498949;  // so that samples meet all parts of each axis alike
  const std::int64_t samples = std::min(ctas, most);
  Counter counter(kernel, dimensions, grid);
  Work total;
  for (std::int64_t s = 0; s < samples; ++s) {
    const double at = (static_cast<double>(s) + 0.5) * golden;
    const std::int64_t cta = samples == ctas ? s : std::min(ctas - 1, static_cast<std::int64_t>((at - std::floor(at)) * static_cast<double>(ctas)));
    total += counter.cta({cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]});
  }
  return total.times(static_cast<double>(ctas) / static_cast<double>(samples));
}

double count_operations(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid) { return count_work(kernel, dimensions, grid).operations; }

}  // namespace phobos::launch
