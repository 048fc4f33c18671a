// Who hands a difference between threads on to whom.
//
// Every expression, variable and region of control is a node; an influence says that what differs in one node differs in
// another. What an operation makes the same again (a fold over the threads, a tile) simply has no influence leading into it.
// So a node's kind is the most varying source that reaches it, loops included, and one search from the varying sources and one
// from the warp-uniform ones find all kinds in linear time. The search counts only the influences that a person would name, and
// so the way on which it first reaches a node is the shortest reason for it.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include <phobos/support/kind.h>

namespace phobos::uniformity {

using Node = std::uint32_t;
constexpr Node no_node = 0xffffffffu;  // control at the start of a kernel or call: nothing flows into it

// How a difference gets from one node to the next: what a reason says of that step. The comment names the subject.
enum class Why : std::uint8_t {
  Plain,           // nothing to say
  CtxField,        // source; the expression
  LaneCollective,  // source; the expression
  Element,         // source; the `generate` whose elements threads compute one by one
  Set,             // let; the statement
  Started,         // var with an initial value; the statement
  Assigned,        // the statement
  AssignedUnder,   // the statement, by its control
  Argument,        // of an inlined call; the argument
  RunsFrom,        // a loop variable; the bound
  RunsTo,
  RunsBy,
  Loaded,          // by its subscripts; the load
  Returned,        // the value of a call; the `return`
  ReturnedUnder,   // the same, by the control of the `return`
  Condition,       // control; the `if` or `while`
  Bound,           // control; the bound of the `for`
  LeftOperand,     // control of the right operand; the `&&` or `||`
  Exit,            // control of what follows; the `break`, `continue` or `return`
  OldValue,        // source of what differs between CTAs alone: an atomic; the expression
};

struct Influence {
  Node from = no_node;  // none: a source
  Node to = no_node;
  Why why = Why::Plain;
  std::uint32_t subject = 0;  // a statement's or an expression's index
};

// How a difference gets to each node: by the last step of the shortest way, whose `to` is none where none does.
struct Ways {
  std::vector<Influence> last;
  bool reach(Node node) const { return node != no_node && last[node].to != no_node; }
};

class Graph {
 public:
  explicit Graph(std::size_t nodes) : size_(nodes) {}

  Node add_node() { return static_cast<Node>(size_++); }
  // Nothing flows from or into `no_node`.
  void add(Node from, Node to, Why why = Why::Plain, std::uint32_t subject = 0) {
    if (from != no_node && to != no_node && from != to) influences_.push_back({from, to, why, subject});
  }
  void add_source(Node node, Kind kind, Why why, std::uint32_t subject) {
    sources_[kind == Kind::Varying ? 0 : 1].push_back({no_node, node, why, subject});
  }

  void solve(const std::stop_token& stop);

  Kind kind(Node node) const { return node == no_node ? Kind::Uniform : kinds_[node]; }
  // The ways to the nodes that are not uniform.
  const Ways& ways() const { return ways_; }
  // The nodes that are not uniform, each after the one that it was reached from.
  const std::vector<Node>& reached() const { return reached_; }
  // The ways from other sources than those of kinds. Behind `solve`.
  Ways ways_from(const std::vector<Influence>& sources, const std::stop_token& stop);
  std::size_t size() const { return size_; }

 private:
  void order();
  template <class Reach>
  void spread(const std::vector<Influence>& sources, Ways& ways, const std::stop_token& stop, Reach reach) const;

  std::size_t size_;
  std::vector<Influence> influences_;
  std::vector<Influence> sources_[2];  // varying, warp-uniform
  std::vector<std::uint32_t> first_;   // of each node, into order_
  std::vector<std::uint32_t> order_;   // influences by the node that they come from
  std::vector<Kind> kinds_;
  Ways ways_;
  std::vector<Node> reached_;
};

}  // namespace phobos::uniformity
