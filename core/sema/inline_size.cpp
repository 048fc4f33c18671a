// What inlining costs, known before any of it is done.
//
// A call is checked as if the body stood there, so a chain of functions that each call the one before twice doubles at every link.
// The size of a function, its own expressions and the sizes of all that it calls, is counted on the syntax trees, each function
// once. An item may inline so much in all: the call that goes past it is the error. Where a function is too large by itself it is
// told there, and its callers say nothing.
#include <algorithm>

#include "checker.h"

namespace phobos::sema {

namespace {

constexpr std::size_t most_inlined = 50000;  // expressions
constexpr int deepest = 33;                  // functions beyond that are refused for their depth

const std::string* function_called(const syntax::Item& item, const syntax::Expr& expr) {
  const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
  const auto* callee = call ? std::get_if<syntax::NameExpr>(&item[call->callee].node) : nullptr;
  if (!callee) return nullptr;
  if (callee->name != "generate" || call->arguments.empty()) return &callee->name;
  const auto* named = std::get_if<syntax::NameExpr>(&item[call->arguments[0]].node);
  return named ? &named->name : nullptr;
}

}  // namespace

// Whether a function calls itself through others, and the functions by which it calls the one that is checked.
std::pair<std::vector<std::string>, bool> Checker::way_back(const syntax::Item& function) {
  if (!environment_.find || !looked_back_.insert(&function).second) return {{}, true};
  std::vector<std::pair<const syntax::Item*, std::size_t>> reached{{&function, 0}};
  std::set<std::string> known;
  std::vector<std::string> way;
  bool cyclic = false;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const syntax::Item& from = *reached[i].first;
    for (const syntax::Expr& expr : from.exprs) {
      const std::string* name = function_called(from, expr);
      if (!name || !known.insert(*name).second) continue;
      const auto callee = environment_.find(*name);
      if (!callee || callee->form != syntax::Item::Form::Function) continue;
      cyclic = cyclic || *name == function.name.text;
      if (*name == call_stack_.front()) {
        for (std::size_t at = i; at != 0; at = reached[at].second) way.push_back(reached[at].first->name.text);
        way.push_back(function.name.text);
        std::reverse(way.begin(), way.end());
      }
      reached.push_back({callee.get(), i});
    }
  }
  return {std::move(way), cyclic};
}

Checker::InlineSize Checker::inline_size(const syntax::Item& function, int depth) {
  const auto [known, fresh] = inline_sizes_.try_emplace(&function, InlineSize{function.exprs.size(), 0});
  if (!fresh || depth > deepest || !environment_.find) return known->second;
  std::size_t called = 0;
  for (const syntax::Expr& expr : function.exprs) {
    const std::string* name = function_called(function, expr);
    const auto callee = name ? environment_.find(*name) : nullptr;
    if (!callee || callee->form != syntax::Item::Form::Function) continue;
    called = std::min(called + inline_size(*callee, depth + 1).whole(), 2 * most_inlined);
  }
  InlineSize& size = inline_sizes_[&function];
  size.called = called;
  return size;
}

bool Checker::may_grow(const syntax::Item& function, Location at) {
  const InlineSize size = inline_size(function, static_cast<int>(call_stack_.size()));
  if (size.called > most_inlined) {  // told where it is checked by itself
    out_.inlines_errors = true;
    return false;
  }
  if (call_stack_.size() > 1) return true;  // counted with the outermost call
  inlined_ += size.whole();
  if (inlined_ <= most_inlined) return true;
  if (!too_large_) {
    auto& d = report(Code::NestingTooDeep, at, 0);
    d.message = fmt::format("inlining `{}` here makes `{}` too large to analyse: it has more than {} expressions then", function.name.text, out_.item->name.text, most_inlined);
  }
  too_large_ = true;
  return false;
}

}  // namespace phobos::sema
