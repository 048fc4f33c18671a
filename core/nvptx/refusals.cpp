// Programs that are right and do not fit: why, and where.
#include <phobos/support/limits.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;

std::optional<Refusal> Emitter::too_large_tile() const {
  for (std::uint32_t i = 0; i < kernel_.values.size(); ++i) {
    const ir::ValueId id(i);
    if (!type(id).is_tile() || in_memory(id)) continue;
    const Layout& layout = this->layout(id);
    if (layout.slots() <= tile_elements_of_thread) continue;
    const ir::OpId made = kernel_[id].op;
    return Refusal(diag::make(diag::Code::TileTooLarge, {made.valid() ? kernel_[made].span : Span{}}, layout.rows.extent, layout.columns.extent,
                              kernel_.threads, layout.slots(), tile_elements_of_thread));
  }
  return std::nullopt;
}

Refusal Emitter::too_much_shared() const {
  const Span none;
  diag::Diagnostic why = diag::make(diag::Code::SharedTooLarge, {none}, shared_bytes_, chip_.shared_of_cta, options_.chip);
  for (const ir::Op& op : kernel_.ops) {
    if (op.code != Opcode::Alloc || !plan_.has(op.results[0])) continue;
    const std::int64_t bytes = plan_.of(op.results[0]).bytes;
    why.related.push_back({{op.span}, fmt::format("{} bytes lie here", bytes)});
    if (why.location.span.empty()) why.location.span = op.span;
  }
  if (largest_exchange_.valid()) {
    const Span span = kernel_[largest_exchange_].span;
    why.related.push_back({{span}, fmt::format("{} bytes to exchange what the threads hold", shared_bytes_ - plan_.free_from(largest_exchange_))});
    why.location.span = span;
  }
  return Refusal(std::move(why));
}

// What keeps each loop from it.
std::optional<Refusal> Emitter::unmet_pipeline() const {
  if (!kernel_.pipeline || kernel_.pipeline->met) return std::nullopt;
  diag::Diagnostic why = diag::make(diag::Code::NotPipelined, {kernel_.pipeline->span}, kernel_.name);
  for (const Decision& decision : kernel_.decisions)
    if (decision.kind == Decision::Kind::Loop) why.related.push_back({{decision.span}, "not this loop: " + decision.reason});
  if (why.related.empty()) why.message += ": none loads what it multiplies";
  return Refusal(std::move(why));
}

}  // namespace phobos::nvptx
