// A terminal taken over whole: keys without waiting for a line, a screen of its own that is drawn anew without flicker, its size, and
// everything as it was at the end, whatever ends the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <phobos/support/result.h>

namespace phobos::cli {

struct Key {
  enum class Form { Character, Up, Down, Left, Right, PageUp, PageDown, Home, End, Enter, Escape, Backspace, Tab, Resize, Signal };
  Form form = Form::Character;
  char character = 0;
  int signal = 0;  // that asks the program to end
};

class Terminal {
 public:
  static bool usable();  // both ways
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  struct Size {
    int rows = 24, columns = 80;
  };
  Size size() const;
  // Lines as wide as the screen or less; they may hold colours. Only those that changed are written.
  void draw(const std::vector<std::string>& lines);
  Key key();  // waits

 private:
  void enter();
  void leave();
  std::optional<int> byte(int milliseconds);  // -1: no limit

  int input_ = -1;
  std::vector<std::string> shown_;
  Size drawn_{0, 0};
};

}  // namespace phobos::cli
