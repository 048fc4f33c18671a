// The index of an item's names against the checker, which resolves them by itself: in every kernel of the tree both mean the same.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unordered_map>

#include <doctest/doctest.h>

#include <phobos/ide/index.h>
#include <phobos/session/session.h>

using namespace phobos;

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> kernels() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"examples", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(PHOBOS_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".ph") found.push_back(entry.path());
  return found;
}

// Of the reads in the item's own text, how many were compared.
int compare(const ide::ItemView& view) {
  const sema::CheckedItem& checked = view.checked();
  const ide::Index& index = view.index();
  int compared = 0;
  for (std::size_t i = 0; i < checked.exprs.size(); ++i) {
    const sema::Expr& expr = checked[sema::ExprId(i)];
    const auto* local = std::get_if<sema::LocalExpr>(&expr.node);
    if (local == nullptr || !local->local.valid() || expr.location.origin != 0) continue;
    const sema::Local& meant = checked[local->local];
    const Span span = expr.location.span;
    if (meant.declared.origin != 0 || meant.is_argument || checked.item->text.substr(span.begin, span.size()) != meant.name) continue;
    const ide::Occurrence* there = index.at(span.begin);
    INFO(checked.item->name.text, ": ", meant.name, " at ", span.begin);
    REQUIRE(there != nullptr);
    CHECK(there->span == span);
    CHECK(index[there->symbol].declared == meant.declared.span);
    CHECK(index[there->symbol].local == local->local);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("a name means the same to the index and to the checker") {
  int compared = 0;
  for (const auto& path : kernels()) {
    CAPTURE(path.string());
    session::Session session(read(path));
    for (const ide::ItemView& view : session.snapshot()->items())
      if (view.checked().ok()) compared += compare(view);  // of a mistake the checker may guess what was meant
  }
  CHECK(compared > 3000);
}

TEST_CASE("occurrences are in order, apart, and each is the name that it says") {
  for (const auto& path : kernels()) {
    CAPTURE(path.string());
    session::Session session(read(path));
    for (const ide::ItemView& view : session.snapshot()->items()) {
      const ide::Index& index = view.index();
      std::uint32_t end = 0;
      for (const ide::Occurrence& each : index.occurrences) {
        CHECK(each.span.begin >= end);
        end = each.span.end;
        CHECK(view.item().text.compare(each.span.begin, each.span.size(), index[each.symbol].name) == 0);
      }
    }
  }
}
