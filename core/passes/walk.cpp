#include "walk.h"

namespace phobos::passes {

bool is_pure(const ir::Op& op) {
  using ir::Opcode;
  const ir::Trait traits = ir::info(op.code).traits;
  if (ir::has(traits, ir::Trait::Effect) || ir::has(traits, ir::Trait::Regions) || ir::has(traits, ir::Trait::Terminator)) return false;
  switch (op.code) {
    case Opcode::Load:
    case Opcode::TileLoad:
    case Opcode::SharedTile:
    case Opcode::RunLoad:
    case Opcode::ElemLoad:  // what they read may change between them
    case Opcode::Collective:
    case Opcode::Shuffle:  // they depend on which threads are there
      return false;
    default: return true;
  }
}

}  // namespace phobos::passes
