// Where the bytes of a client come from and go to. One thread reads while another writes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <phobos/support/result.h>

namespace phobos::server {

class Stream {
 public:
  virtual ~Stream() = default;
  // Waits for bytes, at most `size` of them; 0 at the end of the stream, whatever the reason.
  virtual std::size_t read_some(char* into, std::size_t size) = 0;
  // Writes all, however long the client takes to read it; false when the client is gone.
  virtual bool write(std::string_view bytes) = 0;
  // From any thread: a read or write that waits ends as if the client were gone, and so do those to come.
  virtual void stop() {}
};

// Standard input and output. From then on the process's file descriptor 1 is its standard error, so that nothing that any
// library prints can get in between the messages.
std::unique_ptr<Stream> standard_stream();

// Whether nobody but this machine reaches a numeric address. An address that is not numeric is none.
bool is_loopback(const std::string& host);

// Waits for one client on a TCP port. `announce` is called with the port that is listened on (`port` 0: any free one).
Result<std::unique_ptr<Stream>> accept_client(const std::string& host, unsigned short port, void (*announce)(unsigned short port));

}  // namespace phobos::server
