// Random programs of the language, well-typed and within the rules: branches, loops, ways out of them, functions, tiles of every
// type, runs, per-thread stores between barriers, collectives, shuffles, atomics, slices that stick out. A program is a function of
// its seed.
//
// The generator only aims at the rules. It writes a tree of statements, one a line, and takes out those in which the checker finds
// an error, until none is left: so it need not know the inference that it is there to test.
//
// What a program computes is bounded, so that two back ends can be compared: integers never come from rounded floats, branches
// depend on integers and on floats as they were loaded, and float variables move by contractions.
#pragma once

#include <cstdint>
#include <string>

namespace phobos::fuzz {

struct Program {
  std::string text;  // one kernel, `k`, with a run line; empty where nothing was left of it
  int removed = 0;   // statements that the checker refused
};

Program generate_program(std::uint64_t seed);

}  // namespace phobos::fuzz
