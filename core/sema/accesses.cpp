// Point accesses that miss their buffer whatever the threads and the arguments are: an index that is always below 0, or never inside
// of an extent which is a number. It is a warning, since the access may stand where nothing ever comes, as in a function that asks for the
// extent first.
#include <phobos/sema/facts.h>

#include "checker.h"

namespace phobos::sema {

namespace {

class Judge {
 public:
  explicit Judge(const CheckedItem& item) : item_(item) {}

  // The index, when it is outside of all `extent` elements.
  std::optional<Bound> outside(ExprId index, const Extent& extent) {
    const Facts facts = find(index);
    const bool bounded = facts.lower && facts.lower->is_number() && facts.upper && facts.upper->is_number();
    if (bounded && facts.lower->constant > facts.upper->constant) return std::nullopt;  // in a loop that never runs
    if (facts.upper && facts.upper->is_number() && facts.upper->constant < 0) return facts.upper;
    if (facts.lower && facts.lower->is_number() && extent.constant && facts.lower->constant >= *extent.constant) return facts.lower;
    return std::nullopt;
  }

 private:
  Facts find(ExprId index) {
    const auto& constant = item_[index].constant;
    if (const auto* value = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr) return {Bound{*value, {}}, Bound{*value, {}}, 1, {}};
    if (!finder_) finder_.emplace(item_);
    return finder_->of(index);
  }

  const CheckedItem& item_;
  std::optional<FactFinder> finder_;
};

}  // namespace

void Checker::judge_accesses() {
  Judge judge(out_);
  const auto tell = [&](ExprId index, std::string_view name, std::size_t axis, const Extent& extent) {
    const auto miss = judge.outside(index, extent);
    if (!miss) return;
    const Location at = out_[index].location;
    const std::string text = text_at(at), value = to_string(*miss);
    auto& d = report(Code::OutsideExtent, at, name, text == value ? value : fmt::format("`{}`, which is at {} {},", text, miss->constant < 0 ? "most" : "least", value), axis, to_string(extent));
    if (at.origin == 0 && miss->is_number() && miss->constant < 0 && (!extent.constant || miss->constant >= -*extent.constant) && text == value) {  // counted from the end
      const std::string better = extent.constant ? std::to_string(*extent.constant + miss->constant) : fmt::format("{} - {}", to_string(extent), -miss->constant);
      d.fixes.push_back(replacement(fmt::format("Count from the end: `{}`", better), at, better));
    }
    if (at.origin == 0) return;
    for (std::size_t i = index.value; i < out_.exprs.size(); ++i)  // a call comes behind its body
      if (const auto* call = std::get_if<InlinedCall>(&out_[ExprId(i)].node); call && call->origin == at.origin) {
        d.related.push_back({out_[ExprId(i)].location, fmt::format("in this call of `{}`", out_.name_of_origin(call->origin)), true});
        break;
      }
  };
  const auto points = [&](const Type& buffer, std::string_view name, const std::vector<ExprId>& indices) {
    for (std::size_t axis = 0; axis < indices.size() && axis < buffer.shape.size(); ++axis)
      tell(indices[axis], name, axis, buffer.shape[axis]);
  };
  for (std::size_t i = 0; i < out_.exprs.size(); ++i)
    if (const auto* load = std::get_if<PointLoad>(&out_[ExprId(i)].node))
      points(type(load->base), text_at(out_[load->base].location), std::vector<ExprId>(load->indices));
  for (const Stmt& stmt : out_.stmts)
    if (const auto* store = std::get_if<PointStore>(&stmt.node)) points(out_[store->target].type, out_[store->target].name, store->indices);
}

}  // namespace phobos::sema
