-- The load of the HTTP bench. Arguments: the method, the key, and the bodies of a POST, which are sent in
-- turn. With MARKETS=100 in the environment, the requests go to 100 markets in turn. The market in the
-- address is the last of them.
function init(args)
  wrk.method = args[1]
  wrk.headers["X-API-Key"] = args[2]
  local markets = tonumber(os.getenv("MARKETS") or "1")
  if wrk.method == "GET" and markets == 1 then return end
  local bodies = {}
  if wrk.method == "POST" then
    wrk.headers["Content-Type"] = "application/json"
    for index = 3, #args do bodies[index - 2] = args[index] end
  end
  local before, last, after = wrk.path:match("^(.*/markets/)(%d+)(.*)$")
  local requests = {}
  for market = 0, markets - 1 do
    local path = wrk.path
    if markets > 1 then path = before .. (tonumber(last) - market) .. after end
    for index = 1, math.max(#bodies, 1) do
      requests[#requests + 1] = wrk.format(nil, path, nil, bodies[index])
    end
  end
  local sent = 0
  -- wrk asks for each request only if this function is there.
  function request()
    sent = sent + 1
    return requests[sent % #requests + 1]
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"requests":%d,"micros":%d,"failed":%d,"p99Micros":%d}\n',
    summary.requests, summary.duration, failed, latency:percentile(99)))
end
