// How much arithmetic a launch does, counted from its IR.
#pragma once

#include <cstdint>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/launch/run_line.h>

namespace phobos::launch {

// Over the whole grid. Tiles count whole, also where they stick out of a tensor. CTAs are sampled where there are many; a loop whose length
// depends on data counts as one turn, and of two branches the longer counts where the condition depends on data.
struct Work {
  double operations = 0;    // on floats; a contraction of [M, K] with [K, N] is 2 M N K, of integers as well
  double contractions = 0;  // of those
  double traffic = 0;       // bytes that the CTAs load from tensors and store to them, in sum: what several load counts for each
  Work& operator+=(const Work& other) {
    operations += other.operations;
    contractions += other.contractions;
    traffic += other.traffic;
    return *this;
  }
  Work times(double factor) const { return {operations * factor, contractions * factor, traffic * factor}; }
};
Work count_work(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid);
double count_operations(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions, const Grid& grid);

}  // namespace phobos::launch
