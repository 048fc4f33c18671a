#include "program_text.h"

#include <utility>

namespace phobos::fuzz {
namespace {

class Printer {
 public:
  void line(const std::string& text, int depth) {
    text_.append(static_cast<std::size_t>(depth) * 4, ' ');
    text_ += text;
    text_ += '\n';
    ++lines_;
  }
  void print(Block& block, int depth) {
    for (auto& node : block) {
      node->first = lines_;
      line(node->head, depth);
      if (node->opens) {
        print(node->body, depth + 1);
        if (!node->otherwise.empty()) {
          line("} else {", depth);
          print(node->otherwise, depth + 1);
        }
        line("}", depth);
      }
      node->last = lines_ - 1;
    }
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::uint32_t lines_ = 0;
};

}  // namespace

std::string print(Block& file) {
  Printer printer;
  printer.print(file, 0);
  return printer.take();
}

int take_out(Block& block, const std::set<std::uint32_t>& lines) {
  int removed = 0;
  for (auto it = block.begin(); it != block.end();) {
    Node& node = **it;
    const auto hit = lines.lower_bound(node.first);
    if (hit == lines.end() || *hit > node.last) {
      ++it;
      continue;
    }
    const int inside = take_out(node.body, lines) + take_out(node.otherwise, lines);
    const bool itself = lines.contains(node.first) || lines.contains(node.last);
    if (itself && !node.fixed) {
      it = block.erase(it);
      ++removed;
    } else {
      removed += inside;
      ++it;
    }
  }
  return removed;
}

}  // namespace phobos::fuzz
