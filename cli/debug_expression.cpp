#include "debug_expression.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <phobos/sema/check.h>
#include <phobos/syntax/parser.h>

#include "trace_text.h"

namespace phobos::cli {
namespace {

using namespace sema;
using builtins::Builtin;

constexpr std::size_t lanes_of_warp = 32;
constexpr std::string_view watched = "watched__";

struct Failed {
  std::string message;
};

double real_of(const Constant& constant) {
  if (const auto* integer = std::get_if<std::int64_t>(&constant.value)) return static_cast<double>(*integer);
  const auto* flag = std::get_if<bool>(&constant.value);
  return flag ? double(*flag) : std::get<double>(constant.value);
}

Constant element(ScalarType type, double real, std::int64_t integer) {
  if (is_float(type)) return {real};
  if (type == ScalarType::Bool) return {integer != 0};
  return {integer};
}

class Evaluation {
 public:
  Evaluation(const CheckedItem& item, const Moment& moment)
      : item_(item), moment_(moment), recording_(*moment.recording), threads_(static_cast<std::size_t>(recording_.threads())) {}

  PerThread value(ExprId id) {
    const Expr& expr = item_[id];
    if (expr.constant) return everywhere(*expr.constant, expr.type.element);
    if (!expr.type.is_scalar()) throw Failed{fmt::format("a {} has no single value: name one element", expr.type.is_run() ? "run of elements" : "tile")};
    return std::visit([&](const auto& node) { return this->of(node, expr); }, expr.node);
  }

 private:
  // `of` gives the value of a thread; none: it is not known.
  template <class F>
  PerThread each(ScalarType type, Kind kind, F&& of) const {
    PerThread result{type, kind, std::vector<Constant>(threads_, element(type, 0, 0)), std::vector<std::uint8_t>(threads_, 0)};
    for (std::size_t i = 0; i < threads_; ++i) {
      std::optional<Constant> one = of(i);
      if (!one) continue;
      result.values[i] = *one;
      result.known[i] = 1;
    }
    return result;
  }
  PerThread everywhere(const Constant& constant, ScalarType type) const {
    return each(type, Kind::Uniform, [&](std::size_t) { return std::optional(constant); });
  }
  PerThread everywhere(std::int64_t number) const { return everywhere(Constant{number}, ScalarType::Index); }
  static std::optional<Constant> in(const PerThread& value, std::size_t thread) {
    return value.known[thread] ? std::optional(value.values[thread]) : std::nullopt;
  }

  template <class Node>
  PerThread of(const Node&, const Expr&) {
    throw Failed{"this cannot be watched: it is told where the kernel computes it"};
  }

  PerThread of(const LocalExpr& node, const Expr& expr) {
    if (const auto bound = bound_.find(node.local); bound != bound_.end()) return bound->second;
    const std::string& name = item_[node.local].name;
    if (const std::optional<Held> held = recording_.held(moment_.step, moment_.call, name)) return scalar(*held);
    const ir::Kernel& kernel = recording_.kernel();
    for (std::size_t i = 0; i < kernel.dimensions.size(); ++i)
      if (kernel.dimensions[i] == name) return everywhere(recording_.before().dimensions[i]);
    for (const auto& [its_name, number] : kernel.constants)
      if (its_name == name) return everywhere(number);
    if (const int parameter = recording_.parameter(name); parameter >= 0) {
      const launch::Argument& given = recording_.before().arguments[static_cast<std::size_t>(parameter)];
      if (const auto* number = std::get_if<double>(&given)) return everywhere(Constant{*number}, expr.type.element);
      if (const auto* number = std::get_if<std::int64_t>(&given)) return everywhere(element(expr.type.element, 0, *number), expr.type.element);
    }
    throw Failed{fmt::format("there is no `{}` here so far", name)};
  }

  PerThread scalar(const Held& held) const {
    const ScalarType type = held.last->value.type.element;
    return each(type, held.last->kind, [&](std::size_t i) -> std::optional<Constant> {
      const launch::TraceWrite* write = held.of(static_cast<int>(i));
      if (write == nullptr) return std::nullopt;
      return seen(write->value, write->value.lane_of(static_cast<int>(i), recording_.threads()), 0);
    });
  }
  static std::optional<Constant> seen(const sim::Seen& value, std::int64_t lane, std::int64_t row) {
    if (row < 0 || row >= value.rows || value.is_unset(lane, row)) return std::nullopt;
    const auto at = static_cast<std::size_t>(row * value.lanes + lane);
    const bool real = is_float(value.type.element);
    return element(value.type.element, real ? value.reals[at] : 0, real ? 0 : value.integers[at]);
  }

  PerThread of(const CtxExpr& node, const Expr&) {
    using builtins::CtxField;
    const auto axis = static_cast<std::size_t>(node.axis);
    const auto threads = static_cast<std::int64_t>(threads_), lanes = static_cast<std::int64_t>(lanes_of_warp);
    const auto by_thread = [&](Kind kind, auto&& number) {
      return each(ScalarType::Index, kind, [&](std::size_t i) { return std::optional(Constant{static_cast<std::int64_t>(number(i))}); });
    };
    switch (node.field) {
      case CtxField::Block: return everywhere(recording_.block()[axis]);
      case CtxField::Blocks: return everywhere(recording_.grid()[axis]);
      case CtxField::Threads: return everywhere(threads);
      case CtxField::Lanes: return everywhere(lanes);
      case CtxField::Warps: return everywhere(threads / lanes);
      case CtxField::Warp: return by_thread(Kind::WarpUniform, [](std::size_t i) { return i / lanes_of_warp; });
      case CtxField::Thread: return by_thread(Kind::Varying, [](std::size_t i) { return i; });
      case CtxField::Lane: return by_thread(Kind::Varying, [](std::size_t i) { return i % lanes_of_warp; });
    }
    throw Failed{"there is no such field"};
  }

  PerThread of(const UnaryExpr& node, const Expr& expr) {
    const PerThread operand = value(node.operand);
    return each(expr.type.element, operand.kind, [&](std::size_t i) { return operand.known[i] ? fold(node.op, operand.values[i], operand.type) : std::nullopt; });
  }
  PerThread of(const BinaryExpr& node, const Expr& expr) {
    const PerThread left = value(node.left), right = value(node.right);
    return each(expr.type.element, join(left.kind, right.kind),
                [&](std::size_t i) { return left.known[i] && right.known[i] ? fold(node.op, left.values[i], right.values[i], left.type) : std::nullopt; });
  }
  // What the left side settles needs no right one.
  PerThread of(const LogicalExpr& node, const Expr&) {
    const PerThread left = value(node.left), right = value(node.right);
    return each(ScalarType::Bool, join(left.kind, right.kind), [&](std::size_t i) -> std::optional<Constant> {
      if (left.known[i] && left.truth(i) != node.is_and) return left.values[i];
      return left.known[i] ? in(right, i) : std::nullopt;
    });
  }
  PerThread of(const ConvertExpr& node, const Expr& expr) {
    const PerThread operand = value(node.operand);
    return each(expr.type.element, operand.kind, [&](std::size_t i) { return operand.known[i] ? std::optional(converted(operand.values[i], expr.type.element)) : std::nullopt; });
  }

  // An element of a tile or of a tensor, in each thread at its own place.
  PerThread of(const PointLoad& node, const Expr& expr) {
    std::vector<PerThread> at;
    Kind kind = Kind::Uniform;
    for (const ExprId index : node.indices) {
      at.push_back(value(index));
      kind = join(kind, at.back().kind);
    }
    return loaded(node.base, expr.type.element, kind, [&](const std::vector<std::int64_t>& shape, std::size_t thread) {
      std::int64_t place = 0;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t index = at[axis].known[thread] ? std::get<std::int64_t>(at[axis].values[thread].value) : -1;
        if (index < 0 || index >= shape[axis]) return std::int64_t{-1};
        place = place * shape[axis] + index;
      }
      return place;
    });
  }

  // `place` gives a thread's row-major position, or one below 0 where it has none.
  template <class F>
  PerThread loaded(ExprId base, ScalarType type, Kind kind, F&& place) {
    const auto* local = std::get_if<LocalExpr>(&item_[base].node);
    if (local == nullptr) throw Failed{"only a tile or a tensor that has a name is looked at element by element"};
    const std::string& name = item_[local->local].name;
    if (const std::optional<Held> held = recording_.held(moment_.step, moment_.call, name)) {
      return each(type, join(kind, held->last->kind), [&](std::size_t i) -> std::optional<Constant> {
        const launch::TraceWrite* write = held->of(static_cast<int>(i));
        if (write == nullptr) return std::nullopt;
        return seen(write->value, write->value.lane_of(static_cast<int>(i), recording_.threads()), place(held->last->value.type.shape, i));
      });
    }
    const launch::HostTensor& tensor = recording_.tensor(moment_.step, recording_.parameter(name));
    return each(type, kind, [&](std::size_t i) -> std::optional<Constant> {
      const std::int64_t at = place(tensor.shape, i);
      if (at < 0) return std::nullopt;
      return is_float(type) ? Constant{tensor.real_at(at)} : element(type, 0, tensor.integer_at(at));
    });
  }

  PerThread of(const BuiltinCall& node, const Expr& expr) {
    const ScalarType type = expr.type.element;
    if (node.id == Builtin::Elem) {
      const PerThread at = value(node.arguments[1]);
      return loaded(node.arguments[0], type, at.kind, [&](const std::vector<std::int64_t>& shape, std::size_t thread) {
        std::int64_t count = 1;
        for (const std::int64_t extent : shape) count *= extent;
        const std::int64_t place = at.known[thread] ? std::get<std::int64_t>(at.values[thread].value) : -1;
        return place < count ? place : -1;
      });
    }
    const std::string_view name = builtins::row(node.id).name;
    std::vector<PerThread> given;
    if (!node.fold || node.fold->form == syntax::Fold::Form::OverLane || node.fold->form == syntax::Fold::Form::OverThread)
      for (const ExprId argument : node.arguments) given.push_back(value(argument));
    if (node.fold && !given.empty()) return folded(node, given[0]);
    if (node.id == Builtin::Where && given.size() == 3)
      return each(type, join(given[0].kind, join(given[1].kind, given[2].kind)),
                  [&](std::size_t i) { return given[0].known[i] ? in(given[given[0].truth(i) ? 1 : 2], i) : std::nullopt; });
    if (const auto function = function_of(node.id); function && given.size() == 1)
      return each(type, given[0].kind, [&](std::size_t i) -> std::optional<Constant> {
        if (!given[0].known[i]) return std::nullopt;
        return is_integer(type) ? magnitude(given[0].values[i], type) : converted(Constant{function(real_of(given[0].values[i]))}, type);
      });
    if (given.size() == 2 && (node.id == Builtin::TMax || node.id == Builtin::TMin || node.id == Builtin::Pow))
      return each(type, join(given[0].kind, given[1].kind), [&](std::size_t i) {
        return given[0].known[i] && given[1].known[i] ? std::optional(of_two(node.id, given[0].values[i], given[1].values[i], type)) : std::nullopt;
      });
    throw Failed{fmt::format("`{}` cannot be watched: it is told where the kernel computes it", name)};
  }

  static Constant magnitude(const Constant& a, ScalarType type) {
    return std::get<std::int64_t>(a.value) < 0 ? *fold(UnaryOp::Negate, a, type) : a;
  }
  static Constant of_two(Builtin id, const Constant& a, const Constant& b, ScalarType type) {
    if (id == Builtin::Pow) return converted(Constant{std::pow(real_of(a), real_of(b))}, type);
    if (is_float(type)) return {id == Builtin::TMax ? std::fmax(real_of(a), real_of(b)) : std::fmin(real_of(a), real_of(b))};
    return *fold(id == Builtin::TMax ? BinaryOp::Gt : BinaryOp::Lt, a, b, type) == Constant{true} ? a : b;
  }
  static double (*function_of(Builtin id))(double) {
    switch (id) {
      case Builtin::Abs: return [](double x) { return std::fabs(x); };
      case Builtin::Sqrt: return [](double x) { return std::sqrt(x); };
      case Builtin::Rsqrt: return [](double x) { return 1.0 / std::sqrt(x); };
      case Builtin::Exp: return [](double x) { return std::exp(x); };
      case Builtin::Log: return [](double x) { return std::log(x); };
      case Builtin::Sin: return [](double x) { return std::sin(x); };
      case Builtin::Cos: return [](double x) { return std::cos(x); };
      case Builtin::Tanh: return [](double x) { return std::tanh(x); };
      case Builtin::Floor: return [](double x) { return std::floor(x); };
      case Builtin::Ceil: return [](double x) { return std::ceil(x); };
      case Builtin::Round: return [](double x) { return std::nearbyint(x); };
      default: return nullptr;
    }
  }

  // Over the threads that have a value.
  PerThread folded(const BuiltinCall& node, const PerThread& given) const {
    const bool lanes = node.fold->form == syntax::Fold::Form::OverLane;
    PerThread result = given;
    result.kind = lanes ? Kind::WarpUniform : Kind::Uniform;
    const std::size_t group = lanes ? lanes_of_warp : threads_;
    for (std::size_t first = 0; first < threads_; first += group) {
      std::optional<Constant> all;
      for (std::size_t i = first; i < first + group; ++i)
        if (given.known[i]) all = all ? two(node.id, *all, given.values[i], given.type) : given.values[i];
      for (std::size_t i = first; i < first + group; ++i) {
        result.known[i] = all.has_value();
        if (all) result.values[i] = *all;
      }
    }
    return result;
  }
  static Constant two(Builtin id, const Constant& a, const Constant& b, ScalarType type) {
    switch (id) {
      case Builtin::Sum: return *fold(BinaryOp::Add, a, b, type);
      case Builtin::Max: return of_two(Builtin::TMax, a, b, type);
      case Builtin::Min: return of_two(Builtin::TMin, a, b, type);
      case Builtin::Any: return *fold(BinaryOp::Or, a, b, type);
      case Builtin::All: return *fold(BinaryOp::And, a, b, type);
      default: throw Failed{fmt::format("`{}` cannot be watched", builtins::row(id).name)};
    }
  }

  PerThread of(const InlinedCall& node, const Expr&) {
    for (const auto& [local, argument] : node.bindings)
      if (item_[argument].type.is_scalar()) bound_.insert_or_assign(local, value(argument));
    for (const StmtId id : *node.body) {
      const auto& stmt = item_[id].node;
      if (const auto* result = std::get_if<Return>(&stmt); result && result->value.valid()) return value(result->value);
      const auto* declared = std::get_if<Declare>(&stmt);
      if (declared == nullptr || !declared->init.valid()) break;
      bound_.insert_or_assign(declared->local, value(declared->init));
    }
    throw Failed{fmt::format("`{}` cannot be watched: it is told where the kernel calls it", item_.name_of_origin(node.origin))};
  }

  const CheckedItem& item_;
  const Moment& moment_;
  const Recording& recording_;
  const std::size_t threads_;
  std::map<LocalId, PerThread> bound_;  // in calls of functions
};

// A kernel in which the names of the expression are what they are at the moment, and a name stands for it.
std::string kernel_around(const std::string& expression, const Moment& moment) {
  const Recording& recording = *moment.recording;
  const ir::Kernel& kernel = recording.kernel();
  std::string parameters, body;
  const auto declare = [&](std::string_view name, ScalarType type) {
    if (type == ScalarType::Index) body += fmt::format("  var {} = ctx.thread\n", name);
    else body += fmt::format("  var {}: {} = {}\n", name, name_of(type), type == ScalarType::Bool ? "false" : is_float(type) ? "0.0" : "0");
  };
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::vector<std::string> seen;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at + 1;
    while (is_word(expression[at]) && end < expression.size() && is_word(expression[end])) ++end;
    const std::string name = expression.substr(at, end - at);
    const bool is_field = at > 0 && expression[at - 1] == '.';
    at = end;
    if (!is_word(name[0]) || is_field || std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    const int parameter = recording.parameter(name);
    if (const std::optional<Held> held = recording.held(moment.step, moment.call, name)) {
      const ir::Type& type = held->last->value.type;
      if (type.is_scalar()) declare(name, type.element);
      else if (type.is_tile()) body += fmt::format("  var {}: {}\n", name, type_text(held->last->value));
    } else if (std::find(kernel.dimensions.begin(), kernel.dimensions.end(), name) != kernel.dimensions.end() ||
               std::any_of(kernel.constants.begin(), kernel.constants.end(), [&](const auto& each) { return each.first == name; })) {
      declare(name, ScalarType::Index);
    } else if (const launch::HostTensor* tensor = recording.given(parameter)) {
      parameters += fmt::format("{}{}: tensor<{}>{}", parameters.empty() ? "" : ", ", name, name_of(tensor->element), launch::shape_text(tensor->shape));
    } else if (parameter >= 0) {
      declare(name, kernel.parameters[static_cast<std::size_t>(parameter)].type.element);
    }
  }
  return fmt::format("@launch({})\nkernel {}({}) {{\n{}  let {} = {}\n}}", kernel.threads, watched, parameters, body, watched, expression);
}

}  // namespace

bool PerThread::truth(std::size_t thread) const { return known[thread] != 0 && real_of(values[thread]) != 0; }

std::string PerThread::text(std::size_t thread) const {
  if (!known[thread]) return "-";
  const Constant& value = values[thread];
  const auto* real = std::get_if<double>(&value.value);
  if (real == nullptr) return to_string(value);
  if (std::isnan(*real)) return "nan";
  return type == ScalarType::F64 ? fmt::format("{}", *real) : fmt::format("{}", static_cast<float>(*real));
}

Result<PerThread> evaluate(const std::string& expression, const Moment& moment) {
  if (expression.find_first_not_of(" \t") == std::string::npos) return Error{"there is no expression"};
  const std::shared_ptr<const syntax::Item> item = syntax::parse_item(kernel_around(expression, moment));
  if (!item->diagnostics.empty()) return Error{item->diagnostics[0].message};
  Environment environment;
  environment.find = [file = moment.recording->source().snapshot](std::string_view name) -> std::shared_ptr<const syntax::Item> {
    const ide::ItemView* found = file->file().named(name);
    return found == nullptr ? nullptr : found->analysis->checked.item;
  };
  const CheckedItem checked = check(item, environment);
  for (const diag::Diagnostic& each : checked.diagnostics)
    if (each.severity == diag::Severity::Error) return Error{each.message};
  const auto* let = checked.body.empty() ? nullptr : std::get_if<Declare>(&checked[checked.body.back()].node);
  if (let == nullptr || checked[let->local].name != watched || !let->init.valid()) return Error{"it is no expression"};
  try {
    return Evaluation(checked, moment).value(let->init);
  } catch (const Failed& failed) {
    return Error{failed.message};
  }
}

}  // namespace phobos::cli
