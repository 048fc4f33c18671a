#include <phobos/sema/missing_axes.h>

#include <algorithm>

#include <fmt/format.h>

namespace phobos::sema {

namespace {

std::string text_of(const CheckedItem& item, Location at) {
  const std::string& text = item.item->text;
  if (at.origin != 0 || at.span.end > text.size() || at.span.begin > at.span.end) return {};
  std::string words = text.substr(at.span.begin, at.span.size());
  return words.find_first_of("\r\n") == words.npos ? words : std::string();
}

const BinaryExpr* binary_of(const CheckedItem& item, ExprId id, BinaryOp op) {
  while (const auto* convert = std::get_if<ConvertExpr>(&item[id].node)) id = convert->operand;
  const auto* binary = std::get_if<BinaryExpr>(&item[id].node);
  return binary && binary->op == op ? binary : nullptr;
}

struct RowAndColumn {
  std::string row, column;
};

// `i * N + j` where `N` is the extent of a row.
std::optional<RowAndColumn> split(const CheckedItem& item, ExprId position, const Extent& extent) {
  const auto words = [&](ExprId id) { return text_of(item, item[id].location); };
  if (const auto* product = binary_of(item, position, BinaryOp::Mul)) {
    const auto is_extent = [&](ExprId id) {
      return extent.constant ? item[id].constant == Constant{*extent.constant} : words(id) == extent.name;
    };
    if (is_extent(product->right)) return RowAndColumn{words(product->left), "0"};
    if (is_extent(product->left)) return RowAndColumn{words(product->right), "0"};
    return {};
  }
  const auto* sum = binary_of(item, position, BinaryOp::Add);
  if (!sum) return {};
  for (const auto& [first, second] : {std::pair(sum->left, sum->right), std::pair(sum->right, sum->left)})
    if (auto found = split(item, first, extent)) {
      found->column = found->column == "0" ? words(second) : fmt::format("{} + {}", found->column, words(second));
      return found;
    }
  return {};
}

}  // namespace

std::optional<std::size_t> points_before_missing(const CheckedItem& item, const std::vector<Axis>& axes, Location place) {
  const auto is_point = [](const Axis& axis) { return axis.form == Axis::Form::Point; };
  const auto given = static_cast<std::size_t>(std::find_if_not(axes.begin(), axes.end(), is_point) - axes.begin());
  const auto left_out = [&](const Axis& axis) { return axis.form == Axis::Form::Full && axis.span.end == place.span.end; };  // at the `]`
  if (given == 0 || given == axes.size() || !std::all_of(axes.begin() + static_cast<std::ptrdiff_t>(given), axes.end(), left_out)) return {};
  if (place.origin == 0 && item.item->text.substr(place.span.end - 1, 1) != "]") return {};
  return given;
}

std::string said_of_missing(const CheckedItem& item, LocalId buffer, std::size_t points) {
  const Local& local = item[buffer];
  const std::size_t rank = local.type.shape.size(), missing = rank - points;
  return fmt::format("`{}` has {} axes, and {} missing", local.name, rank, missing == 1 ? "a subscript is" : fmt::format("{} subscripts are", missing));
}

std::vector<diag::Fix> fixes_for_missing_axes(const CheckedItem& item, const ShortSubscripts& written) {
  const Local& buffer = item[written.buffer];
  const auto points = points_before_missing(item, *written.axes, written.place);
  if (!points || written.place.origin != 0) return {};
  std::string subscripts;
  for (std::size_t i = 0; i < *points; ++i) {
    const std::string each = text_of(item, {(*written.axes)[i].span, 0});
    if (each.empty()) return {};
    subscripts += (i ? ", " : "") + each;
  }
  std::vector<diag::Fix> fixes;
  const auto offer = [&](Location at, const std::string& better) { fixes.push_back({fmt::format("Change to `{}`", better), {{at, better}}}); };
  const auto& shape = buffer.type.shape;
  const auto found = *points == 1 && shape.size() == 2 ? split(item, (*written.axes)[0].start, shape[1]) : std::nullopt;
  if (found && !found->row.empty() && !found->column.empty()) offer(written.place, fmt::format("{}[{}, {}]", buffer.name, found->row, found->column));
  if (*points == 1 && !written.stored.empty()) offer(written.statement, fmt::format("store({}, {}, {})", buffer.name, subscripts, written.stored));
  if (*points == 1 && written.statement.span.empty()) offer(written.place, fmt::format("elem({}, {})", buffer.name, subscripts));
  if (found) return fixes;
  for (std::size_t i = *points; i < shape.size(); ++i) subscripts += ", 0";
  offer(written.place, fmt::format("{}[{}]", buffer.name, subscripts));
  return fixes;
}

}  // namespace phobos::sema
