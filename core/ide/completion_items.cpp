#include "completion_items.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include <fmt/format.h>

#include <phobos/support/scalar_type.h>

#include "attributes.h"
#include "signature.h"

namespace phobos::ide {

namespace {

using Sort = CompletionItem::Sort;

constexpr std::size_t most_functions = 100;  // more nobody reads

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

Sort sort_of(Symbol::Form form) {
  switch (form) {
    case Symbol::Form::Parameter: return Sort::Parameter;
    case Symbol::Form::Dimension: return Sort::Dimension;
    case Symbol::Form::Constant: return Sort::Constant;
    default: return Sort::Value;
  }
}

// `exp(${1:x})` of a signature's parameters; what may be left out is left out.
std::string snippet_of(std::string_view name, const SignatureFacts& signature) {
  std::string out(name);
  out += '(';
  int count = 0;
  for (const Span parameter : signature.parameters) {
    std::string_view label = std::string_view(signature.label).substr(parameter.begin, parameter.size());
    if (label == "..." || label.ends_with("...")) continue;
    label = label.substr(0, label.find(':'));
    out += fmt::format("{}${{{}:{}}}", count == 0 ? "" : ", ", count + 1, label);
    ++count;
  }
  return out + ")";
}

// Whether what is written as that type, or named so by a signature, is what is wanted.
bool is_wanted(const Expected& wanted, std::string_view type) {
  if (type == "float") return wanted.numbers == Expected::Numbers::Float || (wanted.numbers == Expected::Numbers::One && is_float(wanted.element));
  const Expected given = expected_of(type);
  if (given.says_nothing()) return false;
  const sema::Type::Form form = given.shape == Expected::Shape::Shaped ? sema::Type::Form::Tile : sema::Type::Form::Scalar;
  if (given.numbers == Expected::Numbers::Any) return wanted.shape == given.shape;
  return wanted.admits({form, given.numbers == Expected::Numbers::One ? given.element : ScalarType::Index, {}});
}

}  // namespace

char Offers::ranked(char rank, bool wanted) const { return wanted ? static_cast<char>(rank - 'a' + 'A') : rank; }

std::string call_snippet(const builtins::Row& row) {
  using builtins::Form;
  if (row.form == Form::Fold) return fmt::format("{}<over ctx.${{1|lane,thread|}}>(${{2:x}})", row.name);
  if (row.form == Form::Shuffle) return "shfl<${1|xor,up,down,from|} ${2:1}>(${3:v})";
  return snippet_of(row.name, signatures_of(row).front());
}

std::string call_snippet(const syntax::Item& function) {
  return snippet_of(function.name.text, signature_of(function));
}

// All letters that were typed, in their order.
bool Offers::fits(std::string_view label) const {
  std::size_t at = 0;
  for (const char c : label)
    if (at < typed_.size() && lower(c) == lower(typed_[at])) ++at;
  return at == typed_.size() && (typed_.empty() || label.empty() || lower(label[0]) == lower(typed_[0]));
}

void Offers::add(char rank, CompletionItem item) {
  if (!fits(item.label)) return;
  item.rank = fmt::format("{}{}{}", rank, item.label.starts_with(typed_) ? 0 : 1, item.rank);
  items_.push_back(std::move(item));
}

void Offers::word(char rank, std::string_view label, std::string_view detail, std::string_view snippet, Sort sort) {
  add(rank, {std::string(label), sort, std::string(detail), {}, std::string(snippet), fmt::format("{:03}", items_.size())});
}

void Offers::name(const ItemView& item, const Symbol& symbol, char rank, int order) {
  CompletionItem offer{symbol.name, sort_of(symbol.form), {}, {}, {}, fmt::format("{:04}", order)};
  const sema::CheckedItem& checked = item.checked();
  if (symbol.local) {
    const sema::Local& local = checked[symbol.local];
    if (!local.type.is_error()) offer.detail = sema::to_string(local.type);
    if (local.constant) offer.detail += " = " + sema::to_string(*local.constant);
    const auto& kinds = item.analysis->kinds.local_kinds;
    if (kinds.contains(symbol.local) && local.type.is_scalar()) offer.kind = name_of(kinds[symbol.local]);
    rank = ranked(rank, wanted_.admits(local.type));
  }
  add(rank, std::move(offer));
}

// Each name once, as it is known there; what was declared last comes first.
void Offers::names_at(const ItemView& item, std::uint32_t offset, char rank) {
  const Index& index = item.index();
  std::unordered_set<std::string_view> seen;
  int order = 0;
  for (std::size_t i = index.symbols.size(); i-- > 0;) {
    const Symbol& symbol = index[SymbolId(i)];
    if (!is_local(symbol.form)) continue;
    const bool of_head = symbol.form <= Symbol::Form::Constant;
    if (!of_head && (symbol.visible.begin >= offset || symbol.visible.end < offset)) continue;
    if (seen.insert(symbol.name).second) name(item, symbol, static_cast<char>(rank + (of_head ? 1 : 0)), order++);
  }
}

void Offers::constants_at(const ItemView& item, std::uint32_t offset, char rank) {
  const Index& index = item.index();
  int order = 0;
  for (std::size_t i = 0; i < index.symbols.size(); ++i) {
    const Symbol& symbol = index[SymbolId(i)];
    if (!is_local(symbol.form)) break;
    const bool is_constant = symbol.form == Symbol::Form::Constant || symbol.form == Symbol::Form::Dimension ||
                             (symbol.form == Symbol::Form::Let && symbol.local && item.checked()[symbol.local].constant && symbol.visible.begin < offset && offset <= symbol.visible.end);
    if (is_constant) name(item, symbol, rank, order++);
  }
}

void Offers::functions(char rank) {
  std::size_t count = 0;
  for (const auto& [function, place] : file_.names.functions(file_.items)) {
    if (!fits(function)) continue;
    if (++count > most_functions) {
      incomplete_ = true;
      return;
    }
    const syntax::Item& item = file_.items[place].item();
    const char own = ranked(rank, item.result && is_wanted(wanted_, text_of(*item.result)));
    add(own, {function, Sort::Function, signature_of(item).label, {}, called_ ? "" : call_snippet(item), {}});
  }
}

void Offers::builtins(char rank) {
  for (const builtins::Row& row : builtins::all()) {
    if (!fits(row.name)) continue;
    const std::size_t arrow = row.signature.rfind("-> ");
    const bool wanted = arrow != std::string_view::npos && is_wanted(wanted_, row.signature.substr(arrow + 3));
    add(static_cast<char>(rank + (wanted || wanted_.says_nothing() ? 0 : 1)), {std::string(row.name), Sort::Builtin, std::string(row.signature), {}, called_ ? "" : call_snippet(row), {}});
  }
}

void Offers::ctx_fields() {
  for (const builtins::CtxRow& row : builtins::ctx_fields()) {
    const std::string snippet = row.has_axis ? fmt::format("{}.${{1|x,y,z|}}", row.name) : std::string();
    add('a', {std::string(row.name), Sort::Field, "index", std::string(name_of(row.kind)), snippet, {}});
  }
}

void Offers::attributes(char rank, bool with_at) {
  for (const AttributeRow& row : ide::attributes()) {
    const std::string sign = with_at ? "@" : "";
    add(rank, {sign + std::string(row.name), Sort::Attribute, std::string(row.form), {}, sign + std::string(row.snippet), {}});
  }
}

void Offers::scalar_types(char rank) {
  for (int i = 0; i <= static_cast<int>(ScalarType::Bool); ++i)
    add(rank, {std::string(name_of(static_cast<ScalarType>(i))), Sort::Type, {}, {}, {}, fmt::format("{:02}", i)});
}

void Offers::shaped_type(char rank, std::string_view name, std::string_view extents) {
  word(rank, name, fmt::format("{}<T>[…]", name), fmt::format("{}<${{1:f32}}>[{}]", name, extents), Sort::Type);
}

std::vector<CompletionItem> Offers::take() {
  std::stable_sort(items_.begin(), items_.end(), [](const CompletionItem& a, const CompletionItem& b) { return a.rank != b.rank ? a.rank < b.rank : a.label < b.label; });
  return std::move(items_);
}

}  // namespace phobos::ide
