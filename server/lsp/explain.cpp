#include <phobos/server/lsp/explain.h>

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/server/lsp/types.h>

namespace phobos::server::lsp {

namespace {

using sema::ExprId;
using uniformity::CauseId;

constexpr std::size_t most_nodes = 1000;

class Explainer {
 public:
  Explainer(const session::ItemView& item, const std::string& uri, const Border& border)
      : view_(item), checked_(item.analysis->checked), kinds_(item.analysis->kinds), uri_(uri), border_(border) {}

  Json at(std::uint32_t offset) {
    const ExprId expr = smallest_at(offset);
    Json result = declared_at(offset);
    if (result.is_null() && expr) result = of_expr(expr);
    if (result.is_null()) return nullptr;
    if (const auto [kind, cause] = control_at(offset); kind != Kind::Uniform) {
      result["control"] = name_of(kind);
      if (cause) result["controlBecause"] = Json::array({of_cause(cause)});
    }
    return result;
  }

 private:
  bool is_here(const Location& location) const { return location.origin == 0; }

  ExprId smallest_at(std::uint32_t offset) const {
    ExprId found;
    for (const ExprId id : all_exprs()) {
      const Location& at = checked_[id].location;
      if (!is_here(at) || !at.span.touches(offset) || at.span.size() == 0) continue;
      if (!found || at.span.size() <= checked_[found].location.span.size()) found = id;
    }
    return found;
  }

  std::vector<ExprId> all_exprs() const {
    std::vector<ExprId> all;
    for (std::size_t i = 0; i < checked_.exprs.size(); ++i) all.push_back(ExprId(i));
    return all;
  }

  Json declared_at(std::uint32_t offset) {
    for (std::size_t i = 0; i < checked_.locals.size(); ++i) {
      const sema::LocalId id = sema::LocalId(i);
      const sema::Local& local = checked_[id];
      if (!is_here(local.declared) || !local.declared.span.touches(offset) || local.name.empty()) continue;
      return node(local.name, kinds_.local_kinds[id], local.declared, kinds_.local_causes[id]);
    }
    return nullptr;
  }

  std::pair<Kind, CauseId> control_at(std::uint32_t offset) const {
    std::optional<sema::StmtId> found;
    for (std::size_t i = 0; i < checked_.stmts.size(); ++i) {
      const sema::StmtId id = sema::StmtId(i);
      const Location& at = checked_[id].location;
      if (!is_here(at) || !at.span.touches(offset)) continue;
      if (!found || at.span.size() <= checked_[*found].location.span.size()) found = id;
    }
    if (!found) return {Kind::Uniform, {}};
    return {kinds_.control[*found], kinds_.control_causes[*found]};
  }

  // The largest parts of an expression that differ, too. None: it differs by itself, or by what its name stands for.
  std::vector<ExprId> differing_parts(ExprId whole) const {
    const Span span = checked_[whole].location.span;
    std::vector<ExprId> parts;
    for (const ExprId id : all_exprs()) {
      const Location& at = checked_[id].location;
      if (!is_here(at) || kinds_.expr_kinds[id] == Kind::Uniform || at.span.size() == 0) continue;
      if (at.span.begin < span.begin || span.end < at.span.end || at.span.size() >= span.size()) continue;
      bool inside = false;
      for (const ExprId other : parts) inside = inside || contains(other, id);
      if (inside) continue;
      std::erase_if(parts, [&](ExprId other) { return contains(id, other); });
      parts.push_back(id);
    }
    return parts;
  }
  bool contains(ExprId outer, ExprId inner) const {
    const Span a = checked_[outer].location.span, b = checked_[inner].location.span;
    return a.begin <= b.begin && b.end <= a.end;
  }

  Json of_expr(ExprId id) {
    const Location& at = checked_[id].location;
    const std::string_view text = std::string_view(view_.item().text).substr(at.span.begin, at.span.size());
    const Kind kind = kinds_.expr_kinds[id];
    if (kind == Kind::Uniform) return node(text, kind, at, {});
    const std::vector<ExprId> parts = ++nodes_ > most_nodes ? std::vector<ExprId>() : differing_parts(id);
    if (parts.empty()) return node(text, kind, at, kinds_.expr_causes[id]);
    Json result = node(text, kind, at, {});
    for (const ExprId part : parts) result["because"].push_back(of_expr(part));
    return result;
  }

  Json node(std::string_view text, Kind kind, const Location& at, CauseId cause) {
    Json result = {{"message", fmt::format("`{}` is {}", text, name_of(kind))}, {"kind", name_of(kind)}, {"location", place(at)}, {"because", Json::array()}};
    if (cause && kind != Kind::Uniform) result["because"].push_back(of_cause(cause));
    return result;
  }

  Json place(const Location& at) const { return {{"uri", uri_}, {"range", to_json(border_.range(view_.absolute(at)))}}; }

  // From the source back, so that a long chain needs no deep stack here. (Whoever reads it does: it is cut to what JSON libraries take.)
  Json of_cause(CauseId first) const {
    std::vector<CauseId> chain;
    for (CauseId at = first; at && chain.size() < most_deep; at = kinds_.causes[at].next) chain.push_back(at);
    const CauseId source = kinds_.causes[first].source;
    if (chain.size() == most_deep && source) chain.back() = source;
    Json inner;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const uniformity::Step& step = kinds_.causes[*at].step;
      Json each = {{"message", step.message}, {"location", place(step.location)}, {"because", Json::array()}};
      if (!inner.is_null()) each["because"].push_back(std::move(inner));
      inner = std::move(each);
    }
    return inner;
  }

  static constexpr std::size_t most_deep = 400;
  const session::ItemView& view_;
  const sema::CheckedItem& checked_;
  const uniformity::Result& kinds_;
  const std::string& uri_;
  const Border& border_;
  std::size_t nodes_ = 0;
};

}  // namespace

Json explanation(const session::ItemView& item, std::uint32_t offset, const std::string& uri, const Border& border) {
  return Explainer(item, uri, border).at(offset);
}

}  // namespace phobos::server::lsp
