(
  (comment)* @doc
  .
  (kernel_definition name: (identifier) @name) @definition.function
  (#strip! @doc "^//\\s?")
  (#select-adjacent! @doc @definition.function)
)

(
  (comment)* @doc
  .
  (function_definition name: (identifier) @name) @definition.function
  (#strip! @doc "^//\\s?")
  (#select-adjacent! @doc @definition.function)
)

(call_expression function: (identifier) @name) @reference.call
