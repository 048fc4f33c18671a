// The items of a file with what is known of each, kept up to date over edits. What an edit costs is what the items cost that it
// touched and those that depend on them, and a step for each item behind it, which moves. Many items are analysed on several
// threads: what is known of one depends on nothing but texts.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/session/session.h>
#include <phobos/syntax/parser.h>

#include "analyse.h"
#include "index.h"

namespace phobos::session {

class Items {
 public:
  // Takes a text, of which `same` is as in the one before. To be called once for each text, before `analyse`.
  void update(std::string_view text, syntax::Unchanged same);
  // Analyses what has to be; false when it was stopped before all is known.
  bool analyse(std::stop_token stop);
  std::size_t due_bytes() const;
  // How many items were analysed since the last `update` that followed a complete analysis.
  int analysed() const { return analysed_; }

  // Whoever takes the views gives them back, as they were, before the next `update`.
  std::vector<ItemView> take_views() { return std::move(views_); }
  void give_views(std::vector<ItemView> views) { views_ = std::move(views); }
  // What is told of the file and not of an item; absolute.
  std::vector<diag::Diagnostic> diagnostics() const;
  const std::vector<std::string>& declared() const { return declared_; }
  const std::shared_ptr<const ide::Names>& names() const { return names_; }

 private:
  struct Known {
    ItemPointer item;
    std::shared_ptr<const Memo> memo;
    std::shared_ptr<const Analysis> good;  // the last one without errors, of an item that has some
    bool due = true;  // to be analysed; `memo` is what was known before, if anything was: what it asked for is in the index
  };
  struct Fresh {
    std::shared_ptr<const Memo> memo;  // null: stopped
    bool asks_as_before = false;
  };

  static bool is_good(const Known& known) { return known.memo && known.memo->analysis->checked.ok(); }
  static void inherit_good(std::vector<Known>& fresh, const std::vector<Known>& gone);
  void splice(const syntax::ItemsChange& change);
  void move_views(const syntax::ItemsChange& change);
  void recheck_concerned();
  Fresh analyse(std::size_t at, std::stop_token stop);
  void adopt(std::size_t at, Fresh fresh);
  void view(std::size_t at);
  std::uint32_t offset_of(const syntax::Item& item) const { return parser_.items()[index_.place_of(item)].span.begin; }

  syntax::Parser parser_;
  Index index_;
  std::vector<Known> known_;     // one an item
  std::vector<ItemView> views_;  // one an item; not of those that are due
  std::shared_ptr<const ide::Names> names_ = std::make_shared<const ide::Names>();
  std::vector<diag::Diagnostic> loose_;
  std::vector<std::string> declared_;
  std::vector<std::size_t> due_;  // places of the items that are to be analysed
  int analysed_ = 0;
};

}  // namespace phobos::session
