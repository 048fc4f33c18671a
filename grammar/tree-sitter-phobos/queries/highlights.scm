; No two patterns name the same node, so that the order of patterns does not matter: editors disagree on it.

(comment) @comment

[(integer_literal) (float_literal)] @number
(boolean_literal) @boolean

["kernel" "fn"] @keyword.function
["let" "var"] @keyword
["if" "else"] @keyword.conditional
["for" "in" "while"] @keyword.repeat
(for_statement "range" @keyword.repeat)
(unroll_clause "unroll" @keyword.repeat)
[(break_statement) (continue_statement)] @keyword.repeat
(return_statement "return" @keyword.return)

(attribute "@" @attribute name: (identifier) @attribute)
(attribute_choices name: (identifier) @constant)
(attribute_setting name: (identifier) @constant)

(kernel_definition name: (identifier) @function)
(function_definition name: (identifier) @function)
(parameter name: (identifier) @variable.parameter)
(let_statement name: (identifier) @variable)
(var_statement name: (identifier) @variable)
(for_statement variable: (identifier) @variable)

(scalar_type) @type.builtin
["tensor" "tile"] @type.builtin
(tensor_type dimension: (identifier) @constant)
(tile_type dimension: (identifier) @constant)

(call_expression function: (identifier) @function.call)
(over_fold "over" @keyword.operator)
(shuffle_fold operator: _ @keyword.operator)
(over_fold field: (identifier) @property)
(field_expression field: (identifier) @property)
(ctx) @variable.builtin

(binary_expression operator: _ @operator)
(unary_expression operator: _ @operator)
(assignment_statement operator: _ @operator)
(let_statement "=" @operator)
(var_statement "=" @operator)
(attribute_setting "=" @operator)
"->" @operator
(range_subscript ":" @operator)
(prefix_subscript ":" @operator)
(span_subscript ":+" @operator)
(full_subscript) @operator

["(" ")" "[" "]" "{"] @punctuation.bracket
(block "}" @punctuation.bracket)
(tensor_type ["<" ">"] @punctuation.bracket)
(tile_type ["<" ">"] @punctuation.bracket)
(unroll_clause ["<" ">"] @punctuation.bracket)
(call_expression ["<" ">"] @punctuation.bracket)
["," ";" "."] @punctuation.delimiter
(parameter ":" @punctuation.delimiter)
(let_statement ":" @punctuation.delimiter)
(var_statement ":" @punctuation.delimiter)
