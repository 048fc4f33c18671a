// The language server: a client's bytes in, answers and diagnostics out, until the client ends it.
//
// Edits are applied in the order in which they came, each at once. A request is answered from the text as all edits sent before
// it left it, or with ContentModified where a later edit came before that could be done. A cancellation is answered when it is read.
// Diagnostics follow an edit in the same turn while analysing is quick, and after a short pause when it is not. No message can end
// the server but `exit` and the end of the stream.
#pragma once

#include <string>

#include <phobos/server/transport/stream.h>

namespace phobos::server {

struct Options {
  std::string program;           // that runs kernels, with the word `worker`; empty: nothing runs
  std::string record;            // a file for what the client sends
  bool record_sources = false;   // with the user's words in it
};

// Serves one client until `exit` or the end of the stream. The exit status of the process: 0 after `shutdown`, else 1.
int run(Stream& stream, const Options& options = {});

// Serves standard input and output; file descriptor 1 becomes standard error for the rest of the process.
int run_stdio(const Options& options);

// Serves one client over TCP, after printing the port to standard error. `address` is `[HOST:]PORT`; 2 when it is not, or when others
// than this machine could reach it and `allow_remote` is not set.
int run_listen(const std::string& address, bool allow_remote, const Options& options);

// Sends what a file holds that `record` made, and writes what the server answers to standard output, a message a line.
int run_replay(const std::string& path, const Options& options);

}  // namespace phobos::server
