#include "assemble.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <vector>

#include <fmt/format.h>

namespace phobos::cli {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code fault;
    std::string pattern = (std::filesystem::temp_directory_path(fault) / "phobos-XXXXXX").string();
    if (!fault && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code fault;
    if (!path_.empty()) std::filesystem::remove_all(path_, fault);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Ctrl-C, SIGTERM and SIGHUP while a program runs for us end it, and then, when nothing of it is left, us.
volatile sig_atomic_t running = 0, ended_by = 0;

extern "C" void end_what_runs(int signal) {
  ended_by = signal;
  if (running > 0) kill(running, SIGKILL);
}

class EndsWithUs {
 public:
  EndsWithUs() {
    ended_by = 0;
    struct sigaction action = {};
    action.sa_handler = end_what_runs;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
    }
  }
  ~EndsWithUs() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    if (ended_by != 0) raise(ended_by);
  }
  EndsWithUs(const EndsWithUs&) = delete;
  EndsWithUs& operator=(const EndsWithUs&) = delete;

 private:
  static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

// Of the child, between fork and exec: nothing but calls that may be made there.
[[noreturn]] void become(char* const* arguments, const char* log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(each, SIG_DFL);
  const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_RDONLY);
  if (file < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(127);
  execv(arguments[0], arguments);
  _exit(127);
}

// The exit status, 127 where it cannot be started. Both its outputs go to `log`.
Result<int> run_program(std::vector<std::string> words, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(arguments.data(), log.c_str(), parent);
  if (child < 0) return Error{fmt::format("{} cannot be started: {}", words[0], std::strerror(errno))};
  running = child;
  if (ended_by != 0) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  running = 0;
  if (WIFSIGNALED(status)) return Error{fmt::format("{} was ended by signal {} ({})", words[0], WTERMSIG(status), strsignal(WTERMSIG(status)))};
  return WEXITSTATUS(status);
}

// Words for what a kernel's attributes may bring about; else ptxas's own.
std::string refusal(const std::string& log) {
  std::smatch found;
  if (std::regex_search(log, found, std::regex("Insufficient registers.*register target of ([0-9]+)")))
    return fmt::format("`@registers` or `@launch` leave a thread too few registers: it needs {} at least\n{}", found[1].str(), log);
  return fmt::format("ptxas refuses the PTX:\n{}", log);
}

}  // namespace

Result<Assembled> assemble(const std::string& ptxas, const std::string& ptx, const std::string& chip, const std::string& entry) {
  const EndsWithUs with_us;
  const TemporaryFolder folder;
  if (folder.path().empty()) return Error{"no temporary folder can be made for ptxas"};
  const std::filesystem::path input = folder.path() / "kernel.ptx", output = folder.path() / "kernel.cubin", log = folder.path() / "log";
  std::ofstream(input, std::ios::binary) << ptx;
  std::vector<std::string> words{ptxas, "-arch=" + chip, "-v", "-lineinfo", input.string(), "-o", output.string()};
  if (!entry.empty()) words.insert(words.end(), {"--entry", entry});
  const Result<int> status = run_program(std::move(words), log);
  if (!status) return status.error();
  Assembled assembled{read_file(output), read_file(log)};
  if (*status == 127 && assembled.log.empty()) return Error{fmt::format("{} cannot be started", ptxas)};
  if (*status != 0) return Error{refusal(assembled.log)};
  if (assembled.cubin.empty()) return Error{fmt::format("{} ended without an error, and without a cubin", ptxas)};
  return assembled;
}

}  // namespace phobos::cli
