#include <phobos/ide/hierarchy.h>

#include <algorithm>

#include <fmt/format.h>

#include <phobos/sema/check.h>
#include <phobos/support/number.h>

#include "regions.h"
#include "run_words.h"

namespace phobos::ide {
namespace {

using Block = std::array<std::int64_t, 3>;

constexpr std::int64_t lanes = 32;
constexpr std::int64_t assumed_extent = 256;  // of a dimension of which nobody says how large it is
constexpr std::int64_t most_ctas = (std::int64_t{1} << 31) - 1;
constexpr std::array axis_names = {"x", "y", "z"};

Progression from_zero(std::int64_t count) { return {0, std::max<std::int64_t>(count - 1, 0), count > 1 ? 1 : 0}; }
Progression only(std::int64_t number) { return {number, number, 0}; }

class Builder {
 public:
  Builder(const File& file, const ItemView& view, const HierarchyRequest& request) : file_(file), view_(view), request_(request) {}

  Hierarchy build() {
    made_.kernel = view_.item().name.text;
    made_.range = view_.span;
    made_.name = view_.absolute(view_.item().name.span);
    read_run_line();
    choose_constants();
    counts();
    dimensions();
    tensors();
    grid();
    pick();
    ctx();
    accesses();
    return std::move(made_);
  }

 private:
  // As written, right or wrong: half a warp can be drawn.
  void counts() {
    made_.threads = item_->attributes.threads;
    for (const syntax::Attribute& attribute : view_.item().attributes) {
      if (attribute.name.text != "launch") continue;
      made_.launch = view_.absolute(attribute.span);
      if (const auto& count = item_->attributes.threads_written) made_.threads = std::clamp<std::int64_t>(*count, 0, 4096);
      for (const diag::Diagnostic& each : item_->diagnostics)
        if (each.location.origin == 0 && attribute.span.begin <= each.location.span.begin && each.location.span.end <= attribute.span.end && made_.launch_fault.empty())
          made_.launch_fault = each.message;
    }
    made_.whole_warps = made_.threads > 0 && made_.threads % lanes == 0;
  }

  void read_run_line() {
    std::size_t number = 0;
    for (const ItemView& above : file_.items_with_run_lines_of(view_))
      for (const syntax::RunLine& line : above.item().run_lines)
        if (number++ == request_.run_line) read_words(run_words(above.item().text, line.span));
  }
  void read_words(const std::vector<RunWord>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i].text;
      if (word == "expect" || word.starts_with("expect-")) return;
      const std::size_t equals = word.find('=');
      if (word.substr(0, equals) == "--grid") {
        if (equals != std::string_view::npos) read_grid(word.substr(equals + 1));
        else if (i + 1 < words.size()) read_grid(words[++i].text);
      } else if (!word.starts_with("--") && equals != std::string_view::npos) {
        if (const std::optional<std::int64_t> value = parse_integer(word.substr(equals + 1))) said_[std::string(word.substr(0, equals))] = *value;
      }
    }
  }
  void read_grid(std::string_view text) {
    Block read{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t comma = text.find(',');
      const std::optional<std::int64_t> count = parse_integer(text.substr(0, comma));
      if (!count || *count < 1 || *count > most_ctas) return;
      read[axis] = *count;
      if (comma == std::string_view::npos) {
        said_grid_ = read;
        return;
      }
      text.remove_prefix(comma + 1);
    }
  }

  // The kernel with the autotuned constants that are asked for, or that the run line has.
  void choose_constants() {
    item_ = &view_.checked();
    sema::Options options;
    for (const sema::AutotuneConstant& each : item_->attributes.autotune)
      if (const std::optional<std::int64_t> value = given(each.name); value && *value != each.value) options.constants[each.name] = *value;
    if (options.constants.empty()) return;
    sema::Environment environment;
    environment.find = [this](std::string_view name) -> std::shared_ptr<const syntax::Item> {
      const ItemView* found = file_.named(name);
      return found == nullptr ? nullptr : found->checked().item;
    };
    chosen_ = sema::check(view_.checked().item, environment, options);
    item_ = &*chosen_;
  }
  std::optional<std::int64_t> given(const std::string& name) const {
    if (const auto asked = request_.dimensions.find(name); asked != request_.dimensions.end()) return asked->second;
    const auto said = said_.find(name);
    return said == said_.end() ? std::nullopt : std::optional(said->second);
  }
  Span absolute(Location location) const {
    if (!chosen_) return view_.absolute(location);
    if (location.origin == 0) return view_.absolute(location.span);
    const ItemView* function = file_.named(item_->functions[location.origin - 1]->name.text);
    return function == nullptr ? view_.span : function->absolute(location.span);
  }

  void dimensions() {
    for (const sema::LocalId id : item_->dimensions) {
      const std::string& name = (*item_)[id].name;
      const std::optional<std::int64_t> known = given(name);
      const std::int64_t value = std::clamp<std::int64_t>(known.value_or(assumed_extent), 0, std::int64_t{1} << 31);
      extents_[name] = value;
      made_.dimensions.push_back({name, value, !known});
    }
    for (const sema::AutotuneConstant& each : item_->attributes.autotune) made_.constants.push_back({each.name, each.value, false});
  }

  std::int64_t extent_of(const sema::Extent& extent) const {
    if (extent.constant) return *extent.constant;
    const auto found = extents_.find(extent.name);
    return found == extents_.end() ? 1 : found->second;
  }

  std::int64_t count_of(const sema::Type& type) const {
    std::int64_t count = 1;
    for (const sema::Extent& extent : type.shape)
      if (__builtin_mul_overflow(count, extent_of(extent), &count)) return std::int64_t{1} << 62;
    return count;
  }

  void tensors() {
    for (const sema::LocalId id : item_->parameters) {
      const sema::Local& local = (*item_)[id];
      if (!local.type.is_tensor()) continue;
      Hierarchy::Tensor tensor{local.name, fmt::format("{}{}", name_of(local.type.element), sema::to_string(local.type.shape)), {}};
      for (const sema::Extent& extent : local.type.shape) tensor.extents.push_back(extent_of(extent));
      made_.tensors.push_back(std::move(tensor));
    }
  }

  Runners runners(const std::optional<Block>& block) const {
    Runners who;
    who.threads = made_.threads;
    who.thread = from_zero(made_.threads);
    who.lane = from_zero(std::min(made_.threads, lanes));
    who.warp = from_zero((made_.threads + lanes - 1) / lanes);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (made_.grid) {
        who.blocks[axis] = only((*made_.grid)[axis]);
        who.block[axis] = from_zero((*made_.grid)[axis]);
      }
      if (block) who.block[axis] = only((*block)[axis]);
    }
    return who;
  }

  // As a launch infers it (language.md, 14.3), by numbers: a store's start moves by T from one CTA to the next, and what threads and loops
  // add stays below T. So the extent takes extent / T CTAs, rounded up. All stores that depend on an axis have to say the same.
  void grid() {
    if (request_.grid || said_grid_) {
      made_.grid = request_.grid ? request_.grid : said_grid_;
      made_.grid_how = {"given", "given", "given"};
      return;
    }
    const Found at_origin = accesses_of(*item_, runners(Block{0, 0, 0}), extents_);
    const std::vector<FoundAccess>& origin = at_origin.accesses;
    Block inferred{1, 1, 1};
    std::array<bool, 3> found{};
    for (std::size_t axis = 0; axis < 3 && made_.grid_reason.empty(); ++axis) {
      Block one{0, 0, 0};
      one[axis] = 1;
      const std::vector<FoundAccess> next = accesses_of(*item_, runners(one), extents_).accesses;
      for (std::size_t i = 0; i < origin.size() && i < next.size(); ++i) {
        if (!origin[i].store) continue;
        for (std::size_t along = 0; along < origin[i].starts.size(); ++along) {
          const auto &from = origin[i].starts[along], &to = next[i].starts[along];
          if (!from || !to) {
            if (!from.has_value()) made_.grid_reason = fmt::format("where `{}` is stored to depends on more than multiples of `ctx.block`", (*item_)[origin[i].tensor].name);
            continue;
          }
          const std::int64_t step = to->first - from->first;
          if (step == 0 && to->last == from->last) continue;
          if (origin[i].flat) {
            made_.grid_reason = fmt::format("`{}` is stored to at positions in row-major order", (*item_)[origin[i].tensor].name);
            continue;
          }
          const std::int64_t extent = extent_of((*item_)[origin[i].tensor].type.shape[along]);
          if (step <= 0 || to->last - from->last != step || from->first < 0 || from->last >= step) {
            made_.grid_reason = fmt::format("the stores to `{}` do not tile it", (*item_)[origin[i].tensor].name);
            continue;
          }
          const std::int64_t count = (extent + step - 1) / step;
          if (found[axis] && inferred[axis] != count) made_.grid_reason = fmt::format("stores say {} and {} CTAs along {}", inferred[axis], count, axis_names[axis]);
          found[axis] = true;
          inferred[axis] = count;
          made_.grid_how[axis] = step == 1 ? fmt::format("{}", extent) : fmt::format("ceil({} / {})", extent, step);
        }
      }
    }
    if (at_origin.blocks && made_.grid_reason.empty()) made_.grid_reason = "the kernel reads `ctx.blocks`, so any grid would do";
    for (std::size_t axis = 0; axis < 3 && made_.grid_reason.empty(); ++axis)
      if (at_origin.block[axis] && !found[axis]) made_.grid_reason = fmt::format("no store starts at a multiple of `ctx.block.{}`", axis_names[axis]);
    if (made_.grid_reason.empty()) made_.grid = inferred;
  }

  void pick() {
    const Pick& asked = request_.pick;
    if (!asked.block || !made_.grid) return;
    Block block = *asked.block;
    for (std::size_t axis = 0; axis < 3; ++axis) block[axis] = std::clamp<std::int64_t>(block[axis], 0, std::max<std::int64_t>((*made_.grid)[axis] - 1, 0));
    made_.pick.block = block;
    if (asked.thread && *asked.thread >= 0 && *asked.thread < made_.threads) {
      made_.pick.thread = *asked.thread;
      made_.pick.warp = *asked.thread / lanes;
    } else if (asked.warp && *asked.warp >= 0 && *asked.warp * lanes < made_.threads) {
      made_.pick.warp = *asked.warp;
    }
  }

  void ctx() {
    const auto add = [&](std::string field, std::int64_t value, std::string how, Kind kind) { made_.ctx.push_back({std::move(field), value, std::move(how), kind}); };
    for (std::size_t axis = 0; axis < 3 && made_.grid; ++axis) add(fmt::format("ctx.blocks.{}", axis_names[axis]), (*made_.grid)[axis], made_.grid_how[axis].empty() ? std::string("not tiled") : made_.grid_how[axis], Kind::Uniform);
    for (std::size_t axis = 0; axis < 3 && made_.pick.block; ++axis) add(fmt::format("ctx.block.{}", axis_names[axis]), (*made_.pick.block)[axis], "picked", Kind::Uniform);
    add("ctx.threads", made_.threads, made_.launch ? fmt::format("@launch({})", made_.threads) : "without @launch", Kind::Uniform);
    add("ctx.lanes", lanes, "the target", Kind::Uniform);
    if (made_.whole_warps) add("ctx.warps", made_.threads / lanes, fmt::format("{} / {}", made_.threads, lanes), Kind::Uniform);
    if (made_.pick.thread) {
      const std::int64_t thread = *made_.pick.thread, warp = thread / lanes;
      add("ctx.thread", thread, fmt::format("{} * {} + {}", warp, lanes, thread - warp * lanes), Kind::Varying);
      add("ctx.warp", warp, fmt::format("{} / {}, rounded down", thread, lanes), Kind::WarpUniform);
      add("ctx.lane", thread - warp * lanes, fmt::format("{} - {} * {}", thread, warp, lanes), Kind::Varying);
    } else if (made_.pick.warp) {
      add("ctx.warp", *made_.pick.warp, "picked", Kind::WarpUniform);
    }
  }

  void accesses() {
    Runners who = runners(made_.pick.block);
    if (made_.pick.thread) {
      who.thread = only(*made_.pick.thread);
      who.lane = only(*made_.pick.thread % lanes);
      who.warp = only(*made_.pick.thread / lanes);
    } else if (made_.pick.warp) {
      who.warp = only(*made_.pick.warp);
      who.thread = {*made_.pick.warp * lanes, std::min((*made_.pick.warp + 1) * lanes, made_.threads) - 1, 1};
    }
    for (const FoundAccess& found : accesses_of(*item_, who, extents_).accesses) {
      Hierarchy::Access access;
      access.range = absolute(found.location);
      access.tensor = (*item_)[found.tensor].name;
      access.text = file_.text.substr(access.range.begin, access.range.size());
      access.store = found.store;
      access.by_cta = found.by_cta;
      access.atomic = found.atomic;
      access.flat = found.flat;
      access.reached = found.reached;
      access.regions.emplace();
      for (std::size_t axis = 0; axis < found.starts.size() && access.regions; ++axis) {
        if (!found.starts[axis] || axis >= (*item_)[found.tensor].type.shape.size()) access.regions.reset();
        else access.regions->push_back({*found.starts[axis], found.lengths[axis], extent_of((*item_)[found.tensor].type.shape[axis])});
        if (found.flat && access.regions) access.regions->back().extent = count_of((*item_)[found.tensor].type);
      }
      made_.accesses.push_back(std::move(access));
    }
    std::stable_sort(made_.accesses.begin(), made_.accesses.end(), [](const auto& a, const auto& b) { return a.range.begin < b.range.begin; });
  }

  const File& file_;
  const ItemView& view_;
  const sema::CheckedItem* item_ = nullptr;
  std::optional<sema::CheckedItem> chosen_;  // with other constants than the kernel's first choices
  const HierarchyRequest& request_;
  Hierarchy made_;
  std::map<std::string, std::int64_t> said_;  // by the run line
  std::optional<Block> said_grid_;
  std::map<std::string, std::int64_t> extents_;
};

}  // namespace

std::optional<Hierarchy> hierarchy(const File& file, std::uint32_t offset, const HierarchyRequest& request) {
  const ItemView* last = nullptr;
  for (const ItemView& view : file.items) {
    if (!view.is_kernel() || view.item().name.missing) continue;
    last = &view;
    if (offset <= view.span.end) break;
  }
  if (last == nullptr) return std::nullopt;
  return Builder(file, *last, request).build();
}

}  // namespace phobos::ide
