#include "debug_expression.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <phobos/syntax/parser.h>

namespace phobos::cli {
namespace {

using namespace syntax;
using Form = PerThread::Form;

constexpr int lanes_of_warp = 32;

struct Failed {
  std::string message;
};

class Evaluation {
 public:
  Evaluation(const Item& item, const Moment& moment)
      : item_(item), moment_(moment), recording_(*moment.recording), threads_(static_cast<std::size_t>(recording_.threads())) {}

  PerThread value(ExprId id) {
    return std::visit([&](const auto& node) { return this->of(node); }, item_[id].node);
  }

 private:
  PerThread made(Form form, Kind kind) const {
    PerThread result;
    result.form = form;
    result.kind = kind;
    result.known.assign(threads_, 1);
    if (form == Form::Real) result.reals.resize(threads_);
    else result.integers.resize(threads_);
    return result;
  }
  PerThread everywhere(std::int64_t number, Form form = Form::Integer) const {
    PerThread result = made(form, Kind::Uniform);
    result.integers.assign(threads_, number);
    return result;
  }
  PerThread everywhere(double number) const {
    PerThread result = made(Form::Real, Kind::Uniform);
    result.reals.assign(threads_, number);
    return result;
  }
  // `of` gives the number of a thread.
  template <class F>
  PerThread each(Kind kind, F&& of) const {
    PerThread result = made(Form::Integer, kind);
    for (std::size_t i = 0; i < threads_; ++i) result.integers[i] = of(static_cast<std::int64_t>(i));
    return result;
  }

  PerThread of(const ErrorExpr&) { throw Failed{"it is no expression"}; }
  PerThread of(const RunExpr&) { throw Failed{"a run of elements has no single value"}; }
  PerThread of(const CtxExpr&) { throw Failed{"`ctx` is read through a field, as `ctx.lane`"}; }
  PerThread of(const IntLiteral& node) { return everywhere(static_cast<std::int64_t>(node.value)); }
  PerThread of(const FloatLiteral& node) { return everywhere(node.value); }
  PerThread of(const BoolLiteral& node) { return everywhere(node.value, Form::Bool); }
  PerThread of(const ParenExpr& node) { return value(node.inner); }

  PerThread of(const NameExpr& node) {
    if (const std::optional<Held> held = recording_.held(moment_.step, moment_.call, node.name)) {
      if (!held->last->value.type.is_scalar()) throw Failed{fmt::format("`{}` is looked at element by element, as `{}[…]`", node.name, node.name)};
      return scalar(*held);
    }
    const ir::Kernel& kernel = recording_.kernel();
    for (std::size_t i = 0; i < kernel.dimensions.size(); ++i)
      if (kernel.dimensions[i] == node.name) return everywhere(recording_.before().dimensions[i]);
    for (const auto& [name, number] : kernel.constants)
      if (name == node.name) return everywhere(number);
    if (const int parameter = recording_.parameter(node.name); parameter >= 0) {
      const launch::Argument& given = recording_.before().arguments[static_cast<std::size_t>(parameter)];
      if (const auto* number = std::get_if<double>(&given)) return everywhere(*number);
      if (const auto* number = std::get_if<std::int64_t>(&given)) return everywhere(*number);
      throw Failed{fmt::format("`{}` is looked at element by element, as `{}[…]`", node.name, node.name)};
    }
    throw Failed{fmt::format("there is no `{}` here so far", node.name)};
  }

  PerThread scalar(const Held& held) const {
    const ScalarType element = held.last->value.type.element;
    PerThread result = made(is_float(element) ? Form::Real : element == ScalarType::Bool ? Form::Bool : Form::Integer, held.last->kind);
    for (std::size_t i = 0; i < threads_; ++i) {
      const launch::TraceWrite* write = held.of(static_cast<int>(i));
      const std::int64_t lane = write == nullptr ? 0 : write->value.lane_of(static_cast<int>(i), recording_.threads());
      if (write == nullptr || write->value.is_unset(lane, 0)) result.known[i] = 0;
      else if (result.form == Form::Real) result.reals[i] = write->value.reals[static_cast<std::size_t>(lane)];
      else result.integers[i] = write->value.integers[static_cast<std::size_t>(lane)];
    }
    return result;
  }

  PerThread of(const FieldExpr& node) {
    if (std::holds_alternative<CtxExpr>(item_[node.object].node)) return field(node.field.text);
    const auto* outer = std::get_if<FieldExpr>(&item_[node.object].node);
    const std::size_t axis = std::string_view("xyz").find(node.field.text);
    if (outer == nullptr || !std::holds_alternative<CtxExpr>(item_[outer->object].node) || node.field.text.size() != 1 || axis > 2)
      throw Failed{fmt::format("there is no field `{}`", node.field.text)};
    if (outer->field.text == "block") return everywhere(recording_.block()[axis]);
    if (outer->field.text == "blocks") return everywhere(recording_.grid()[axis]);
    throw Failed{fmt::format("`ctx.{}` has no axes", outer->field.text)};
  }

  PerThread field(const std::string& name) {
    const auto threads = static_cast<std::int64_t>(threads_);
    if (name == "threads") return everywhere(threads);
    if (name == "lanes") return everywhere(std::int64_t{lanes_of_warp});
    if (name == "warps") return everywhere(threads / lanes_of_warp);
    if (name == "thread") return each(Kind::Varying, [](std::int64_t i) { return i; });
    if (name == "lane") return each(Kind::Varying, [](std::int64_t i) { return i % lanes_of_warp; });
    if (name == "warp") return each(Kind::WarpUniform, [](std::int64_t i) { return i / lanes_of_warp; });
    throw Failed{fmt::format("`ctx` has no field `{}` that can be told alone", name)};
  }

  PerThread of(const UnaryExpr& node) {
    PerThread result = value(node.operand);
    for (std::size_t i = 0; i < threads_; ++i) switch (node.op) {
        case UnaryOp::Negate:
          if (result.form == Form::Real) result.reals[i] = -result.reals[i];
          else result.integers[i] = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(result.integers[i]));
          break;
        case UnaryOp::Not:
          if (result.form != Form::Bool) throw Failed{"`!` takes a bool"};
          result.integers[i] = result.integers[i] == 0;
          break;
        case UnaryOp::Complement:
          if (result.form == Form::Real) throw Failed{"`~` takes an integer"};
          result.integers[i] = ~result.integers[i];
          break;
      }
    return result;
  }

  PerThread of(const BinaryExpr& node) {
    const PerThread left = value(node.left), right = value(node.right);
    const bool real = left.form == Form::Real || right.form == Form::Real;
    const bool truth = is_comparison(node.op) || is_logical(node.op);
    PerThread result = made(truth ? Form::Bool : real ? Form::Real : left.form == Form::Bool ? right.form : left.form, join(left.kind, right.kind));
    for (std::size_t i = 0; i < threads_; ++i) {
      result.known[i] = left.known[i] & right.known[i];
      if (is_logical(node.op)) {  // what one side settles needs no other
        const bool settled = node.op == BinaryOp::Or;
        if (left.known[i] && left.truth(i) == settled) result.known[i] = 1;
        result.integers[i] = settled ? left.truth(i) || right.truth(i) : left.truth(i) && right.truth(i);
      } else if (!result.known[i]) {
        continue;
      } else if (real) {
        const double number = real_of(node.op, left.real(i), right.real(i));
        if (truth) result.integers[i] = number != 0;
        else result.reals[i] = number;
      } else if (const std::optional<std::int64_t> number = integer_of(node.op, left.integers[i], right.integers[i])) {
        result.integers[i] = *number;
      } else {
        result.known[i] = 0;
      }
    }
    return result;
  }

  static double real_of(BinaryOp op, double a, double b) {
    switch (op) {
      case BinaryOp::Add: return a + b;
      case BinaryOp::Sub: return a - b;
      case BinaryOp::Mul: return a * b;
      case BinaryOp::Div: return a / b;
      case BinaryOp::Eq: return a == b;
      case BinaryOp::Ne: return a != b;
      case BinaryOp::Lt: return a < b;
      case BinaryOp::Le: return a <= b;
      case BinaryOp::Gt: return a > b;
      case BinaryOp::Ge: return a >= b;
      default: throw Failed{fmt::format("`{}` takes integers", spelling(op))};
    }
  }

  // None: divided by zero.
  static std::optional<std::int64_t> integer_of(BinaryOp op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    switch (op) {
      case BinaryOp::Add: return static_cast<std::int64_t>(ua + ub);
      case BinaryOp::Sub: return static_cast<std::int64_t>(ua - ub);
      case BinaryOp::Mul: return static_cast<std::int64_t>(ua * ub);
      case BinaryOp::Div: return b == 0 ? std::nullopt : std::optional(b == -1 ? static_cast<std::int64_t>(0 - ua) : a / b);
      case BinaryOp::Rem: return b == 0 ? std::nullopt : std::optional(b == -1 ? 0 : a % b);
      case BinaryOp::Eq: return a == b;
      case BinaryOp::Ne: return a != b;
      case BinaryOp::Lt: return a < b;
      case BinaryOp::Le: return a <= b;
      case BinaryOp::Gt: return a > b;
      case BinaryOp::Ge: return a >= b;
      case BinaryOp::BitOr: return a | b;
      case BinaryOp::BitXor: return a ^ b;
      case BinaryOp::BitAnd: return a & b;
      case BinaryOp::Shl: return static_cast<std::int64_t>(ua << (ub & 63));
      case BinaryOp::Shr: return a >> (ub & 63);
      default: return std::nullopt;
    }
  }

  // An element of a tile or of a tensor, in each thread at its own place.
  PerThread of(const SubscriptExpr& node) {
    const auto* name = std::get_if<NameExpr>(&item_[node.object].node);
    if (name == nullptr) throw Failed{"only a tile or a tensor that has a name is looked at element by element"};
    std::vector<PerThread> at;
    Kind kind = Kind::Uniform;
    for (const Subscript& subscript : node.subscripts) {
      if (subscript.form != Subscript::Form::Point) throw Failed{"a slice has no single value: name one element"};
      at.push_back(value(subscript.first));
      kind = join(kind, at.back().kind);
    }
    if (const std::optional<Held> held = recording_.held(moment_.step, moment_.call, name->name); held && !held->last->value.type.is_scalar())
      return of_value(*held, at, join(kind, held->last->kind));
    const int parameter = recording_.parameter(name->name);
    if (recording_.given(parameter) == nullptr)
      throw Failed{fmt::format("there is no tile or tensor `{}` here so far", name->name)};
    const launch::HostTensor& tensor = recording_.tensor(moment_.step, parameter);
    PerThread result = made(is_float(tensor.element) ? Form::Real : tensor.element == ScalarType::Bool ? Form::Bool : Form::Integer, kind);
    for (std::size_t i = 0; i < threads_; ++i) {
      const std::int64_t element = place(at, tensor.shape, i);
      if (element < 0) result.known[i] = 0;
      else if (result.form == Form::Real) result.reals[i] = tensor.real_at(element);
      else result.integers[i] = tensor.integer_at(element);
    }
    return result;
  }

  PerThread of_value(const Held& held, const std::vector<PerThread>& at, Kind kind) const {
    const sim::Seen& last = held.last->value;
    PerThread result = made(is_float(last.type.element) ? Form::Real : last.type.element == ScalarType::Bool ? Form::Bool : Form::Integer, kind);
    for (std::size_t i = 0; i < threads_; ++i) {
      const launch::TraceWrite* write = held.of(static_cast<int>(i));
      const std::int64_t row = place(at, last.type.shape, i);
      result.known[i] = 0;
      if (write == nullptr || row < 0 || row >= write->value.rows) continue;
      const std::int64_t lane = write->value.lane_of(static_cast<int>(i), recording_.threads());
      if (write->value.is_unset(lane, row)) continue;
      result.known[i] = 1;
      const auto element = static_cast<std::size_t>(row * write->value.lanes + lane);
      if (result.form == Form::Real) result.reals[i] = write->value.reals[element];
      else result.integers[i] = write->value.integers[element];
    }
    return result;
  }

  // -1: outside, or not known.
  static std::int64_t place(const std::vector<PerThread>& at, const std::vector<std::int64_t>& shape, std::size_t thread) {
    if (at.size() != shape.size()) throw Failed{fmt::format("it has {} axes, not {}", shape.size(), at.size())};
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (at[axis].form == Form::Real) throw Failed{"an index is an integer"};
      const std::int64_t index = at[axis].integers[thread];
      if (!at[axis].known[thread] || index < 0 || index >= shape[axis]) return -1;
      element = element * shape[axis] + index;
    }
    return element;
  }

  PerThread of(const CallExpr& node) {
    const auto* callee = std::get_if<NameExpr>(&item_[node.callee].node);
    const std::string name = callee == nullptr ? "" : callee->name;
    std::vector<PerThread> given;
    for (const ExprId argument : node.arguments) given.push_back(value(argument));
    if (node.fold) return folded(name, *node.fold, given);
    if (given.size() == 1) {
      if (const std::optional<ScalarType> type = scalar_named(name)) return converted(given[0], *type);
      if (const auto function = function_of(name)) {
        PerThread result = made(Form::Real, given[0].kind);
        result.known = given[0].known;
        for (std::size_t i = 0; i < threads_; ++i) result.reals[i] = function(given[0].real(i));
        return name == "abs" && given[0].form != Form::Real ? converted(result, ScalarType::I64) : result;
      }
    }
    if (given.size() == 2 && (name == "tmax" || name == "tmin")) return extreme(given[0], given[1], name == "tmax");
    throw Failed{fmt::format("`{}` cannot be watched: it is told where the kernel computes it", name)};
  }

  static double (*function_of(const std::string& name))(double) {
    static constexpr std::pair<std::string_view, double (*)(double)> known[] = {
        {"abs", [](double x) { return std::fabs(x); }},   {"sqrt", [](double x) { return std::sqrt(x); }}, {"exp", [](double x) { return std::exp(x); }},
        {"log", [](double x) { return std::log(x); }},    {"sin", [](double x) { return std::sin(x); }},   {"cos", [](double x) { return std::cos(x); }},
        {"floor", [](double x) { return std::floor(x); }}, {"ceil", [](double x) { return std::ceil(x); }}, {"tanh", [](double x) { return std::tanh(x); }},
        {"round", [](double x) { return std::nearbyint(x); }}};
    for (const auto& [its_name, function] : known)
      if (its_name == name) return function;
    return nullptr;
  }

  PerThread converted(const PerThread& from, ScalarType type) const {
    PerThread result = made(is_float(type) ? Form::Real : type == ScalarType::Bool ? Form::Bool : Form::Integer, from.kind);
    result.known = from.known;
    for (std::size_t i = 0; i < threads_; ++i) {
      if (result.form == Form::Real) result.reals[i] = type == ScalarType::F32 ? static_cast<double>(static_cast<float>(from.real(i))) : from.real(i);
      else if (from.form != Form::Real) result.integers[i] = from.integers[i];
      else if (std::isnan(from.reals[i]) || std::fabs(from.reals[i]) >= 9.2e18) result.known[i] = 0;
      else result.integers[i] = static_cast<std::int64_t>(from.reals[i]);
    }
    return result;
  }

  PerThread extreme(const PerThread& a, const PerThread& b, bool larger) const {
    const bool real = a.form == Form::Real || b.form == Form::Real;
    PerThread result = made(real ? Form::Real : Form::Integer, join(a.kind, b.kind));
    for (std::size_t i = 0; i < threads_; ++i) {
      result.known[i] = a.known[i] & b.known[i];
      if (real) result.reals[i] = larger ? std::fmax(a.real(i), b.real(i)) : std::fmin(a.real(i), b.real(i));
      else result.integers[i] = larger ? std::max(a.integers[i], b.integers[i]) : std::min(a.integers[i], b.integers[i]);
    }
    return result;
  }

  // Over the threads that have a value.
  PerThread folded(const std::string& name, const Fold& fold, const std::vector<PerThread>& given) const {
    const bool lanes = fold.form == Fold::Form::OverLane;
    if ((!lanes && fold.form != Fold::Form::OverThread) || given.size() != 1) throw Failed{fmt::format("`{}<…>` cannot be watched", name)};
    PerThread result = given[0];
    result.kind = lanes ? Kind::WarpUniform : Kind::Uniform;
    const std::size_t group = lanes ? lanes_of_warp : threads_;
    for (std::size_t first = 0; first < threads_; first += group) {
      std::optional<double> real;
      std::optional<std::int64_t> integer;
      for (std::size_t i = first; i < first + group; ++i) {
        if (!given[0].known[i]) continue;
        if (result.form == Form::Real) real = real ? two(name, *real, given[0].reals[i]) : given[0].reals[i];
        else integer = integer ? two(name, *integer, given[0].integers[i]) : given[0].integers[i];
      }
      for (std::size_t i = first; i < first + group; ++i) {
        result.known[i] = real || integer;
        if (real) result.reals[i] = *real;
        if (integer) result.integers[i] = *integer;
      }
    }
    return result;
  }

  template <class T>
  static T two(const std::string& name, T a, T b) {
    if (name == "sum") return a + b;
    if (name == "max") return std::max(a, b);
    if (name == "min") return std::min(a, b);
    if (name == "any") return a != 0 || b != 0 ? 1 : 0;
    if (name == "all") return a != 0 && b != 0 ? 1 : 0;
    throw Failed{fmt::format("there is no fold `{}`", name)};
  }

  const Item& item_;
  const Moment& moment_;
  const Recording& recording_;
  const std::size_t threads_;
};

}  // namespace

std::string PerThread::text(std::size_t thread) const {
  if (!known[thread]) return "-";
  if (form == Form::Bool) return integers[thread] != 0 ? "true" : "false";
  if (form == Form::Integer) return fmt::format("{}", integers[thread]);
  return std::isnan(reals[thread]) ? "nan" : fmt::format("{}", static_cast<double>(static_cast<float>(reals[thread])) == reals[thread]
                                                                     ? fmt::format("{}", static_cast<float>(reals[thread]))
                                                                     : fmt::format("{}", reals[thread]));
}

Result<PerThread> evaluate(const std::string& expression, const Moment& moment) {
  if (expression.find_first_not_of(" \t") == std::string::npos) return Error{"there is no expression"};
  const std::shared_ptr<const Item> item = parse_item(fmt::format("fn watch() {{\n  let watch = {}\n}}", expression));
  const auto* let = item->body.size() == 1 ? std::get_if<LetStmt>(&(*item)[item->body[0]].node) : nullptr;
  if (!item->diagnostics.empty()) return Error{item->diagnostics[0].message};
  if (let == nullptr || !let->init.valid()) return Error{"it is no expression"};
  try {
    return Evaluation(*item, moment).value(let->init);
  } catch (const Failed& failed) {
    return Error{failed.message};
  }
}

}  // namespace phobos::cli
