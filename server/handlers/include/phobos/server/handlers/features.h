// What can be asked of a text. A feature is a pure function of a snapshot, so that any thread may ask, and `phobos ide` gives what an
// editor is given. It is one file in core/ide (the facts), one function and one row here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <phobos/server/lsp/item_texts.h>
#include <phobos/server/lsp/settings.h>
#include <phobos/server/lsp/types.h>
#include <phobos/session/session.h>

namespace phobos::server {

class SavedFindings;
class TokenMemory;

// The text that is asked about, and what the client that asks can take.
struct Asked {
  const session::Snapshot& snapshot;
  lsp::DocumentName document;
  const lsp::InitializeParams& client;
  std::stop_token stop;
  std::shared_ptr<const lsp::Settings> settings = lsp::usual_settings();
  std::shared_ptr<TokenMemory> tokens = {};  // of the document; null: nothing is kept
  std::shared_ptr<const SavedFindings> saved = {};  // null: nothing is known
  std::shared_ptr<lsp::ItemTexts> symbols = {};  // of the document; null: nothing is kept

  ide::File file() const { return snapshot.file(); }
  lsp::Border border() const { return {snapshot.text(), snapshot.lines(), client.encoding}; }
};

// Where it runs: what is quick for any text, on the handling thread; what grows with the text, there too while that is short, and else
// in the pool; what may take long for any text, in the pool.
enum class Lane { Typing, Whole, Slow };

struct Feature {
  std::string_view method;
  lsp::Json (*answer)(const Asked&, const lsp::Json& params);
  // What its parameters have beside the document; Item: what another feature answered, which names the document itself.
  enum class Of { Document, Position, Positions, Range, Item } of = Of::Document;
  Lane lane = Lane::Typing;
  std::string_view capability;       // what `initialize` says of it, empty where another row does
  std::string_view options = "true";  // JSON
  // The answer as text, where a tree of values would take too long; else null. `answer` is the same.
  void (*write)(const Asked&, const lsp::Json& params, std::string& out) = nullptr;
  // Whether it looks at the disk to answer, which may take long whatever the lane says; null: it never does.
  bool (*reads_disk)(std::string_view text, const lsp::Border& border, const lsp::Json& params) = nullptr;
};
std::span<const Feature> features();
const Feature* find_feature(std::string_view method);
// The parameters that ask it of a place or a range of the text.
lsp::Json params_of(const Feature& feature, const Asked& asked, Span span);
// What `initialize` answers of the features, by name.
lsp::Json feature_capabilities();

}  // namespace phobos::server
