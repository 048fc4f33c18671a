// The one door to the analysis: a Session owns a file's text and what is known of it; a Snapshot is a reader's immutable view.
//
// Items (kernels, functions) whose text did not change keep all that was computed for them, wherever they moved to: an edit
// costs what the edited item costs. A kernel also depends on the text of the functions that it inlines. A session takes its text
// and its views back from a snapshot that nobody else holds any more; one that is still held at the next edit costs a copy.
//
// A text that is no UTF-8 text, or larger than `largest_text`, has one diagnostic that says so, and no items.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ide/file.h>
#include <phobos/sema/check.h>
#include <phobos/source/line_map.h>
#include <phobos/source/span.h>
#include <phobos/uniformity/uniformity.h>

namespace phobos::session {

inline constexpr std::size_t largest_text = 64u << 20;  // bytes
inline constexpr std::size_t most_diagnostics = 1000;  // of one file: the gravest, and of those the first

using ide::Analysis;
using ide::ItemView;

// `//# run …` of a kernel: `text` is what follows `//# run`, `span` the comment, absolute.
struct RunLine {
  std::string text;
  Span span;
};

class Snapshot {
 public:
  std::uint64_t revision() const { return revision_; }
  const std::string& text() const { return *text_; }
  const LineMap& lines() const { return *lines_; }
  const std::vector<ItemView>& items() const { return items_; }  // in source order
  // For the features of core/ide; of no use without the snapshot.
  ide::File file() const { return {*text_, *lines_, items_, *names_}; }
  // All diagnostics of the file, absolute (origin 0), in source order. One that is found in a function's body by way of several
  // callers is there once. At most `most_diagnostics` of them.
  std::vector<diag::Diagnostic> diagnostics() const;
  const ItemView* item_at(std::uint32_t offset) const;
  const ItemView* kernel_named(std::string_view name) const;
  // The run lines of a kernel of this snapshot: those above it, and before them those above functions that stand between it and
  // the kernel before it, since a kernel often comes behind the functions that it calls.
  std::vector<RunLine> run_lines(const ItemView& kernel) const;
  // How many items were analysed anew for this revision.
  int analysed() const { return analysed_; }

 private:
  friend class Session;
  void drop_uses_of_declared(std::vector<diag::Diagnostic>& all) const;

  std::uint64_t revision_ = 0;
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const LineMap> lines_;
  std::vector<ItemView> items_;
  std::shared_ptr<const ide::Names> names_ = std::make_shared<const ide::Names>();
  std::vector<diag::Diagnostic> file_diagnostics_;
  std::vector<std::string> declared_;  // by what stands before the first item, where nothing may be declared
  int analysed_ = 0;
};

class Session {
 public:
  explicit Session(std::string text);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Offsets are bytes of the current text; out-of-range spans are clamped.
  void apply(const Edit& edit);
  void replace(std::string text);
  const std::string& text() const;
  const LineMap& lines() const;

  // What the next snapshot will cost: bytes of the items that it has to analyse. Splits the text into items, if that was not done.
  std::size_t due();
  // The view of the current text; analyses what changed. A requested stop gives null; what was analysed by then is kept.
  std::shared_ptr<const Snapshot> snapshot(std::stop_token stop = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Why a text is no source text: it is too large, UTF-16 or binary, or has bytes that are not UTF-8.
std::vector<diag::Diagnostic> faults_of_text(std::string_view text);

// One kernel analysed with chosen autotune constants, from a snapshot (for a run). Null where there is no such kernel.
std::optional<ItemView> analyse_kernel(const Snapshot& snapshot, std::string_view kernel,
                                       const std::map<std::string, std::int64_t>& constants);

}  // namespace phobos::session
