#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <phobos/server/handlers/features.h>
#include <phobos/server/lsp/uri.h>
#include <phobos/support/number.h>

#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

using server::Feature;
using ProtocolJson = server::lsp::Json;

struct Arguments : Options {
  std::string feature, file, at, to, params, was;
};

const Feature* feature_named(const std::string& name) {
  if (const Feature* exact = server::find_feature(name)) return exact;
  return server::find_feature("textDocument/" + name);
}

std::string known_features() {
  std::string names;
  for (const Feature& each : server::features())
    if (each.method.starts_with("textDocument/")) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.method.substr(13));
  return names;
}

// `LINE:COLUMN`, as messages have it: from one, columns in characters.
std::optional<std::uint32_t> offset_of(const Source& source, const std::string& place) {
  const std::size_t colon = place.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto line = parse_integer(std::string_view(place).substr(0, colon)), column = parse_integer(std::string_view(place).substr(colon + 1));
  constexpr std::int64_t most = 1 << 30;
  if (!line || !column || *line < 1 || *column < 1 || *line > most || *column > most) return std::nullopt;
  const Position position{static_cast<std::uint32_t>(*line - 1), static_cast<std::uint32_t>(*column - 1)};
  return source.snapshot->lines().offset(source.snapshot->text(), position, Encoding::Utf32);
}

std::string uri_of(const Source& source) {
  if (source.is_stdin()) return "untitled:stdin";
  return server::lsp::uri_of_path(std::filesystem::absolute(source.path).string());
}

int ide(const Arguments& arguments) {
  const Feature* feature = feature_named(arguments.feature);
  if (feature == nullptr) {
    say(fmt::format("there is no feature `{}`; there are {}", arguments.feature, known_features()));
    return exit_usage;
  }
  const Result<Source> source = arguments.was.empty() ? open_source(arguments.file) : open_edited_source(arguments.file, arguments.was);
  if (!source) {
    say(source.message());
    return exit_usage;
  }
  const auto begin = offset_of(*source, arguments.at.empty() ? "1:1" : arguments.at);
  const auto end = arguments.to.empty() ? begin : offset_of(*source, arguments.to);
  if (!begin || !end) {
    say(fmt::format("a place is LINE:COLUMN, both from 1, not `{}`", begin ? arguments.to : arguments.at));
    return exit_usage;
  }
  const ProtocolJson more = arguments.params.empty() ? ProtocolJson::object() : ProtocolJson::parse(arguments.params, nullptr, false);
  if (!more.is_object()) {
    say("`--params` is a JSON object");
    return exit_usage;
  }
  const server::lsp::InitializeParams client = server::lsp::able_client();
  const server::Asked asked{*source->snapshot, {uri_of(*source), std::nullopt}, client, {}};
  ProtocolJson params = server::params_of(*feature, asked, {*begin, std::max(*begin, *end)});
  if (feature->of == Feature::Of::Item) params = more;
  else params.update(more);
  try {
    put(feature->answer(asked, params).dump(2, ' ', false, ProtocolJson::error_handler_t::replace) + "\n");
  } catch (const server::lsp::InvalidParams& error) {
    say(error.what());
    return exit_usage;
  } catch (const server::lsp::RequestFailed& error) {
    say(error.what());
    return exit_failed;
  }
  return exit_done;
}

}  // namespace

void add_ide(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("ide", "What an editor is told of a file, as JSON: one answer of the language server");
  command->add_option("FEATURE", arguments->feature, "A method of the protocol, without `textDocument/`: hover, completion, …")->required()->check(not_empty());
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required()->check(not_empty());
  command->add_option("--at", arguments->at, "LINE:COLUMN, from 1: where, or where the range begins");
  command->add_option("--to", arguments->to, "LINE:COLUMN: where the range ends");
  command->add_option("--was", arguments->was, "A file: what FILE was before an edit, of which a broken text still knows")->check(not_empty());
  command->add_option("--params", arguments->params, "A JSON object: more members of the request's parameters");
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return ide(*arguments); }; });
}

}  // namespace phobos::cli
