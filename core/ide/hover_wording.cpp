#include <fmt/format.h>

#include <phobos/ide/hover.h>

namespace phobos::ide {

namespace {

using PlaceOf = std::function<ReaderPlace(Location)>;

std::string shown(const ReaderPlace& place) {
  return place.link.empty() ? fmt::format("line {}", place.line) : fmt::format("[line {}]({})", place.line, place.link);
}

std::string code(std::string_view source) {
  return fmt::format("```phobos\n{}\n```\n", source);
}

void paragraph(std::string& out, std::string_view text) {
  if (text.empty()) return;
  out += fmt::format("\n{}\n", text);
}

std::string_view in_words(Kind kind, bool is_tile) {
  if (is_tile && kind == Kind::Uniform) return "one tile that the whole CTA shares";
  switch (kind) {
    case Kind::Uniform: return "the same in every thread of the CTA";
    case Kind::WarpUniform: return "the same in every lane of a warp";
    default: return "may differ between lanes";
  }
}

std::string kind_line(Kind kind, bool is_tile) {
  return fmt::format("**{}**: {}", name_of(kind), in_words(kind, is_tile));
}

// `0 <= i <= 63, a multiple of 4`; a value that is its own bound says nothing.
std::string known_line(const sema::Facts& facts, std::string_view name) {
  std::vector<std::string> parts;
  const std::string low = facts.lower ? sema::to_string(*facts.lower) : "", high = facts.upper ? sema::to_string(*facts.upper) : "";
  if (!facts.affine.empty()) parts.push_back(fmt::format("`{}`", facts.affine));
  if (facts.lower && facts.lower == facts.upper) {
    if (low != name && low != facts.affine) parts.push_back(fmt::format("equal to `{}`", low));
  } else if (facts.lower && facts.upper) {
    parts.push_back(fmt::format("from `{}` to `{}`", low, high));
  } else if (facts.lower || facts.upper) {
    parts.push_back(facts.lower ? fmt::format("at least `{}`", low) : fmt::format("at most `{}`", high));
  }
  if (facts.divisor > 1) parts.push_back(fmt::format("a multiple of {}", facts.divisor));
  if (parts.empty()) return {};
  return fmt::format("Known: {}.", fmt::join(parts, ", "));
}

std::string worded(const ValueFacts& facts, const PlaceOf& place_of) {
  std::string out = code(facts.constant ? fmt::format("{} = {}", facts.declaration, sema::to_string(*facts.constant)) : facts.declaration);
  paragraph(out, facts.note);
  const std::string_view declared = facts.declaration;
  paragraph(out, known_line(facts.known, declared.substr(0, declared.find(':'))));
  if (facts.kind) paragraph(out, kind_line(*facts.kind, facts.is_tile));
  if (facts.kind && *facts.kind != Kind::Uniform && !facts.reason.empty()) {
    out += "\n";
    for (const uniformity::Step& step : facts.reason) out += fmt::format("- {} ({})\n", step.message, shown(place_of(step.location)));
  }
  paragraph(out, facts.documentation);
  return out;
}

std::string_view needs_in_words(builtins::Needs needs) {
  switch (needs) {
    case builtins::Needs::Anything: return "Runs in each thread on its own, under any control.";
    case builtins::Needs::CtaIfTile: return "On scalars it runs in each thread on its own; on a tile once per CTA, so that every thread must reach it.";
    case builtins::Needs::Cta: return "Runs once per CTA: every thread must reach it, with the same scalar operands.";
    default: return "Over lanes it needs the whole warp, over threads the whole CTA; on a thread's own run it needs nothing.";
  }
}

std::string_view gives_in_words(builtins::Gives gives) {
  switch (gives) {
    case builtins::Gives::Uniform: return "The result is uniform.";
    case builtins::Gives::JoinOfOperands: return "The result is as varying as the operands.";
    default: return "Folded over lanes the result is warp-uniform, over threads uniform, else as varying as the operands.";
  }
}

std::string worded(const BuiltinFacts& facts, const PlaceOf&) {
  std::string out = code(facts.row->signature);
  paragraph(out, facts.row->documentation);
  paragraph(out, fmt::format("{} {}", needs_in_words(facts.row->needs), gives_in_words(facts.row->gives)));
  if (!facts.row->example.empty()) out.append("\n").append(code(facts.row->example));
  return out;
}

std::string worded(const CtxFacts& facts, const PlaceOf&) {
  std::string name = fmt::format("ctx.{}{}: index", facts.row->name, facts.row->has_axis ? ".x/.y/.z" : "");
  if (facts.constant) name += " = " + sema::to_string(*facts.constant);
  std::string out = code(name);
  paragraph(out, facts.row->documentation);
  paragraph(out, kind_line(facts.row->kind, false));
  if (facts.row->compile_time) paragraph(out, "Known at compile time.");
  return out;
}

std::string worded(const WordFacts& facts, const PlaceOf&) {
  std::string out = code(facts.form);
  paragraph(out, facts.documentation);
  paragraph(out, facts.choices);
  return out;
}

std::string worded(const ItemFacts& facts, const PlaceOf&) {
  std::string out = code(facts.signature);
  paragraph(out, facts.documentation);
  return out;
}

}  // namespace

std::string wording(const HoverFacts& facts, const PlaceOf& place_of) {
  std::string text = std::visit([&](const auto& about) { return worded(about, place_of); }, facts.about);
  if (facts.stale) paragraph(text, "*As it was before the text was broken.*");
  return text;
}

}  // namespace phobos::ide
