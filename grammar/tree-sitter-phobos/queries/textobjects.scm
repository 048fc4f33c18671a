(kernel_definition) @function.outer
(kernel_definition body: (block) @function.inner)
(function_definition) @function.outer
(function_definition body: (block) @function.inner)

[(for_statement) (while_statement)] @loop.outer
(for_statement body: (block) @loop.inner)
(while_statement body: (block) @loop.inner)

(if_statement) @conditional.outer
(if_statement consequence: (block) @conditional.inner)
(if_statement alternative: (block) @conditional.inner)

(block) @block.outer

(call_expression) @call.outer
(call_expression arguments: (arguments) @call.inner)

(parameter) @parameter.inner
(parameters (parameter) @parameter.outer . ","? @parameter.outer)
(arguments argument: (_) @parameter.inner)

(assignment_statement left: (_) @assignment.lhs right: (_) @assignment.rhs) @assignment.outer
(attribute) @attribute.outer
(comment) @comment.outer
