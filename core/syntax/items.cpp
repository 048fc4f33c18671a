#include <charconv>
#include <cstdlib>

#include "builder.h"
#include "split.h"

namespace phobos::syntax {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// The comment lines that an item's text begins with: documentation and run lines.
void read_head_comments(std::string_view text, Item& item) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    if (!line.starts_with("//")) break;
    const std::uint32_t begin = static_cast<std::uint32_t>(line.data() - text.data());
    if (line.starts_with("//# run") && (line.size() == 7 || line[7] == ' ' || line[7] == '\t')) {
      item.run_lines.push_back({std::string(trimmed(line.substr(7))), {begin, begin + static_cast<std::uint32_t>(line.size())}});
    } else if (!line.starts_with("//#")) {
      if (!item.documentation.empty()) item.documentation += '\n';
      item.documentation += trimmed(line.substr(2));
    }
    at = end + 1;
  }
}

}  // namespace

void Builder::build(TSNode root) {
  read_head_comments(text_, item_);
  TSNode found{};
  each_child(root, [&](TSNode part, TSFieldId) {
    if (!found.id && (kind(part) == NodeKind::KernelDefinition || kind(part) == NodeKind::FunctionDefinition)) found = part;
  });
  if (!found.id) {  // inside an ERROR node: the definition's head is broken
    each_child(root, [&](TSNode part, TSFieldId) {
      if (kind(part) != NodeKind::Error) return;
      each_child(part, [&](TSNode inner, TSFieldId) {
        if (!found.id && (kind(inner) == NodeKind::KernelDefinition || kind(inner) == NodeKind::FunctionDefinition)) found = inner;
      });
    });
  }
  errors_in(root);
  if (found.id) definition(found);
  loose_nodes(root, found);
  if (!found.id && item_.diagnostics.empty()) expected(previous_token_end(static_cast<std::uint32_t>(text_.size())), "a definition");
}

void Builder::definition(TSNode node) {
  const bool is_kernel = kind(node) == NodeKind::KernelDefinition;
  item_.form = is_kernel ? Item::Form::Kernel : Item::Form::Function;
  each_child(node, [&](TSNode part, TSFieldId field) {
    if (field == nodes().id(Field::Attribute)) item_.attributes.push_back(attribute(part));
  });
  item_.name = name(node, child(node, Field::Name), is_kernel ? "the kernel's name" : "the function's name");
  const TSNode params = child(node, Field::Parameters);
  const TSNode body_node = child(node, Field::Body);
  if (!ts_node_is_null(params)) {
    parameters(params);
  } else if (!item_.name.missing && !ts_node_has_error(node)) {
    expected(item_.name.span.end, "`(` to begin the parameters");
  }
  if (const TSNode result = child(node, Field::ReturnType); !ts_node_is_null(result)) item_.result = type(result);
  if (!ts_node_is_null(body_node)) {
    item_.body_span = span(body_node);
    item_.body = block(body_node);
  } else if (!ts_node_is_null(params) && !ts_node_has_error(node)) {
    expected(previous_token_end(ts_node_end_byte(node)), "`{` to begin the body");
  }
}

// What a stray `}` has cut off from the body is still analysed as part of it.
void Builder::loose_nodes(TSNode root, TSNode definition) {
  bool reported = false;
  each_child(root, [&](TSNode part, TSFieldId) {
    if (ts_node_eq(part, definition) || kind(part) == NodeKind::Comment) return;
    if (definition.id && ts_node_start_byte(part) < ts_node_start_byte(definition)) return;
    if (kind(part) == NodeKind::Error) {
      statements(part, item_.body, false);
      return;
    }
    if (kind(part) == NodeKind::MisplacedAttribute) {
      report(diag::Code::SyntaxUnexpected, Span{ts_node_start_byte(part), ts_node_start_byte(part) + 1}, "attribute: no kernel or function follows it");
    } else if (kind(part) == NodeKind::MisplacedBrace) {
      if (!reported) report(diag::Code::SyntaxUnexpected, span(part), "`}`: it closes nothing");
      reported = true;
    } else if (kind(part) != NodeKind::Other && kind(part) != NodeKind::KernelDefinition && kind(part) != NodeKind::FunctionDefinition) {
      if (!reported && !ts_node_has_error(part) && kind(part) != NodeKind::MisplacedElse) {
        report(diag::Code::SyntaxUnexpected, span(part), "statement outside of a kernel or function");
        reported = true;
      }
      statement(part, item_.body);
    }
  });
}

Attribute Builder::attribute(TSNode node) {
  Attribute result;
  result.span = span(node);
  result.name = name(node, child(node, Field::Name), "the attribute's name");
  each_child(child(node, Field::Arguments), [&](TSNode part, TSFieldId field) {
    if (field == nodes().id(Field::Argument)) result.arguments.push_back(attribute_argument(part));
  });
  return result;
}

AttributeArgument::Value Builder::attribute_value(TSNode node) {
  switch (kind(node)) {
    case NodeKind::IntegerLiteral: return static_cast<std::int64_t>(integer_value(node).value_or(0));
    case NodeKind::FloatLiteral: return std::strtod(std::string(text(node)).c_str(), nullptr);
    case NodeKind::BooleanLiteral: return text(node) == "true";
    default: return std::string(ts_node_is_null(node) ? "" : text(node));
  }
}

AttributeArgument Builder::attribute_argument(TSNode node) {
  AttributeArgument result;
  result.span = span(node);
  if (kind(node) == NodeKind::AttributeChoices) {
    result.form = AttributeArgument::Form::Choices;
    result.name = name(node, child(node, Field::Name), "a name");
    each_child(node, [&](TSNode part, TSFieldId field) {
      if (field != nodes().id(Field::Choice)) return;
      if (const auto value = integer_value(part)) result.choices.push_back(static_cast<std::int64_t>(*value));
    });
  } else if (kind(node) == NodeKind::AttributeSetting) {
    result.form = AttributeArgument::Form::Assign;
    result.name = name(node, child(node, Field::Name), "a name");
    result.value = attribute_value(child(node, Field::Value));
  } else {
    result.value = attribute_value(node);
  }
  return result;
}

void Builder::parameters(TSNode node) {
  TSNode before{};
  bool comma = true;
  each_child(node, [&](TSNode part, TSFieldId field) {
    if (kind(part) == NodeKind::Comment) return;
    if (field != nodes().id(Field::ParameterField)) {
      comma = comma || text(part) == ",";
      return;
    }
    if (before.id && !comma && !ts_node_has_error(node)) expected(ts_node_end_byte(before), "`,` between two parameters");
    Parameter result;
    result.span = span(part);
    result.name = name(part, child(part, Field::Name), "the parameter's name");
    const TSNode type_node = child(part, Field::Type);
    result.type = type(type_node);
    result.documentation = documentation_above(ts_node_start_byte(part));
    item_.parameters.push_back(std::move(result));
    before = part;
    comma = false;
  });
}

TypeSyntax Builder::type(TSNode node) {
  TypeSyntax result;
  if (ts_node_is_null(node) || ts_node_is_missing(node)) return result;
  result.span = span(node);
  switch (kind(node)) {
    case NodeKind::ScalarType:
      result.form = TypeSyntax::Form::Scalar;
      result.element = {std::string(text(node)), span(node), false};
      return result;
    case NodeKind::TensorType: result.form = TypeSyntax::Form::Tensor; break;
    case NodeKind::TileType: result.form = TypeSyntax::Form::Tile; break;
    case NodeKind::UnknownType: {
      const TSNode word = child(node, Field::Name);
      report(diag::Code::UnknownType, span(word), std::string(text(word)));
      return result;
    }
    default: return result;
  }
  result.element = name(node, child(node, Field::Element), "an element type");
  each_child(node, [&](TSNode part, TSFieldId field) {
    if (field != nodes().id(Field::Dimension)) return;
    DimSyntax dim{std::int64_t{0}, span(part)};
    if (kind(part) == NodeKind::IntegerLiteral) dim.value = static_cast<std::int64_t>(integer_value(part).value_or(1));
    else dim.value = std::string(text(part));
    result.dims.push_back(std::move(dim));
  });
  return result;
}

Name Builder::name(TSNode parent, TSNode node, std::string_view what) {
  if (!ts_node_is_null(node) && !ts_node_is_missing(node)) return {std::string(text(node)), span(node), false};
  const std::uint32_t end = previous_token_end(ts_node_end_byte(parent));
  if (!ts_node_has_error(parent)) expected(end, what);
  return {"", {end, end}, true};
}

std::string Builder::documentation_above(std::uint32_t at) const {
  std::string result;
  constexpr std::size_t longest_line = 4096;  // what stands further into its line has no comment above it
  const std::size_t from = at - std::min<std::size_t>(at, longest_line);
  std::size_t line = text_.substr(from, at + 1 - from).rfind('\n');
  if (line == std::string_view::npos) return result;
  line += from;
  while (line != std::string_view::npos && line > 0) {
    const std::size_t above = text_.rfind('\n', line - 1);
    const std::size_t begin = above == std::string_view::npos ? 0 : above + 1;
    const std::string_view words = trimmed(text_.substr(begin, line - begin));
    if (!words.starts_with("//") || above == std::string_view::npos) break;
    result = std::string(trimmed(words.substr(2))) + (result.empty() ? "" : "\n" + result);
    line = above;
  }
  return result;
}

bool Builder::enter(TSNode node) {
  if (depth_ < nesting_limit) {
    ++depth_;
    return true;
  }
  if (!too_deep_) report(diag::Code::NestingTooDeep, span(node), nesting_limit);
  too_deep_ = true;
  return false;
}

}  // namespace phobos::syntax
