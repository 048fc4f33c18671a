#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string file;
  bool all = false;
};

struct Row {
  std::string name, what, type;
  Kind kind = Kind::Uniform;
  Span span;
  std::vector<std::pair<std::string, Span>> reason;
};

std::string what_of(const sema::Local& local) {
  switch (local.form) {
    case sema::Local::Form::Let: return local.is_argument ? "param" : "let";
    case sema::Local::Form::Var: return "var";
    case sema::Local::Form::LoopVariable: return "loop";
    case sema::Local::Form::Parameter: return "param";
    default: return "dim";
  }
}

// The rows of one item. What it inlines has rows of its own.
class ItemRows {
 public:
  ItemRows(const Source& source, const session::ItemView& view, std::vector<Row>& declarations, std::vector<Row>& rest)
      : source_(source), view_(view), checked_(view.analysis->checked), kinds_(view.analysis->kinds), declarations_(declarations), rest_(rest) {}

  void add_declarations() {
    for (std::size_t i = 0; i < checked_.locals.size() && i < kinds_.local_kinds.size(); ++i) {
      const sema::LocalId id(i);
      const sema::Local& local = checked_[id];
      if (local.declared.origin != 0 || local.is_argument) continue;
      declarations_.push_back(row(local.name, what_of(local), sema::to_string(local.type), kinds_.local_kinds[id], local.declared,
                                  cause(kinds_.local_causes, id)));
    }
  }

  void add_rest() {
    for (const auto& [place, id] : written_expressions()) {
      const sema::Expr& expr = checked_[id];
      rest_.push_back(row(text_of(expr.location), "expr", sema::to_string(expr.type), kinds_.expr_kinds[id], expr.location,
                          cause(kinds_.expr_causes, id)));
    }
    for (std::size_t i = 0; i < checked_.stmts.size() && i < kinds_.control.size(); ++i) {
      const sema::StmtId id(i);
      const Location location = checked_[id].location;
      if (location.origin != 0 || location.span.empty()) continue;
      rest_.push_back(row("", "control", "", kinds_.control[id], location, cause(kinds_.control_causes, id)));
    }
  }

 private:
  // One for each expression that somebody wrote. The checked tree has more: conversions that are implied, axes that are not named,
  // the value of one element behind a `generate`.
  std::map<std::pair<std::uint32_t, std::uint32_t>, sema::ExprId> written_expressions() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, sema::ExprId> written;
    for (const syntax::Expr& expr : checked_.item->exprs)
      if (!expr.span.empty()) written.try_emplace({expr.span.begin, expr.span.end});
    for (std::size_t i = 0; i < checked_.exprs.size() && i < kinds_.expr_kinds.size(); ++i) {
      const sema::ExprId id(i);
      const sema::Expr& expr = checked_[id];
      const auto place = written.find({expr.location.span.begin, expr.location.span.end});
      if (expr.location.origin != 0 || place == written.end()) continue;
      const auto* convert = std::get_if<sema::ConvertExpr>(&expr.node);
      const bool name_is_known = place->second.valid() && std::holds_alternative<sema::LocalExpr>(checked_[place->second].node);
      if ((convert == nullptr || convert->written) && !name_is_known) place->second = id;
    }
    std::erase_if(written, [](const auto& entry) { return !entry.second.valid(); });
    return written;
  }

  template <class Causes, class IdType>
  static uniformity::CauseId cause(const Causes& causes, IdType id) {
    return causes.contains(id) ? causes[id] : uniformity::CauseId();
  }

  Row row(std::string name, std::string what, std::string type, Kind kind, Location location, uniformity::CauseId cause) const {
    Row row{std::move(name), std::move(what), std::move(type), kind, view_.absolute(location), {}};
    if (kind != Kind::Uniform && cause.valid())
      for (const uniformity::Step& step : kinds_.chain(cause)) row.reason.emplace_back(step.message, view_.absolute(step.location));
    return row;
  }

  std::string text_of(Location location) const {
    const Span span = view_.absolute(location);
    return source_.snapshot->text().substr(span.begin, span.size());
  }

  const Source& source_;
  const session::ItemView& view_;
  const sema::CheckedItem& checked_;
  const uniformity::Result& kinds_;
  std::vector<Row>& declarations_;
  std::vector<Row>& rest_;
};

void in_source_order(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
}

std::vector<Row> rows_of(const Source& source, bool all) {
  std::vector<Row> declarations, rest;
  for (const session::ItemView& view : source.snapshot->items()) {
    ItemRows rows(source, view, declarations, rest);
    rows.add_declarations();
    if (all) rows.add_rest();
  }
  in_source_order(declarations);
  in_source_order(rest);
  std::move(rest.begin(), rest.end(), std::back_inserter(declarations));
  return declarations;
}

Json json_of(const Source& source, const Row& row) {
  Json reason = Json::array();
  for (const auto& [message, span] : row.reason) reason.push_back({{"message", message}, {"range", range_json(source, span)}});
  return {{"name", row.name},        {"what", row.what},
          {"type", row.type},        {"kind", name_of(row.kind)},
          {"range", range_json(source, row.span)}, {"reason", std::move(reason)}};
}

std::string place(const Source& source, Span span) {
  const Position at = source.snapshot->lines().position(source.snapshot->text(), span.begin, Encoding::Utf32);
  return fmt::format("{}:{}", at.line + 1, at.column + 1);
}

// One line, at most 40 bytes of it, never cut inside a character.
std::string shortened(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= 40) return text;
  std::size_t end = 37;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

void put_text(const Source& source, const std::vector<Row>& rows, const Options& options) {
  for (const Row& row : rows) {
    put(fmt::format("{:>8}  {:<12}  {:<7}  {}{}\n", place(source, row.span), name_of(row.kind), row.what, shortened(row.name),
                    row.type.empty() ? "" : ": " + row.type));
    if (options.quiet) continue;
    for (const auto& [message, span] : row.reason) put(fmt::format("{:>8}    {} ({})\n", "", message, place(source, span)));
  }
}

int kinds(const Arguments& arguments) {
  const Result<Source> source = open_source(arguments.file);
  if (!source) {
    say(source.message());
    if (arguments.json) put_json({{"values", Json::array()}});
    return exit_usage;
  }
  const std::vector<Row> rows = rows_of(*source, arguments.all);
  if (arguments.json) {
    Json values = Json::array();
    for (const Row& row : rows) values.push_back(json_of(*source, row));
    put_json({{"values", std::move(values)}});
  } else {
    put_text(*source, rows, arguments);
  }
  const std::vector<diag::Diagnostic> diagnostics = source->snapshot->diagnostics();
  if (!has_errors(diagnostics)) return exit_done;
  std::fputs(diagnostics_text(*source, diagnostics, use_color(arguments, STDERR_FILENO)).c_str(), stderr);
  return exit_failed;
}

}  // namespace

void add_kinds(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("kinds", "The uniformity kind of every value, with its reason");
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required()->check(not_empty());
  command->add_flag("--all", arguments->all, "Every expression and the control of every statement, too");
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return kinds(*arguments); }; });
}

}  // namespace phobos::cli
