// From an edit to the diagnostics of that text, in process: what a person's keystrokes cost in files of 1,000, 10,000 and 50,000
// lines, what opening costs, and what is held in memory. Each edit is of one character, and each stretch of edits ends with the
// text that it began with.
//
// Use: bench_edits [--json] [--edits N] [--growth N] [LINES ...]
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <generated.h>
#include <phobos/session/session.h>

#include "measure.h"

using namespace phobos;
using namespace phobos::bench;

namespace {

struct Settings {
  bool json = false;
  std::size_t edits = 4000, growth = 100'000;
  std::vector<std::size_t> lines;
};

struct Series {
  std::vector<double> times, work;  // milliseconds by the clock, and of this thread
  std::size_t most_analysed = 0, analysed = 0;
};

class Typist {
 public:
  explicit Typist(session::Session& session) : session_(session) {}

  void edit(std::uint32_t at, std::uint32_t length, std::string text, Series& series) {
    const double busy = worked();
    const auto start = Clock::now();
    session_.apply({{at, at + length}, std::move(text)});
    const auto snapshot = session_.snapshot();
    const auto diagnostics = snapshot->diagnostics();
    series.times.push_back(milliseconds_since(start));
    series.work.push_back(worked() - busy);
    const auto analysed = static_cast<std::size_t>(snapshot->analysed());
    series.most_analysed = std::max(series.most_analysed, analysed);
    series.analysed += analysed;
    seen_ += diagnostics.size();
  }

  // Letter by letter, then backspace by backspace.
  void type_and_delete(std::uint32_t at, std::string_view word, Series& series) {
    for (std::size_t i = 0; i < word.size(); ++i) edit(at + static_cast<std::uint32_t>(i), 0, std::string(1, word[i]), series);
    for (std::size_t i = word.size(); i-- > 0;) edit(at + static_cast<std::uint32_t>(i), 1, "", series);
  }

  void delete_and_mend(std::uint32_t at, Series& series) {
    const std::string letter(1, session_.text()[at]);
    edit(at, 1, "", series);
    edit(at, 0, letter, series);
  }

  std::size_t seen() const { return seen_; }

 private:
  session::Session& session_;
  std::size_t seen_ = 0;  // so that nothing is left out as unused
};

// The place behind the first `words` from `from` on.
std::uint32_t behind(const std::string& text, std::string_view words, std::size_t from = 0) {
  const std::size_t at = text.find(words, from);
  if (at == std::string::npos) {
    fmt::print(stderr, "the generated text has no `{}`\n", words);
    std::exit(1);
  }
  return static_cast<std::uint32_t>(at + words.size());
}

// A random kernel's body: the ends of its lines.
std::vector<std::uint32_t> line_ends(const session::Snapshot& snapshot, std::mt19937& random) {
  const auto& items = snapshot.items();
  for (;;) {
    const session::ItemView& view = items[random() % items.size()];
    if (view.item().form != syntax::Item::Form::Kernel) continue;
    std::vector<std::uint32_t> ends;
    const std::string& text = view.item().text;
    for (std::size_t at = text.find('\n', view.item().body_span.begin); at != std::string::npos; at = text.find('\n', at + 1))
      ends.push_back(view.offset + static_cast<std::uint32_t>(at));
    if (ends.size() > 3) return ends;
  }
}

const std::vector<std::string> kinds = {"type a statement and delete it", "break the syntax and mend it", "a new line and back",
                                        "a name, letter by letter"};

// One stretch of edits in the body of a random kernel.
void stretch(Typist& typist, session::Session& session, std::mt19937& random, std::map<std::string, Series>& series) {
  const auto snapshot = session.snapshot();
  const std::vector<std::uint32_t> ends = line_ends(*snapshot, random);
  const std::uint32_t end = ends[1 + random() % (ends.size() - 2)];
  const std::string& kind = kinds[random() % kinds.size()];
  Series& times = series[kind];
  if (kind == kinds[0]) {
    typist.type_and_delete(end, "\n  let extra = abs(2.5) + 1.0", times);
  } else if (kind == kinds[1]) {
    const std::string text(snapshot->text(), ends[0], ends.back() - ends[0]);
    for (int i = 0; i < 8; ++i) {
      const std::size_t at = text.find_first_of("()[]{}=,", random() % text.size());
      if (at != std::string::npos) typist.delete_and_mend(ends[0] + static_cast<std::uint32_t>(at), times);
    }
  } else if (kind == kinds[2]) {
    for (int i = 0; i < 4; ++i) typist.type_and_delete(end, "\n", times);
  } else {
    const std::string text(snapshot->text(), ends[0], ends.back() - ends[0]);
    const std::size_t at = text.find("let ", random() % text.size());
    if (at != std::string::npos) typist.type_and_delete(ends[0] + static_cast<std::uint32_t>(at) + 4, "more_", times);
  }
}

void report(Table& table, const std::string& name, const Series& series) {
  const double count = static_cast<double>(series.times.size());
  table.row(name, {{"edits", count},
                   {"p50 ms", percentile(series.times, 0.5)},
                   {"p99 ms", percentile(series.times, 0.99)},
                   {"max ms", percentile(series.times, 1.0)},
                   {"work p50", percentile(series.work, 0.5)},
                   {"work p99", percentile(series.work, 0.99)},
                   {"analysed", static_cast<double>(series.analysed) / std::max(1.0, count)},
                   {"most", static_cast<double>(series.most_analysed)}});
}

void expect_valid(const session::Snapshot& snapshot) {
  for (const diag::Diagnostic& diagnostic : snapshot.diagnostics()) {
    if (diagnostic.severity == diag::Severity::Hint) continue;
    const std::uint32_t line = snapshot.lines().line_of(diagnostic.location.span.begin);
    const Span span = snapshot.lines().line_span(snapshot.text(), line);
    fmt::print(stderr, "the generated text is wrong in line {}: {}\n{}\n", line + 1, diagnostic.message, snapshot.text().substr(span.begin, span.size()));
    std::exit(1);
  }
}

void edit_functions(Typist& typist, session::Session& session, Table& table) {
  const std::string text = session.text();
  const auto callers = [&](std::string_view function) {
    std::size_t count = 0;
    for (const auto& view : session.snapshot()->items())
      if (view.item().text.find(fmt::format(" {}(", function)) != std::string::npos || view.item().text.find(fmt::format("({}(", function)) != std::string::npos) ++count;
    return count - 1;
  };
  for (const auto& [function, place, repeats] : {std::tuple{"own5", "return n / 2", 20}, std::tuple{"group1", "return 1.0", 10}, std::tuple{"common", "1.0 + abs(scaled", 2}}) {
    if (text.find(fmt::format("fn {}(", function)) == std::string::npos) continue;
    Series series;
    const std::uint32_t at = behind(text, place, behind(text, fmt::format("fn {}(", function)));
    for (int i = 0; i < repeats; ++i) typist.type_and_delete(at, " * 1", series);
    report(table, fmt::format("the function `{}` ({} callers)", function, callers(function)), series);
  }
}

void measure(std::size_t lines, const Settings& settings) {
  const std::string text = generated::file(generated::shape_of_lines(lines));
  Table edits(fmt::format("{} lines", lines), settings.json);
  const double before = resident();
  auto start = Clock::now();
  auto session = std::make_unique<session::Session>(text);
  expect_valid(*session->snapshot());
  const double opened = milliseconds_since(start);
  const double after = resident();
  Typist typist(*session);
  std::mt19937 random(1);
  std::map<std::string, Series> series;
  std::size_t done = 0;
  const auto count = [&] {
    std::size_t sum = 0;
    for (const auto& [name, each] : series) sum += each.times.size();
    return sum;
  };
  while (count() < settings.edits) stretch(typist, *session, random, series);
  Series all;
  for (const auto& [name, each] : series) {
    all.times.insert(all.times.end(), each.times.begin(), each.times.end());
    all.work.insert(all.work.end(), each.work.begin(), each.work.end());
    all.analysed += each.analysed;
    all.most_analysed = std::max(all.most_analysed, each.most_analysed);
  }
  report(edits, "all in the bodies of kernels", all);
  for (const auto& [name, each] : series) report(edits, name, each);
  edit_functions(typist, *session, edits);

  Table memory(fmt::format("{} lines: opening and memory", lines), settings.json);
  memory.row("open", {{"ms", opened}, {"bytes", static_cast<double>(text.size())}, {"items", static_cast<double>(session->snapshot()->items().size())}, {"MB", after - before}});
  if (settings.growth > 0) {
    std::map<std::string, Series> ignored;
    const double held = allocated(), in_memory = resident();
    for (done = 0; done < settings.growth;) {
      stretch(typist, *session, random, ignored);
      for (auto& [name, each] : ignored) done += each.times.size(), each = {};
    }
    ignored.clear();
    memory.row(fmt::format("growth over {} edits", done), {{"allocated MB", allocated() - held}, {"resident MB", resident() - in_memory}});
  }
  if (session->text() != text) fmt::print(stderr, "the edits did not lead back to the text\n"), std::exit(1);
  if (typist.seen() == 0) fmt::print(stderr, "nothing was diagnosed\n"), std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--json") settings.json = true;
    else if (word == "--edits" && i + 1 < count) settings.edits = std::strtoul(arguments[++i], nullptr, 10);
    else if (word == "--growth" && i + 1 < count) settings.growth = std::strtoul(arguments[++i], nullptr, 10);
    else settings.lines.push_back(std::strtoul(arguments[i], nullptr, 10));
  }
  if (settings.lines.empty()) settings.lines = {1'000, 10'000, 50'000};
  for (const std::size_t lines : settings.lines) measure(lines, settings);
}
