-- Attaches to the server as docs/editors.md says, waits for its diagnostics, and hovers. Ends Neovim with status 0 or 1.
local program, file = vim.env.PHOBOS, vim.env.PHOBOS_FILE
local function fail(what)
  io.stderr:write("neovim: " .. what .. "\n")
  vim.cmd("cquit 1")
end
local function wait(what, done)
  if not vim.wait(60000, done, 20) then fail("waited for " .. what) end
end

vim.cmd("edit " .. vim.fn.fnameescape(file))
vim.bo.filetype = "phobos"
local client = vim.lsp.start_client({ name = "phobos", cmd = { program, "lsp" }, root_dir = vim.fn.fnamemodify(file, ":h") })
if not client then fail("the client did not start") end
vim.lsp.buf_attach_client(0, client)
wait("the server", function() return vim.lsp.buf_get_clients(0)[client] ~= nil end)

wait("an error", function() return #vim.diagnostic.get(0) == 1 end)
local error = vim.diagnostic.get(0)[1]
if error.lnum ~= 3 or not error.message:find("barrier") then fail("the error is " .. vim.inspect(error)) end

vim.api.nvim_buf_set_lines(0, 2, 3, false, { "  if ctx.block.x == 0 {" })
wait("the error to go", function() return #vim.diagnostic.get(0) == 0 end)

local answers = vim.lsp.buf_request_sync(0, "textDocument/hover",
  { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 1, character = 6 } }, 60000)
local answer = answers and answers[client]
if not (answer and answer.result and answer.result.contents.value:find("varying")) then fail("the hover is " .. vim.inspect(answers)) end
vim.lsp.stop_client(client)
wait("the server to end", function() return vim.lsp.get_client_by_id(client) == nil or vim.lsp.get_client_by_id(client).is_stopped() end)
vim.cmd("qall!")
