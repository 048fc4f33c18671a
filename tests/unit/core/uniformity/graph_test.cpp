#include <doctest/doctest.h>

#include "../../../../core/uniformity/graph.h"

using namespace phobos;
using namespace phobos::uniformity;

TEST_CASE("the most varying source that reaches a node gives its kind") {
  Graph graph(5);
  graph.add_source(0, Kind::WarpUniform, Why::CtxField, 0);
  graph.add_source(1, Kind::Varying, Why::CtxField, 1);
  graph.add(0, 2);
  graph.add(1, 3);
  graph.add(2, 3);
  graph.solve({});
  CHECK(graph.kind(2) == Kind::WarpUniform);
  CHECK(graph.kind(3) == Kind::Varying);
  CHECK(graph.kind(4) == Kind::Uniform);
  CHECK(graph.kind(no_node) == Kind::Uniform);
}

TEST_CASE("influences may run in circles, and through nodes added later") {
  Graph graph(2);
  const Node third = graph.add_node();
  graph.add(0, 1);
  graph.add(1, third);
  graph.add(third, 0);
  graph.solve({});
  CHECK(graph.kind(third) == Kind::Uniform);

  Graph again(2);
  again.add(0, 1);
  again.add(1, 0);
  again.add_source(1, Kind::Varying, Why::CtxField, 0);
  again.solve({});
  CHECK(again.kind(0) == Kind::Varying);
}

TEST_CASE("of two ways the one with fewer steps to name is kept, however many others it has") {
  Graph graph(5);
  graph.add_source(0, Kind::Varying, Why::CtxField, 7);
  graph.add(0, 4, Why::Loaded);  // two named steps
  graph.add(4, 3, Why::Assigned);
  graph.add(0, 1);  // three steps, one of them named
  graph.add(1, 2);
  graph.add(2, 3, Why::Set);
  graph.solve({});
  CHECK(graph.ways().last[3].why == Why::Set);
  CHECK(graph.ways().last[0].from == no_node);
  CHECK(graph.ways().last[0].subject == 7);
  CHECK(graph.reached().front() == 0);
}

TEST_CASE("nothing flows from or into the control that everything starts under") {
  Graph graph(1);
  graph.add_source(0, Kind::Varying, Why::CtxField, 0);
  graph.add(0, no_node, Why::Condition);
  graph.add(no_node, 0, Why::Condition);
  graph.solve({});
  CHECK(graph.reached().size() == 1);
}

TEST_CASE("ways from other sources than those of kinds") {
  Graph graph(4);
  graph.add(0, 1);
  graph.add(1, 2, Why::Set, 5);
  graph.solve({});
  const Ways ways = graph.ways_from({{no_node, 0, Why::CtxField, 7}}, {});
  CHECK(graph.kind(2) == Kind::Uniform);
  CHECK(ways.reach(2));
  CHECK(ways.last[2].why == Why::Set);
  CHECK(ways.last[2].from == 1);
  CHECK_FALSE(ways.reach(3));
  CHECK_FALSE(ways.reach(no_node));
  Graph empty(1);
  empty.solve({});
  CHECK(empty.ways_from({{no_node, 0, Why::CtxField, 7}}, {}).reach(0));
}
