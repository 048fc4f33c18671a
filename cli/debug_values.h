// What a debugger shows behind a step of a recording: values as one line, as a tree that unfolds, and as JSON for a picture.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "debug_expression.h"
#include "output.h"

namespace phobos::cli {

// A line of a tree. `unfold` gives those below, from the first asked for on.
struct Shown {
  std::string name, value, type, expression;
  std::int64_t count = 0;  // of those below that are numbered; 0: as many as `unfold` gives
  std::function<std::vector<Shown>(std::int64_t start, std::int64_t count)> unfold;
};

// At a moment, as `thread` sees it.
class Values {
 public:
  Values(Moment moment, int thread) : moment_(moment), thread_(thread) {}

  std::vector<Shown> names() const;
  std::vector<Shown> tensors() const;
  std::vector<Shown> ctx() const;        // each with how it comes about
  std::vector<Shown> arguments() const;  // scalars, dimensions and constants
  Result<Shown> watch(const std::string& expression) const;

  // For a picture: the step, who takes part, and each name in every thread.
  Json state() const;
  // Of a tile or a tensor as a matrix (the last axis across): a page of its elements, a heat map, and what this step wrote.
  Result<Json> table(const std::string& name, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) const;
  // Behind the last line that wrote each name, its value.
  Json inline_values() const;

 private:
  struct Matrix {
    std::vector<std::int64_t> shape;
    std::string type;
    std::function<double(std::int64_t)> number;  // NaN where it is not known
    std::function<std::string(std::int64_t)> text;
    std::vector<std::int64_t> written;           // elements, by this step
  };
  std::optional<Matrix> matrix(const std::string& name) const;
  Shown shown(const std::string& name, const Held& held) const;
  Shown shown(const std::string& name, const PerThread& value) const;
  Shown elements(Shown of, std::vector<std::int64_t> shape, std::size_t axis, std::int64_t first, std::function<std::string(std::int64_t)> text) const;
  std::vector<Shown> by_warp(Kind kind, std::function<std::string(int)> text) const;
  std::string text_in(const Held& held, int thread) const;
  Json name_json(const std::string& name, const Held& held) const;
  // The elements that this step stored to, of a tensor or, where `parameter` is -1, of the tile of that name.
  std::vector<std::int64_t> stored_to(int parameter, const std::string& name, const std::vector<std::int64_t>& extents) const;
  Json stores() const;
  const Recording& recording() const { return *moment_.recording; }
  const launch::TraceStep& step() const { return recording().steps()[moment_.step]; }

  Moment moment_;
  int thread_;
};

}  // namespace phobos::cli
