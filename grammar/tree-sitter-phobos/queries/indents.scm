[
  (block)
  (parameters)
  (arguments)
  (subscripts)
  (attribute_arguments)
  (parenthesized_expression)
] @indent.begin

["}" ")" "]"] @indent.branch @indent.end

(comment) @indent.ignore
