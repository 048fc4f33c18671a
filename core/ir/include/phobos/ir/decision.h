// What the back end decided for an operation of the source, and why nothing faster: what `phobos build --emit=report` and the
// editor tell. Whoever chooses a path notes it: a pass in Kernel::decisions, the emitter by Emitter::decide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/source/span.h>

namespace phobos::ir {

struct Decision {
  enum class Kind : unsigned char {
    Contraction,  // path: `mma.sync`, `dp4a`, `fma` …
    Copy,         // a slice of a buffer, to or from a tile: path: `16 bytes at a time`, `cp.async` …
    Exchange,     // elements that go through shared memory to other threads
    Fold,         // across lanes: path: `redux`, `shuffles`
    Loop,         // path: `pipelined, 3 stages`, `not pipelined`
    Grid,         // which part of the grid a CTA is
    Chip,         // what this chip lacks; path: what stands for it
  };
  Kind kind = Kind::Copy;
  Span span;           // in the file, absolute; empty where it is of the whole kernel
  std::string what;    // `dot of f16 [64, 32] and [32, 64]`
  std::string path;
  std::string reason;  // why not a faster one; empty: there is none, or it is a plain fact
  bool masked = false;  // a copy that goes element by element, under a mask, at least where it does not lie inside
  bool fast = true;     // the path is the fastest that there is for such an operation

  friend bool operator==(const Decision&, const Decision&) = default;
};
std::string_view name_of(Decision::Kind kind);  // `contraction`

}  // namespace phobos::ir
