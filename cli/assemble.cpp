#include "assemble.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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

// The exit status; -1 where it did not end by itself. Both its outputs go to `log`.
Result<int> run_program(std::vector<std::string> words, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int fault = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) return Error{fmt::format("{} cannot be started: {}", words[0], std::strerror(fault))};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Words for what a kernel's attributes may bring about; else ptxas's own.
std::string refusal(const std::string& log) {
  std::smatch found;
  if (std::regex_search(log, found, std::regex("Insufficient registers.*register target of ([0-9]+)")))
    return fmt::format("`@registers` or `@launch` leave a thread too few registers: it needs {} at least\n{}", found[1].str(), log);
  return fmt::format("ptxas refuses the PTX:\n{}", log);
}

}  // namespace

Result<Assembled> assemble(const std::string& ptxas, const std::string& ptx, const std::string& chip) {
  const TemporaryFolder folder;
  if (folder.path().empty()) return Error{"no temporary folder can be made for ptxas"};
  const std::filesystem::path input = folder.path() / "kernel.ptx", output = folder.path() / "kernel.cubin", log = folder.path() / "log";
  std::ofstream(input, std::ios::binary) << ptx;
  const Result<int> status = run_program({ptxas, "-arch=" + chip, "-v", "-lineinfo", input.string(), "-o", output.string()}, log);
  if (!status) return status.error();
  if (*status != 0) return Error{refusal(read_file(log))};
  return Assembled{read_file(output), read_file(log)};
}

}  // namespace phobos::cli
