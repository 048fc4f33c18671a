// `if` and `while`, and the bodies of these and of loops: in braces, or as people indent them who come from elsewhere.
#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

ExprId ItemParser::condition(std::string_view what) {
  if (raw() == Tok::LeftBrace || (raw() == Tok::Colon && raw(1) != Tok::Plus)) {
    expected(what);
    return error_expression(behind());
  }
  ExprId result = expression();
  const bool ends = peek() == Tok::End || raw() == Tok::LeftBrace || raw() == Tok::Colon || begins_statement(raw()) || word_is("then") || word_is("do");
  if (!ends && raw() != Tok::Assign && raw() != Tok::RightParen && on_this_line(Tok::LeftBrace)) return error_expression(item_.exprs[result].span);
  for (bool assigned = false;;) {
    if (peek() == Tok::Assign && raw(1) != Tok::Less && raw(1) != Tok::Greater) {
      result = compared(result);
      assigned = true;
    } else if (assigned && (peek() == Tok::AndAnd || peek() == Tok::OrOr)) {
      const BinaryOp op = peek() == Tok::AndAnd ? BinaryOp::And : BinaryOp::Or;
      const Span sign = token().span();
      ++pos_;
      const ExprId right = binary(3);
      result = add({BinaryExpr{op, sign, result, right}, cover(item_.exprs[result].span, item_.exprs[right].span)});
    } else {
      return result;
    }
  }
}

// At the `=` of a condition; of `p && n = 3` it is n that is compared.
ExprId ItemParser::compared(ExprId before) {
  const Span sign = token().span();
  mend(report(Code::AssignedCondition, sign), "Write `==`", {{sign, "=="}});
  ++pos_;
  const ExprId right = binary(3);
  std::vector<ExprId> around;
  ExprId left = before;
  for (const BinaryExpr* joined; (joined = std::get_if<BinaryExpr>(&item_.exprs[left].node)) && is_logical(joined->op) &&
                                 item_.exprs[joined->right].span.end == item_.exprs[left].span.end;
       left = joined->right)
    around.push_back(left);
  const ExprId equal = add({BinaryExpr{BinaryOp::Eq, sign, left, right}, cover(item_.exprs[left].span, item_.exprs[right].span)});
  if (around.empty()) return equal;
  std::get<BinaryExpr>(item_.exprs[around.back()].node).right = equal;
  for (const ExprId each : around) item_.exprs[each].span.end = item_.exprs[right].span.end;
  return before;
}

void ItemParser::while_statement(Block& into) {
  const auto head = static_cast<std::uint32_t>(pos_);
  const std::uint32_t begin = token().begin;
  ++pos_;
  const ExprId test = condition("a condition");
  Block inner = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(begin, WhileStmt{test, std::move(inner)}));
}

// A chain of `else if` is read with a loop: its length is no depth here.
StmtId ItemParser::if_statement() {
  struct Branch {
    std::uint32_t begin;
    ExprId condition;
    Block then;
  };
  std::vector<Branch> branches;
  std::optional<Block> last;
  Braces braces;
  const auto first = static_cast<std::uint32_t>(pos_);
  for (bool more = true; more;) {
    const auto head = static_cast<std::uint32_t>(pos_);
    const std::uint32_t begin = token().begin;
    ++pos_;
    const ExprId test = condition("a condition");
    branches.push_back({begin, test, body_of(head, "`{` to begin the branch", &braces)});
    more = else_if_follows(last, first, braces);
    if (branches.size() > 1 && branches.size() + static_cast<std::size_t>(depth_) > nesting_limit) {  // the later stages recurse over it
      if (!too_deep_) {
        too_deep();
        if (!item_.diagnostics.empty() && item_.diagnostics.back().code == Code::NestingTooDeep) item_.diagnostics.back().message += ": each `else if` is one";
      }
      branches.pop_back();
    }
  }
  finish(braces);
  StmtId result;
  for (auto each = branches.rbegin(); each != branches.rend(); ++each) {
    if (result) last = Block{result};
    result = add(each->begin, IfStmt{each->condition, std::move(each->then), std::move(last)});
    last.reset();
  }
  return result;
}

// Behind a branch. Takes the `else`; true at the `if` of an `else if`, else the last branch, if there is one, is in `last`.
bool ItemParser::else_if_follows(std::optional<Block>& last, std::uint32_t first, Braces& braces) {
  const bool elif = (word_is("elif") || word_is("elseif") || word_is("elsif")) && begins_operand(raw(1)) && !token(1).newline;
  const std::size_t semicolon = braces.close && raw() == Tok::Semicolon && raw(1) == Tok::Else ? 1 : 0;
  if (braces.close && (elif || raw(semicolon) == Tok::Else)) {  // behind a body without braces
    const Lexeme word = token(semicolon);
    if (word.newline && word.indent != tokens_[first].indent) return false;  // it belongs to an outer `if`
    pos_ += semicolon;
    braces.edits.push_back({word.span(), elif ? "} else if" : "} else"});
    braces.close.reset();
    if (elif) return true;
    return branch_behind_else(last, braces);
  }
  if (raw() == Tok::Name && raw(1) == Tok::LeftBrace && same_line(0) && same_line(1) && (near_word("else") || word_is("esle") || word_is("otherwise"))) {
    respell("else");
    tokens_[pos_].kind = Tok::Else;
  }
  if (elif) {
    const Span word{previous_end(), token().end};
    const bool blank = trimmed(text({word.begin, token().begin})).empty();
    const auto found = foreign(token().span(), fmt::format("`{}` is written `else if`", text(token().span())));
    if (blank) mend(found, "Write `else if`", {{word, " else if"}});
    return true;
  }
  if (raw() == Tok::LeftBrace && same_line(0)) {  // `} {`
    insert(report(Code::SyntaxExpected, gap(), "`else` between the two blocks"), previous_end(), " else");
    last = block();
    return false;
  }
  if (raw() != Tok::Else) return false;
  const bool supplied = tokens_[pos_ - 1].begin == tokens_[pos_ - 1].end;  // the `}` before it is missing, as was said
  if (token().newline && !supplied) {
    const Span between{previous_end(), token().begin};
    const auto found = report(Code::ElseOnItsOwnLine, token().span());
    if (trimmed(text(between)).empty()) mend(found, "Join the lines", {{between, " "}});
  }
  return branch_behind_else(last, braces);
}

// At an `else`. True at the `if` behind it.
bool ItemParser::branch_behind_else(std::optional<Block>& last, Braces& braces) {
  const auto head = static_cast<std::uint32_t>(pos_++);
  if (raw() == Tok::If) return true;
  if (raw() == Tok::Name && same_line(0) && same_line(1) && near_word("if") && begins_operand(raw(1)) && on_this_line(Tok::LeftBrace)) {
    respell("if");
    return true;
  }
  if (raw() == Tok::LeftBrace) {
    last = block();
  } else if (begins_operand(raw()) && same_line(0) && on_this_line(Tok::LeftBrace)) {  // `else x > 3 {`
    insert(report(Code::SyntaxExpected, gap(), "`if` before the condition"), previous_end(), " if");
    --pos_;
    error_at_ = no_partner;
    return true;
  } else {
    last = body_of(head, "`{` or `if` behind `else`", &braces);
  }
  return false;
}

// --- bodies --------------------------------------------------------------------------------------------------------------

// Behind the head of a statement that has a body. `head` is its first token.
Block ItemParser::body_of(std::uint32_t head, std::string_view what, Braces* of_chain) {
  Braces own;
  Braces& braces = of_chain ? *of_chain : own;
  const bool outer = newline_ends_;
  newline_ends_ = true;
  if (raw() != Tok::LeftBrace && same_line(0) && take_unopened()) error_at_ = no_partner;
  if (raw() == Tok::LeftBrace && token().newline && pos_ > 0 && tokens_[pos_ - 1].kind != Tok::Else) {
    const Span between{previous_end(), token().begin};
    const auto found = report(Code::SyntaxExpected, token().span(), "the `{` on the line before");
    if (trimmed(text(between)).empty()) mend(found, "Join the lines", {{between, " "}});
  }
  Block result;
  if (raw() == Tok::LeftBrace) {
    result = block();
  } else if (raw() == Tok::End) {
    expected(what);
  } else if (token().newline || raw() == Tok::RightBrace) {
    result = indented_body(head, what, braces);
  } else if (const auto brace = on_this_line(Tok::LeftBrace); brace && !begins_statement(raw())) {
    if (!foreign_junk()) {
      const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("{}, not {}", what, described(token())));
      if (*brace == pos_ + 1 && (word_is("then") || word_is("do") || raw() == Tok::Colon)) mend(found, fmt::format("Remove {}", described(token())), {{{previous_end(), token().end}, ""}});
    }
    pos_ = *brace;
    result = block();
  } else if (raw() == Tok::Colon || word_is("then") || word_is("do")) {
    result = body_after_colon(head, braces);
  } else if (raw() == Tok::Semicolon) {
    expected(what);
  } else {
    result = body_on_the_line(what, braces);
  }
  newline_ends_ = outer;
  if (!of_chain) finish(braces);
  return result;
}

// The statements that are indented further than the head, as a person reads it.
Block ItemParser::indented(std::uint32_t head) {
  Block result;
  const std::uint32_t indent = tokens_[head].indent;
  if (!enter()) return result;
  while (raw() != Tok::End && raw() != Tok::RightBrace && token().indent > indent) {
    const std::size_t from = pos_, errors = errors_;
    statement(result);
    end_of_statement(result, errors_ != errors);
    if (pos_ == from) skip_group();
  }
  leave();
  return result;
}

void ItemParser::finish(Braces& braces) {
  if (braces.close) braces.edits.push_back({{braces.close->first, braces.close->first}, braces.close->second});
  if (!braces.mendable || braces.edits.empty()) return;
  const std::string title = !braces.title.empty() ? braces.title : braces.edits.size() == 1 ? "Insert `{`" : "Put the body in `{ }`";
  mend(braces.found, title, std::move(braces.edits));
}

Block ItemParser::indented_body(std::uint32_t head, std::string_view what, Braces& braces) {
  const std::uint32_t indent = tokens_[head].indent, from = previous_end();
  if (!braces.reported) braces.found = report(Code::SyntaxExpected, gap(), what);
  else ++errors_, error_at_ = pos_;
  braces.reported = true;
  const bool deeper = token().newline && token().indent > indent;
  Block result;
  if (raw() != Tok::RightBrace && deeper) {
    result = indented(head);
  } else if (raw() != Tok::RightBrace && stray_braces_ > 0) {
    statements(result);
  } else if (raw() != Tok::RightBrace) {
    braces.mendable = false;
    return result;
  }
  const std::pair<Span, std::string> opener{{from, from}, " {"};
  if (raw() == Tok::RightBrace && stray_braces_ > 0 && (token().indent == indent || !token().newline)) {
    ++pos_;
    --stray_braces_;
    braces.edits.push_back(opener);
  } else if (previous_end() > from) {
    braces.edits.push_back(opener);
    braces.close = {previous_end(), closing_line(indent)};
  } else {
    braces.mendable = false;
  }
  return result;
}

// `if x > 3 y = 1`, as in C.
Block ItemParser::body_on_the_line(std::string_view what, Braces& braces) {
  const std::uint32_t from = previous_end();
  if (!braces.reported) braces.found = report(Code::SyntaxExpected, gap(), what);
  else ++errors_;
  braces.reported = true;
  const std::size_t errors = errors_;
  error_at_ = no_partner;
  Block result;
  if (!begins_operand(raw()) && !begins_statement(raw())) {
    braces.mendable = false;
    return result;
  }
  if (!enter()) {
    while (raw() != Tok::End && !token().newline && raw() != Tok::RightBrace) skip_group();
    error_at_ = pos_;
    braces.mendable = false;
    return result;
  }
  statement(result);
  leave();
  const std::uint32_t end = previous_end();
  if (errors_ == errors && raw() == Tok::RightBrace && same_line(0) && stray_braces_ > 0) {  // `if c x = 1 }`
    ++pos_;
    --stray_braces_;
    braces.edits.push_back({{from, from}, " {"});
    ++errors_;
    return result;
  }
  if (errors_ == errors) {
    const bool before_brace = raw() != Tok::Semicolon;
    braces.edits.push_back({{from, from}, " {"});
    braces.close = {before_brace ? end : token().end, " }"};
  } else {
    braces.mendable = false;
  }
  ++errors_;
  return result;
}

// `if x > 3:`, as in Python.
Block ItemParser::body_after_colon(std::uint32_t head, Braces& braces) {
  const Span sign = token().span();
  const bool colon = raw() == Tok::Colon;
  if (!braces.reported) braces.found = foreign(sign, "a body is written in `{ }`");
  else ++errors_;
  braces.reported = true;
  ++pos_;
  Block result;
  if (!token().newline && raw() != Tok::End) {
    if (!enter()) {
      while (raw() != Tok::End && !token().newline && raw() != Tok::RightBrace) skip_group();
      braces.mendable = false;
      return result;
    }
    statement(result);
    leave();
    braces.close = {previous_end(), " }"};
  } else {
    result = indented(head);
    if (result.empty()) braces.mendable = false;
    else braces.close = {previous_end(), closing_line(tokens_[head].indent)};
  }
  braces.edits.push_back({sign, colon ? " {" : "{"});
  return result;
}

}  // namespace phobos::syntax
