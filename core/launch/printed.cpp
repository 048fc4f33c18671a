#include <phobos/launch/printed.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include <phobos/source/line_map.h>

namespace phobos::launch {
namespace {

constexpr int warp = 32;
constexpr std::size_t most_captured = std::size_t{64} << 20;

// The lanes of one warp, ascending: `lane 5`, `lanes 0-3, 7`; nothing for all of them.
std::string of_warp(const std::vector<int>& lanes) {
  if (lanes.size() == warp) return {};
  std::string text = lanes.size() == 1 ? "lane " : "lanes ";
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t end = i + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
    if (i != 0) text += ", ";
    text += end - i == 1 ? fmt::format("{}", lanes[i]) : fmt::format("{}-{}", lanes[i], lanes[end - 1]);
    i = end;
  }
  return text;
}

// Takes text from the front of a line.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}
  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (fault != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

struct Line {
  std::int64_t line = 0;
  std::array<std::int64_t, 3> block{};
  int first = 0, count = 0;  // threads; none: all
  std::string_view text;
};

std::optional<Line> read_line(std::string_view whole, const std::string& file) {
  Reader reader(whole);
  Line made;
  if (!reader.skip(file) || !reader.skip(":")) return std::nullopt;
  const auto line = reader.number();
  if (!line || !reader.skip(": block (")) return std::nullopt;
  made.line = *line;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto number = reader.number();
    if (!number || !reader.skip(axis < 2 ? ", " : ")")) return std::nullopt;
    made.block[axis] = *number;
  }
  if (reader.skip(" warp ")) {
    made.first = static_cast<int>(reader.number().value_or(0)) * warp;
    made.count = warp;
  }
  if (reader.skip(" lane ")) {
    made.first += static_cast<int>(reader.number().value_or(0));
    made.count = 1;
  }
  if (!reader.skip(": ")) return std::nullopt;
  made.text = reader.rest();
  return made;
}

// A real of printf's full precision at its shortest.
std::string shortest(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const bool number = (text[0] >= '0' && text[0] <= '9') && (made.empty() || made.back() == ' ' || made.back() == '[' || made.back() == '-');
    double value = 0;
    const char* end = text.data();
    if (number) end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
    if (digits.find_first_of(".e") == std::string_view::npos) {
      const std::size_t step = std::max<std::size_t>(digits.size(), 1);
      made += text.substr(0, step);
      text.remove_prefix(step);
      continue;
    }
    int count = 0;  // of significant digits: nine are a float's
    for (const char c : digits.substr(0, digits.find('e'))) count += c != '.' && (count > 0 || c != '0');
    made += count < 9   ? std::string(digits)  // it is that already
            : count > 9 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
    text.remove_prefix(digits.size());
  }
  return made;
}

}  // namespace

std::string lanes_text(const std::vector<int>& threads, int all_threads) {
  if (threads.empty() || threads.size() == static_cast<std::size_t>(all_threads)) return {};
  struct Group {
    int first, last;
    std::string lanes;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < threads.size();) {
    const int number = threads[i] / warp;
    std::vector<int> lanes;
    for (; i < threads.size() && threads[i] / warp == number; ++i) lanes.push_back(threads[i] % warp);
    std::string text = of_warp(lanes);
    if (!groups.empty() && groups.back().last + 1 == number && groups.back().lanes == text) groups.back().last = number;
    else groups.push_back({number, number, std::move(text)});
  }
  if (all_threads <= warp) return groups.front().lanes;
  std::string text;
  for (const Group& group : groups) {
    if (!text.empty()) text += "; ";
    text += group.first == group.last ? fmt::format("warp {}", group.first) : fmt::format("warps {}-{}", group.first, group.last);
    if (!group.lanes.empty()) text += " " + group.lanes;
  }
  return text;
}

std::string line_text(const sim::Printed& line, int all_threads) {
  const std::string lanes = lanes_text(line.threads, all_threads);
  return fmt::format("block ({}, {}, {}){}{}: {}", line.block[0], line.block[1], line.block[2], lanes.empty() ? "" : " ", lanes, line.text);
}

bool prints(const ir::Kernel& kernel) {
  return std::any_of(kernel.notes.begin(), kernel.notes.end(), [](const ir::Note& note) { return note.form == ir::Note::Form::Print; });
}

Printout read_printed(const std::vector<std::string_view>& lines, const ir::Kernel& kernel, const std::string& file,
                      const std::string& source, std::size_t most) {
  std::map<std::int64_t, Span> places;  // the first `print` of each line
  const LineMap map(source);
  for (const ir::Op& op : kernel.ops)
    if (op.code == ir::Opcode::Print && op.span.begin <= source.size()) places.emplace(map.line_of(op.span.begin) + 1, op.span);
  using Place = std::tuple<std::int64_t, std::array<std::int64_t, 3>, int>;  // line, block, and for how many threads one speaks
  std::map<std::pair<Place, int>, std::int64_t> told;                         // by the first of those threads
  std::map<std::tuple<Place, std::int64_t, std::string_view>, std::size_t> known;
  Printout made;
  for (const std::string_view whole : lines) {
    const std::optional<Line> line = read_line(whole, file);
    if (!line) continue;
    const Place place(line->line, line->block, line->count);
    const std::int64_t time = told[{place, line->first}]++;
    const auto [found, fresh] = known.emplace(std::tuple(place, time, line->text), made.lines.size());
    if (fresh) made.lines.push_back({line->block, places.contains(line->line) ? places[line->line] : Span{}, {}, shortest(line->text)});
    for (int i = 0; i < line->count; ++i) made.lines[found->second].threads.push_back(line->first + i);
  }
  for (sim::Printed& line : made.lines) {
    std::sort(line.threads.begin(), line.threads.end());
    line.threads.erase(std::unique(line.threads.begin(), line.threads.end()), line.threads.end());
    if (line.threads.size() == static_cast<std::size_t>(kernel.threads)) line.threads.clear();
  }
  const auto key = [](const sim::Printed& line) { return std::array{line.block[2], line.block[1], line.block[0]}; };
  std::stable_sort(made.lines.begin(), made.lines.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  if (made.lines.size() > most) {
    made.left_out = static_cast<std::int64_t>(made.lines.size() - most);
    made.lines.erase(made.lines.begin() + static_cast<std::ptrdiff_t>(most), made.lines.end());
  }
  return made;
}

Capture::Capture() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return;
  file_ = dup(fileno(file));
  std::fclose(file);
  std::fflush(stdout);
  output_ = dup(STDOUT_FILENO);
  if (file_ >= 0 && output_ >= 0) dup2(file_, STDOUT_FILENO);
}

std::string Capture::take() {
  if (file_ < 0 || output_ < 0) return {};
  std::fflush(stdout);
  dup2(output_, STDOUT_FILENO);
  close(output_);
  output_ = -1;
  std::string text;
  char part[1 << 16];
  for (lseek(file_, 0, SEEK_SET); text.size() < most_captured;) {
    const ssize_t size = read(file_, part, sizeof part);
    if (size <= 0) break;
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

Capture::~Capture() {
  if (output_ >= 0) take();
  if (file_ >= 0) close(file_);
}

}  // namespace phobos::launch
