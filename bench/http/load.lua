-- The load of the HTTP bench: arguments are the method, the key and the bodies of a POST, which take turns.
function init(args)
  wrk.method = args[1]
  wrk.headers["X-API-Key"] = args[2]
  if wrk.method == "GET" then return end
  wrk.headers["Content-Type"] = "application/json"
  local requests = {}
  for index = 3, #args do
    requests[index - 2] = wrk.format(nil, nil, nil, args[index])
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
