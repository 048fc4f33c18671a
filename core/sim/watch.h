// Which buffers a run keeps track of, and for what. Only what can go wrong is watched: a tensor that the kernel never writes costs
// nothing, nor does a tile that no thread stores to on its own.
#pragma once

#include <cstdint>
#include <vector>

#include <phobos/ir/ir.h>

namespace phobos::sim {

enum Watch : std::uint8_t {
  watch_threads = 1,  // threads store to it on their own: who touched what between barriers
  watch_grid = 2,     // a tensor that some CTA writes, among several: which CTA touched what
  watch_unset = 4,    // a tile that may be read before it is written: which elements have been
  watch_count = 16,   // of an instruction: it writes to what a grid barrier counts in
  watch_own = 8,      // a tensor of watch_grid that is also read: what each CTA has written itself
  watch_change = 32,  // a tensor that atomics or releases change and plain reads read, among several CTAs
};

struct Watched {
  ir::ValueId value;
  std::uint8_t watch = 0;
};

// The buffers that are watched at all.
std::vector<Watched> watched_buffers(const ir::Kernel& kernel, bool several_ctas);

}  // namespace phobos::sim
