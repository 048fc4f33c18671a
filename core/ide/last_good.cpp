// What is filled in from before a text was broken. What the live analysis knows is never replaced: only where it knows nothing of a
// place, whose text is what it was, is told what was known there.
#include <phobos/ide/file.h>

#include <algorithm>

namespace phobos::ide {

LastGood::LastGood(std::shared_ptr<const Analysis> analysis, std::string_view text) : analysis_(std::move(analysis)), size_(static_cast<std::uint32_t>(text.size())) {
  const std::string& good = analysis_->checked.item->text;
  good_size_ = static_cast<std::uint32_t>(good.size());
  const std::size_t shorter = std::min(good.size(), text.size());
  front_ = static_cast<std::uint32_t>(std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(shorter), good.begin()).first - text.begin());
  while (back_ < shorter - front_ && text[size_ - 1 - back_] == good[good_size_ - 1 - back_]) ++back_;
}

std::optional<Span> LastGood::then(Span now) const {
  if (now.end <= front_) return now;
  if (now.begin >= size_ - back_) return now.shifted(static_cast<std::int64_t>(good_size_) - size_);
  return std::nullopt;
}

std::optional<Span> LastGood::now(Span then) const {
  if (then.end <= front_) return then;
  if (then.begin >= good_size_ - back_) return then.shifted(static_cast<std::int64_t>(size_) - good_size_);
  return std::nullopt;
}

bool LastGood::keeps_line_of(std::uint32_t then) const {
  const std::string& text = analysis_->checked.item->text;
  const std::size_t before = then == 0 ? std::string::npos : text.rfind('\n', then - 1);
  const auto begin = static_cast<std::uint32_t>(before == std::string::npos ? 0 : before + 1);
  const auto end = static_cast<std::uint32_t>(std::min(text.find('\n', then), text.size()));
  return now({begin, end}).has_value();
}

}  // namespace phobos::ide
