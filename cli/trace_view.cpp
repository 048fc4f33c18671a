#include "trace_view.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include <phobos/launch/printed.h>

#include "trace_text.h"

namespace phobos::cli {
namespace {

constexpr int lanes_of_warp = 32;
constexpr const char* bold = "\x1b[1m";
constexpr const char* dim = "\x1b[2m";
constexpr const char* reverse = "\x1b[7m";
constexpr const char* warm = "\x1b[33m";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

int width_of(std::string_view text) { return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); })); }

// The first `width` characters.
std::string cut(std::string_view text, int width) {
  std::size_t end = 0;
  for (int count = 0; end < text.size(); ++end)
    if (!continues(text[end]) && count++ == std::max(width, 0)) break;
  return std::string(text.substr(0, end));
}

std::string padded(std::string_view text, int width) {
  std::string made = cut(text, width);
  made.append(static_cast<std::size_t>(std::max(width - width_of(made), 0)), ' ');
  return made;
}

// In so many characters: of a number with a fraction as many digits as fit, of anything else the first ones and a `~`.
std::string fitted(const std::string& text, int width) {
  if (width_of(text) <= width) return text;
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && end == text.data() + text.size() && text.find_first_of(".e") != std::string::npos) {
    for (int digits = width; digits > 0; --digits)
      if (std::string shorter = fmt::format("{:.{}g}", number, digits); width_of(shorter) <= width) return shorter;
    if (std::string least = fmt::format("{:.0e}", number); width_of(least) <= width) return least;
  }
  return cut(text, width - 1) + "~";
}

// A line of source with nothing in it that a terminal would act on.
std::string showable(std::string_view line) {
  std::string made;
  for (const char c : line) {
    if (c == '\t') made += ' ';
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) made += '?';
    else made += c;
  }
  return made;
}

// The lines of a text, broken between words where they are too wide.
std::vector<std::string> wrapped(std::string_view text, int width) {
  std::vector<std::string> made;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    while (width_of(line) > width) {
      const std::string part = cut(line, width);
      const std::size_t space = part.rfind(' ');
      const std::size_t taken = space == std::string::npos || space == 0 ? part.size() : space;
      made.emplace_back(line.substr(0, taken));
      line.remove_prefix(taken);
      while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    }
    made.emplace_back(line);
  }
  return made;
}

bool is_barrier(const launch::TraceStep& step) { return step.event == "barrier" || step.event == "grid_barrier"; }
bool is_divergence(const launch::TraceStep& step) { return step.event == "divergence"; }

bool is_active(const launch::TraceStep& step, int thread) { return std::binary_search(step.active.begin(), step.active.end(), thread); }

}  // namespace

TraceView::TraceView(const Source& source, std::string kernel, std::vector<launch::TraceStep> steps, const launch::Trace& trace, bool color)
    : source_(source), kernel_(std::move(kernel)), steps_(std::move(steps)), trace_(trace), color_(color) {
  std::string_view rest = source.snapshot->text();
  for (bool more = true; more;) {
    const std::size_t end = rest.find('\n');
    more = end != std::string_view::npos;
    text_.push_back(showable(rest.substr(0, more && end > 0 && rest[end - 1] == '\r' ? end - 1 : end)));
    if (more) rest.remove_prefix(end + 1);
  }
  find_scopes();
}

std::string TraceView::styled(const char* style, const std::string& text) const { return color_ ? style + text + "\x1b[0m" : text; }

std::uint32_t TraceView::line_of(const launch::TraceStep& step) const { return source_.snapshot->lines().line_of(step.range.begin); }

// --- keys -------------------------------------------------------------------------------------------------------------------

void TraceView::move(std::ptrdiff_t by) {
  const auto last = static_cast<std::ptrdiff_t>(steps_.size()) - 1;
  const std::ptrdiff_t wanted = static_cast<std::ptrdiff_t>(at_) + by;
  if (wanted > last) message_ = trace_.cut ? "the trace was cut off here; --steps asks for more" : "this is the last step";
  if (wanted < 0) message_ = "this is the first step";
  at_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, last));
}

void TraceView::seek(int direction, bool (*wanted)(const launch::TraceStep&), const char* what) {
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(at_) + direction; i >= 0 && i < static_cast<std::ptrdiff_t>(steps_.size()); i += direction)
    if (wanted(steps_[static_cast<std::size_t>(i)])) {
      at_ = static_cast<std::size_t>(i);
      return;
    }
  message_ = fmt::format("there is no {} {} this step", what, direction > 0 ? "behind" : "before");
}

void TraceView::go_to_line(std::uint32_t line) {
  for (std::size_t i = 1; i <= steps_.size(); ++i) {
    const std::size_t candidate = (at_ + i) % steps_.size();
    if (line_of(steps_[candidate]) + 1 != line) continue;
    if (candidate <= at_) message_ = "found from the start on";
    at_ = candidate;
    return;
  }
  message_ = fmt::format("no step is on line {}", line);
}

void TraceView::next_name(int direction) {
  const std::vector<Shown> all = names();
  if (all.empty()) return;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Shown& one) { return one.name == focus_; });
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  const std::ptrdiff_t place = found == all.end() ? (direction > 0 ? 0 : count - 1) : (found - all.begin() + direction + count) % count;
  focus_ = all[static_cast<std::size_t>(place)].name;
}

bool TraceView::press(const Key& key) {
  using Form = Key::Form;
  if (key.form == Form::Signal) return false;
  if (key.form == Form::Resize) return true;
  message_.clear();
  if (help_) {
    help_ = false;
    return !(key.form == Form::Character && key.character == 'q');
  }
  if (asking_) {
    if (key.form == Form::Character && key.character >= '0' && key.character <= '9' && prompt_.size() < 9) prompt_ += key.character;
    if (key.form == Form::Backspace && !prompt_.empty()) prompt_.pop_back();
    if (key.form == Form::Escape) asking_ = false;
    if (key.form != Form::Enter) return true;
    asking_ = false;
    std::uint32_t line = 0;
    std::from_chars(prompt_.data(), prompt_.data() + prompt_.size(), line);
    if (!prompt_.empty()) go_to_line(line);
    return true;
  }
  switch (key.form) {
    case Form::Right:
    case Form::Down: move(1); return true;
    case Form::Left:
    case Form::Up: move(-1); return true;
    case Form::PageDown: move(10); return true;
    case Form::PageUp: move(-10); return true;
    case Form::Home: at_ = 0; return true;
    case Form::End: at_ = steps_.size() - 1; return true;
    case Form::Tab: next_name(1); return true;
    case Form::Character: return command(key.character);
    default: return true;
  }
}

bool TraceView::command(char key) {
  switch (key) {
    case 'q': return false;
    case 'n':
    case ' ': move(1); break;
    case 'p': move(-1); break;
    case 'b': seek(1, is_barrier, "barrier"); break;
    case 'B': seek(-1, is_barrier, "barrier"); break;
    case 'd': seek(1, is_divergence, "divergence"); break;
    case 'D': seek(-1, is_divergence, "divergence"); break;
    case '+':
    case '=': thread_ = (thread_ + 1) % trace_.threads; break;
    case '-': thread_ = (thread_ + trace_.threads - 1) % trace_.threads; break;
    case 'w': thread_ = (thread_ + lanes_of_warp) % trace_.threads; break;
    case 'v': next_name(1); break;
    case 'V': next_name(-1); break;
    case '0': focus_.clear(); break;
    case 'g':
      asking_ = true;
      prompt_.clear();
      break;
    case 'h':
    case '?': help_ = true; break;
    default: message_ = "h lists the keys"; break;
  }
  return true;
}

// --- what is known at this step ---------------------------------------------------------------------------------------------

namespace {

// The end of the block that a declaration at `at` stands in, or for the variable of a loop of the block that follows.
std::uint32_t end_of_scope(std::string_view text, std::uint32_t at, bool loop) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
    if (i == text.size()) break;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == (loop ? 0 : -1)) return static_cast<std::uint32_t>(i);
  }
  return static_cast<std::uint32_t>(text.size());
}

bool holds(Span span, std::uint32_t at) { return at >= span.begin && at < span.end; }

}  // namespace

// From the text: a statement that begins with `let`, `var` or `for` declares the name that it writes. What was never declared is a
// parameter, or what a function returned.
void TraceView::find_scopes() {
  const std::string_view text = source_.snapshot->text();
  std::map<std::string, std::vector<Span>> declared;
  std::uint32_t kernel_place = 0;
  for (const launch::TraceStep& step : steps_) {
    const std::uint32_t at = step.range.begin;
    const session::ItemView* item = source_.snapshot->item_at(at);
    const bool in_function = item != nullptr && item->item().form == syntax::Item::Form::Function;
    if (!in_function) kernel_place = at;
    kernel_place_.push_back(kernel_place);
    std::vector<Span>& scopes = scopes_.emplace_back();
    const std::string_view word = text.substr(std::min<std::size_t>(at, text.size()), 3);
    for (const launch::TraceWrite& write : step.writes) {
      std::vector<Span>& known = declared[write.name.substr(0, write.name.find('['))];
      if (word == "let" || word == "var" || word == "for") {
        const Span scope{at, end_of_scope(text, at, word == "for")};
        if (std::find(known.begin(), known.end(), scope) == known.end()) known.push_back(scope);
        scopes.push_back(scope);
        continue;
      }
      Span scope = in_function ? item->span : Span{0, static_cast<std::uint32_t>(text.size())};
      for (const Span& one : known)
        if (holds(one, at) && one.begin >= scope.begin) scope = one;
      scopes.push_back(scope);
    }
  }
}

// Whether the name that was written there means the same at this step.
bool TraceView::is_shown(std::size_t step, std::size_t write) const {
  const Span scope = scopes_[step][write];
  return holds(scope, now().range.begin) || step == at_ || holds(scope, kernel_place_[at_]);
}

// Each name that was written so far, the one written last first. What a store was told of is no name: something else may lie there by now.
std::vector<TraceView::Shown> TraceView::names() const {
  std::vector<Shown> found;
  for (std::size_t i = at_ + 1; i-- > 0;)
    for (std::size_t w = 0; w < steps_[i].writes.size(); ++w) {
      const std::string& name = steps_[i].writes[w].name;
      if ((i == at_ || steps_[i].writes[w].at.empty()) && is_shown(i, w) && std::none_of(found.begin(), found.end(), [&](const Shown& one) { return one.name == name; })) found.push_back({name, i, w});
    }
  return found;
}

// By that thread, or of a tile, which all of them share, by any; null where there is none.
const launch::TraceWrite* TraceView::last_write(const std::string& name, int thread) const {
  for (std::size_t i = at_ + 1; i-- > 0;)
    for (std::size_t w = 0; w < steps_[i].writes.size(); ++w)
      if (const launch::TraceWrite& write = steps_[i].writes[w]; write.name == name && is_shown(i, w)) {
        const bool shared = write.value.type.is_tile() && launch::told_once(write);
        if (shared || is_active(steps_[i], thread)) return &write;
      }
  return nullptr;
}

// --- the screen -------------------------------------------------------------------------------------------------------------

std::string TraceView::title(int width) const {
  const launch::TraceStep& step = now();
  std::string text = fmt::format(" {}  block ({}, {}, {})  step {} of {}{}  {} of {} lanes", kernel_, step.block[0], step.block[1], step.block[2],
                                 step.number + 1, steps_.size(), trace_.cut ? "+" : "", step.active.size(), trace_.threads);
  if (!step.event.empty()) text += "  <" + step.event + ">";
  return styled(reverse, padded(text, width));
}

std::vector<std::string> TraceView::source_lines(int rows, int width) const {
  const Span range = now().range;
  const LineMap& map = source_.snapshot->lines();
  const auto current = static_cast<int>(line_of(now()));
  const int first = std::clamp(current - rows / 2, 0, std::max(static_cast<int>(text_.size()) - rows, 0));
  std::vector<std::string> made;
  for (int i = first; i < first + rows; ++i) {
    if (i >= static_cast<int>(text_.size())) {
      made.emplace_back();
      continue;
    }
    const std::string& line = text_[static_cast<std::size_t>(i)];
    const std::string number = fmt::format("{} {:>4} ", i == current ? ">" : " ", i + 1);
    const int room = width - width_of(number);
    if (i != current) {
      made.push_back(styled(dim, number) + cut(line, room));
      continue;
    }
    const Position at = map.position(source_.snapshot->text(), range.begin, Encoding::Utf8);
    const std::size_t begin = std::min<std::size_t>(at.column, line.size()), end = std::min<std::size_t>(begin + range.size(), line.size());
    const std::string before = line.substr(0, begin), marked = line.substr(begin, end - begin);
    made.push_back(styled(bold, number) + cut(before, room) + styled(reverse, cut(marked, room - width_of(before))) +
                   cut(line.substr(end), room - width_of(before) - width_of(marked)));
  }
  return made;
}

// A row of lanes for each warp: `#` where it is active.
std::vector<std::string> TraceView::warp_lines(int rows, int width) const {
  const int warps = trace_.threads / lanes_of_warp, own = thread_ / lanes_of_warp;
  const int shown = std::min(rows, warps), first = std::clamp(own - shown / 2, 0, warps - shown);
  std::vector<std::string> made;
  const int each = width >= lanes_of_warp + 4 ? 1 : 2;  // lanes of a cell; `+` where some of them are active
  for (int warp = first; warp < first + shown; ++warp) {
    const char* sign = warp == own ? ">" : " ";
    std::string line = width >= 43 ? fmt::format("{} warp {:>2}  ", sign, warp) : fmt::format("{}{:>2} ", sign, warp);
    for (int thread = warp * lanes_of_warp; thread < (warp + 1) * lanes_of_warp; thread += each) {
      const int active = is_active(now(), thread) + (each == 2 && is_active(now(), thread + 1));
      const std::string cell = active == each ? "#" : active == 0 ? "." : "+";
      line += thread / each == thread_ / each ? styled(reverse, cell) : cell;
    }
    if (warp + 1 == first + shown && shown < warps) line += styled(dim, cut(fmt::format("  {} of {} warps", shown, warps), std::max(width - 43, 0)));
    made.push_back(std::move(line));
  }
  return made;
}

// The values of one name: a cell for each lane of the warp that is looked at, or of a tile, which there is one of, for its elements.
std::vector<std::string> TraceView::cell_lines(int width) const {
  const std::vector<Shown> all = names();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Shown& one) { return one.name == focus_; });
  if (all.empty()) return lane_cells("", width);
  const Shown& shown = found == all.end() ? all.front() : *found;
  const launch::TraceWrite& write = steps_[shown.step].writes[shown.write];
  return write.value.type.is_tile() && launch::told_once(write) ? element_cells(write, width) : lane_cells(shown.name, width);
}

std::vector<std::string> TraceView::lane_cells(const std::string& name, int width) const {
  const int columns = width >= 128 ? 16 : width >= 60 ? 8 : 4, cell = width / columns, warp = thread_ / lanes_of_warp;
  std::vector<std::string> made{styled(bold, padded(name.empty() ? "no value yet" : fmt::format("{} in the lanes of warp {}", name, warp), width))};
  for (int lane = 0; lane < lanes_of_warp; lane += columns) {
    std::string line;
    for (int i = lane; i < lane + columns; ++i) {
      const int thread = warp * lanes_of_warp + i;
      const launch::TraceWrite* write = name.empty() ? nullptr : last_write(name, thread);
      const bool active = is_active(now(), thread);
      const std::string value = write == nullptr ? "-" : fitted(write->value.text(write->value.lane_of(thread, trace_.threads)), cell - (active ? 5 : 6));
      std::string text = active ? fmt::format("{:>2}: {}", i, value) : write ? fmt::format("{:>2} ({})", i, value) : fmt::format("{:>2} -", i);
      text = padded(text, cell);
      line += thread == thread_ ? styled(reverse, text) : active ? text : styled(dim, text);
    }
    made.push_back(line);
  }
  return made;
}

std::vector<std::string> TraceView::element_cells(const launch::TraceWrite& write, int width) const {
  const sim::Seen& value = write.value;
  const int columns = width >= 128 ? 16 : width >= 60 ? 8 : 4, cell = width / columns;
  const std::int64_t across = value.type.shape.back(), down = ir::element_count(value.type.shape) / std::max<std::int64_t>(across, 1);
  std::vector<std::string> made{styled(bold, padded(fmt::format("{}, {}: its first elements, by rows", write.name, type_text(value)), width))};
  for (std::int64_t row = 0; row < lanes_of_warp / columns; ++row) {
    std::string line;
    for (std::int64_t i = 0; i < columns && row < down && i < across; ++i) {
      const std::int64_t at = row * across + i;
      line += padded(at < value.rows ? fitted(value.element(0, at), cell - 1) : "...", cell);
    }
    made.push_back(line);
  }
  return made;
}

std::vector<std::string> TraceView::value_lines(int rows, int width) const {
  std::vector<std::string> made;
  const launch::TraceStep& step = now();
  for (const std::string& line : wrapped(step.message, width)) made.push_back(styled(warm, line));
  const std::size_t printed = std::min(step.printed.size(), static_cast<std::size_t>(std::max(rows / 3, 1)));
  for (std::size_t i = 0; i < printed; ++i) made.push_back(styled(warm, cut("printed: " + launch::line_text(step.printed[i], trace_.threads), width)));
  if (printed < step.printed.size()) made.push_back(styled(warm, fmt::format("printed: {} lines more", step.printed.size() - printed)));
  const auto row = [&](const char* sign, const launch::TraceWrite& write, const std::string& value) {
    const std::string kind = width >= 60 ? fmt::format("{:<12} ", name_of(write.kind)) : "", type = width >= 72 ? fmt::format("{:<18} ", type_text(write.value)) : "";
    return cut(fmt::format("{} {:<{}} {}{}{}", sign, write.name, width >= 60 ? 16 : 10, kind, type, value), width);
  };
  if (step.condition) made.push_back(row("?", *step.condition, value_text(*step.condition, is_active(step, thread_) ? thread_ : step.active.front(), trace_.threads)));
  for (const Shown& one : names()) {
    const launch::TraceWrite* write = last_write(one.name, thread_);
    const launch::TraceWrite& last = steps_[one.step].writes[one.write];
    const std::string value = write == nullptr ? "-" : value_text(*write, thread_, trace_.threads);
    const std::string line = row(one.step == at_ ? "*" : " ", last, value);
    made.push_back(one.step == at_ ? styled(bold, line) : line);
  }
  if (static_cast<int>(made.size()) > rows && rows > 0) {
    const std::size_t more = made.size() - static_cast<std::size_t>(rows) + 1;
    made.resize(static_cast<std::size_t>(rows) - 1);
    made.push_back(styled(dim, fmt::format("  and {} more", more)));
  }
  made.resize(static_cast<std::size_t>(std::max(rows, 0)));
  return made;
}

std::vector<std::string> TraceView::help_lines() const {
  return {"",
          "  n, space, right, down    the next step",
          "  p, left, up              the step before",
          "  page down, page up       ten steps",
          "  home, end                the first, the last step",
          "  b, B                     the next barrier, the one before",
          "  d, D                     the next divergence, the one before",
          "  g LINE enter             the next step on a line of the source",
          "  + - w                    the next lane, the one before, the next warp",
          "  tab, v, V                another name for the cells; 0: the one written last",
          "  h                        this help",
          "  q                        the end",
          "",
          "  # or : a lane that takes part in the step; . or (value) one that does not",
          "  +      one of two, where a cell stands for two",
          "  *      written in this step; ? a condition",
          "",
          "  any key: back"};
}

std::string TraceView::footer(int width) const {
  if (asking_) return cut("line: " + prompt_ + "_", width);
  if (!message_.empty()) return styled(warm, cut(message_, width));
  const int warp = thread_ / lanes_of_warp, lane = thread_ % lanes_of_warp;
  std::string text = fmt::format("lane {} of warp {} ", lane, warp);
  for (const char* key : {"n next", "p back", "h help", "q end", "d divergence", "b barrier", "g line", "+/- lane", "v name"})
    if (const std::string more = fmt::format("  {}", key); width_of(text) + width_of(more) <= width) text += more;
  return styled(dim, cut(text, width));
}

std::vector<std::string> TraceView::lines(Terminal::Size size) const {
  const int rows = std::max(size.rows, 4), width = std::max(size.columns, 20);
  std::vector<std::string> made{title(width)};
  const auto add = [&](std::vector<std::string> more) { made.insert(made.end(), more.begin(), more.end()); };
  if (help_) {
    for (const std::string& line : help_lines()) made.push_back(cut(line, width));
  } else {
    const std::vector<std::string> cells = cell_lines(width);
    const int warps = std::min({trace_.threads / lanes_of_warp, 8, std::max(rows / 6, 1)});
    int left = rows - 2 - warps - static_cast<int>(cells.size());
    const bool with_cells = left >= 6;
    if (!with_cells) left += static_cast<int>(cells.size());
    const int values = std::clamp(left / 2, 0, 12), text = std::max(left - values, 1);
    add(source_lines(text, width));
    add(warp_lines(warps, width));
    if (with_cells) add(cells);
    add(value_lines(values, width));
  }
  made.resize(static_cast<std::size_t>(rows) - 1);
  made.push_back(footer(width));
  return made;
}

}  // namespace phobos::cli
