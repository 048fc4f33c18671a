// Files as large as one likes that look like what people write: kernels of about 25 lines with documentation, attributes and run
// lines, and the functions that they call. They are valid but for a hint here and there.
#pragma once

#include <cstddef>
#include <string>

namespace phobos::generated {

struct Shape {
  std::size_t kernels = 40;
  std::size_t callers_of_common = 500;  // the first so many kernels call `common`
  bool hints = true;                    // every 50th kernel has a local that is never used
};

// `common` comes first; `group<g>` stands before the ten kernels that call it, 10 g to 10 g + 9, and `own<i>` before each fifth
// kernel, which alone calls it. The kernels are `k<i>`, in order. Same shape, same text.
std::string file(const Shape& shape);

// The shape of a file of about so many lines.
Shape shape_of_lines(std::size_t lines);

}  // namespace phobos::generated
