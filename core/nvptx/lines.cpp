#include "lines.h"

#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <phobos/nvptx/nvptx.h>

namespace phobos::nvptx {

namespace {

constexpr std::uint32_t most_numbers = 65535;  // what a column may be in LLVM
constexpr std::string_view directive = "\t.loc\t1 ";

std::uint32_t number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  static_cast<void>(fault);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return value;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool is_scope_label(std::string_view line) { return line.starts_with("$L__tmp"); }
bool starts_block(std::string_view line) { return line.starts_with("$L__BB") || line.starts_with("$L__func") || line.starts_with("}"); }

}  // namespace

std::string in_ascii(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80) continue;  // of a character that has begun
    out.push_back(byte >= 0x7f || (byte < 0x20 && byte != '\t') ? '?' : c);
  }
  return out;
}

std::uint32_t SourcePlaces::add_call(Call call) {
  calls_.push_back(std::move(call));
  return static_cast<std::uint32_t>(calls_.size());
}

std::uint32_t SourcePlaces::number_of(Place place) {
  if (places_.size() >= most_numbers) return 0;
  const auto [at, added] = numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size() + 1));
  if (added) places_.push_back(place);
  return at->second;
}

std::string SourcePlaces::rewrite(std::string_view ptx) const {
  const std::vector<std::string_view> lines = lines_of(ptx);
  std::string out;
  out.reserve(ptx.size() + ptx.size() / 8);
  std::vector<std::string> names;  // of functions, as labels number them
  std::set<Place> told;            // an inlined call's place has to have been told
  std::optional<Place> current;

  const auto name_of = [&](const std::string& function) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == function) return i;
    names.push_back(function);
    return names.size() - 1;
  };
  const auto tell = [&](const auto& self, const Place& place) -> void {
    told.insert(place);
    current = place;
    if (place.call == 0) {
      fmt::format_to(std::back_inserter(out), "\t.loc\t1 {} {}\n", place.line, place.column);
      return;
    }
    const Call& call = calls_[place.call - 1];
    if (!told.contains(call.site)) self(self, call.site);
    current = place;
    fmt::format_to(std::back_inserter(out), "\t.loc\t1 {} {}, function_name $L__phobos_name{}, inlined_at 1 {} {}\n", place.line, place.column,
                   name_of(call.function), call.site.line, call.site.column);
  };
  const auto place_at = [&](std::size_t at) -> std::optional<Place> {
    std::string_view rest = lines[at].substr(directive.size());
    Place place{number(rest), number(rest), 0};
    if (place.column > 0 && place.column <= places_.size()) return places_[place.column - 1];
    return place.line == 0 ? std::nullopt : std::optional(place);
  };
  // Behind a line of 0: the place that follows in the same block.
  const auto next_place = [&](std::size_t at) -> std::optional<Place> {
    for (; at < lines.size() && !starts_block(lines[at]); ++at)
      if (lines[at].starts_with(directive))
        if (const auto place = place_at(at)) return place;
    return std::nullopt;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_scope_label(lines[i])) continue;
    if (lines[i].starts_with(directive)) {
      const bool lost = lines[i].substr(directive.size()).starts_with("0 ");
      const std::optional<Place> place = lost ? next_place(i + 1) : place_at(i);
      if (place && place != current) tell(tell, *place);
      continue;
    }
    out.append(lines[i]).push_back('\n');
  }
  if (names.empty()) return out;
  out += "\t.section\t.debug_str {\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "$L__phobos_name{}:\n\t.b8 ", i);
    for (const char c : names[i]) fmt::format_to(std::back_inserter(out), "{}, ", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += "0\n";
  }
  return out += "\t}\n";
}

std::string with_source(std::string_view ptx, std::string_view file, std::string_view source) {
  const std::vector<std::string_view> source_lines = lines_of(source);
  std::string out;
  std::uint32_t shown = 0;
  for (const std::string_view line : lines_of(ptx)) {
    if (line.starts_with(directive)) {
      std::string_view rest = line.substr(directive.size());
      const std::uint32_t number_shown = number(rest);
      if (number_shown != shown && number_shown > 0 && number_shown <= source_lines.size()) {
        std::string_view text = source_lines[number_shown - 1];
        while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
        fmt::format_to(std::back_inserter(out), "\t// {}:{}: {}\n", in_ascii(file), number_shown, in_ascii(text));
        shown = number_shown;
      }
    }
    out.append(line).push_back('\n');
  }
  return out;
}

}  // namespace phobos::nvptx
