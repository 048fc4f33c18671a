// A loop over a chain of contractions as the emitter goes about it.
#pragma once

#include "dot.h"

namespace phobos::nvptx {

struct Emitter::Chain {
  const ir::Op *loop, *first, *second, *yield;
  Dot scores, sums;
  std::vector<ir::OpId> between, behind;  // of a turn: before the sums may be touched, and after
  std::size_t at = 0;                     // of the sums, among what is carried
  std::vector<Partial> partial;           // sums of rows that stay spread over the lanes of a row until the loop is over
  Parts queries;                          // this lane's words of Q, where they stay in registers
  const ir::Op* powers = nullptr;         // exponentials of all scores, made between
  ir::ValueId rounded;                    // what the second contraction's first operand is made of behind; none: made between

  // What is carried beside the sums: values at the end of a turn, or arguments of the loop's region.
  std::vector<ir::ValueId> others(const std::vector<ir::ValueId>& values, std::size_t from) const {
    std::vector<ir::ValueId> rest;
    for (std::size_t i = from; i < values.size(); ++i)
      if (i - from != at) rest.push_back(values[i]);
    return rest;
  }
};

}  // namespace phobos::nvptx
