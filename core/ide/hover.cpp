#include <phobos/ide/hover.h>

#include <algorithm>

#include <fmt/format.h>

#include "attributes.h"
#include "hover_run_line.h"
#include "place.h"
#include "signature.h"

namespace phobos::ide {

namespace {

using sema::Local;
using uniformity::CauseId;

constexpr std::size_t longest_snippet = 60;  // bytes of an expression's text that are shown

ItemFacts facts_of(const syntax::Item& item) {
  return {signature_of(item).label, item.documentation};
}

const syntax::Item* function_named(const sema::CheckedItem& item, std::string_view name) {
  for (const auto& function : item.functions)
    if (function->name.text == name) return function.get();
  return nullptr;
}

class Finder {
 public:
  Finder(const sema::CheckedItem& item, const uniformity::Result& kinds, std::uint32_t offset)
      : item_(item), kinds_(kinds), offset_(offset) {}

  std::optional<HoverFacts> run() const {
    for (const syntax::Attribute& attribute : item_.item->attributes)
      if (attribute.name.span.touches(offset_)) {
        const auto row = attribute_named(attribute.name.text);
        if (row) return HoverFacts{attribute.name.span, WordFacts{row->form, row->documentation, row->choices}};
      }
    if (const Span constant = constant_in_launch(); !constant.empty())
      for (std::size_t i = 0; i < item_.locals.size(); ++i)
        if (const sema::LocalId local(i); item_[local].form == Local::Form::Autotune && item_.item->text.compare(constant.begin, constant.size(), item_[local].name) == 0)
          return of_local(local, constant);
    const syntax::Name& name = item_.item->name;
    if (!name.missing && name.span.touches(offset_)) return HoverFacts{name.span, facts_of(*item_.item)};
    if (const sema::LocalId local = declared_at(item_, offset_); local.valid()) return of_local(local, item_[local].declared.span);
    if (const DimensionPlace dimension = dimension_at(item_, offset_); dimension.local.valid())
      return of_local(dimension.local, dimension.span);
    for (const syntax::Parameter& parameter : item_.item->parameters)
      if (auto facts = of_type(parameter.type)) return facts;
    if (item_.item->result)
      if (auto facts = of_type(*item_.item->result)) return facts;
    for (const syntax::Stmt& stmt : item_.item->stmts)
      if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && let->type)
        if (auto facts = of_type(*let->type)) return facts;
    return in_body();
  }

 private:
  // The name there, in what `@launch` works out; empty: there is none.
  Span constant_in_launch() const {
    for (const syntax::Attribute& attribute : item_.item->attributes) {
      if (attribute.name.text != "launch" || !attribute.span.touches(offset_)) continue;
      for (const syntax::AttributeArgument& argument : attribute.arguments) {
        if (std::holds_alternative<std::string>(argument.value) && argument.span.touches(offset_)) return argument.span;
        if (const auto* arithmetic = std::get_if<syntax::ConstantExpr>(&argument.value))
          for (const syntax::ConstantExpr::Step& step : arithmetic->steps)
            if (std::holds_alternative<std::string>(step.what) && step.span.touches(offset_)) return step.span;
      }
    }
    return {};
  }

  std::optional<HoverFacts> in_body() const {
    const SyntaxPlace place = syntax_at(*item_.item, offset_);
    if (place.callee != nullptr) {
      if (auto facts = of_callee(place.callee->name, place.span)) return facts;
    }
    if (place.ctx_field != nullptr) {
      if (auto facts = of_ctx(place.ctx_field->field.text, place.span)) return facts;
    }
    if (place.name != nullptr) {
      if (auto facts = of_name(place.name->name, place.span)) return facts;
    }
    const sema::ExprId expr = expr_at(item_, offset_);
    if (!expr.valid()) return std::nullopt;
    return of_expr(expr);
  }

  // A word of a type that is written.
  std::optional<HoverFacts> of_type(const syntax::TypeSyntax& type) const {
    if (type.form == syntax::TypeSyntax::Form::Error || !type.span.touches(offset_)) return std::nullopt;
    if (type.element.span.touches(offset_))
      if (const auto row = type_named(type.element.text)) return HoverFacts{type.element.span, WordFacts{row->form, row->documentation, {}}};
    const std::string_view head = type.form == syntax::TypeSyntax::Form::Tensor ? "tensor" : "tile";
    const Span word{type.span.begin, type.span.begin + static_cast<std::uint32_t>(head.size())};
    if (type.form == syntax::TypeSyntax::Form::Scalar || !word.touches(offset_)) return std::nullopt;
    const auto row = type_named(head);
    return HoverFacts{word, WordFacts{row->form, row->documentation, {}}};
  }

  std::optional<HoverFacts> of_callee(const std::string& name, Span span) const {
    if (const syntax::Item* function = function_named(item_, name)) return HoverFacts{span, facts_of(*function)};
    if (const auto builtin = builtins::find(name)) return HoverFacts{span, BuiltinFacts{&builtins::row(*builtin)}};
    return std::nullopt;
  }

  std::optional<HoverFacts> of_ctx(std::string_view name, Span span) const {
    const auto rows = builtins::ctx_fields();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const builtins::CtxRow& r) { return r.name == name; });
    if (row == rows.end()) return std::nullopt;
    const sema::ExprId expr = expr_at(item_, offset_);
    const bool own = expr.valid() && item_[expr].location.span == span;
    return HoverFacts{span, CtxFacts{&*row, own ? item_[expr].constant : std::nullopt}};
  }

  std::optional<HoverFacts> of_name(const std::string& name, Span span) const {
    const sema::ExprId expr = expr_at(item_, offset_);
    if (expr.valid() && item_[expr].location.span == span)
      if (const auto* local = std::get_if<sema::LocalExpr>(&item_[expr].node); local && local->local.valid())
        return of_local(local->local, span);
    sema::LocalId local = target_at(item_, offset_, name);
    if (!local.valid()) local = named_before(item_, offset_, name);
    if (local.valid()) return of_local(local, span);
    return of_callee(name, span);
  }

  HoverFacts of_local(sema::LocalId id, Span span) const {
    const Local& local = item_[id];
    ValueFacts facts;
    facts.declaration = fmt::format("{}{}: {}", keyword(local.form), local.name, type_of(local.type));
    facts.note = note_on(local);
    facts.documentation = documentation_of(local);
    facts.constant = local.constant;
    if (!local.constant && local.form != Local::Form::Dimension) facts.known = sema::facts_of(item_, id);
    facts.unknown = local.type.is_error();
    facts.is_tile = local.type.is_tile();
    if (kinds_.local_kinds.contains(id) && !local.type.is_error()) facts.kind = kinds_.local_kinds[id];
    if (kinds_.local_causes.contains(id)) facts.reason = reason(kinds_.local_causes[id]);
    return {span, std::move(facts)};
  }

  std::optional<HoverFacts> of_expr(sema::ExprId id) const {
    const sema::Expr& expr = item_[id];
    if (expr.type.is_error() || expr.type.is_void()) return std::nullopt;
    ValueFacts facts;
    facts.declaration = fmt::format("{}: {}", snippet(expr.location.span), type_of(expr.type));
    facts.constant = expr.constant;
    if (!expr.constant) facts.known = sema::facts_of(item_, id);
    facts.is_tile = expr.type.is_tile();
    if (kinds_.expr_kinds.contains(id)) facts.kind = kinds_.expr_kinds[id];
    if (kinds_.expr_causes.contains(id)) facts.reason = reason(kinds_.expr_causes[id]);
    return HoverFacts{expr.location.span, std::move(facts)};
  }

  std::vector<uniformity::Step> reason(CauseId cause) const {
    if (!cause.valid()) return {};
    return kinds_.chain(cause);
  }

  static std::string_view keyword(Local::Form form) {
    switch (form) {
      case Local::Form::Let: return "let ";
      case Local::Form::Var: return "var ";
      case Local::Form::LoopVariable: return "for ";
      default: return "";
    }
  }

  static std::string type_of(const sema::Type& type) { return type.is_error() ? "?" : sema::to_string(type); }

  std::string note_on(const Local& local) const {
    switch (local.form) {
      case Local::Form::Parameter: return local.type.is_tensor() ? "a tensor in global memory" : "a parameter";
      case Local::Form::Dimension: return dimension_note(local.name);
      case Local::Form::Autotune: return autotune_note(local.name);
      default: return {};
    }
  }

  // Every axis that the name stands for: they must all be of the same extent.
  std::string dimension_note(const std::string& name) const {
    std::string axes;
    for (const syntax::Parameter& parameter : item_.item->parameters)
      for (std::size_t axis = 0; axis < parameter.type.dims.size(); ++axis) {
        const auto* dim = std::get_if<std::string>(&parameter.type.dims[axis].value);
        if (dim != nullptr && *dim == name) axes += fmt::format("{}axis {} of `{}`", axes.empty() ? "" : ", ", axis, parameter.name.text);
      }
    std::string note = axes.empty() ? "a dimension" : fmt::format("a dimension: the extent of {}", axes);
    for (const sema::AlignedPromise& promise : item_.attributes.aligned)
      if (promise.dimension == name) note += fmt::format("; a multiple of {}", promise.multiple);
    return note + "; bound at launch";
  }

  std::string autotune_note(const std::string& name) const {
    for (const sema::AutotuneConstant& constant : item_.attributes.autotune)
      if (constant.name == name) return fmt::format("a constant that the tuner chooses from {}", fmt::join(constant.choices, ", "));
    return "a constant that the tuner chooses";
  }

  std::string documentation_of(const Local& local) const {
    if (local.form != Local::Form::Parameter) return {};
    for (const syntax::Parameter& parameter : item_.item->parameters)
      if (parameter.name.text == local.name) return parameter.documentation;
    return {};
  }

  // The expression on one line.
  std::string snippet(Span span) const {
    const std::string& text = item_.item->text;
    std::string line;
    for (std::uint32_t at = span.begin; at < std::min<std::size_t>(span.end, text.size()); ++at) {
      const char c = text[at];
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (blank && (line.empty() || line.back() == ' ')) continue;
      if (line.size() >= longest_snippet && (static_cast<unsigned char>(c) & 0xc0u) != 0x80u) return line + "…";
      line += blank ? ' ' : c;
    }
    return line;
  }

  const sema::CheckedItem& item_;
  const uniformity::Result& kinds_;
  std::uint32_t offset_;
};

}  // namespace

namespace {

// A place of then or, where that is no more, the last one before it that still is.
Span last_kept(const LastGood& good, std::uint32_t then) {
  if (const auto there = good.now({then, then})) return *there;
  std::uint32_t kept = 0, gone = then;
  while (gone - kept > 1) {
    const std::uint32_t middle = kept + (gone - kept) / 2;
    (good.now({middle, middle}) ? kept : gone) = middle;
  }
  return {kept, kept};
}

// A step of then, where its place is now; none where the function that it was in is gone.
std::optional<uniformity::Step> moved(const uniformity::Step& step, const LastGood& good, const sema::CheckedItem& now) {
  const Location at = step.location;
  if (at.origin == 0) return uniformity::Step{step.message, {last_kept(good, at.span.begin), 0}};
  const std::string& name = good.analysis().checked.functions[at.origin - 1]->name.text;
  for (std::size_t i = 0; i < now.functions.size(); ++i)
    if (now.functions[i]->name.text == name && at.span.end <= now.functions[i]->text.size()) return uniformity::Step{step.message, {at.span, static_cast<std::uint32_t>(i + 1)}};
  return std::nullopt;
}

std::optional<HoverFacts> known_before(const ItemView& item, std::uint32_t offset) {
  const LastGood& good = *item.good;
  const std::optional<Span> then = good.then({offset, offset});
  if (!then) return std::nullopt;
  std::optional<HoverFacts> facts = hover(good.analysis().checked, good.analysis().kinds, then->begin);
  const std::optional<Span> range = facts ? good.now(facts->range) : std::nullopt;
  if (!range || !range->touches(offset)) return std::nullopt;
  facts->range = *range;
  facts->stale = true;
  if (auto* value = std::get_if<ValueFacts>(&facts->about)) {
    std::vector<uniformity::Step> steps;
    for (const uniformity::Step& step : value->reason)
      if (auto there = moved(step, good, item.checked())) steps.push_back(std::move(*there));
    value->reason = std::move(steps);
  }
  return facts;
}

bool knows(const HoverFacts& facts) {
  const auto* value = std::get_if<ValueFacts>(&facts.about);
  return value == nullptr || !value->unknown;
}

}  // namespace

std::optional<Hovered> hover(const File& file, std::uint32_t offset) {
  const ItemView* item = file.item_at(offset);
  if (item == nullptr) return std::nullopt;
  const std::uint32_t place = offset - item->offset;
  if (auto in_run_line = hover_run_line(file, *item, place)) return in_run_line;
  std::optional<HoverFacts> facts = hover(item->checked(), item->analysis->kinds, place);
  if (item->good && (!facts || !knows(*facts)))
    if (auto before = known_before(*item, place)) facts = std::move(before);
  if (!facts) return std::nullopt;
  facts->range = item->absolute(facts->range);
  return Hovered{std::move(*facts), item};
}

std::optional<HoverFacts> hover(const sema::CheckedItem& item, const uniformity::Result& kinds, std::uint32_t offset) {
  if (!item.item) return std::nullopt;
  return Finder(item, kinds, offset).run();
}

}  // namespace phobos::ide
