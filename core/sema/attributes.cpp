// Attributes (language.md, 13). An unknown one is ignored with a hint, a known one with wrong arguments is an error.
#include <algorithm>
#include <set>

#include "checker.h"

namespace phobos::sema {

namespace {

using syntax::AttributeArgument;

const std::int64_t* int_value(const AttributeArgument& argument) {
  return argument.form == AttributeArgument::Form::Value ? std::get_if<std::int64_t>(&argument.value) : nullptr;
}

bool is_search_space(const AttributeArgument& argument) {
  return argument.form == AttributeArgument::Form::Choices && !argument.choices.empty() && !argument.name.missing &&
         std::all_of(argument.choices.begin(), argument.choices.end(), [](std::int64_t choice) { return choice > 0; });
}

std::optional<std::int64_t> combined(syntax::BinaryOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case syntax::BinaryOp::Add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case syntax::BinaryOp::Sub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case syntax::BinaryOp::Mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case syntax::BinaryOp::Div: return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case syntax::BinaryOp::Rem: return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    default: return std::nullopt;
  }
}

// None where a name has no value, or an operation none.
template <class ValueOf>
std::optional<std::int64_t> value_of(const syntax::ConstantExpr& arithmetic, ValueOf&& value_of_name) {
  std::vector<std::int64_t> stack;
  for (const syntax::ConstantExpr::Step& step : arithmetic.steps) {
    std::optional<std::int64_t> value;
    if (const auto* op = std::get_if<syntax::BinaryOp>(&step.what)) {
      const std::int64_t right = stack.back();
      stack.pop_back();
      value = combined(*op, stack.back(), right);
      stack.pop_back();
    } else if (const auto* name = std::get_if<std::string>(&step.what)) {
      value = value_of_name(*name, step.span);
    } else {
      value = std::get<std::int64_t>(step.what);
    }
    if (!value) return std::nullopt;
    stack.push_back(*value);
  }
  return stack.back();
}

}  // namespace

void Checker::attributes() {
  std::set<std::string> seen;
  for (const syntax::Attribute& attribute : out_.item->attributes)  // whose constants others may name, wherever they stand
    if (!attribute.name.missing && attribute.name.text == "autotune") autotune(attribute);
  for (const syntax::Attribute& attribute : out_.item->attributes) {
    if (attribute.name.missing) continue;
    const std::string& name = attribute.name.text;
    const Location at = here(attribute.span);
    if (!seen.insert(name).second && name != "autotune" && name != "aligned") {
      auto& d = report(Code::AttributeTwice, at, name);
      const std::size_t next = out_.item->text.find_first_not_of(" \t\r\n", at.span.end);
      if (next != std::string::npos) d.fixes.push_back(replacement("Remove it", here({at.span.begin, static_cast<std::uint32_t>(next)}), ""));
      continue;
    }
    constexpr std::string_view of_kernels[] = {"launch", "aligned", "persistent", "dynshared", "registers", "swizzle", "pipeline", "tensorcore", "cluster", "precise"};
    if (!frame_.in_kernel && std::find(std::begin(of_kernels), std::end(of_kernels), name) != std::end(of_kernels)) {
      auto& d = report(Code::AttributeOfKernel, at, name);
      const std::size_t next = out_.item->text.find_first_not_of(" \t\r\n", at.span.end);
      if (next != std::string::npos) d.fixes.push_back(replacement("Remove it", here({at.span.begin, static_cast<std::uint32_t>(next)}), ""));
    }
    if (name == "launch") launch(attribute);
    else if (name == "autotune" || name == "aligned") continue;  // constants are known by now, dimensions not yet
    else if (name == "persistent") flag(attribute, out_.attributes.persistent);
    else if (name == "precise") flag(attribute, out_.attributes.precise);
    else if (name == "dynshared") flag(attribute, out_.attributes.dynamic_shared);
    else if (name == "registers") {
      const std::int64_t* n = attribute.arguments.size() == 1 ? int_value(attribute.arguments[0]) : nullptr;
      if (n && *n >= 16 && *n <= 255) cap_registers(*n, at);
      else wrong_attribute(attribute, "a number of registers from 16 to 255", 16, 255);
    } else if (name == "swizzle") {
      const std::int64_t* n = attribute.arguments.size() == 1 ? int_value(attribute.arguments[0]) : nullptr;
      if (n && *n >= 1) out_.attributes.swizzle = *n;
      else wrong_attribute(attribute, "one positive number");
    } else if (name == "pipeline") {
      const bool bare = attribute.arguments.empty();
      const std::int64_t* n = attribute.arguments.size() == 1 ? int_value(attribute.arguments[0]) : nullptr;
      if (bare || (n && *n >= 2)) {
        out_.attributes.pipeline = bare ? 0 : *n;
        out_.attributes.pipeline_span = attribute.span;
      } else {
        wrong_attribute(attribute, "nothing or a number of stages, 2 or more", 2, INT32_MAX);
      }
    } else if (name == "tensorcore") {
      const bool bare = attribute.arguments.empty();
      const auto* word = attribute.arguments.size() == 1 ? std::get_if<std::string>(&attribute.arguments[0].value) : nullptr;
      using enum Attributes::TensorCore;
      if (bare) out_.attributes.tensor_core = F16;
      else if (word && *word == "tf32" && attribute.arguments[0].form == AttributeArgument::Form::Value) out_.attributes.tensor_core = Tf32;
      else {
        wrong_attribute(attribute, "nothing or `tf32`");
        if (word) last().fixes.push_back(replacement("Change to `tf32`", here(attribute.arguments[0].span), "tf32"));
      }
    } else if (name == "cluster") {
      if (attribute.arguments.empty()) report(Code::AttributeArguments, at, name, "search spaces, as in `X in [1, 2]`");
      for (const AttributeArgument& argument : attribute.arguments)
        if (!is_search_space(argument)) wrong_attribute(name, argument, "search spaces of positive numbers, as in `X in [1, 2]`");
    } else {
      constexpr std::string_view known[] = {"launch", "autotune", "aligned", "persistent", "precise", "dynshared", "registers", "swizzle", "pipeline", "tensorcore", "cluster"};
      auto& d = report(Code::UnknownAttribute, here(attribute.name.span), name);
      if (const auto near = builtins::nearest(name, known))
        d.fixes.push_back(replacement(fmt::format("Change to `@{}`", *near), here(attribute.name.span), std::string(*near)));
    }
  }
}

void Checker::flag(const syntax::Attribute& attribute, bool& target) {
  target = true;
  if (attribute.arguments.empty()) return;
  auto& d = report(Code::AttributeArguments, here(attribute.span), attribute.name.text, "no arguments");
  d.fixes.push_back(replacement("Remove them", here({attribute.name.span.end, attribute.span.end}), ""));
}

// Where there is one argument it is what is wrong.
void Checker::wrong_attribute(const syntax::Attribute& attribute, std::string_view takes, std::int64_t least, std::int64_t most) {
  if (attribute.arguments.size() == 1) wrong_attribute(attribute.name.text, attribute.arguments[0], takes, least, most);
  else report(Code::AttributeArguments, here(attribute.span), attribute.name.text, takes);
}

// A number that is past its bounds is mended to the nearest inside of them.
void Checker::wrong_attribute(const std::string& name, const AttributeArgument& argument, std::string_view takes, std::int64_t least, std::int64_t most) {
  const Location at = here(argument.span);
  const std::string given = text_at(at);
  auto& d = report(Code::AttributeArguments, at, name, takes);
  if (!given.empty() && given.find("…") == std::string::npos) d.message += fmt::format(", not `{}`", given);
  if (const auto* value = std::get_if<std::int64_t>(&argument.value); value && argument.form == AttributeArgument::Form::Assign && (name == "launch" || name == "registers" || name == "pipeline" || name == "swizzle"))
    d.fixes.push_back(replacement("Remove the name", at, std::to_string(*value)));
  const std::int64_t* number = int_value(argument);
  const auto* arithmetic = argument.form == AttributeArgument::Form::Value ? std::get_if<syntax::ConstantExpr>(&argument.value) : nullptr;
  const std::optional<std::int64_t> worked_out = arithmetic ? value_of(*arithmetic, [](const std::string&, Span) { return std::optional<std::int64_t>(); }) : std::nullopt;
  if (worked_out) number = &*worked_out;
  if (!number || least > most) return;
  const std::string better = std::to_string(std::clamp(*number, least, most));
  d.fixes.push_back(replacement(fmt::format("Change to {}", better), at, better));
}

// The third argument of `@launch`, or `@registers`.
void Checker::cap_registers(std::int64_t most, Location at) {
  if (const auto& other = out_.attributes.max_registers) {
    report(Code::AttributeArguments, at, "registers", "").message = fmt::format("the registers of a thread are capped at {} already", *other);
    return;
  }
  out_.attributes.max_registers = static_cast<int>(most);
}

// What `@pipeline` asserts cannot be without a loop.
void Checker::judge_pipeline() {
  const auto is_loop = [](const Stmt& stmt) { return std::holds_alternative<For>(stmt.node) || std::holds_alternative<While>(stmt.node); };
  for (const syntax::Attribute& attribute : out_.item->attributes)
    if (attribute.name.text == "pipeline" && out_.attributes.pipeline && out_.item->diagnostics.empty() && std::none_of(out_.stmts.begin(), out_.stmts.end(), is_loop)) {
      report(Code::AttributeArguments, here(attribute.span), "pipeline", "").message = "`@pipeline` asserts that a loop is pipelined, and there is no loop here";
      return;
    }
}

// Whether the parser found a mistake in it.
bool Checker::broken(const syntax::Attribute& attribute) const {
  const auto& found = out_.item->diagnostics;
  return std::any_of(found.begin(), found.end(), [&](const diag::Diagnostic& d) { return d.location.span.begin >= attribute.span.begin && d.location.span.begin < attribute.span.end; });
}

void Checker::launch(const syntax::Attribute& attribute) {
  const Location at = here(attribute.span);
  const auto& arguments = attribute.arguments;
  if (arguments.empty() && broken(attribute)) return;
  if (arguments.empty() || arguments.size() > 3) {
    report(Code::AttributeArguments, at, "launch", "a CTA size and, if wanted, the least CTAs and the most registers");
    return;
  }
  for (const AttributeArgument& argument : arguments)
    if (!int_value(argument) && &argument != &arguments.front()) {
      wrong_attribute("launch", argument, "whole numbers");
      return;
    }
  std::string with;
  const std::optional<std::int64_t> threads = count_of(arguments[0], with);
  if (!threads) return;
  out_.attributes.threads_written = *threads;
  launch_threads(arguments[0], *threads, with);
  if (arguments.size() > 1) {
    const std::int64_t blocks = *int_value(arguments[1]);
    if (blocks >= 1 && blocks <= 32) out_.attributes.min_blocks = static_cast<int>(blocks);
    else wrong_attribute("launch", arguments[1], "1 to 32 as the least CTAs on a multiprocessor", 1, 32);
  }
  if (arguments.size() > 2) {
    const std::int64_t registers = *int_value(arguments[2]);
    if (registers >= 16 && registers <= 255) cap_registers(registers, here(arguments[2].span));
    else wrong_attribute("launch", arguments[2], "16 to 255 as the most registers of a thread", 16, 255);
  }
}

void Checker::launch_threads(const AttributeArgument& argument, std::int64_t threads, const std::string& with) {
  const Location at = here(argument.span);
  const auto tell = [&](diag::Diagnostic& d, std::initializer_list<std::int64_t> better) {
    if (!int_value(argument)) {
      d.message += fmt::format(", which is `{}`{}", text_at(at), with);
      return;
    }
    for (const std::int64_t each : better) d.fixes.push_back(replacement(fmt::format("Change to {}", each), at, std::to_string(each)));
  };
  const std::int64_t near = std::clamp<std::int64_t>(threads, 1, 1024);
  const std::int64_t above = (near + 31) / 32 * 32;
  if (threads > 1024 && threads % 32 == 0) tell(report(Code::LaunchTooMany, at, threads), {1024});
  else if (threads > 32 && threads < 1024 && threads % 32 != 0) tell(report(Code::LaunchThreads, at, threads), {above, above - 32});
  else if (threads <= 0 || threads % 32 != 0) tell(report(Code::LaunchThreads, at, threads), {above});
  else out_.attributes.threads = static_cast<int>(threads);
}

std::optional<std::int64_t> Checker::count_of(const AttributeArgument& argument, std::string& with) {
  constexpr std::string_view takes = "whole numbers and, as the CTA's size, constants of `@autotune`";
  if (const std::int64_t* number = int_value(argument)) return *number;
  syntax::ConstantExpr name_alone;
  const auto* arithmetic = std::get_if<syntax::ConstantExpr>(&argument.value);
  if (const auto* name = std::get_if<std::string>(&argument.value)) {
    name_alone.steps.emplace_back(*name, argument.span);
    arithmetic = &name_alone;
  }
  if (argument.form != AttributeArgument::Form::Value || arithmetic == nullptr) {
    wrong_attribute("launch", argument, takes);
    return std::nullopt;
  }
  std::set<std::string> named;
  bool told = false;
  const std::optional<std::int64_t> value = value_of(*arithmetic, [&](const std::string& name, Span at) -> std::optional<std::int64_t> {
    const LocalId local = lookup(name);
    told = !local || out_.locals[local].form != Local::Form::Autotune || !out_.locals[local].constant;
    if (!local || out_.locals[local].form != Local::Form::Autotune) wrong_launch_name(argument, name, here(at), takes);
    else out_.locals[local].used = true;
    if (told) return std::nullopt;
    const std::int64_t chosen = std::get<std::int64_t>(out_.locals[local].constant->value);
    if (named.insert(name).second) with += fmt::format("{}{} = {}", with.empty() ? " with " : ", ", name, chosen);
    return chosen;
  });
  if (!value && !told)
    report(Code::AttributeArguments, here(argument.span), "launch", takes).message = fmt::format("`@launch`: `{}` has no value{}", text_at(here(argument.span)), with);
  return value;
}

void Checker::wrong_launch_name(const AttributeArgument& argument, const std::string& name, Location at, std::string_view takes) {
  wrong_attribute("launch", argument, takes);
  std::vector<std::string_view> names;
  for (const AutotuneConstant& constant : out_.attributes.autotune) names.push_back(constant.name);
  if (const auto near = nearest(name, names)) {
    last().message += fmt::format("; did you mean `{}`?", *near);
    last().fixes.push_back(replacement(fmt::format("Change to `{}`", *near), at, *near));
  }
}

void Checker::autotune(const syntax::Attribute& attribute) {
  if (attribute.arguments.empty() && broken(attribute)) return;
  if (attribute.arguments.empty()) report(Code::AttributeArguments, here(attribute.span), "autotune", "search spaces, as in `X in [64, 128]`");
  for (const AttributeArgument& argument : attribute.arguments) {
    if (!is_search_space(argument)) {
      if (argument.form == AttributeArgument::Form::Value && &argument != &attribute.arguments.front()) continue;  // one mistake with the one before
      wrong_attribute("autotune", argument, "search spaces of positive numbers, as in `X in [64, 128]`");
      const auto* number = std::get_if<std::int64_t>(&argument.value);
      if (argument.form == AttributeArgument::Form::Assign && number && *number > 0 && !argument.name.missing) {
        const std::string better = fmt::format("{} in [{}]", argument.name.text, *number);
        last().fixes.push_back(replacement(fmt::format("Change to `{}`", better), here(argument.span), better));
      }
      const auto* alone = argument.form == AttributeArgument::Form::Value ? std::get_if<std::string>(&argument.value) : nullptr;  // `@autotune(X)`
      const std::string& name = alone ? *alone : argument.name.text;
      if ((argument.form == AttributeArgument::Form::Value && !alone) || (!alone && argument.name.missing) || lookup(name)) continue;
      Local unknown;  // the name is there, so that its uses are no mistakes
      unknown.form = Local::Form::Autotune;
      unknown.name = name;
      unknown.type = Type::error();
      unknown.declared = here(alone ? argument.span : argument.name.span);
      declare(std::move(unknown));
      continue;
    }
    if (lookup(argument.name.text)) {
      report(Code::AutotuneName, here(argument.name.span), argument.name.text);
      continue;
    }
    AutotuneConstant constant{argument.name.text, argument.choices, argument.choices[0]};
    if (argument.choices.size() == 2 && argument.choices[0] < argument.choices[1]) {
      constant.choices.clear();
      const std::int64_t last = argument.choices[1];
      for (std::int64_t x = argument.choices[0]; x < last; x = x > last / 2 ? last : x * 2) constant.choices.push_back(x);
      constant.choices.push_back(argument.choices[1]);
    }
    if (const auto chosen = options_.constants.find(constant.name); chosen != options_.constants.end()) constant.value = chosen->second;
    Local local;
    local.form = Local::Form::Autotune;
    local.name = constant.name;
    local.type = Type::scalar(ScalarType::Index);
    local.declared = here(argument.name.span);
    local.constant = Constant{constant.value};
    declare(std::move(local));
    out_.attributes.autotune.push_back(std::move(constant));
  }
}

void Checker::aligned(const syntax::Attribute& attribute) {
  if (attribute.arguments.empty()) report(Code::AttributeArguments, here(attribute.span), "aligned", "dimensions and what they are multiples of, as in `K = 128`");
  for (const AttributeArgument& argument : attribute.arguments) {
    const auto* multiple = std::get_if<std::int64_t>(&argument.value);
    if (argument.form != AttributeArgument::Form::Assign || !multiple || *multiple < 1) {
      wrong_attribute("aligned", argument, "dimensions and what they are positive multiples of, as in `K = 128`");
      const auto* arithmetic = std::get_if<syntax::ConstantExpr>(&argument.value);
      if (arithmetic && arithmetic->steps.size() == 3 && std::get_if<syntax::BinaryOp>(&arithmetic->steps[2].what) && std::get<syntax::BinaryOp>(arithmetic->steps[2].what) == syntax::BinaryOp::Rem)
        last().fixes.push_back(replacement("Write `=`", here(arithmetic->steps[2].span), "="));  // `N % 64`
      continue;
    }
    const LocalId local = lookup(argument.name.text);
    if (!local || (out_.locals[local].form != Local::Form::Dimension && out_.locals[local].form != Local::Form::Autotune)) {
      auto& d = report(Code::AlignedName, here(argument.name.span), argument.name.text);
      std::vector<std::string_view> names;
      for (const LocalId dimension : out_.dimensions) names.push_back(out_[dimension].name);
      if (const auto near = nearest(argument.name.text, names)) {
        d.message += fmt::format("; did you mean `{}`?", *near);
        d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), here(argument.name.span), *near));
      }
      continue;
    }
    if (const auto& constant = out_.locals[local].constant; constant && std::get<std::int64_t>(constant->value) % *multiple != 0) {
      const std::int64_t value = std::get<std::int64_t>(constant->value);
      report(Code::AttributeArguments, here(argument.span), "aligned", "").message =
          fmt::format("`{}` is {}, which is no multiple of {}", argument.name.text, value, *multiple);
      continue;
    }
    const auto before = std::find_if(out_.attributes.aligned.begin(), out_.attributes.aligned.end(), [&](const AlignedPromise& each) { return each.dimension == argument.name.text; });
    if (before != out_.attributes.aligned.end()) {
      auto& d = report(Code::AttributeTwice, here(argument.span), "aligned");
      d.severity = diag::Severity::Hint;  // both promises hold
      d.message = fmt::format("`@aligned` names `{}` twice", argument.name.text);
      d.related.push_back({here(before->span), "it is named here first"});
    }
    out_.attributes.aligned.push_back({argument.name.text, *multiple, argument.span});
  }
}

}  // namespace phobos::sema
