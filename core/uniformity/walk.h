// What one walk over a checked item gathers: who influences whom (graph.h), which operations need threads together, and in what
// order buffers are read, stored and waited for (barriers.h).
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include <phobos/sema/checked.h>

#include "graph.h"

namespace phobos::uniformity {

using sema::CheckedItem;
using sema::ExprId;
using sema::LocalId;
using sema::StmtId;

constexpr std::uint32_t nothing = 0xffffffffu;

// Something that threads do together. Named in messages by words.h.
struct Op {
  enum class Form { Store, Fill, Sweep, Copy, Builtin };
  enum class Needs { Cta, Warp, Threads };  // once per CTA; a collective over lanes or a shuffle; a collective over threads
  Form form;
  Needs needs;
  StmtId stmt;
  ExprId expr;   // none for Store
  Node control;  // what it runs under, which inside `a && b` is more than what its statement runs under
};

// A scalar that a CTA-wide op takes.
struct Operand {
  std::uint32_t op;
  ExprId expr;
};

// A CTA-wide read of a whole buffer, or of a slice of it.
struct Read {
  LocalId buffer;
  std::uint32_t op;  // the outermost op that it is part of
  StmtId stmt;
};

// A store that each thread does on its own; per thread in the sense of rule 3 where something about it differs.
struct ThreadStore {
  LocalId buffer;
  StmtId stmt;
  ExprId call;  // of the built-in `store`; none for `t[i, j] = e`
  Node control;
};

// The item as a sequence of what matters to rule 3, in the order in which it runs. After an event comes the next one, for
// Branch also `target`, for Jump only `target`.
struct Event {
  enum class Form : std::uint8_t { Enter, Read, Store, Barrier, Fresh, Branch, Jump };
  Form form;
  std::uint32_t subject = 0;  // Enter: the statement; Read, Store: the index; Fresh: the local, a new tile from here on
  std::uint32_t target = nothing;
};

struct Call {
  ExprId expr;
  StmtId stmt;          // that it stands in
  std::uint32_t outer;  // the call that this statement belongs to, or nothing
};

struct Facts {
  explicit Facts(const CheckedItem& item)
      : graph(item.exprs.size() + item.locals.size()),
        locals_at(item.exprs.size()),
        control(item.stmts.size(), no_node),
        call(item.stmts.size(), nothing) {}

  Node node(ExprId id) const { return id.value; }
  Node node(LocalId id) const { return static_cast<Node>(locals_at + id.value); }

  Graph graph;
  std::size_t locals_at;
  std::vector<Op> ops;  // an op comes before those in its operands
  std::vector<Operand> operands;
  std::vector<Read> reads;
  std::vector<ThreadStore> stores;
  std::vector<Event> events;
  std::vector<Call> calls;
  std::vector<Influence> between_ctas;  // the sources of what differs between CTAs
  IdVector<StmtId, Node> control;
  IdVector<StmtId, std::uint32_t> call;  // the inlined call that a statement belongs to, or nothing
};

Facts walk(const CheckedItem& item, const std::stop_token& stop);

// The operand of a conversion that nobody wrote, through all of them.
ExprId without_implied(const CheckedItem& item, ExprId id);

}  // namespace phobos::uniformity
