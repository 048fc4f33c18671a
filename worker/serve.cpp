#include <phobos/worker/worker.h>

#include <csignal>
#include <mutex>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <phobos/support/bytes.h>

#include "frames.h"

namespace phobos::worker {

namespace {

bool job_from(std::string_view bytes, Job& job) {
  ByteReader reader(bytes);
  job.folder = reader.text();
  job.input = reader.text();
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) job.words.emplace_back(reader.text());
  return reader.ended();
}

}  // namespace

int serve(const std::function<int(const Job&, const Reply&)>& run) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever asked for the jobs is gone then
  const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  std::mutex mutex;
  bool heard = true;
  const auto write = [&](Frame frame, std::string_view bytes) {
    const std::lock_guard lock(mutex);
    heard = heard && write_frame(out, frame, bytes);
  };
  const Reply reply{[&](std::string_view text) { write(Frame::Output, text); }, [&](std::string_view text) { write(Frame::Errors, text); },
                    [&](std::int64_t done, std::int64_t total) {
                      ByteWriter writer;
                      writer.number(static_cast<std::uint64_t>(done));
                      writer.number(static_cast<std::uint64_t>(total));
                      write(Frame::Progress, writer.bytes());
                    }};
  Frame frame = Frame::End;
  std::string bytes;
  while (heard && read_frame(in, frame, bytes)) {
    Job job;
    if (frame != Frame::Job || !job_from(bytes, job)) return 2;
    write(Frame::Taken, {});
    const int status = run(job, reply);
    ByteWriter writer;
    writer.number(static_cast<std::uint64_t>(status));
    write(Frame::End, writer.bytes());
  }
  return 0;
}

}  // namespace phobos::worker
