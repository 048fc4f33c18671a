#include "immediates.h"

#include <charconv>
#include <span>

namespace phobos::ir {
namespace {

constexpr std::string_view ctx_words[] = {"block.x", "block.y", "block.z", "blocks.x", "blocks.y",
                                          "blocks.z", "warp", "thread", "lane"};
constexpr std::string_view fold_words[] = {"sum", "max", "min", "any", "all"};
constexpr std::string_view collective_words[] = {"sum lane", "sum thread", "max lane", "max thread", "min lane",
                                                 "min thread", "any lane", "any thread", "all lane", "all thread"};
constexpr std::string_view shuffle_words[] = {"xor", "up", "down", "from"};
constexpr std::string_view atomic_words[] = {"add", "max", "min", "exchange", "compare_exchange"};
constexpr std::string_view dot_words[] = {"", "transposed", "by_groups", "transposed by_groups"};
constexpr std::string_view splat_words[] = {"", "unset"};

std::span<const std::string_view> words_of(Opcode code) {
  switch (code) {
    case Opcode::Ctx: return ctx_words;
    case Opcode::RowFold:
    case Opcode::RunFold: return fold_words;
    case Opcode::Collective: return collective_words;
    case Opcode::Shuffle: return shuffle_words;
    case Opcode::Atomic: return atomic_words;
    case Opcode::Dot: return dot_words;
    case Opcode::Splat: return splat_words;
    default: return {};
  }
}

bool is_axis(Opcode code) { return info(code).immediate == "axis"; }
bool is_note(Opcode code) { return info(code).immediate == "note"; }

}  // namespace

std::string immediate_text(const Op& op) {
  if (op.code == Opcode::Constant) return {};
  const auto words = words_of(op.code);
  if (op.immediate >= 0 && static_cast<std::size_t>(op.immediate) < words.size())
    return std::string(words[static_cast<std::size_t>(op.immediate)]);
  if (op.code == Opcode::For && op.immediate == -1) return "unroll";
  if (op.immediate == 0 && !is_axis(op.code) && !is_note(op.code) && words.empty()) return {};
  return std::to_string(op.immediate);
}

std::optional<std::int64_t> immediate_named(Opcode code, std::string_view text) {
  const auto words = words_of(code);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == text) return static_cast<std::int64_t>(i);
  if (code == Opcode::For && text == "unroll") return -1;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool immediate_valid(const Op& op) {
  if (op.code == Opcode::Constant) return true;
  if (op.code == Opcode::For) return op.immediate >= -1;
  if (op.code == Opcode::AsyncLoad || op.code == Opcode::AsyncWait) return op.immediate >= 0;  // columns, groups
  if (is_axis(op.code)) return op.immediate >= 0 && op.immediate < 4;
  if (is_note(op.code)) return op.immediate >= 0;
  const auto words = words_of(op.code);
  if (words.empty()) return op.immediate == 0;
  return op.immediate >= 0 && static_cast<std::size_t>(op.immediate) < words.size();
}

}  // namespace phobos::ir
