// The process behind the language server: jobs come over its standard input, each a command line with the text of an editor.
#include <cstdio>
#include <filesystem>
#include <memory>

#include <phobos/worker/worker.h>

#include "../devices.h"
#include "../fence.h"
#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

using Sink = std::function<void(std::string_view)>;

ssize_t write_sink(void* sink, const char* bytes, std::size_t size) {
  (*static_cast<const Sink*>(sink))({bytes, size});
  return static_cast<ssize_t>(size);
}

// One of the C library's streams, elsewhere for as long as this lives.
class Redirected {
 public:
  Redirected(std::FILE*& stream, std::FILE* instead) : stream_(stream), before_(stream), instead_(instead) {
    if (instead_ != nullptr) stream_ = instead_;
  }
  ~Redirected() {
    stream_ = before_;
    if (instead_ != nullptr) std::fclose(instead_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  std::FILE*& stream_;
  std::FILE* before_;
  std::FILE* instead_;
};

// By whole lines: what a command tells while it runs is there when it is told.
std::FILE* stream_to(const Sink& sink) {
  cookie_io_functions_t functions = {};
  functions.write = write_sink;
  std::FILE* stream = fopencookie(const_cast<Sink*>(&sink), "w", functions);
  if (stream != nullptr) std::setvbuf(stream, nullptr, _IOLBF, std::size_t{1} << 16);
  return stream;
}

int run_job(const worker::Job& job, const worker::Reply& reply, Devices& devices) {
  Host host{&devices, reply.progress};
  std::string input = job.input;
  const Redirected output(stdout, stream_to(reply.output)), errors(stderr, stream_to(reply.errors));
  const Redirected text(stdin, fmemopen(input.data(), input.size(), "rb"));
  std::error_code fault;
  if (!job.folder.empty()) std::filesystem::current_path(job.folder, fault);
  if (fault) {
    say(job.folder + ": " + fault.message());
    return exit_failed;
  }
  return fenced([&] { return run_command_line(job.words, &host); });
}

int work() {
  Devices devices;
  return worker::serve([&](const worker::Job& job, const worker::Reply& reply) { return run_job(job, reply, devices); });
}

}  // namespace

void add_worker(CLI::App& program, Chosen& chosen) {
  CLI::App* command = program.add_subcommand("worker", "Run what the language server asks for");
  command->group("");
  command->callback([&chosen] { chosen = [] { return work(); }; });
}

}  // namespace phobos::cli
