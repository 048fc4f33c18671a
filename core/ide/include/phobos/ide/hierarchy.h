// A kernel on its grid: how its threads are grouped, what `ctx` is for a CTA, a warp or a lane, and which part of each tensor that one
// loads and stores. All of it follows from the checked tree and from numbers for the dimensions; nothing is run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

// first, first + step … last; one number where the step is 0.
struct Progression {
  std::int64_t first = 0, last = 0, step = 0;
  friend bool operator==(const Progression&, const Progression&) = default;
};

// What is looked at: all of the grid, or a CTA of it, or a warp or a thread of that.
struct Pick {
  std::optional<std::array<std::int64_t, 3>> block;
  std::optional<std::int64_t> warp, thread;
};

struct HierarchyRequest {
  Pick pick;
  std::optional<std::array<std::int64_t, 3>> grid;  // in place of the one that the stores say
  std::map<std::string, std::int64_t> dimensions;   // and autotuned constants, in place of those of the run line
  std::size_t run_line = 0;                          // whose dimensions and grid hold
};

struct Hierarchy {
  struct Number {
    std::string name;
    std::int64_t value = 0;
    bool assumed = false;  // nobody said it
  };
  struct CtxValue {
    std::string field;
    std::int64_t value = 0;
    std::string how;  // `113 - 3 * 32`
    Kind kind = Kind::Uniform;
  };
  struct Tensor {
    std::string name, type;  // `f32[M, 64]`
    std::vector<std::int64_t> extents;
  };
  // Along one axis `length` elements from each start on; what reaches past the extent is masked, or for a thread's own access an error.
  struct Region {
    Progression starts;
    std::int64_t length = 1;
    std::int64_t extent = 0;
  };
  struct Access {
    enum class Reached { Yes, Maybe, No };
    Span range;
    std::string tensor, text;
    bool store = false;
    bool by_cta = false;  // a slice, or an atomic operation: once per CTA; else each thread on its own
    bool atomic = false;  // it reads, and stores
    bool flat = false;    // `regions` is of one axis: positions in row-major order
    Reached reached = Reached::Yes;
    std::optional<std::vector<Region>> regions;  // one an axis; none where it depends on what is only known when the kernel runs
  };

  std::string kernel;
  Span range, name;
  std::int64_t threads = 256;
  std::optional<Span> launch;  // the attribute
  bool whole_warps = true;     // else `launch_fault` says what is wrong
  std::string launch_fault;
  std::optional<std::array<std::int64_t, 3>> grid;
  std::array<std::string, 3> grid_how;  // `ceil(288 / 64)`
  std::string grid_reason;              // why there is none
  std::vector<Number> dimensions, constants;
  Pick pick;  // as far as there is such a CTA, warp and thread
  std::vector<CtxValue> ctx;
  std::vector<Tensor> tensors;
  std::vector<Access> accesses;  // in source order
};

// Of the kernel at an offset, or the next one behind it; none where there is no kernel.
std::optional<Hierarchy> hierarchy(const File& file, std::uint32_t offset, const HierarchyRequest& request);

}  // namespace phobos::ide
