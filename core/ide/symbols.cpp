#include <phobos/ide/symbols.h>

#include <cctype>

#include <fmt/format.h>

#include "signature.h"

namespace phobos::ide {

namespace {

using Sort = OutlineSymbol::Sort;

void add_constants(const ItemView& view, std::vector<OutlineSymbol>& into) {
  for (const syntax::Attribute& attribute : view.item().attributes) {
    if (attribute.name.text != "autotune") continue;
    for (const syntax::AttributeArgument& argument : attribute.arguments)
      if (argument.form == syntax::AttributeArgument::Form::Choices && !argument.name.missing && !argument.name.text.empty())
        into.push_back({Sort::Constant, argument.name.text, fmt::format("[{}]", fmt::join(argument.choices, ", ")), view.absolute(argument.span), view.absolute(argument.name.span), {}});
  }
}

}  // namespace

OutlineSymbol outline_of(const ItemView& view) {
  const syntax::Item& item = view.item();
  const Sort sort = view.is_kernel() ? Sort::Kernel : Sort::Function;
  const std::string keyword = view.is_kernel() ? "kernel" : "fn";
  OutlineSymbol symbol{sort, item.name.text.empty() ? keyword : item.name.text, keyword, view.span, view.absolute(item.name.span), {}};
  add_constants(view, symbol.children);
  for (const syntax::Parameter& parameter : item.parameters)
    if (!parameter.name.text.empty())
      symbol.children.push_back({Sort::Parameter, parameter.name.text, text_of(parameter.type), view.absolute(parameter.span), view.absolute(parameter.name.span), {}});
  return symbol;
}

std::vector<OutlineSymbol> outline(const File& file) {
  std::vector<OutlineSymbol> all;
  all.reserve(file.items.size());
  for (const ItemView& view : file.items) all.push_back(outline_of(view));
  return all;
}

bool answers_query(std::string_view name, std::string_view query) {
  std::size_t at = 0;
  for (const char c : name)
    if (at < query.size() && std::tolower(static_cast<unsigned char>(c)) == std::tolower(static_cast<unsigned char>(query[at]))) ++at;
  return at == query.size();
}

}  // namespace phobos::ide
