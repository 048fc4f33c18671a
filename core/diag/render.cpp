#include <phobos/diag/render.h>

#include <algorithm>

#include "excerpt.h"

namespace phobos::diag {

namespace {

enum class Paint { Error, Warning, Note, Fix, Bold, Gutter };

class Renderer {
 public:
  Renderer(std::string_view path, std::string_view text, const LineMap& lines, const RenderOptions& options)
      : path_(path), text_(text), lines_(lines), options_(options) {}

  std::string run(const Diagnostic& diagnostic) {
    gutter_ = width_of(diagnostic.location.span);
    for (const Related& related : diagnostic.related) gutter_ = std::max(gutter_, width_of(related.location.span));

    const auto [word, paint] = heading_of(diagnostic.severity);
    head(diagnostic.location.span, word, paint, diagnostic.message, fmt::format(" [{}]", info(diagnostic.code).code));
    excerpt(diagnostic.location.span, '^', paint);
    for (const Related& related : diagnostic.related) {
      head(related.location.span, "note", Paint::Note, related.message, "");
      excerpt(related.location.span, '~', Paint::Note);
    }
    for (const Fix& fix : diagnostic.fixes) out_ += painted(Paint::Fix, "fix:") + " " + fix.title + "\n";
    return std::move(out_);
  }

 private:
  static std::pair<std::string_view, Paint> heading_of(Severity severity) {
    switch (severity) {
      case Severity::Error: return {"error", Paint::Error};
      case Severity::Warning: return {"warning", Paint::Warning};
      case Severity::Information: return {"info", Paint::Note};
      default: return {"hint", Paint::Note};
    }
  }

  std::string painted(Paint paint, std::string_view text) const {
    if (!options_.color) return std::string(text);
    constexpr std::string_view codes[] = {"1;31", "1;35", "1;36", "1;32", "1", "34"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(paint)], text);
  }

  void head(Span span, std::string_view word, Paint paint, std::string_view message, std::string_view code) {
    const Position start = lines_.position(text_, span.begin, Encoding::Utf32);
    out_ += painted(Paint::Bold, fmt::format("{}:{}:{}:", path_, start.line + 1, start.column + 1));
    out_ += fmt::format(" {} ", painted(paint, fmt::format("{}:", word)));
    out_ += painted(Paint::Bold, message);
    out_ += fmt::format("{}\n", code);
  }

  // The last line that has a byte of the range in it; the first one for an empty range.
  std::uint32_t last_line(Span span) const { return lines_.line_of(std::max(span.begin, span.empty() ? span.end : span.end - 1)); }

  std::size_t width_of(Span span) const { return fmt::format("{}", last_line(clamped(span)) + 1).size(); }

  Span clamped(Span span) const {
    const auto size = static_cast<std::uint32_t>(text_.size());
    const std::uint32_t begin = std::min(span.begin, size);
    return {begin, std::clamp(span.end, begin, size)};
  }

  // Of a range over many lines the first two and the last are shown.
  void excerpt(Span span, char mark, Paint paint) {
    span = clamped(span);
    const std::uint32_t first = lines_.line_of(span.begin);
    const std::uint32_t last = last_line(span);
    for (std::uint32_t line = first; line <= last; ++line) {
      if (line == first + 2 && last > first + 3) {
        out_ += painted(Paint::Gutter, fmt::format("{:>{}} |", "...", gutter_ + 1)) + "\n";
        line = last;
      }
      marked_line(line, span, line == first, mark, paint);
    }
  }

  void marked_line(std::uint32_t line, Span span, bool first, char mark, Paint paint) {
    const Span whole = lines_.line_span(text_, line);
    const std::string_view source = text_.substr(whole.begin, whole.size());
    Span marked{std::max(span.begin, whole.begin), std::clamp(span.end, whole.begin, whole.end)};
    if (!first) {  // the indentation of a later line is not meant
      const std::size_t inner = source.find_first_not_of(" \t");
      if (inner == std::string_view::npos) marked = {whole.end, whole.end};
      else marked.begin = std::min(marked.end, whole.begin + static_cast<std::uint32_t>(inner));
    }
    const ShownLine shown = show_line(source, marked.shifted(-static_cast<std::int64_t>(whole.begin)));
    out_ += painted(Paint::Gutter, fmt::format("{:>{}} |", line + 1, gutter_ + 1));
    out_ += shown.text.empty() ? "\n" : " " + shown.text + "\n";
    if (marked.empty() && !first) return;
    out_ += painted(Paint::Gutter, fmt::format("{:>{}} |", "", gutter_ + 1));
    out_ += std::string(shown.mark_begin + 1, ' ') + painted(paint, std::string(shown.mark_end - shown.mark_begin, mark)) + "\n";
  }

  std::string_view path_;
  std::string_view text_;
  const LineMap& lines_;
  const RenderOptions& options_;
  std::size_t gutter_ = 1;
  std::string out_;
};

}  // namespace

std::string render(const Diagnostic& diagnostic, std::string_view path, std::string_view text, const LineMap& lines,
                   const RenderOptions& options) {
  return Renderer(path, text, lines, options).run(diagnostic);
}

std::string render(const Diagnostic& diagnostic, std::string_view path, std::string_view text, const RenderOptions& options) {
  return render(diagnostic, path, text, LineMap(text), options);
}

}  // namespace phobos::diag
