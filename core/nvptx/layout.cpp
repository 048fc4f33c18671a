#include "layout.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include <phobos/passes/contraction.h>

namespace phobos::nvptx {

using ir::Opcode;

namespace {

constexpr std::int64_t warp = 32;

void add(std::vector<Digit>& digits, std::int64_t divisor, std::int64_t count, std::int64_t stride) {
  if (divisor < warp && divisor * count > warp) {
    const std::int64_t lanes = warp / divisor;
    add(digits, divisor, lanes, stride);
    divisor = warp;
    count /= lanes;
    stride *= lanes;
  }
  if (count > 1) digits.push_back({divisor, count, stride});
}

void add(std::vector<Step>& steps, std::int64_t count, std::int64_t stride) {
  if (count > 1) steps.push_back({count, stride});
}

std::vector<Digit> without_strides(std::vector<Digit> digits, const std::vector<Digit>& more) {
  digits.insert(digits.end(), more.begin(), more.end());
  for (Digit& digit : digits) digit.stride = 0;
  return digits;
}

// A row that is stretched over the rows of that matrix.
Layout flattened(const Layout& layout) { return {Axis{}, layout.columns, without_strides(layout.rows.threads, layout.copies)}; }

std::int64_t fitting_vector(std::int64_t columns, std::int64_t most, std::int64_t bytes) {
  std::int64_t vector = bytes >= 4 ? 4 : 16 / bytes;
  while (vector > 1 && (columns % vector != 0 || vector > most)) vector /= 2;
  return vector;
}

struct Natural {
  std::int64_t across, vector;
};

// What suits a shape on its own.
Natural natural(Layouts::Extents extents, std::int64_t threads, std::int64_t bytes) {
  const auto [rows, columns] = extents;
  const std::int64_t vector = fitting_vector(columns, std::max<std::int64_t>(1, rows * columns / threads), bytes);
  const std::int64_t groups = columns / vector;
  std::int64_t across = 1;
  while (across < warp && across < groups) across *= 2;
  if (across == warp)  // more warps to a row while there are not rows enough for them
    for (std::int64_t warps = 1; warps <= threads / warp; ++warps) {
      if ((threads / warp) % warps != 0) continue;
      across = warps * warp;
      if (threads / across <= rows || across >= groups) break;
    }
  return {across, vector};
}

// Tiles that have one layout.
struct Class {
  Layouts::Extents extents;
  std::int64_t bytes = 8;  // of the smallest element
  std::optional<passes::Contraction> contraction;  // whose accumulators these are
  bool folded = false;
  std::int64_t across = 0;  // of a blocked layout
};

class Assignment {
 public:
  Assignment(const ir::Kernel& kernel, const passes::Chip& chip) : kernel_(kernel), chip_(chip), parent_(kernel.values.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  void run(std::vector<Layout>& layouts, IdVector<ir::ValueId, std::uint32_t>& class_of) {
    for (const ir::Op& op : kernel_.ops) connect(op);
    if (kernel_.body.valid()) connect_control(kernel_.body, nullptr, nullptr);
    class_of = IdVector<ir::ValueId, std::uint32_t>(kernel_.values.size());
    gather(class_of);
    anchor(class_of);
    layouts.resize(classes_.size());
    for (std::size_t i = 0; i < classes_.size(); ++i) layouts[i] = first_layout(classes_[i]);
    align_columns(layouts, class_of);
    align_rows(layouts, class_of);
  }

 private:
  std::uint32_t root(std::uint32_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void join(ir::ValueId a, ir::ValueId b) {
    if (kernel_.type(a).is_tile() && kernel_.type(b).is_tile() && Layouts::extents(kernel_.type(a)) == Layouts::extents(kernel_.type(b)))
      parent_[root(a.value)] = root(b.value);
  }
  void join(const std::vector<ir::ValueId>& a, std::size_t from, const std::vector<ir::ValueId>& b, std::size_t other = 0) {
    for (std::size_t i = 0; from + i < a.size() && other + i < b.size(); ++i) join(a[from + i], b[other + i]);
  }

  void connect(const ir::Op& op) {
    if (op.results.empty()) return;
    if (ir::has(ir::info(op.code).traits, ir::Trait::Elementwise) || op.code == Opcode::Tril)
      for (const ir::ValueId operand : op.operands) join(operand, op.results[0]);
    if (op.code == Opcode::Dot && op.operands.size() > 2) join(op.operands[2], op.results[0]);
  }

  // What flows round loops and out of branches.
  void connect_control(ir::RegionId region, const ir::Op* loop, const ir::Op* scope) {
    for (const ir::OpId id : kernel_[region].ops) {
      const ir::Op& op = kernel_[id];
      switch (op.code) {
        case Opcode::For: {
          const std::vector<ir::ValueId>& arguments = kernel_[op.regions[0]].arguments;
          join(op.operands, 3, op.results);
          join(arguments, 1, op.results);
          connect_control(op.regions[0], &op, scope);
          join(last(op.regions[0], Opcode::Yield), 0, op.results);
          break;
        }
        case Opcode::While: {
          join(op.operands, 0, op.results);
          join(kernel_[op.regions[0]].arguments, 0, op.results);
          for (const ir::RegionId inner : op.regions) connect_control(inner, &op, scope);
          join(last(op.regions[0], Opcode::Condition), 1, kernel_[op.regions[1]].arguments);
          join(last(op.regions[1], Opcode::Yield), 0, op.results);
          break;
        }
        case Opcode::If:
        case Opcode::ScopeOp:
          for (const ir::RegionId inner : op.regions) {
            connect_control(inner, loop, op.code == Opcode::ScopeOp ? &op : scope);
            join(last(inner, Opcode::Yield), 0, op.results);
          }
          break;
        case Opcode::Break:
        case Opcode::Continue: join(op.operands, 0, loop->results); break;
        case Opcode::Leave: join(op.operands, 0, scope->results); break;
        default: break;
      }
    }
  }

  const std::vector<ir::ValueId>& last(ir::RegionId region, Opcode code) const {
    static const std::vector<ir::ValueId> none;
    const std::vector<ir::OpId>& ops = kernel_[region].ops;
    return ops.empty() || kernel_[ops.back()].code != code ? none : kernel_[ops.back()].operands;
  }

  void gather(IdVector<ir::ValueId, std::uint32_t>& class_of) {
    std::map<std::uint32_t, std::uint32_t> known;
    for (std::uint32_t i = 0; i < kernel_.values.size(); ++i) {
      const ir::Type& type = kernel_.type(ir::ValueId(i));
      if (!type.is_tile()) continue;
      const auto [found, fresh] = known.emplace(root(i), static_cast<std::uint32_t>(classes_.size()));
      if (fresh) classes_.push_back({Layouts::extents(type), 8, {}, false, 0});
      class_of[ir::ValueId(i)] = found->second;
      Class& mine = classes_[found->second];
      mine.bytes = std::min<std::int64_t>(mine.bytes, size_of(type.element));
    }
  }

  void anchor(const IdVector<ir::ValueId, std::uint32_t>& class_of) {
    for (const ir::Op& op : kernel_.ops) {
      if (op.results.empty() || op.operands.empty()) continue;
      if (op.code == Opcode::RowFold || op.code == Opcode::RowArgMax) classes_[class_of[op.operands[0]]].folded = true;
    }
    for (const ir::Op& op : kernel_.ops) {
      if (op.code != Opcode::Dot) continue;
      Class& sums = classes_[class_of[op.results[0]]];
      passes::Contraction how = passes::choose_contraction(kernel_, op, chip_);
      if (how.on_tensor_cores() && !sums.contraction) sums.contraction = std::move(how);
    }
    // The rows of one contraction's result that become another's operand, or share a column with it, lie alike: by rows.
    bool folds = std::any_of(classes_.begin(), classes_.end(), [](const Class& one) { return one.contraction && one.folded; });
    if (!folds) return;
    for (Class& one : classes_) one.folded |= one.contraction.has_value();
  }

  Layout first_layout(Class& one) const {
    const std::int64_t threads = kernel_.threads;
    if (one.contraction) return fragments(one);
    const Natural shape = natural(one.extents, threads, one.bytes);
    one.across = shape.across;
    return blocked(one.extents.first, one.extents.second, threads, shape.across, shape.vector);
  }

  // Accumulators of m16n8: a lane has rows lane / 4 and 8 more, columns 2 (lane % 4) and its neighbour.
  Layout fragments(const Class& one) const {
    if (one.contraction->path == passes::Contraction::Path::Groups) return one.contraction->swapped() ? of_swapped_groups(one) : of_groups(one);
    const passes::WarpGrid grid = passes::warp_grid(one.extents.first, one.extents.second, kernel_.threads / warp, one.folded);
    const std::int64_t rows = one.extents.first / grid.rows, columns = one.extents.second / grid.columns;
    Layout layout;
    layout.rows.extent = one.extents.first;
    add(layout.rows.threads, 4, 8, 1);
    add(layout.rows.threads, warp, grid.rows, rows);
    add(layout.rows.slots, 2, 8);
    add(layout.rows.slots, rows / 16, 16);
    layout.columns.extent = one.extents.second;
    add(layout.columns.threads, 1, 4, 2);
    add(layout.columns.threads, warp * grid.rows, grid.columns, columns);
    add(layout.columns.slots, 2, 1);
    add(layout.columns.slots, columns / 8, 8);
    add(layout.copies, warp * grid.rows * grid.columns, kernel_.threads / (warp * grid.rows * grid.columns), 0);
    return layout;
  }

  // Of m64: a warp of a group has 16 of the 64 rows, and in them what it has of m16n8; each group has rows of its own.
  Layout of_groups(const Class& one) const {
    const std::int64_t groups = kernel_.threads / 128, rows = one.extents.first / groups;
    Layout layout;
    layout.rows.extent = one.extents.first;
    add(layout.rows.threads, 4, 8, 1);
    add(layout.rows.threads, warp, 4, 16);
    add(layout.rows.threads, 4 * warp, groups, rows);
    add(layout.rows.slots, 2, 8);
    add(layout.rows.slots, rows / 64, 64);
    layout.columns.extent = one.extents.second;
    add(layout.columns.threads, 1, 4, 2);
    add(layout.columns.slots, 2, 1);
    add(layout.columns.slots, one.extents.second / 8, 8);
    return layout;
  }

  // Of m64 whose rows are the columns of the result, in any order that suits: this one lets 32 lanes read pairs of neighbours in 4 rows of the
  // second operand, as bulk copies lay them down, from all banks, and has a lane store such pairs. Each group has columns of its own.
  Layout of_swapped_groups(const Class& one) const {
    const std::int64_t groups = kernel_.threads / 128, columns = one.extents.second / groups;
    Layout layout;
    layout.rows.extent = one.extents.first;
    add(layout.rows.threads, 1, 4, 2);
    add(layout.rows.slots, 2, 1);
    add(layout.rows.slots, one.extents.first / 8, 8);
    layout.columns.extent = one.extents.second;
    add(layout.columns.threads, 4, 2, 2);
    add(layout.columns.threads, 8, 2, 16);
    add(layout.columns.threads, 16, 2, 4);
    add(layout.columns.threads, warp, 2, 8);
    add(layout.columns.threads, 2 * warp, 2, 32);
    add(layout.columns.threads, 4 * warp, groups, columns);
    add(layout.columns.slots, 2, 1);
    add(layout.columns.slots, columns / 64, 64);
    return layout;
  }

  struct Edge {
    std::uint32_t narrow, wide;
  };
  // Pairs of a class of [rows, 1] or [1, columns] and the matrices that it is folded from or stretched to.
  std::vector<Edge> edges(const IdVector<ir::ValueId, std::uint32_t>& class_of, bool columns) const {
    std::vector<Edge> found;
    for (const ir::Op& op : kernel_.ops) {
      const bool fold = op.code == Opcode::RowFold || op.code == Opcode::RowArgMax;
      if ((!fold && op.code != Opcode::Broadcast) || op.operands.empty() || op.results.empty()) continue;
      std::uint32_t wide = class_of[op.operands[0]], narrow = class_of[op.results[0]];
      if (!fold) std::swap(wide, narrow);
      const Layouts::Extents w = classes_[wide].extents, n = classes_[narrow].extents;
      if (columns ? n.second == 1 && w.second > 1 && n.first > 1 && n.first == w.first
                  : n.first == 1 && n.second > 1 && n.second == w.second && w.first > 1)
        found.push_back({narrow, wide});
    }
    return found;
  }

  void align_columns(std::vector<Layout>& layouts, const IdVector<ir::ValueId, std::uint32_t>& class_of) {
    std::map<std::uint32_t, std::set<std::uint32_t>> wides;
    for (const Edge& edge : edges(class_of, true)) wides[edge.narrow].insert(edge.wide);
    for (const auto& [narrow, matrices] : wides) {
      std::uint32_t widest = *matrices.begin();
      for (const std::uint32_t one : matrices) {
        const Class &a = classes_[one], &b = classes_[widest];
        if (std::pair(a.contraction.has_value(), a.extents.second) > std::pair(b.contraction.has_value(), b.extents.second)) widest = one;
      }
      if (!classes_[widest].contraction)
        for (const std::uint32_t one : matrices) {
          Class& other = classes_[one];
          const std::int64_t across = classes_[widest].across;
          if (other.across == across || other.extents.second * 2 < across) continue;
          other.across = across;
          layouts[one] = blocked(other.extents.first, other.extents.second, kernel_.threads, across,
                                 fitting_vector(other.extents.second, std::max<std::int64_t>(1, other.extents.second / across), other.bytes));
        }
      layouts[narrow] = folded(layouts[widest]);
    }
  }

  void align_rows(std::vector<Layout>& layouts, const IdVector<ir::ValueId, std::uint32_t>& class_of) {
    std::map<std::uint32_t, std::uint32_t> tallest;
    for (const Edge& edge : edges(class_of, false)) {
      const auto [found, fresh] = tallest.emplace(edge.narrow, edge.wide);
      const Class &a = classes_[edge.wide], &b = classes_[found->second];
      if (!fresh && std::pair(a.contraction.has_value(), a.extents.first) > std::pair(b.contraction.has_value(), b.extents.first))
        found->second = edge.wide;
    }
    for (const auto& [narrow, wide] : tallest) layouts[narrow] = flattened(layouts[wide]);
  }

  const ir::Kernel& kernel_;
  const passes::Chip& chip_;
  std::vector<std::uint32_t> parent_;
  std::vector<Class> classes_;
};

}  // namespace

std::int64_t Axis::slot_count() const {
  std::int64_t count = 1;
  for (const Step& step : slots) count *= step.count;
  return count;
}

std::int64_t Axis::of_slot(std::int64_t slot) const {
  std::int64_t position = 0;
  for (const Step& step : slots) {
    position += slot % step.count * step.stride;
    slot /= step.count;
  }
  return position;
}

std::int64_t Axis::of_thread(std::int64_t thread) const {
  std::int64_t position = 0;
  for (const Digit& digit : threads) position += thread / digit.divisor % digit.count * digit.stride;
  return position;
}

std::int64_t Axis::thread_reach() const {
  std::int64_t reach = 1;
  for (const Digit& digit : threads) reach += (digit.count - 1) * digit.stride;
  return reach;
}

Layout blocked(std::int64_t rows, std::int64_t columns, std::int64_t threads, std::int64_t across, std::int64_t vector) {
  Layout layout;
  const std::int64_t down = threads / across;
  if (rows > 1) {
    layout.rows.extent = rows;
    add(layout.rows.threads, across, down, 1);
    add(layout.rows.slots, (rows + down - 1) / down, down);
  } else {
    add(layout.copies, across, down, 0);
  }
  if (columns > 1) {
    layout.columns.extent = columns;
    add(layout.columns.threads, 1, across, vector);
    add(layout.columns.slots, vector, 1);
    add(layout.columns.slots, (columns + across * vector - 1) / (across * vector), across * vector);
  } else {
    add(layout.copies, 1, across, 0);
  }
  return layout;
}

Layout folded(const Layout& layout) { return {layout.rows, Axis{}, without_strides(layout.columns.threads, layout.copies)}; }

Layouts::Extents Layouts::extents(const ir::Type& tile) {
  Extents extents{1, tile.shape.empty() ? 1 : tile.shape.back()};
  for (std::size_t i = 0; i + 1 < tile.shape.size(); ++i) extents.first *= tile.shape[i];
  return extents;
}

Layouts::Layouts(const ir::Kernel& kernel, const passes::Chip& chip) { Assignment(kernel, chip).run(layouts_, class_of_); }

}  // namespace phobos::nvptx
