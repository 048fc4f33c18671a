#include <algorithm>

#include <phobos/ide/structure.h>

namespace phobos::ide {

std::vector<FoldingRange> folding_ranges(const File& file) {
  std::vector<FoldingRange> all;
  for (const ItemView& item : file.items)
    for (const Fold& fold : item.index().folds) all.push_back({item.absolute(fold.span), fold.comment});
  return all;
}

}  // namespace phobos::ide
