// The steps of a trace on a screen: the source, the lanes as cells, the values with their kinds, back and forth by keys. Knows
// nothing of terminals: it takes keys and gives lines.
#pragma once

#include <string>
#include <vector>

#include <phobos/launch/trace.h>

#include "source.h"
#include "terminal.h"

namespace phobos::cli {

class TraceView {
 public:
  TraceView(const Source& source, std::string kernel, std::vector<launch::TraceStep> steps, const launch::Trace& trace, bool color);

  bool press(const Key& key);  // false: that was the end
  std::vector<std::string> lines(Terminal::Size size) const;

 private:
  void find_scopes();
  bool is_shown(std::size_t step, std::size_t write) const;
  std::vector<std::string> lane_cells(const std::string& name, int width) const;
  std::vector<std::string> element_cells(const launch::TraceWrite& write, int width) const;

  struct Shown {       // a name and where it was last written
    std::string name;
    std::size_t step = 0;
    std::size_t write = 0;
  };

  bool command(char key);
  void move(std::ptrdiff_t by);
  void seek(int direction, bool (*wanted)(const launch::TraceStep&), const char* what);
  void go_to_line(std::uint32_t line);
  void next_name(int direction);
  std::vector<Shown> names() const;
  const launch::TraceWrite* last_write(const std::string& name, int thread) const;
  const launch::TraceStep& now() const { return steps_[at_]; }
  std::uint32_t line_of(const launch::TraceStep& step) const;

  std::string title(int width) const;
  std::vector<std::string> source_lines(int rows, int width) const;
  std::vector<std::string> warp_lines(int rows, int width) const;
  std::vector<std::string> cell_lines(int width) const;
  std::vector<std::string> value_lines(int rows, int width) const;
  std::vector<std::string> help_lines() const;
  std::string footer(int width) const;
  std::string styled(const char* style, const std::string& text) const;

  const Source& source_;
  std::string kernel_;
  std::vector<launch::TraceStep> steps_;
  const launch::Trace& trace_;
  const bool color_;
  std::vector<std::string> text_;  // the source's lines, as they can be shown
  std::vector<std::vector<Span>> scopes_;    // of each step's writes: where their names mean what they do
  std::vector<std::uint32_t> kernel_place_;  // of each step: where the kernel was, also while it is in a function
  std::size_t at_ = 0;
  int thread_ = 0;        // that is looked at
  std::string focus_;     // the name whose values stand in the cells; empty: the last one written
  std::string prompt_;    // a line number that is being typed
  bool asking_ = false, help_ = false;
  std::string message_;
};

}  // namespace phobos::cli
