-- A small client of the debug adapter in Neovim's own Lua: what nvim-dap does, from initialize to the variables of a frame.
-- Arguments by environment: ASYNC2_TOOL, ASYNC2_DUMP, ASYNC2_ANSWER (the file that the answers go to, as JSON).
local uv = vim.loop
local input, output = uv.new_pipe(false), uv.new_pipe(false)
local unread, sequence, answers, events = '', 0, {}, {}

uv.spawn(os.getenv('ASYNC2_TOOL'), { args = { 'dap' }, stdio = { input, output, nil } }, function() end)

local function take()
  local head, stop = unread:find('\r\n\r\n', 1, true)
  if not head then return false end
  local length = tonumber(unread:sub(1, head):match('Content%-Length: (%d+)'))
  if #unread < stop + length then return false end
  local message = vim.json.decode(unread:sub(stop + 1, stop + length))
  unread = unread:sub(stop + length + 1)
  if message.type == 'response' then answers[message.request_seq] = message else table.insert(events, message) end
  return true
end

output:read_start(function(_, chunk)
  if not chunk then return end
  unread = unread .. chunk
  while take() do end
end)

local function send(command, arguments)
  sequence = sequence + 1
  local body = vim.json.encode({ seq = sequence, type = 'request', command = command, arguments = arguments or vim.empty_dict() })
  input:write('Content-Length: ' .. #body .. '\r\n\r\n' .. body)
  return sequence
end

local function wait(seq)
  assert(vim.wait(60000, function() return answers[seq] ~= nil end, 20), 'no answer')
  assert(answers[seq].success, answers[seq].message)
  return answers[seq].body
end

local function waitEvent(name)
  local found
  assert(vim.wait(60000, function()
    for _, event in ipairs(events) do if event.event == name then found = event end end
    return found ~= nil
  end, 20), 'no event ' .. name)
  return found.body
end

local ok, answer = pcall(function()
  local capabilities = wait(send('initialize', { clientID = 'neovim', adapterID = 'async2', pathFormat = 'path', linesStartAt1 = true, columnsStartAt1 = true }))
  local launch = send('launch', { dumpPath = os.getenv('ASYNC2_DUMP') })
  waitEvent('initialized')
  wait(send('configurationDone'))
  wait(launch)
  local stopped = waitEvent('stopped')
  local threads = wait(send('threads')).threads
  local frames = wait(send('stackTrace', { threadId = stopped.threadId })).stackFrames
  local facts = {}
  for _, frame in ipairs(frames) do
    if frame.presentationHint == 'normal' then
      for _, scope in ipairs(wait(send('scopes', { frameId = frame.id })).scopes) do
        if scope.name == 'Wait' then
          for _, fact in ipairs(wait(send('variables', { variablesReference = scope.variablesReference })).variables) do facts[fact.name] = fact.value end
        end
      end
      break
    end
  end
  local query = wait(send('evaluate', { expression = '?DeskAsync', context = 'repl' })).result
  wait(send('disconnect'))
  return { capabilities = capabilities, stopped = stopped, threads = threads, frames = frames, facts = facts, query = query, version = tostring(vim.version().minor) }
end)

local file = assert(io.open(os.getenv('ASYNC2_ANSWER'), 'w'))
file:write(vim.json.encode(ok and answer or { failed = tostring(answer) }))
file:close()
vim.cmd('qa!')
