; Definitions are scopes for their parameters and dimension names, blocks for what is declared in them.

[
  (kernel_definition)
  (function_definition)
  (for_statement)
  (block)
] @local.scope

(parameter name: (identifier) @local.definition)
(tensor_type dimension: (identifier) @local.definition)
(attribute_choices name: (identifier) @local.definition)
(let_statement name: (identifier) @local.definition)
(var_statement name: (identifier) @local.definition)
(for_statement variable: (identifier) @local.definition)

(identifier) @local.reference
