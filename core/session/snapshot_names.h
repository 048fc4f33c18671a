// What the names of a snapshot mean, for an analysis outside of its session.
#pragma once

#include <string_view>
#include <unordered_map>

#include "analyse.h"

namespace phobos::session {

class SnapshotNames final : public Surroundings {
 public:
  explicit SnapshotNames(const Snapshot& snapshot);
  ItemPointer meaning(std::string_view name) const override;
  FunctionNames functions() const override;
  std::uint32_t offset_of(const syntax::Item& item) const { return names_.at(item.name.text)->offset; }

 private:
  std::unordered_map<std::string_view, const ItemView*> names_;  // the first of each name
};

}  // namespace phobos::session
