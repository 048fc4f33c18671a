#include <phobos/builtins/builtins.h>

#include <phobos/builtins/spelling.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

namespace phobos::builtins {

namespace {

constexpr std::array rows = {
#define PHOBOS_BUILTIN(id, name, form, needs, gives, signature, documentation, example) \
  Row{Builtin::id, name, Form::form, Needs::needs, Gives::gives, signature, documentation, example},
#include <phobos/builtins/builtins.def>
#undef PHOBOS_BUILTIN
};

constexpr std::array ctx_rows = {
    CtxRow{CtxField::Blocks, "blocks", true, Kind::Uniform, false, "The grid's extent along an axis. Chosen by whoever launches the kernel."},
    CtxRow{CtxField::Block, "block", true, Kind::Uniform, false, "This CTA's index along an axis of the grid, from 0."},
    CtxRow{CtxField::Threads, "threads", false, Kind::Uniform, true, "Threads in a CTA, from `@launch` (256 without one)."},
    CtxRow{CtxField::Warps, "warps", false, Kind::Uniform, true, "Warps in a CTA: `ctx.threads / ctx.lanes`."},
    CtxRow{CtxField::Lanes, "lanes", false, Kind::Uniform, true, "Lanes in a warp: 32 on NVIDIA."},
    CtxRow{CtxField::Warp, "warp", false, Kind::WarpUniform, false, "This thread's warp in the CTA: `ctx.thread / ctx.lanes`."},
    CtxRow{CtxField::Thread, "thread", false, Kind::Varying, false, "This thread in the CTA: `ctx.warp * ctx.lanes + ctx.lane`."},
    CtxRow{CtxField::Lane, "lane", false, Kind::Varying, false, "This thread in its warp, from 0 to `ctx.lanes - 1`."},
};

constexpr std::size_t longest_name = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edits (insert, delete, replace, swap of neighbours) between two names, letters of either case being the same.
int distance(std::string_view a, std::string_view b) {
  std::array<std::array<int, longest_name + 1>, 3> rows_of;
  auto *before = &rows_of[0], *last = &rows_of[1], *now = &rows_of[2];
  for (std::size_t j = 0; j <= b.size(); ++j) (*last)[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    (*now)[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      (*now)[j] = std::min({(*last)[j] + 1, (*now)[j - 1] + 1, (*last)[j - 1] + !same});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        (*now)[j] = std::min((*now)[j], (*before)[j - 2] + 1);
    }
    auto* oldest = before;
    before = last, last = now, now = oldest;
  }
  return (*last)[b.size()];
}

}  // namespace

const Row& row(Builtin id) { return rows[static_cast<std::size_t>(id)]; }
std::span<const Row> all() { return rows; }

std::optional<Builtin> find(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, Builtin> map;
    for (const Row& r : rows) map.emplace(r.name, r.id);
    return map;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) return std::nullopt;
  return found->second;
}

const CtxRow& row(CtxField field) { return ctx_rows[static_cast<std::size_t>(field)]; }
std::span<const CtxRow> ctx_fields() { return ctx_rows; }

std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > longest_name) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(name.size(), 3) / 3;
  int best = static_cast<int>(limit) + 1;
  std::optional<std::string_view> result;
  for (std::string_view candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size()), shorter = std::min(name.size(), candidate.size());
    if (candidate.size() > longest_name || candidate == name || longer - shorter > limit) continue;
    const int d = distance(name, candidate);
    if (d < best && d < static_cast<int>(longer)) best = d, result = candidate;
  }
  return result;
}

bool is_slip(std::string_view name, std::string_view meant) {
  const auto only = [](std::string_view from, auto wanted) {
    std::string kept;
    std::copy_if(from.begin(), from.end(), std::back_inserter(kept), wanted);
    return kept;
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t shorter = std::min(name.size(), meant.size());
  if (shorter == 0 || std::max(name.size(), meant.size()) > longest_name || only(name, digit) != only(meant, digit)) return false;
  const int edits = distance(name, meant);
  if (edits == 0) return true;
  if (lower(name[0]) != lower(meant[0]) && name.size() != meant.size()) return false;  // a prefix makes another word
  return edits == 1 ? shorter >= 4 || std::is_permutation(name.begin(), name.end(), meant.begin(), meant.end()) : edits == 2 && shorter >= 8;
}

bool are_siblings(std::string_view name, std::string_view other) {
  const auto letters = [](std::string_view from) {
    std::string kept;
    for (const char c : from)
      if (c < '0' || c > '9') kept += lower(c);
    return kept;
  };
  const bool same_letters = letters(name) == letters(other);
  if (same_letters) return name.size() != letters(name).size() || other.size() != letters(other).size();
  const std::size_t a = name.rfind('_'), b = other.rfind('_');
  if (a == name.npos || a == 0 || a != b || name.substr(0, a) != other.substr(0, b)) return false;
  return !is_slip(name.substr(a + 1), other.substr(b + 1));
}

}  // namespace phobos::builtins
