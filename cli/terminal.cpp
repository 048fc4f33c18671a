#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "fence.h"

namespace phobos::cli {
namespace {

constexpr std::string_view enter_text = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view leave_text = "\x1b[0m\x1b[?25h\x1b[?1049l";
constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP};

// What a signal handler needs; a program has one terminal.
int wake[2] = {-1, -1};
int settings_of = -1;
termios settings;

extern "C" void on_signal(int signal) {
  const int saved = errno;
  const auto number = static_cast<unsigned char>(signal);
  const ssize_t written = write(wake[1], &number, 1);
  static_cast<void>(written);
  errno = saved;
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(STDOUT_FILENO, text.data(), text.size());
    if (size < 0 && errno != EINTR && errno != EAGAIN) return;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
}

// May be called in a signal handler.
void restore() {
  if (settings_of < 0) return;
  tcsetattr(settings_of, TCSANOW, &settings);
  const ssize_t written = write(STDOUT_FILENO, leave_text.data(), leave_text.size());
  static_cast<void>(written);
  settings_of = -1;
}

}  // namespace

bool Terminal::usable() {
  const char* name = std::getenv("TERM");
  if (isatty(STDOUT_FILENO) == 0 || name == nullptr || std::strcmp(name, "dumb") == 0) return false;
  if (isatty(STDIN_FILENO) != 0) return true;
  const int own = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  if (own >= 0) close(own);
  return own >= 0;
}

Terminal::Terminal() {
  input_ = isatty(STDIN_FILENO) != 0 ? dup(STDIN_FILENO) : open("/dev/tty", O_RDONLY | O_CLOEXEC);
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) sigaction(signal, &action, nullptr);
  on_fault(restore);
  enter();
}

Terminal::~Terminal() {
  leave();
  on_fault(nullptr);
  for (const int signal : signals) ::signal(signal, SIG_DFL);
  for (int& end : wake) {
    if (end >= 0) close(end);
    end = -1;
  }
  if (input_ >= 0) close(input_);
}

void Terminal::enter() {
  if (tcgetattr(input_, &settings) == 0) {
    settings_of = input_;
    termios raw = settings;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay signals
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(input_, TCSAFLUSH, &raw);
  }
  write_all(enter_text);
  shown_.clear();
}

void Terminal::leave() { restore(); }

Terminal::Size Terminal::size() const {
  winsize window = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0) return {};
  return {window.ws_row, window.ws_col};
}

void Terminal::draw(const std::vector<std::string>& lines) {
  const Size now = size();
  std::string text = "\x1b[?2026h";  // terminals that know it show the frame at once
  if (now.rows != drawn_.rows || now.columns != drawn_.columns) {
    text += "\x1b[2J";
    shown_.clear();
  }
  drawn_ = now;
  shown_.resize(static_cast<std::size_t>(now.rows), "\n");
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const std::string line = i < lines.size() ? lines[i] : std::string();
    if (shown_[i] == line) continue;
    text += fmt::format("\x1b[{};1H{}\x1b[0m\x1b[K", i + 1, line);
    shown_[i] = line;
  }
  write_all(text + "\x1b[?2026l");
}

std::optional<int> Terminal::byte(int milliseconds) {
  for (;;) {
    pollfd ends[2] = {{input_, POLLIN, 0}, {wake[0], POLLIN, 0}};
    const int ready = poll(ends, 2, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    unsigned char value = 0;
    if ((ends[1].revents & POLLIN) != 0 && read(wake[0], &value, 1) == 1) return -static_cast<int>(value);
    if (ends[0].revents == 0) continue;
    if (read(input_, &value, 1) == 1) return value;
    return -SIGHUP;  // the terminal is gone
  }
}

Key Terminal::key() {
  for (;;) {
    const std::optional<int> first = byte(-1);
    if (!first) continue;
    if (*first < 0) {
      const int signal = -*first;
      if (signal == SIGTSTP) {
        leave();
        raise(SIGSTOP);
        enter();
        return {Key::Form::Resize, 0, 0};
      }
      if (signal == SIGWINCH || signal == SIGCONT) return {Key::Form::Resize, 0, 0};
      return {Key::Form::Signal, 0, signal};
    }
    if (*first == '\r' || *first == '\n') return {Key::Form::Enter, 0, 0};
    if (*first == '\t') return {Key::Form::Tab, 0, 0};
    if (*first == 127 || *first == 8) return {Key::Form::Backspace, 0, 0};
    if (*first != 27) return {Key::Form::Character, static_cast<char>(*first), 0};
    // An escape alone, or the start of a sequence, which comes in one piece.
    std::optional<int> next = byte(30);
    if (!next || (*next != '[' && *next != 'O')) return {Key::Form::Escape, 0, 0};
    std::string sequence;
    while ((next = byte(30)) && *next >= 0) {
      sequence += static_cast<char>(*next);
      if (*next >= 0x40) break;
    }
    static constexpr std::pair<std::string_view, Key::Form> known[] = {
        {"A", Key::Form::Up},      {"B", Key::Form::Down}, {"C", Key::Form::Right}, {"D", Key::Form::Left},   {"5~", Key::Form::PageUp},
        {"6~", Key::Form::PageDown}, {"H", Key::Form::Home}, {"1~", Key::Form::Home}, {"F", Key::Form::End}, {"4~", Key::Form::End}};
    for (const auto& [text, form] : known)
      if (text == sequence) return {form, 0, 0};
  }
}

}  // namespace phobos::cli
