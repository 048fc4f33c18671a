#include <phobos/ide/completion.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <phobos/ide/hover.h>
#include <phobos/support/run_line.h>

#include "attributes.h"
#include "completion_items.h"
#include "completion_run_line.h"
#include "cursor.h"
#include "signature.h"

namespace phobos::ide {

namespace {

using syntax::Tok;
using Sort = CompletionItem::Sort;

// Whether a bracket stands behind the word that the place is in.
bool is_called(const std::string& text, std::size_t at) {
  while (at < text.size() && (text[at] == '_' || std::isalnum(static_cast<unsigned char>(text[at])) != 0)) ++at;
  return at < text.size() && text[at] == '(';
}

class Completer {
 public:
  Completer(const File& file, const Cursor& cursor)
      : file_(file), cursor_(cursor), offers_(file, cursor.word, is_called(file.text, cursor.place())) {}

  bool incomplete() const { return offers_.incomplete(); }

  std::vector<CompletionItem> run() {
    const Tok last = cursor_.before();
    if (cursor_.word.empty() && (last == Tok::Integer || last == Tok::Float) && !newline_before()) return {};
    if (!cursor_.word.empty() && cursor_.word[0] >= '0' && cursor_.word[0] <= '9') return {};
    if (last == Tok::At) offers_.attributes('a', false);
    else if (last == Tok::Dot) field();
    else if (last == Tok::Less) behind_less();
    else if (is_over()) offers_.word('a', "ctx", "over the lanes of a warp or the threads of the CTA", "ctx.${1|lane,thread|}");
    else if (declares_name()) return {};
    else if (const std::size_t opener = cursor_.opener(); opener != Cursor::no_token && in_attribute(opener)) attribute_argument(opener);
    else if (opener != Cursor::no_token && in_extents(opener)) extents();
    else if (in_type(opener)) type(opener);
    else if (opener != Cursor::no_token && in_parameters(opener)) return {};
    else if (!cursor_.in_body()) top_level();
    else if (last == Tok::In) offers_.word('a', "range", "range(begin, end[, step])", "range(${1:0}, ${2:N})");
    else if (begins_statement()) statement();
    else expression();
    return offers_.take();
  }

 private:
  const ItemView* item() const { return cursor_.item; }
  std::uint32_t offset() const { return static_cast<std::uint32_t>(cursor_.text.size()); }
  bool newline_before() const {
    const std::size_t end = cursor_.tokens.empty() ? 0 : cursor_.tokens.back().end;
    return cursor_.text.substr(end).find('\n') != std::string_view::npos;
  }

  void field() {
    if (cursor_.before(1) == Tok::Ctx) {
      if (cursor_.before(2) == Tok::Name && cursor_.text_before(2) == "over") {
        offers_.word('a', "lane", "over the lanes of a warp", {}, Sort::Field);
        offers_.word('a', "thread", "over the threads of the CTA", {}, Sort::Field);
      } else {
        offers_.ctx_fields();
      }
    } else if (cursor_.before(1) == Tok::Name && cursor_.before(2) == Tok::Dot && cursor_.before(3) == Tok::Ctx) {
      const auto rows = builtins::ctx_fields();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const builtins::CtxRow& each) { return each.name == cursor_.text_before(1); });
      if (row != rows.end() && row->has_axis)
        for (const char* axis : {"x", "y", "z"}) offers_.word('a', axis, row->documentation, {}, Sort::Field);
    }
  }

  // `sum<`, `shfl<`, `tensor<`, `for<`; else it compares.
  void behind_less() {
    const std::string_view name = cursor_.text_before(1);
    const auto builtin = builtins::find(name);
    if (cursor_.before(1) == Tok::For) {
      offers_.word('a', "unroll", "unrolls the loop, whole or by a number");
    } else if (cursor_.before(1) == Tok::Name && (name == "tensor" || name == "tile")) {
      offers_.scalar_types('a');
    } else if (cursor_.before(1) == Tok::Name && builtin && builtins::row(*builtin).form == builtins::Form::Fold) {
      offers_.word('a', "over", "over ctx.lane, over ctx.thread", "over ctx.${1|lane,thread|}");
    } else if (cursor_.before(1) == Tok::Name && builtin && builtins::row(*builtin).form == builtins::Form::Shuffle) {
      offers_.word('a', "xor", "from the lane whose number differs in these bits", "xor ${1:16}");
      offers_.word('a', "up", "from so many lanes before", "up ${1:1}");
      offers_.word('a', "down", "from so many lanes behind", "down ${1:1}");
      offers_.word('a', "from", "from that lane", "from ${1:0}");
    } else {
      expression();
    }
  }

  bool is_over() const { return cursor_.before() == Tok::Name && cursor_.text_before() == "over" && cursor_.before(1) == Tok::Less; }

  bool declares_name() const {
    const Tok last = cursor_.before();
    return !newline_before() && (last == Tok::Let || last == Tok::Var || last == Tok::For || last == Tok::Kernel || last == Tok::Fn);
  }

  bool in_attribute(std::size_t opener) const {
    std::size_t at = opener;
    if (cursor_.tokens[at].kind == Tok::LeftBracket) return false;
    return at >= 2 && cursor_.tokens[at].kind == Tok::LeftParen && cursor_.tokens[at - 2].kind == Tok::At;
  }

  void attribute_argument(std::size_t opener) {
    const std::string_view name = cursor_.text_at(opener - 1);
    const Tok last = cursor_.before();
    const auto before_comma = [&] {
      for (std::size_t i = opener + 1; i < cursor_.tokens.size(); ++i)
        if (cursor_.tokens[i].kind == Tok::Comma) return false;
      return true;
    };
    if (name == "launch" && item() != nullptr && (last == Tok::LeftParen || (last >= Tok::Plus && last <= Tok::Percent)) && before_comma())
      for (const Symbol& symbol : item()->index().symbols)
        if (symbol.form == Symbol::Form::Constant) offers_.word('a', symbol.name, "a constant of `@autotune`: each of its choices has its own CTA", {}, Sort::Constant);
    if (last != Tok::LeftParen && last != Tok::Comma) return;
    const auto number = [&](const char* text, const char* what) { offers_.word('a', text, what, {}, Sort::Word); };
    if (name == "launch" && last == Tok::LeftParen) {
      for (const char* threads : {"32", "64", "128", "256", "512", "1024"}) number(threads, "threads of a CTA");
    } else if (name == "autotune" || name == "cluster") {
      offers_.word('a', "X in […]", "a constant and its choices", "${1:BLOCK} in [${2:64}, ${3:256}]", Sort::Constant);
    } else if (name == "aligned" && item() != nullptr) {
      std::vector<const Symbol*> dimensions;
      for (const Symbol& symbol : item()->index().symbols)
        if (symbol.form == Symbol::Form::Dimension) dimensions.push_back(&symbol);
      for (const Symbol* each : dimensions) offers_.word('a', each->name, "a dimension, and what it is a multiple of", each->name + " = ${1:128}", Sort::Dimension);
    } else if (name == "tensorcore") {
      for (const char* type : {"f16", "tf32"}) number(type, "what operands are rounded to");
    } else if (name == "pipeline") {
      for (const char* stages : {"2", "3", "4"}) number(stages, "stages");
    }
  }

  // The brackets of `tensor<T>[`.
  bool in_extents(std::size_t opener) const {
    if (cursor_.tokens[opener].kind != Tok::LeftBracket || opener < 4) return false;
    const std::string_view name = cursor_.text_at(opener - 4);
    return cursor_.tokens[opener - 1].kind == Tok::Greater && cursor_.tokens[opener - 3].kind == Tok::Less && (name == "tensor" || name == "tile");
  }

  void extents() {
    if (item() != nullptr) offers_.constants_at(*item(), offset(), 'a');
  }

  // Behind the `:` of a declaration or a parameter, or the `->` of a function.
  bool in_type(std::size_t opener) const {
    if (cursor_.before() == Tok::Arrow) return true;
    if (cursor_.before() != Tok::Colon || cursor_.before(1) != Tok::Name) return false;
    const Tok before = cursor_.before(2);
    if (before == Tok::Let || before == Tok::Var) return true;
    return opener != Cursor::no_token && in_parameters(opener);
  }

  bool in_parameters(std::size_t opener) const {
    return opener >= 2 && cursor_.tokens[opener].kind == Tok::LeftParen && cursor_.tokens[opener - 1].kind == Tok::Name &&
           (cursor_.tokens[opener - 2].kind == Tok::Kernel || cursor_.tokens[opener - 2].kind == Tok::Fn);
  }

  void type(std::size_t opener) {
    const bool of_parameter = opener != Cursor::no_token && in_parameters(opener);
    const bool of_kernel = of_parameter && cursor_.tokens[opener - 2].kind == Tok::Kernel;
    if (of_parameter) offers_.shaped_type('a', "tensor", "${2:N}");
    if (!of_kernel) offers_.shaped_type('a', "tile", "${2:16}, ${3:16}");
    offers_.scalar_types('b');
  }

  void top_level() {
    offers_.word('a', "kernel", "a kernel", "kernel ${1:name}(${2:x}: tensor<f32>[${3:N}]) {\n  $0\n}", Sort::Keyword);
    offers_.word('a', "fn", "a function", "fn ${1:name}(${2:x}: f32) -> f32 {\n  return $0\n}", Sort::Keyword);
    offers_.attributes('b', true);
  }

  // A statement begins behind a brace, a `;`, or a line that can end one.
  bool begins_statement() const {
    const Tok last = cursor_.before();
    if (last == Tok::LeftBrace || last == Tok::RightBrace || last == Tok::Semicolon) return true;
    const std::size_t opener = cursor_.opener();
    if (opener != Cursor::no_token && cursor_.tokens[opener].kind != Tok::LeftBrace) return false;
    const bool can_end = last == Tok::Name || last == Tok::Integer || last == Tok::Float || syntax::closes(last) || last == Tok::True ||
                         last == Tok::False || last == Tok::Break || last == Tok::Continue || last == Tok::Return;
    return can_end && newline_before();
  }

  bool in_loop() const {
    int open = 0;
    for (std::size_t i = cursor_.tokens.size(); i-- > 0;) {
      const Tok kind = cursor_.tokens[i].kind;
      if (kind == Tok::RightBrace) ++open;
      if (kind == Tok::LeftBrace) --open;
      if (open < 0 && (kind == Tok::For || kind == Tok::While)) return true;
    }
    return false;
  }

  void statement() {
    offers_.word('f', "let", "a value with a name", "let ${1:name} = $0", Sort::Keyword);
    offers_.word('f', "var", "a variable", "var ${1:name} = $0", Sort::Keyword);
    offers_.word('f', "if", "", "if ${1:condition} {\n  $0\n}", Sort::Keyword);
    offers_.word('f', "for", "", "for ${1:i} in range(${2:0}, ${3:N}) {\n  $0\n}", Sort::Keyword);
    offers_.word('f', "while", "", "while ${1:condition} {\n  $0\n}", Sort::Keyword);
    offers_.word('f', "return", "", {}, Sort::Keyword);
    if (in_loop())
      for (const char* word : {"break", "continue"}) offers_.word('e', word, "", {}, Sort::Keyword);
    if (cursor_.before() == Tok::RightBrace && !newline_before()) offers_.word('a', "else", "", "else {\n  $0\n}", Sort::Keyword);
    values();
  }

  void expression() {
    offers_.expect(expected_at(file_, cursor_));
    values();
    for (const char* word : {"true", "false"}) offers_.word(expected_at(file_, cursor_).admits(sema::Type::scalar(ScalarType::Bool)) ? 'C' : 'g', word, "bool", {}, Sort::Keyword);
  }

  void values() {
    if (item() != nullptr) offers_.names_at(*item(), offset(), 'a');
    offers_.functions('c');
    offers_.word('c', "ctx", "where this thread is", {}, Sort::Keyword);
    offers_.builtins('d');
  }

  const File& file_;
  const Cursor& cursor_;
  Offers offers_;
};

std::string code(std::string_view source) { return fmt::format("```phobos\n{}\n```\n", source); }

std::string documentation_of_name(const File& file, std::uint32_t offset, const std::string& label) {
  const Cursor cursor = cursor_at(file, offset);
  if (cursor.item == nullptr) return {};
  const SymbolId symbol = cursor.item->index().meaning(label, static_cast<std::uint32_t>(cursor.text.size()));
  if (!symbol) return {};
  const std::uint32_t declared = cursor.item->index()[symbol].declared.begin;
  const auto facts = hover(cursor.item->checked(), cursor.item->analysis->kinds, declared);
  if (!facts) return {};
  return wording(*facts, [&](Location location) { return ReaderPlace{file.lines.line_of(cursor.item->absolute(location).begin) + 1, {}}; });
}

}  // namespace

Completions completions(const File& file, std::uint32_t offset, const ListFolder& list) {
  const Cursor cursor = cursor_at(file, offset);
  if (cursor.in == Cursor::In::Comment) return {{cursor.place(), cursor.place()}, cursor.place(), {}, false};
  if (cursor.in == Cursor::In::RunLine) return run_line_completions(file, cursor, list);
  Completer completer(file, cursor);
  std::vector<CompletionItem> items = completer.run();
  return {{cursor.word_begin(), cursor.place()}, cursor.word_end, std::move(items), completer.incomplete()};
}

bool completes_files(std::string_view text, std::uint32_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = before.find_last_of("\r\n");
  const std::string_view typed = before.substr(line == std::string_view::npos ? 0 : line + 1);
  const std::size_t first = typed.find_first_not_of(" \t");
  return first != std::string_view::npos && typed.substr(first).starts_with(run_line::mark) && typed.find('=') != std::string_view::npos;
}

std::string completion_documentation(const File& file, std::uint32_t offset, Sort sort, const std::string& label) {
  const std::string name = label.starts_with("@") ? label.substr(1) : label;
  switch (sort) {
    case Sort::Builtin:
      if (const auto id = builtins::find(name)) return wording({{}, BuiltinFacts{&builtins::row(*id)}}, {});
      return {};
    case Sort::Field:
      for (const builtins::CtxRow& row : builtins::ctx_fields())
        if (row.name == name) return wording({{}, CtxFacts{&row, {}}}, {});
      return {};
    case Sort::Attribute:
      if (const auto row = attribute_named(name)) return wording({{}, WordFacts{row->form, row->documentation, row->choices}}, {});
      return {};
    case Sort::Function:
      if (const ItemView* item = file.named(name)) {
        const SignatureFacts facts = signature_of(item->item());
        return code(facts.label) + (facts.documentation.empty() ? "" : "\n" + facts.documentation + "\n");
      }
      return {};
    case Sort::Value:
    case Sort::Parameter:
    case Sort::Dimension:
    case Sort::Constant: return documentation_of_name(file, offset, name);
    case Sort::Type:
      if (const auto row = type_named(name)) return wording({{}, WordFacts{row->form, row->documentation, {}}}, {});
      return {};
    default: return {};
  }
}

std::string without_placeholders(std::string_view snippet) {
  std::string out;
  for (std::size_t at = 0; at < snippet.size();) {
    if (snippet[at] != '$') {
      out += snippet[at++];
      continue;
    }
    const std::size_t text = at + 1 < snippet.size() && snippet[at + 1] == '{' ? snippet.find_first_of(":|", at) : std::string_view::npos;
    if (text == std::string_view::npos) {
      at += 2;  // `$0`
      continue;
    }
    const std::size_t end = snippet.find('}', text);
    out += snippet.substr(text + 1, snippet.find_first_of(",|}", text + 1) - text - 1);
    at = end == std::string_view::npos ? snippet.size() : end + 1;
  }
  return out;
}

}  // namespace phobos::ide
