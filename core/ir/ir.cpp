#include <phobos/ir/ir.h>

#include <array>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

namespace phobos::ir {
namespace {

constexpr std::array<OpInfo, static_cast<std::size_t>(Opcode::count_)> table{{
#define PHOBOS_OP(id, mnemonic, traits, immediate) {Opcode::id, mnemonic, traits, immediate},
#include <phobos/ir/ops.def>
#undef PHOBOS_OP
}};

}  // namespace

const OpInfo& info(Opcode code) { return table[static_cast<std::size_t>(code)]; }

std::optional<Opcode> opcode_named(std::string_view mnemonic) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, Opcode> map;
    for (const OpInfo& row : table) map.emplace(row.mnemonic, row.id);
    return map;
  }();
  const auto found = by_name.find(mnemonic);
  if (found == by_name.end()) return std::nullopt;
  return found->second;
}

namespace {
constexpr std::string_view note_words[] = {"print", "values", "stored", "changed", "condition", "loop", "round", "barrier", "grid_barrier", "leave", "call"};
}  // namespace

std::string_view name_of(Decision::Kind kind) {
  static constexpr std::string_view names[] = {"contraction", "copy", "exchange", "fold", "loop", "grid", "chip"};
  return names[static_cast<std::size_t>(kind)];
}

std::string slice_text(const Kernel& kernel, ValueId buffer, const Shape& shape) {
  const std::string& name = kernel[buffer].name;
  std::string extents;
  for (const std::int64_t extent : shape) extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
  return fmt::format("{}[{}] of {}", name.empty() ? "a tile" : name, extents, phobos::name_of(kernel.type(buffer).element));
}

std::string_view name_of(Note::Form form) { return note_words[static_cast<std::size_t>(form)]; }

std::optional<Note::Form> note_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(note_words); ++i)
    if (note_words[i] == name) return static_cast<Note::Form>(i);
  return std::nullopt;
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

}  // namespace phobos::ir
