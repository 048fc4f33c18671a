// Typed indices. An arena is a vector, a reference into it is an Id: small, copyable, comparable, and of no other arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace phobos {

template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffffu;
  std::uint32_t value = none;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  constexpr bool valid() const { return value != none; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A vector that is indexed by its own Id type only.
template <class IdType, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : items_(size, value) {}

  IdType add(T item) {
    items_.push_back(std::move(item));
    return IdType(items_.size() - 1);
  }
  typename std::vector<T>::reference operator[](IdType id) { return items_[id.value]; }
  typename std::vector<T>::const_reference operator[](IdType id) const { return items_[id.value]; }
  bool contains(IdType id) const { return id.value < items_.size(); }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void resize(std::size_t size, const T& value = T()) { items_.resize(size, value); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

}  // namespace phobos

template <class Tag>
struct std::hash<phobos::Id<Tag>> {
  std::size_t operator()(phobos::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.value); }
};
