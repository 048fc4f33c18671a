[
  (block)
  (parameters)
  (arguments)
  (attribute_arguments)
] @fold
