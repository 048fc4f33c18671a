#include <phobos/sema/check.h>

#include <algorithm>
#include <cctype>

#include <phobos/support/limits.h>
#include <phobos/support/trim.h>

#include "checker.h"

namespace phobos::sema {

namespace {

bool is_error(const diag::Diagnostic& d) { return d.severity == diag::Severity::Error; }

}  // namespace

bool CheckedItem::ok() const {
  const auto none_in = [&](const std::vector<diag::Diagnostic>& found) { return std::none_of(found.begin(), found.end(), is_error); };
  return !inlines_errors && none_in(item->diagnostics) && none_in(diagnostics) &&
         std::all_of(functions.begin(), functions.end(), [&](const auto& function) { return none_in(function->diagnostics); });
}

ExprId CheckedItem::element_call(const BuiltinCall& generate) const {
  ExprId id = generate.arguments[0];
  while (const auto* convert = std::get_if<ConvertExpr>(&exprs[id].node)) id = convert->operand;
  return id;
}

std::string_view CheckedItem::name_of_origin(std::uint32_t origin) const {
  return origin == 0 ? item->name.text : functions[origin - 1]->name.text;
}

Checker::Checker(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options)
    : environment_(environment), options_(options) {
  out_.item = std::move(item);
  frame_.item = out_.item.get();
  frame_.in_kernel = out_.item->form == syntax::Item::Form::Kernel;
  generic_ = !frame_.in_kernel;
  seen_.resize(out_.item->exprs.size(), false);
}

CheckedItem Checker::run() {
  frame_.scopes.emplace_back();  // constants, dimensions and parameters
  call_stack_.push_back(out_.item->name.text);
  if (out_.item->name.text == "ctx") report(Code::CtxReserved, here(out_.item->name.span));
  if (!frame_.in_kernel && builtins::find(out_.item->name.text)) report(Code::Shadows, here(out_.item->name.span), out_.item->name.text, "the built-in of that name");
  attributes();
  declare_parameters();
  for (const syntax::Attribute& attribute : out_.item->attributes)
    if (attribute.name.text == "aligned") aligned(attribute);
  if (out_.item->result) frame_.result = declared_type(*out_.item->result);
  out_.body = block(out_.item->body);
  if (!frame_.in_kernel && !frame_.result.is_void() && !frame_.result.is_error() && out_.item->diagnostics.empty() && !always_returns(out_.body)) missing_return();
  report_unused();
  judge_accesses();
  judge_pipeline();
  try_type_repairs();
  std::stable_sort(out_.diagnostics.begin(), out_.diagnostics.end(), [](const auto& a, const auto& b) {
    return a.location.origin == 0 && b.location.origin == 0 && a.location.span.begin < b.location.span.begin;
  });
  tell_names_once();
  trim(out_.exprs);
  trim(out_.stmts);
  trim(out_.locals);
  return std::move(out_);
}

// A name that is not there is one mistake, however often it is used, and one repair.
void Checker::tell_names_once() {
  constexpr std::size_t most_shown = 4;
  std::unordered_map<std::string, std::size_t> told;
  std::vector<diag::Diagnostic> kept;
  for (diag::Diagnostic& d : out_.diagnostics) {
    if (d.code == Code::UnknownName && d.location.origin == 0) {
      const auto [first, fresh] = told.try_emplace(d.message, kept.size());
      if (!fresh) {
        diag::Diagnostic& before = kept[first->second];
        if (before.related.size() < most_shown) before.related.push_back({d.location, "and here"});
        for (std::size_t i = 0; i < std::min(d.fixes.size(), before.fixes.size()); ++i) {
          if (d.fixes[i].title != before.fixes[i].title) continue;
          for (diag::TextEdit& edit : d.fixes[i].edits)  // a use can be told twice, and is mended once
            if (edit.location.span.begin >= before.fixes[i].edits.back().location.span.end) before.fixes[i].edits.push_back(std::move(edit));
        }
        continue;
      }
    }
    kept.push_back(std::move(d));
  }
  out_.diagnostics = std::move(kept);
}

bool Checker::breaks(const Block& body) const {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const auto& node = out_[id].node;
    const auto* branch = std::get_if<If>(&node);
    return std::holds_alternative<Break>(node) || (branch && (breaks(branch->then_block) || breaks(branch->else_block)));
  });
}

// But for its returns.
bool Checker::endless(const While& loop) const {
  const auto& constant = out_[loop.condition].constant;
  const auto* holds = constant ? std::get_if<bool>(&constant->value) : nullptr;
  return holds && *holds && !breaks(loop.body);
}

bool Checker::always_returns(const Block& body) const {
  for (const StmtId id : body) {
    const Stmt& stmt = out_[id];
    if (std::holds_alternative<Return>(stmt.node)) return true;
    if (const auto* loop = std::get_if<While>(&stmt.node); loop && endless(*loop)) return true;
    if (const auto* branch = std::get_if<If>(&stmt.node); branch && always_returns(branch->then_block) && always_returns(branch->else_block)) return true;
  }
  return false;
}

// The values in which a body ends, as Rust returns them.
bool Checker::ends_in_values(const Block& body, std::vector<StmtId>& into) const {
  if (body.empty()) return false;
  const auto& last = out_[body.back()].node;
  if (const auto* branch = std::get_if<If>(&last)) return ends_in_values(branch->then_block, into) && ends_in_values(branch->else_block, into);
  const auto* value = std::get_if<Evaluate>(&last);
  if (std::holds_alternative<Return>(last)) return true;
  if (value == nullptr || type(value->expr).is_void()) return false;
  into.push_back(body.back());
  return true;
}

void Checker::missing_return() {
  std::vector<StmtId> values;
  const bool all = ends_in_values(out_.body, values);
  const auto is_unused_value = [&](const diag::Diagnostic& d) {
    return d.code == Code::NoEffect && std::any_of(values.begin(), values.end(), [&](StmtId each) { return out_[each].location == d.location; });
  };
  if (all) std::erase_if(out_.diagnostics, is_unused_value);
  auto& d = report(Code::ReturnType, here(out_.item->name.span), fmt::format("`{}` gives {}, but its body can end without a `return`", out_.item->name.text, with_article(frame_.result)));
  if (!all || values.empty()) return;
  d.message += "; its last value is given by `return`";
  diag::Fix fix{"Insert `return`", {}};
  for (const StmtId each : values) {
    const std::uint32_t begin = out_[each].location.span.begin;
    fix.edits.push_back({here({begin, begin}), "return "});
  }
  const auto fits = [&](StmtId each) {
    const ExprId value = std::get<Evaluate>(out_[each].node).expr;
    return !wrong(value) && type(value) == frame_.result;
  };
  if (std::all_of(values.begin(), values.end(), fits)) d.fixes.push_back(std::move(fix));
}

void Checker::declare_parameters() {
  for (const syntax::Parameter& parameter : out_.item->parameters) {
    if (parameter.name.missing) {
      if (!std::isalpha(static_cast<unsigned char>(text_at(here(parameter.name.span))[0]))) ++nameless_;  // a keyword there is not meant elsewhere
      continue;
    }
    Local local;
    local.form = Local::Form::Parameter;
    local.name = parameter.name.text;
    local.type = parameter_type(parameter);
    local.declared = here(parameter.name.span);
    out_.parameters.push_back(declare(std::move(local)));
  }
}

Type Checker::parameter_type(const syntax::Parameter& parameter) {
  const syntax::TypeSyntax& syntax = parameter.type;
  const bool readable = syntax.form != syntax::TypeSyntax::Form::Error;
  std::optional<ScalarType> element;
  if (readable) element = element_type(syntax.element);
  std::vector<Extent> shape;  // its dimensions are names whatever else is wrong
  for (const syntax::DimSyntax& dim : syntax.dims) shape.push_back(parameter_extent(dim, parameter));
  if (readable && syntax.dims.size() > 4) {
    report(Code::RankRange, here(syntax.span), parameter.name.text, syntax.dims.size());
    return Type::error();
  }
  if (!readable || !element) return Type::error();
  if (syntax.form == syntax::TypeSyntax::Form::Scalar) return Type::scalar(*element);
  if (syntax.form == syntax::TypeSyntax::Form::Tensor && too_many(shape, largest_tensor, "tensor", here(syntax.span))) return Type::error();
  if (syntax.form == syntax::TypeSyntax::Form::Tensor) return Type::tensor(*element, std::move(shape));
  if (other_buffer_ == syntax.span) return Type::tensor(*element, std::move(shape));
  if (frame_.in_kernel) {
    auto& d = report(Code::ParameterType, here(syntax.span), "a kernel takes tensors and scalars; a tile is made inside of it");
    const Location word = here({syntax.span.begin, syntax.span.begin + 4});
    if (here_is(word, "tile")) d.fixes.push_back(replacement("Change to `tensor`", word, "tensor"));
    return Type::error();
  }
  return Type::tile(*element, std::move(shape));
}

bool Checker::too_many(const std::vector<Extent>& shape, std::int64_t most, std::string_view what, Location at) {
  std::int64_t count = 1;
  for (const Extent& extent : shape) {
    const std::int64_t each = std::max<std::int64_t>(extent.constant.value_or(1), 1);
    if (each > most / count) {
      report(Code::BadExtent, at, 0).message = fmt::format("a {} has at most {} elements", what, most);
      return true;
    }
    count *= each;
  }
  return false;
}

void Checker::note_size(const Type& type, std::optional<Location> at) {
  if (generic_ || !type.is_tile() || large_tile_.known) return;
  std::int64_t elements = 1;
  for (const Extent& extent : type.shape) {
    const std::int64_t each = extent.constant.value_or(1);
    if (each > largest_tile / elements) return;
    elements *= each;
  }
  const std::int64_t most = tile_elements_of_cta(out_.attributes.threads, size_of(type.element));
  if (elements > most) large_tile_ = {true, elements, most, at};
}

// A literal that no integer holds is a mistake of the parser's, and 0 to whoever reads on.
bool Checker::told_too_large(const syntax::DimSyntax& dim) const {
  return dim.value == decltype(dim.value)(std::int64_t{0}) && text_at(here(dim.span)).find_first_of("123456789") != std::string::npos;
}

// A new name declares a dimension.
Extent Checker::parameter_extent(const syntax::DimSyntax& dim, const syntax::Parameter& parameter) {
  if (const auto* number = std::get_if<std::int64_t>(&dim.value)) {
    if (*number > 0) return Extent::of(*number);
    if (!told_too_large(dim)) report(Code::BadExtent, here(dim.span), *number);
    return Extent::of(1);
  }
  const std::string& name = std::get<std::string>(dim.value);
  if (name == parameter.name.text) {
    report(Code::NotAValue, here(dim.span), fmt::format("`{}` is the parameter itself, not the name of a dimension", name)).related.push_back({here(parameter.name.span), "declared here"});
    return Extent::named(name);
  }
  if (const LocalId known = lookup(name)) {
    const Local& local = out_.locals[known];
    if (local.form == Local::Form::Autotune && local.constant) {
      out_.locals[known].used = true;
      return Extent::of(std::get<std::int64_t>(local.constant->value));
    }
    if (local.type.is_error()) return Extent::of(1);
    if (local.form == Local::Form::Dimension) return Extent::named(name);
    auto& d = report(Code::NotAValue, here(dim.span), fmt::format("`{}` is a parameter, not the name of a dimension", name));
    d.related.push_back({local.declared, "declared here"});
    if (local.type.is_scalar() && is_integer(local.type.element)) mend_given_dimension(d, local.declared.span);
    return Extent::named(name);
  }
  if (name == "ctx") {
    report(Code::CtxReserved, here(dim.span));
    return Extent::of(1);
  }
  Local local;
  local.form = Local::Form::Dimension;
  local.name = name;
  local.type = Type::scalar(ScalarType::Index);
  local.declared = here(dim.span);
  local.used = true;
  out_.dimensions.push_back(declare(std::move(local)));
  return Extent::named(name);
}

// `x: tensor<f32>[N], N: i32`, as CUDA passes it: a dimension is bound by the tensor alone.
void Checker::mend_given_dimension(diag::Diagnostic& d, Span name) {
  const auto& all = out_.item->parameters;
  const auto given = std::lower_bound(all.begin(), all.end(), name.begin, [](const auto& each, std::uint32_t at) { return each.name.span.begin < at; });
  if (!frame_.in_kernel || given == all.end()) return;
  d.message += "; the tensor binds it, and it is an `index` in the body";
  const bool last = given + 1 == all.end();
  if (last && given == all.begin()) return;
  const Span whole = last ? Span{(given - 1)->span.end, given->span.end} : Span{given->span.begin, (given + 1)->span.begin};
  if (out_.item->text.substr(whole.begin, whole.size()).find("//") == std::string::npos)
    d.fixes.push_back(replacement(fmt::format("Remove the parameter `{}`", given->name.text), here(whole), ""));
}

bool Checker::only_a_value(ExprId id) const {
  const auto all = [&](const std::vector<ExprId>& ids) { return std::all_of(ids.begin(), ids.end(), [&](ExprId each) { return only_a_value(each); }); };
  const auto& node = out_[id].node;
  if (const auto* unary = std::get_if<UnaryExpr>(&node)) return only_a_value(unary->operand);
  if (const auto* binary = std::get_if<BinaryExpr>(&node)) return only_a_value(binary->left) && only_a_value(binary->right);
  if (const auto* logical = std::get_if<LogicalExpr>(&node)) return only_a_value(logical->left) && only_a_value(logical->right);
  if (const auto* convert = std::get_if<ConvertExpr>(&node)) return only_a_value(convert->operand);
  if (const auto* point = std::get_if<PointLoad>(&node)) return only_a_value(point->base) && all(point->indices);
  if (const auto* slice = std::get_if<SliceLoad>(&node))
    return only_a_value(slice->base) && std::all_of(slice->axes.begin(), slice->axes.end(), [&](const Axis& axis) { return !axis.start || only_a_value(axis.start); });
  if (const auto* call = std::get_if<BuiltinCall>(&node)) return builtins::row(call->id).needs == builtins::Needs::CtaIfTile && all(call->arguments);
  return !std::holds_alternative<InlinedCall>(node) && !std::holds_alternative<ErrorExpr>(node);
}

// Whether a type written `tensor` for `tile`, or the other way round, is right once it is mended, is tried: the repair is offered
// where it brings no other error.
void Checker::try_type_repairs() {
  constexpr int most = 8;
  if (other_buffer_) return;
  int tried = 0;
  const auto same = [](const diag::Diagnostic& a, const diag::Diagnostic& b) { return a.code == b.code && a.location == b.location; };
  for (diag::Diagnostic& d : out_.diagnostics) {
    if (d.code != Code::ParameterType || d.location.origin != 0 || d.fixes.empty()) continue;
    Options options = options_;
    Checker trial(out_.item, environment_, options);
    trial.by_itself_ = by_itself_;  // else the two check each other by themselves, without end, where functions call each other
    trial.other_buffer_ = d.location.span;
    const std::vector<diag::Diagnostic> found = ++tried <= most ? trial.run().diagnostics : std::vector<diag::Diagnostic>{d};
    const bool brings_none = std::all_of(found.begin(), found.end(), [&](const diag::Diagnostic& each) {
      if (each.severity != diag::Severity::Error) return true;
      return !same(each, d) && std::any_of(out_.diagnostics.begin(), out_.diagnostics.end(), [&](const diag::Diagnostic& other) { return same(each, other); });
    });
    if (!brings_none) d.fixes.clear();
  }
}

// Names in what a mistake kept from being looked at: they may be used once it is mended.
std::set<std::string, std::less<>> Checker::mentioned_by_mistakes() const {
  std::set<std::string, std::less<>> names;
  if (std::none_of(out_.diagnostics.begin(), out_.diagnostics.end(), is_error)) return names;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if (const auto* name = std::get_if<syntax::NameExpr>(&(*out_.item)[syntax::ExprId(i)].node); name && !seen_[i]) names.insert(name->name);
  return names;
}

void Checker::report_unused() {
  const auto& syntax_errors = out_.item->diagnostics;  // what is missing there may use any name
  if (std::any_of(syntax_errors.begin(), syntax_errors.end(), is_error)) return;
  const auto mentioned = mentioned_by_mistakes();
  std::vector<StmtId> declared_by(out_.locals.size());
  std::vector<bool> assigned(out_.locals.size(), false);
  for (std::size_t i = 0; i < out_.stmts.size(); ++i) {
    const auto& node = out_.stmts[StmtId(i)].node;
    if (const auto* declare = std::get_if<Declare>(&node)) declared_by[declare->local.value] = StmtId(i);
    if (const auto* assign = std::get_if<Assign>(&node)) assigned[assign->target.value] = true;
    if (const auto* store = std::get_if<PointStore>(&node)) assigned[store->target.value] = true;
    if (const auto* store = std::get_if<SliceStore>(&node)) assigned[store->target.value] = true;
  }
  for (std::size_t i = 0; i < out_.locals.size(); ++i) {
    const Local& local = out_.locals[LocalId(i)];
    if (local.used || local.declared.origin != 0 || local.name.empty() || mentioned.contains(local.name) || local.name.starts_with('_') || local.type.is_error()) continue;
    if (local.form == Local::Form::Dimension || local.is_argument) continue;
    auto& d = report(Code::Unused, local.declared, local.name);
    if (assigned[i] || local.form == Local::Form::Autotune || (frame_.in_kernel && local.form == Local::Form::Parameter)) continue;
    const Span name = local.declared.span;
    d.fixes.push_back(replacement(fmt::format("Rename to `_{}`", local.name), here({name.begin, name.begin}), "_"));
    const StmtId stmt = declared_by[i];
    if (stmt) mend_unused(d, stmt);
  }
}

void Checker::mend_unused(diag::Diagnostic& d, StmtId stmt) {
  const ExprId init = std::get<Declare>(out_[stmt].node).init;
  if (init && !only_a_value(init)) return;
  if (const auto line = own_line(out_[stmt].location.span)) d.fixes.push_back(replacement("Delete it", here(*line), ""));
}

std::optional<Span> Checker::own_line(Span span) const {
  const std::string& text = out_.item->text;
  const std::size_t before = text.find_last_not_of(" \t", span.begin - 1), end = text.find('\n', span.end);
  const std::size_t next = text.find_first_not_of(" \t\r", span.end);
  if (before == std::string::npos || text[before] != '\n' || end == std::string::npos) return std::nullopt;
  if (next != end && text.compare(next, 2, "//") != 0) return std::nullopt;
  return Span{static_cast<std::uint32_t>(before + 1), static_cast<std::uint32_t>(end + 1)};
}

LocalId Checker::declare(Local local) {
  const std::string name = local.name;
  const Location at = local.declared;
  if (name == "ctx") {
    report(Code::CtxReserved, at);
    local.name.clear();
    local.type = Type::error();
    return out_.locals.add(std::move(local));
  }
  Names& scope = frame_.scopes.back();
  const auto there = scope.find(name);
  if (there != scope.end()) {
    Local& first = out_.locals[there->second];
    auto& d = report(Code::Redeclared, at, name);
    d.related.push_back({first.declared, "declared here first"});
    first.used = true;
    if (local.form == Local::Form::Parameter && first.form == Local::Form::Dimension) {
      d.message = fmt::format("`{}` is a dimension already, and no parameter beside it", name);
      if (local.type.is_scalar() && is_integer(local.type.element)) mend_given_dimension(d, at.span);
    }
    if (local.form == Local::Form::Parameter && local.type != first.type) local.type = Type::error();  // which is meant cannot be told
    const auto keyword = keyword_before(at, local.form == Local::Form::Var ? "var" : "let");
    const bool inferred = frame_.item->text.substr(at.span.end, 1) != ":";
    if (keyword && inferred && first.form == Local::Form::Var && local.type == first.type && !local.type.is_error())
      d.fixes.push_back(replacement("Assign to it instead", {{keyword->span.begin, at.span.begin}, at.origin}, ""));
  } else if (local.form != Local::Form::Dimension && !local.is_argument) {
    if (const LocalId outer = lookup(name)) {
      auto& d = report(Code::Shadows, at, name, fmt::format("the `{}` of an outer block", name));
      d.related.push_back({out_.locals[outer].declared, "the other one is declared here"});
    } else if (builtins::find(name)) {
      report(Code::Shadows, at, name, "the built-in of that name");
    }
  }
  const LocalId id = out_.locals.add(std::move(local));
  scope[name] = id;
  return id;
}

LocalId Checker::lookup(std::string_view name) const {
  const std::string key(name);
  for (auto scope = frame_.scopes.rbegin(); scope != frame_.scopes.rend(); ++scope)
    if (const auto found = scope->find(key); found != scope->end()) return found->second;
  return {};
}

std::vector<std::string_view> Checker::visible_names() const {
  std::vector<std::string_view> names;
  for (auto scope = frame_.scopes.rbegin(); scope != frame_.scopes.rend(); ++scope)
    for (const auto& [name, id] : *scope) names.push_back(name);
  std::sort(names.begin(), names.end());  // the order of a hash table must not show in a message
  return names;
}

ExprId Checker::add(decltype(Expr::node) node, Type type, Location at, std::optional<Constant> constant) {
  if (type.is_tile() && too_many(type.shape, largest_tile, "tile", at)) type = Type::error();
  note_size(type, std::holds_alternative<LocalExpr>(node) ? std::optional<Location>() : at);
  return out_.exprs.add({std::move(node), std::move(type), at, std::move(constant)});
}

void Checker::set_soft(ExprId id) {
  if (soft_.size() <= id.value) soft_.resize(id.value + 1, false);
  soft_[id.value] = true;
}

std::string Checker::text_at(Location location) const {
  const syntax::Item& item = location.origin == 0 ? *out_.item : *out_.functions[location.origin - 1];
  const Span span = location.span;
  if (span.end > item.text.size() || span.begin > span.end) return {};
  std::string text = item.text.substr(span.begin, span.size());
  const std::size_t line = text.find('\n');
  if (line != std::string::npos) text = text.substr(0, line) + "…";
  return text;
}

CheckedItem check(std::shared_ptr<const syntax::Item> item, const Environment& environment, const Options& options) {
  return Checker(std::move(item), environment, options).run();
}

}  // namespace phobos::sema
