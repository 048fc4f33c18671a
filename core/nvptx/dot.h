// A contraction as the emitter goes about it.
#pragma once

#include <phobos/passes/contraction.h>

#include "emitter.h"

namespace phobos::nvptx {

struct Emitter::Dot {
  passes::Contraction how;
  const ir::Op* op = nullptr;
  const Layout* out = nullptr;
  Matrix operands[2];
  bool in_place[2] = {false, false};  // in shared memory before
  ScalarType element = ScalarType::F32, sum = ScalarType::F32;
  bool along_k = false;   // B lies as [N, K]
  bool fragment = false;  // A is in registers as the tensor cores want it
  std::int64_t step = 1;  // along k
  std::int64_t piece = 0; // of k, in shared memory at a time
  std::int64_t a_pitch = 0, b_pitch = 0;  // of what is laid out here
  std::int64_t b_offset = 0;  // bytes

  std::int64_t size() const { return b_offset + (in_place[1] ? 0 : (along_k ? how.n : piece) * b_pitch * size_of(element)); }
  void set_piece(std::int64_t length) {
    piece = length;
    if (how.path == passes::Contraction::Path::Mma) {
      a_pitch = padded(how, element, piece, true);
      b_pitch = padded(how, element, along_k ? piece : how.n, along_k);
    } else {  // the padding spreads rows over the banks
      a_pitch = piece + step;
      b_pitch = along_k ? piece + step : how.n + out->vector();
    }
    b_offset = in_place[0] || fragment ? 0 : (how.m * a_pitch * size_of(element) + 15) / 16 * 16;
  }
};

}  // namespace phobos::nvptx
