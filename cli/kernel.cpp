#include "kernel.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/builtins/builtins.h>
#include <phobos/launch/bind.h>
#include <phobos/lower/lower.h>

#include "options.h"
#include "output.h"

namespace phobos::cli {
namespace {

bool is_kernel(const session::ItemView& view) { return view.item().form == syntax::Item::Form::Kernel; }

// Those of one item and the functions that it inlines, with places in the file.
std::vector<diag::Diagnostic> diagnostics_of(const session::ItemView& view) {
  std::vector<diag::Diagnostic> all;
  const auto absolute = [&](Location& location) { location = {view.absolute(location), 0}; };
  const auto take = [&](const std::vector<diag::Diagnostic>& found, std::uint32_t origin) {
    for (diag::Diagnostic diagnostic : found) {
      if (origin != 0) diagnostic.location.origin = origin;
      absolute(diagnostic.location);
      for (diag::Related& related : diagnostic.related) {
        if (origin != 0) related.location.origin = origin;
        absolute(related.location);
      }
      for (diag::Fix& fix : diagnostic.fixes)
        for (diag::TextEdit& edit : fix.edits) {
          if (origin != 0) edit.location.origin = origin;
          absolute(edit.location);
        }
      all.push_back(std::move(diagnostic));
    }
  };
  take(view.item().diagnostics, 0);
  const sema::CheckedItem& checked = view.analysis->checked;
  for (std::size_t f = 0; f < checked.functions.size(); ++f)
    take(checked.functions[f]->diagnostics, static_cast<std::uint32_t>(f + 1));
  take(checked.diagnostics, 0);
  take(view.analysis->kinds.diagnostics, 0);
  return all;
}

Stop no_such_kernel(const Source& source, const std::string& name, const std::vector<std::string_view>& names) {
  if (names.empty()) return {exit_usage, fmt::format("{}: there is no kernel in it", source.name()), {}};
  const std::optional<std::string_view> near = builtins::nearest(name, names);
  const std::string advice = near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it has {}", fmt::join(names, ", "));
  return {exit_usage, fmt::format("{}: there is no kernel `{}`; {}", source.name(), name, advice), {}};
}

}  // namespace

std::string Stop::reason() const {
  const auto error = std::find_if(diagnostics.begin(), diagnostics.end(), [](const diag::Diagnostic& each) { return each.severity == diag::Severity::Error; });
  return message.empty() && error != diagnostics.end() ? error->message : message;
}

Stop stop_of(const nvptx::Refusal& refusal) {
  if (refusal.diagnostic) return {exit_failed, {}, {*refusal.diagnostic}};
  return {exit_failed, refusal.message, {}};
}

OrStop<const session::ItemView*> choose_kernel(const Source& source, const std::string& name) {
  std::vector<std::string_view> names;
  const session::ItemView* only = nullptr;
  for (const session::ItemView& view : source.snapshot->items()) {
    if (!is_kernel(view)) continue;
    names.push_back(view.item().name.text);
    if (only == nullptr) only = &view;
  }
  if (!name.empty()) {
    const session::ItemView* named = source.snapshot->kernel_named(name);
    if (named != nullptr) return named;
  } else if (names.size() == 1) {
    return only;
  } else if (names.size() > 1) {
    return Stop{exit_usage, fmt::format("{} has several kernels ({}); choose one with --kernel NAME", source.name(),
                                        fmt::join(names, ", ")), {}};
  }
  // Likely the kernel is not seen because the text around it is wrong.
  std::vector<diag::Diagnostic> diagnostics = source.snapshot->diagnostics();
  if (has_errors(diagnostics)) return Stop{exit_failed, {}, std::move(diagnostics)};
  return no_such_kernel(source, name, names);
}

OrStop<LoweredKernel> lower_kernel(const Source& source, const session::ItemView& kernel,
                                   const std::vector<launch::Given>& arguments, lower::Purpose purpose) {
  std::vector<std::string> constant_names;
  for (const sema::AutotuneConstant& constant : kernel.analysis->checked.attributes.autotune) constant_names.push_back(constant.name);
  Result<launch::SplitArguments> split = launch::split_constants(arguments, constant_names);
  if (!split) return Stop{exit_usage, split.message(), {}};
  const std::string& name = kernel.item().name.text;
  const std::optional<session::ItemView> view = session::analyse_kernel(*source.snapshot, name, split->constants);
  if (!view) return Stop{exit_usage, fmt::format("{}: there is no kernel `{}`", source.name(), name), {}};
  std::vector<diag::Diagnostic> diagnostics = diagnostics_of(*view);
  if (has_errors(diagnostics)) return Stop{exit_failed, {}, std::move(diagnostics)};
  const std::vector<diag::Diagnostic> all = source.snapshot->diagnostics();
  const bool bad_text = std::any_of(all.begin(), all.end(), [](const auto& d) { return d.code == diag::Code::InvalidUtf8; });
  if (bad_text || !view->analysis->checked.ok()) return Stop{exit_failed, {}, all};  // bytes that are no text, or a function that is wrong by itself
  Result<ir::Kernel> lowered = lower::lower(view->analysis->checked, view->analysis->kinds, {view->origins}, purpose);
  if (!lowered) return Stop{exit_failed, fmt::format("{}: `{}`: {}", source.name(), name, lowered.message()), {}};
  if (const Result<void> names = launch::check_names(*lowered, split->rest); !names) return Stop{exit_usage, names.message(), {}};
  return LoweredKernel{std::move(*lowered), std::move(split->rest), std::move(diagnostics)};
}

}  // namespace phobos::cli
