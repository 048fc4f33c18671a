#include <algorithm>

#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

Parts Emitter::flatten(const std::vector<ir::ValueId>& values, std::size_t from) const {
  Parts all;
  for (std::size_t i = from; i < values.size(); ++i) all.append(parts(values[i]).begin(), parts(values[i]).end());
  return all;
}

void Emitter::unflatten(const std::vector<ir::ValueId>& values, const Parts& parts, std::size_t from) {
  std::size_t at = 0;
  for (std::size_t i = from; i < values.size(); ++i) {
    const std::size_t count = part_count(values[i]);
    values_[values[i]] = Parts(parts.begin() + at, parts.begin() + at + count);
    at += count;
  }
}

Emitter::Join Emitter::join(const char* name) { return {llvm::BasicBlock::Create(context_, name, function_), {}}; }

void Emitter::jump(Join& target, Parts parts) {
  target.incoming.emplace_back(b_.GetInsertBlock(), std::move(parts));
  b_.CreateBr(target.block);
}

// Goes on in the join's block, with a phi for each part where ways differ.
Parts Emitter::arrive(Join& join, const std::vector<ir::ValueId>& values, std::size_t from) {
  b_.SetInsertPoint(join.block);
  Parts met;
  std::size_t at = 0;
  for (std::size_t v = from; v < values.size(); ++v)
    for (std::size_t i = part_count(values[v]); i > 0; --i, ++at) {
      if (join.incoming.empty()) {
        met.push_back(llvm::PoisonValue::get(part_type(type(values[v]))));
        continue;
      }
      auto* phi = b_.CreatePHI(part_type(type(values[v])), static_cast<unsigned>(join.incoming.size()));
      for (auto& [block, parts] : join.incoming) phi->addIncoming(parts[at], block);
      met.push_back(phi);
    }
  return met;
}

Parts Emitter::open_phis(const Parts& initial) {
  Parts phis;
  for (V value : initial) phis.push_back(b_.CreatePHI(value->getType(), 2));
  return phis;
}

void Emitter::close_phis(const Parts& phis, const Parts& next, llvm::BasicBlock* from) {
  for (std::size_t i = 0; i < phis.size(); ++i) llvm::cast<llvm::PHINode>(phis[i])->addIncoming(next[i], from);
}

const ir::Op* Emitter::emit_region(ir::RegionId region) {
  for (const ir::OpId id : kernel_[region].ops) {
    const ir::Op& op = kernel_[id];
    if (!ir::has(ir::info(op.code).traits, ir::Trait::Terminator)) {
      emit(id, op);
      continue;
    }
    locate(op);
    return leave(op) ? nullptr : &op;
  }
  return nullptr;
}

bool Emitter::leave(const ir::Op& op) {
  switch (op.code) {
    case Opcode::Break: jump(*loops_.back().out, flatten(op.operands)); return true;
    case Opcode::Continue: jump(*loops_.back().again, flatten(op.operands)); return true;
    case Opcode::Leave: jump(*scopes_.back(), flatten(op.operands)); return true;
    case Opcode::Return:
      if (bulk_) return false;  // the end of one block of several
      b_.CreateRetVoid();
      return true;
    default: return false;
  }
}

void Emitter::unroll(llvm::Instruction* back, const char* how, std::int64_t count) {
  llvm::SmallVector<llvm::Metadata*, 2> fact{llvm::MDString::get(context_, how)};
  if (count > 0) fact.push_back(llvm::ConstantAsMetadata::get(b_.getInt32(static_cast<std::uint32_t>(count))));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context_, {nullptr, llvm::MDNode::get(context_, fact)});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// Whether the variable of a loop may come to more than its type holds when the step is added behind the last turn.
bool Emitter::may_wrap(const ir::Op& loop) const {
  const passes::Fact &end = facts_.of(loop.operands[1]), &step = facts_.of(loop.operands[2]);
  if (step.most == 1) return false;
  if (end.most == passes::Fact::no_most || step.most == passes::Fact::no_most) return true;
  const ScalarType counter = type(loop.operands[0]).element;
  const std::int64_t most = static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - 8 * size_of(counter) + is_signed(counter)));
  return end.most - 1 > most - step.most;
}

// The turns of a loop from `begin` on, below `end`. What is carried when they are over is returned; `next` is the variable then.
Parts Emitter::emit_turns(ir::OpId id, const ir::Op& op, V begin, V end, const Parts& initial, Join& out, V& next) {
  const std::vector<ir::ValueId>& arguments = kernel_[op.regions[0]].arguments;
  Join again = join("again");
  auto* before = b_.GetInsertBlock();
  auto* header = llvm::BasicBlock::Create(context_, "for", function_);
  auto* body = llvm::BasicBlock::Create(context_, "do", function_);
  auto* over = llvm::BasicBlock::Create(context_, "over", function_);
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  auto* variable = b_.CreatePHI(begin->getType(), 2);
  variable->addIncoming(begin, before);
  const Parts carried = open_phis(initial);
  close_phis(carried, initial, before);
  V more = is_signed(type(op.operands[0]).element) ? b_.CreateICmpSLT(variable, end) : b_.CreateICmpULT(variable, end);
  b_.CreateCondBr(more, body, over);

  merge_pending(accesses_.inside(id));
  const AccessMap at_header = pending_;
  b_.SetInsertPoint(body);
  values_[arguments[0]] = Parts{variable};
  unflatten(arguments, carried, 1);
  loops_.push_back({&again, &out, &op});
  if (const ir::Op* yield = emit_region(op.regions[0])) jump(again, flatten(yield->operands));
  loops_.pop_back();

  const Parts after = arrive(again, op.results);
  V step = scalar(op.operands[2]);
  if (may_wrap(op)) {  // no further than to the end
    V left = b_.CreateSub(scalar(op.operands[1]), variable);
    step = b_.CreateSelect(b_.CreateICmpULT(step, left), step, left);
  }
  variable->addIncoming(b_.CreateAdd(variable, step), again.block);
  close_phis(carried, after, again.block);
  auto* back = b_.CreateBr(header);
  if (op.immediate < 0) unroll(back, "llvm.loop.unroll.full");
  if (op.immediate > 0) unroll(back, "llvm.loop.unroll.count", op.immediate);
  merge_pending(at_header);
  b_.SetInsertPoint(over);
  next = variable;
  return carried;
}

void Emitter::emit_while(ir::OpId id, const ir::Op& op) {
  const Parts initial = flatten(op.operands);
  Join again = join("again"), out = join("out");
  auto* before = b_.GetInsertBlock();
  auto* header = llvm::BasicBlock::Create(context_, "while", function_);
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  const Parts carried = open_phis(initial);
  close_phis(carried, initial, before);
  merge_pending(accesses_.inside(id));
  const AccessMap at_header = pending_;
  loops_.push_back({&again, &out, &op});
  unflatten(kernel_[op.regions[0]].arguments, carried);
  if (const ir::Op* condition = emit_region(op.regions[0])) {
    auto* body = llvm::BasicBlock::Create(context_, "do", function_);
    out.incoming.emplace_back(b_.GetInsertBlock(), carried);
    b_.CreateCondBr(scalar(condition->operands[0]), body, out.block);
    b_.SetInsertPoint(body);
    unflatten(kernel_[op.regions[1]].arguments, flatten(condition->operands, 1));
    if (const ir::Op* yield = emit_region(op.regions[1])) jump(again, flatten(yield->operands));
  }
  loops_.pop_back();
  const Parts next = arrive(again, op.results);
  close_phis(carried, next, again.block);
  b_.CreateBr(header);
  unflatten(op.results, arrive(out, op.results));
  merge_pending(at_header);
}

void Emitter::emit_if(const ir::Op& op) {
  Join merge = join("endif");
  auto* then = llvm::BasicBlock::Create(context_, "then", function_);
  auto* otherwise = llvm::BasicBlock::Create(context_, "else", function_);
  b_.CreateCondBr(scalar(op.operands[0]), then, otherwise);
  const AccessMap before = pending_;
  b_.SetInsertPoint(then);
  if (const ir::Op* yield = emit_region(op.regions[0])) jump(merge, flatten(yield->operands));
  AccessMap after = std::move(pending_);
  pending_ = before;
  b_.SetInsertPoint(otherwise);
  const ir::Op* yield = op.regions.size() > 1 ? emit_region(op.regions[1]) : nullptr;
  if (yield) jump(merge, flatten(yield->operands));
  else if (op.regions.size() == 1) jump(merge, {});
  merge_pending(after);
  unflatten(op.results, arrive(merge, op.results));
}

void Emitter::emit_scope(ir::OpId id, const ir::Op& op) {
  Join out = join("endscope");
  const AccessMap before = pending_;
  scopes_.push_back(&out);
  if (const ir::Op* yield = emit_region(op.regions[0])) jump(out, flatten(yield->operands));
  scopes_.pop_back();
  merge_pending(before);
  merge_pending(accesses_.inside(id));
  unflatten(op.results, arrive(out, op.results));
}

void Emitter::guarded(V condition, const std::function<void()>& then) {
  auto* inside = llvm::BasicBlock::Create(context_, "guarded", function_);
  auto* after = llvm::BasicBlock::Create(context_, "after", function_);
  b_.CreateCondBr(condition, inside, after);
  b_.SetInsertPoint(inside);
  then();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

Parts Emitter::repeat(V begin, V end, V step, const Parts& initial, const std::function<Parts(V i, const Parts& carried)>& body) {
  auto* before = b_.GetInsertBlock();
  auto* header = llvm::BasicBlock::Create(context_, "repeat", function_);
  auto* inside = llvm::BasicBlock::Create(context_, "inside", function_);
  auto* after = llvm::BasicBlock::Create(context_, "after", function_);
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  auto* i = b_.CreatePHI(begin->getType(), 2);
  i->addIncoming(begin, before);
  const Parts carried = open_phis(initial);
  close_phis(carried, initial, before);
  b_.CreateCondBr(b_.CreateICmpSLT(i, end), inside, after);
  b_.SetInsertPoint(inside);
  const Parts next = body(i, carried);
  i->addIncoming(b_.CreateAdd(i, step, "", true, true), b_.GetInsertBlock());
  close_phis(carried, next, b_.GetInsertBlock());
  unroll(b_.CreateBr(header), "llvm.loop.unroll.disable");
  b_.SetInsertPoint(after);
  return carried;
}

}  // namespace phobos::nvptx
