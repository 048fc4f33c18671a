// The grammar of Phobos, the language of `.ph` files.
//
// Newlines. A newline ends a statement where its last token can end one, and is white space elsewhere. No scanner
// decides that: "\n" is both white space (in `extras`) and a token (in `_terminator`), and the generated lexer prefers
// the token in exactly those parser states in which it may come next. After a complete expression at statement level it
// may, so the statement ends there; inside `(…)` and `[…]`, after an operator, a comma or an opening bracket it may not,
// so it is skipped. What follows: a rule must not make "\n" acceptable where the language says white space.
//
// Mistakes. A few forms that the language forbids are parsed all the same, so that the tree stays whole and the checker
// can say what is wrong and offer a repair. Each of them is marked "not in the language" below.

// `f<over ctx.lane>(x)` starts like a comparison, and what decides is a token past the `<`. So at each `<` both readings
// are followed, and the next token ends one of them. For that the fold's `<` must win or lose against no operator: its
// precedence has a name, which compares as equal to every number, and no rule that may end before a `<` has an
// associativity. Operators group to the left because a complete right operand (`level + 1`) wins against the same
// operator after it (`level`).

const LOOSE_OPERATORS = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
];

// Not in the language: `@`, for which `dot` is meant.
const TIGHT_OPERATORS = [
  ['+', '-'],
  ['*', '/', '%', '@'],
];

const PREC = {
  loose: 2,
  tight: 20,
  unary: 30,
  postfix: 40,
  fold: 'fold',
};

const ASSIGNMENT_OPERATORS = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='];

// Words that mean something after `<` in a call and are ordinary names elsewhere.
const SHUFFLES = ['xor', 'up', 'down', 'from'];
const FOLD_WORDS = ['over', ...SHUFFLES];

const list = rule => seq(rule, repeat(seq(',', rule)));

const binary = (lowest, levels, operand) =>
  choice(...levels.map((operators, index) => {
    const level = lowest + 2 * index;
    return prec(level, seq(
      field('left', operand),
      field('operator', choice(...operators)),
      prec(level + 1, field('right', operand)),
    ));
  }));

module.exports = grammar({
  name: 'phobos',

  extras: $ => [/[ \t\r\n\f\v]/, $.comment],

  word: $ => $.identifier,

  precedences: _ => [[PREC.fold]],

  conflicts: $ => [
    [$._expression, $.call_expression],
    [$._tight_binary, $.call_expression],
    [$.unary_expression, $.call_expression],
  ],

  supertypes: $ => [$._definition, $._statement, $._expression, $._subscript, $._type],

  rules: {
    // Not in the language: statements and braces outside of definitions, as an unpaired `}` leaves them.
    source_file: $ => repeat(choice(
      $._definition,
      $._line,
      $.misplaced_brace,
      $.misplaced_attribute,
    )),

    misplaced_brace: _ => '}',

    // Not in the language: attributes with no definition after them.
    misplaced_attribute: $ => prec.right(-1, repeat1(field('attribute', $.attribute))),

    // Definitions

    _definition: $ => choice($.kernel_definition, $.function_definition),

    // Not in the language: a definition without a name, parameters or a body, as one is while it is typed.
    kernel_definition: $ => prec.right(seq(
      repeat(field('attribute', $.attribute)),
      'kernel',
      optional(field('name', $._declared_name)),
      optional(field('parameters', $.parameters)),
      optional(field('body', alias($._definition_block, $.block))),
    )),

    function_definition: $ => prec.right(seq(
      repeat(field('attribute', $.attribute)),
      'fn',
      optional(field('name', $._declared_name)),
      optional(field('parameters', $.parameters)),
      optional(seq('->', field('return_type', $._type))),
      optional(field('body', alias($._definition_block, $.block))),
    )),

    attribute: $ => prec.right(seq(
      '@',
      field('name', $.identifier),
      optional(field('arguments', $.attribute_arguments)),
    )),

    // Not in the language: no argument at all.
    attribute_arguments: $ => seq('(', optional(list(field('argument', $._attribute_argument))), ')'),

    _attribute_argument: $ => choice($.attribute_choices, $.attribute_setting, $._attribute_value),

    attribute_choices: $ => seq(
      field('name', $.identifier),
      'in',
      '[',
      list(field('choice', choice($.integer_literal, $.negative_literal))),
      ']',
    ),

    attribute_setting: $ => seq(field('name', $.identifier), '=', field('value', $._attribute_value)),

    _attribute_value: $ => choice(
      $.integer_literal,
      $.float_literal,
      $.negative_literal,
      $.boolean_literal,
      $.identifier,
      alias($._attribute_binary, $.binary_expression),
      alias($._attribute_parenthesized, $.parenthesized_expression),
    ),

    // Arithmetic of numbers and constants: the threads of `@launch`.
    _attribute_operand: $ => choice(
      $.integer_literal,
      $.identifier,
      alias($._attribute_binary, $.binary_expression),
      alias($._attribute_parenthesized, $.parenthesized_expression),
    ),
    _attribute_binary: $ => choice(
      prec.left(2, seq(field('left', $._attribute_operand), field('operator', choice('*', '/', '%')), field('right', $._attribute_operand))),
      prec.left(1, seq(field('left', $._attribute_operand), field('operator', choice('+', '-')), field('right', $._attribute_operand))),
    ),
    _attribute_parenthesized: $ => seq('(', field('expression', $._attribute_operand), ')'),

    // Not in the language: no attribute takes a negative number, and each says so in its own words.
    negative_literal: $ => seq('-', choice($.integer_literal, $.float_literal)),

    // Not in the language: two parameters without a comma between them.
    parameters: $ => seq(
      '(',
      repeat(choice(field('parameter', $.parameter), seq(field('parameter', $.parameter), ','))),
      ')',
    ),

    parameter: $ => seq(field('name', $._declared_name), ':', field('type', $._type)),

    // Types

    _type: $ => choice($._scalar_type, $.tensor_type, $.tile_type, $.unknown_type),

    // Any name: an unknown one is the checker's to report.
    _scalar_type: $ => alias($.identifier, $.scalar_type),

    tensor_type: $ => seq('tensor', $._element_and_dimensions),

    tile_type: $ => seq('tile', $._element_and_dimensions),

    // Not in the language: a misspelt `tensor` or `tile`.
    unknown_type: $ => prec(1, seq(field('name', $.identifier), $._element_and_dimensions)),

    _element_and_dimensions: $ => seq($._element, $._dimensions),

    _element: $ => seq('<', field('element', $._scalar_type), '>'),

    _dimensions: $ => seq('[', list(field('dimension', choice($.identifier, $.integer_literal))), ']'),

    // Statements

    // Not in the language: two statements with nothing between them. A bracket left open hides the newline after it; as
    // the next statement may follow all the same, the parser can supply the bracket and go on there.
    block: $ => seq('{', repeat($._line), '}'),

    // Not in the language: a definition that no `}` closes. It ends at the next one or at the end of the file. Blocks of
    // statements have no such form, since a newline may follow those: it would be acceptable after their `{`.
    _definition_block: $ => prec.right(seq('{', repeat($._line), optional('}'))),

    _line: $ => prec.right(seq($._statement, optional($._terminator))),

    _terminator: _ => choice('\n', ';'),

    _statement: $ => choice(
      $.let_statement,
      $.var_statement,
      $.assignment_statement,
      $.for_statement,
      $.while_statement,
      $.if_statement,
      $.misplaced_else,
      $.break_statement,
      $.continue_statement,
      $.return_statement,
      $.expression_statement,
    ),

    // Not in the language: a `let` without a value, a `var` with neither type nor value.
    let_statement: $ => seq('let', $._declaration),

    var_statement: $ => seq('var', $._declaration),

    _declaration: $ => prec.right(seq(
      field('name', $._declared_name),
      optional(seq(':', field('type', $._type))),
      optional(seq('=', field('value', $._value))),
    )),

    // The language wants a name or a subscript of a name on the left; that is the checker's to see.
    assignment_statement: $ => seq(
      field('left', $._expression),
      field('operator', choice(...ASSIGNMENT_OPERATORS)),
      field('right', $._value),
    ),

    for_statement: $ => prec.right(seq(
      'for',
      optional(field('unroll', $.unroll_clause)),
      field('variable', $._declared_name),
      'in',
      $._range,
      optional($._body),
    )),

    _range: $ => seq(
      'range',
      '(',
      choice(
        // Not in the language: one bound alone.
        field('stop', $._expression),
        seq(
          field('start', $._expression),
          ',',
          field('stop', $._expression),
          optional(seq(',', field('step', $._expression))),
        ),
      ),
      ')',
    ),

    unroll_clause: $ => seq('<', 'unroll', optional(field('factor', $.integer_literal)), '>'),

    while_statement: $ => prec.right(seq('while', field('condition', $._value), optional($._body))),

    if_statement: $ => prec.right(seq(
      'if',
      field('condition', $._value),
      optional($.misplaced_newline),
      optional(seq(
        field('consequence', $.block),
        optional(seq('else', field('alternative', choice($.if_statement, $.block)))),
      )),
    )),

    // Not in the language: an `else` that does not stand on the line of the `}` before it.
    misplaced_else: $ => seq('else', field('alternative', choice($.if_statement, $.block))),

    // Not in the language: a line that ends after a statement's head, be there a block on the next one or none at all.
    _body: $ => prec.right(choice(
      seq(optional($.misplaced_newline), field('body', $.block)),
      $.misplaced_newline,
    )),

    misplaced_newline: _ => '\n',

    break_statement: _ => 'break',

    continue_statement: _ => 'continue',

    return_statement: $ => prec.right(seq('return', optional(field('value', $._expression)))),

    expression_statement: $ => field('expression', $._expression),

    // Expressions

    _expression: $ => choice(
      alias($._loose_binary, $.binary_expression),
      $._sum,
    ),

    // Not in the language: a statement where a value should be. The value is yet to be typed, and the statement is
    // the next one; were it not for this rule, its keyword would be taken for a name.
    _value: $ => choice($._expression, $.misplaced_statement),

    misplaced_statement: $ => choice(
      $.let_statement,
      $.var_statement,
      $.for_statement,
      $.while_statement,
      $.if_statement,
      $.break_statement,
      $.continue_statement,
      $.return_statement,
    ),

    // What may stand where a `>` closes: sums and everything tighter.
    _sum: $ => choice(
      alias($._tight_binary, $.binary_expression),
      $.unary_expression,
      $.subscript_expression,
      $.call_expression,
      $.field_expression,
      $.parenthesized_expression,
      $.integer_literal,
      $.float_literal,
      $.boolean_literal,
      $.ctx,
      $._name,
    ),

    _loose_binary: $ => binary(PREC.loose, LOOSE_OPERATORS, $._expression),

    _tight_binary: $ => binary(PREC.tight, TIGHT_OPERATORS, $._sum),

    unary_expression: $ => prec(PREC.unary, seq(
      field('operator', choice('-', '!', '~')),
      field('operand', $._sum),
    )),

    subscript_expression: $ => prec(PREC.postfix, seq(
      field('object', $._sum),
      field('subscripts', $.subscripts),
    )),

    subscripts: $ => seq('[', list(field('subscript', $._subscript)), ']'),

    _subscript: $ => choice(
      $.full_subscript,
      $.prefix_subscript,
      $.range_subscript,
      $.span_subscript,
      $.open_range_subscript,
      $._value,
    ),

    full_subscript: _ => ':',

    prefix_subscript: $ => seq(':', field('stop', $._expression)),

    range_subscript: $ => seq(field('start', $._expression), ':', field('stop', $._expression)),

    span_subscript: $ => seq(field('start', $._expression), ':+', field('length', $._expression)),

    // Not in the language: `A[i :]`.
    open_range_subscript: $ => seq(field('start', $._expression), ':'),

    call_expression: $ => choice(
      prec(PREC.postfix, seq(
        field('function', $._sum),
        field('arguments', $.arguments),
      )),
      prec(PREC.fold, seq(
        field('function', $._sum),
        '<',
        field('fold', choice($.over_fold, $.shuffle_fold)),
        '>',
        field('arguments', $.arguments),
      )),
    ),

    over_fold: $ => seq('over', field('object', $.ctx), '.', field('field', $.identifier)),

    // Of the two readings of `f<up (a)>(b)` the shuffle is meant.
    shuffle_fold: $ => prec.dynamic(1, seq(
      field('operator', choice(...SHUFFLES)),
      field('lane', $._sum),
    )),

    // `t, e :+ n` names a run of `n` elements where a built-in takes one.
    arguments: $ => seq(
      '(',
      optional(seq(
        list(field('argument', choice($._value, $.span_subscript))),
        optional(','),
      )),
      ')',
    ),

    field_expression: $ => prec(PREC.postfix, seq(
      field('object', $._sum),
      '.',
      field('field', $.identifier),
    )),

    parenthesized_expression: $ => seq('(', field('expression', $._value), ')'),

    // Names and literals

    ctx: _ => 'ctx',

    _name: $ => choice($.identifier, ...FOLD_WORDS.map(word => alias(word, $.identifier))),

    // `ctx` is reserved; declaring it is the checker's to report.
    _declared_name: $ => choice($._name, $.ctx),

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,

    integer_literal: _ => token(choice(
      /[0-9][0-9_]*/,
      /0x[0-9a-fA-F][0-9a-fA-F_]*/,
      /0b[01][01_]*/,
    )),

    float_literal: _ => token(choice(
      /[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?/,
      /[0-9]+[eE][+-]?[0-9]+/,
    )),

    boolean_literal: _ => choice('true', 'false'),

    // Carriage returns at its end belong to the line's end.
    comment: _ => token(seq('//', /(\r*[^\r\n])*/)),
  },
});
