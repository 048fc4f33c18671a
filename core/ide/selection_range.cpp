#include <algorithm>
#include <cctype>

#include <phobos/ide/structure.h>

namespace phobos::ide {

namespace {

constexpr std::ptrdiff_t most_steps = 200;

Span word_around(const std::string& text, std::uint32_t offset) {
  const auto is_part = [&](std::uint32_t at) { return at < text.size() && (text[at] == '_' || std::isalnum(static_cast<unsigned char>(text[at])) != 0); };
  std::uint32_t begin = offset, end = offset;
  while (begin > 0 && is_part(begin - 1)) --begin;
  while (is_part(end)) ++end;
  return {begin, end};
}

// The line without its indentation and what ends it.
Span line_around(const File& file, std::uint32_t offset) {
  Span line = file.lines.line_span(file.text, file.lines.line_of(offset));
  while (line.begin < line.end && (file.text[line.begin] == ' ' || file.text[line.begin] == '\t')) ++line.begin;
  return line;
}

void collect(const ItemView& view, std::uint32_t offset, std::vector<Span>& spans) {
  const syntax::Item& item = view.item();
  const auto add = [&](Span span) {
    if (!span.empty() && view.absolute(span).touches(offset)) spans.push_back(view.absolute(span));
  };
  for (const syntax::Expr& expr : item.exprs) {
    add(expr.span);
    if (const auto* element = std::get_if<syntax::SubscriptExpr>(&expr.node))
      for (const syntax::Subscript& each : element->subscripts) add(each.span);
  }
  for (const syntax::Stmt& stmt : item.stmts) {
    add(stmt.span);
    if (const auto* let = std::get_if<syntax::LetStmt>(&stmt.node); let && let->type) add(let->type->span);
  }
  for (const syntax::Parameter& parameter : item.parameters) {
    add(parameter.span);
    add(parameter.type.span);
    for (const syntax::DimSyntax& dim : parameter.type.dims) add(dim.span);
  }
  for (const syntax::Attribute& attribute : item.attributes) {
    add(attribute.span);
    for (const syntax::AttributeArgument& argument : attribute.arguments) add(argument.span);
  }
  for (const Fold& fold : view.index().folds) {
    add(fold.span);
    const Span inside{fold.span.begin + 1, fold.span.end - 1};
    if (!fold.comment && view.absolute(inside).touches(offset)) add(inside);
  }
  spans.push_back(view.span);
}

}  // namespace

std::vector<Span> selection_ranges(const File& file, std::uint32_t offset) {
  offset = std::min(offset, static_cast<std::uint32_t>(file.text.size()));
  std::vector<Span> spans;
  const ItemView* item = file.item_at(offset);
  if (item != nullptr) collect(*item, offset, spans);
  const bool in_statement = spans.size() > 1;
  if (const Span word = word_around(file.text, offset); !word.empty()) spans.push_back(word);
  if (const Span line = line_around(file, offset); !in_statement && line.touches(offset)) spans.push_back(line);
  spans.push_back({0, static_cast<std::uint32_t>(file.text.size())});
  std::stable_sort(spans.begin(), spans.end(), [](Span a, Span b) { return a.size() < b.size(); });
  std::vector<Span> nested;
  for (const Span span : spans) {
    if (span.empty() || !span.touches(offset)) continue;
    if (nested.empty() || (span != nested.back() && span.begin <= nested.back().begin && nested.back().end <= span.end)) nested.push_back(span);
  }
  if (nested.empty()) nested.push_back({offset, offset});
  // Nobody goes through more, and a client reads them as so many nested objects.
  if (nested.size() > most_steps) nested.erase(nested.begin() + most_steps / 2, nested.end() - most_steps / 2);
  return nested;
}

}  // namespace phobos::ide
