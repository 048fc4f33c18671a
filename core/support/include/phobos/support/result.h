// A value or the reason why there is none, in words that a user can read. `E` is an Error that may know more of it.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace phobos {

struct Error {
  std::string message;
};

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(E error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const std::string& message() const { return std::get<1>(state_).message; }
  const E& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, E> state_;
};

template <>
class [[nodiscard]] Result<void, Error> {
 public:
  Result() = default;
  Result(Error error) : message_(std::move(error.message)), ok_(false) {}

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const std::string& message() const { return message_; }
  Error error() const { return {message_}; }

 private:
  std::string message_;
  bool ok_ = true;
};

}  // namespace phobos
