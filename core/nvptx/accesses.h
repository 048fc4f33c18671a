// Which operations touch which memory, and how: what decides where a barrier has to stand between operations of the whole CTA and
// accesses of single threads (language.md, end of 12). Memory is a tensor, a shared buffer, or the exchange area in shared memory
// that operations use among themselves, which has no value and goes by the invalid id.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include <phobos/ir/ir.h>

namespace phobos::nvptx {

enum Access : unsigned { CtaRead = 1, CtaWrite = 2, ThreadRead = 4, ThreadWrite = 8 };
inline constexpr unsigned any_write = CtaWrite | ThreadWrite;

using Memory = ir::ValueId;
using AccessMap = std::map<Memory, unsigned>;  // memory → a set of Access

class Accesses {
 public:
  using Exchanges = std::function<bool(const ir::Op&)>;  // whether an operation uses the exchange area
  Accesses(const ir::Kernel& kernel, const Exchanges& exchanges);

  // All that the kernel does to a memory.
  unsigned of(Memory memory) const;
  bool written(Memory memory) const { return (of(memory) & any_write) != 0; }
  std::size_t writers(Memory memory) const;  // operations that write it
  // Whether nobody writes it while the kernel runs: not the kernel, and no other that it waits for.
  bool constant(Memory memory) const { return !acquires_ && !written(memory); }
  // What the operations in these regions may do, nested ones included.
  const AccessMap& inside(ir::OpId op) const { return inside_.at(op.value); }

 private:
  AccessMap collect(ir::RegionId region);

  const ir::Kernel& kernel_;
  const Exchanges exchanges_;
  AccessMap all_;
  std::map<Memory, std::size_t> writers_;
  bool acquires_ = false;
  std::map<std::uint32_t, AccessMap> inside_;
};

// Whether a value is made in a region of that operation, however far inside.
bool made_inside(const ir::Kernel& kernel, const ir::Op& op, ir::ValueId value);

// What an operation does to buffers that passes made: copies into them that go on by themselves, and what is read where it lies.
AccessMap ring_accesses(const ir::Kernel& kernel, const ir::Op& op);

// How an operation touches its buffer operand (its first); 0 for one that has none.
unsigned access_of(ir::Opcode code);

}  // namespace phobos::nvptx
