// Where instructions come from in the source (lines.h), and what was decided for them.
#include <algorithm>

#include <fmt/format.h>
#include <llvm/IR/DIBuilder.h>

#include "emitter.h"

namespace phobos::nvptx {

namespace {

// What may stand between the quotes of a `.file`: ptxas takes ASCII, and neither quotes nor escapes.
std::string file_name(std::string_view text) {
  std::string name = in_ascii(text);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '"' || c == '\\'; }, '_');
  return name;
}

}  // namespace

void Emitter::describe_source() {
  if (!options_.debug_locations || options_.source.empty()) return;
  lines_.emplace(options_.source);
  llvm::DICompileUnit* unit = module_.debug_compile_units().empty() ? nullptr : *module_.debug_compile_units().begin();  // of another entry
  llvm::DIBuilder debug(module_, true, unit);
  const std::size_t slash = options_.file.find_last_of('/');
  const std::string name = file_name(slash == std::string::npos ? options_.file : options_.file.substr(slash + 1));
  const std::string folder = slash == std::string::npos ? "" : file_name(options_.file.substr(0, slash));
  llvm::DIFile* file = debug.createFile(name, folder);
  if (!unit) unit = debug.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "phobos", true,
                                                      "", 0, "", llvm::DICompileUnit::DebugDirectivesOnly);
  std::uint32_t line = 1;
  if (!kernel_[kernel_.body].ops.empty())
    line = lines_->line_of(kernel_[kernel_[kernel_.body].ops.front()].span.begin) + 1;
  subprogram_ = debug.createFunction(unit, kernel_.name, kernel_.name, file, line,
                                     debug.createSubroutineType(debug.getOrCreateTypeArray({})), line, llvm::DINode::FlagZero,
                                     llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function_->setSubprogram(subprogram_);
  debug.finalize();
  if (!module_.getModuleFlag("Debug Info Version")) module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, line, 0, subprogram_));
  describe_calls();
}

void Emitter::describe_calls() {
  if (!places_of_source_ || bulk_) return;  // the plain entry's are the same
  for (const ir::InlinedCall& call : kernel_.calls) {
    const Position site = lines_->position(options_.source, call.site.begin, Encoding::Utf8);
    places_of_source_->add_call({call.function, {site.line + 1, site.column + 1, call.caller}});
  }
}

void Emitter::locate(const ir::Op& op) {
  if (!subprogram_ || op.span.begin > options_.source.size() || (op.span.empty() && op.span.begin == 0)) return;
  const Position at = lines_->position(options_.source, op.span.begin, Encoding::Utf8);
  const SourcePlaces::Place place{at.line + 1, at.column + 1, op.call};
  b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, place.line, places_of_source_ ? places_of_source_->number_of(place) : place.column, subprogram_));
}

void Emitter::decide(Decision decision) {
  if (current_) decision.span = current_->span;
  if (std::find(decisions_.begin(), decisions_.end(), decision) == decisions_.end()) decisions_.push_back(std::move(decision));
}

void Emitter::decide(Decision::Kind kind, std::string what, std::string path, std::string reason) {
  const bool fast = reason.empty();
  decide({kind, {}, std::move(what), std::move(path), std::move(reason), false, fast});
}

std::vector<Decision> Emitter::sorted_decisions() {
  std::stable_sort(decisions_.begin(), decisions_.end(), [](const Decision& a, const Decision& b) { return a.span.begin < b.span.begin; });
  return std::move(decisions_);
}

// What the general path stands in for because the chip is older.
void Emitter::note_chip() {
  current_ = nullptr;
  const auto uses = [&](ScalarType element) {
    return std::any_of(kernel_.values.begin(), kernel_.values.end(), [&](const ir::Value& value) { return value.type.element == element; });
  };
  if (!target_.chip().has_bf16() && uses(ScalarType::BF16))
    decide(Decision::Kind::Chip, "conversions of bf16", "integer instructions", fmt::format("{} has no instructions for bf16", target_.chip().name));
}

}  // namespace phobos::nvptx
