/**
 * The one script of the limits. Redis runs it as a whole, and its own clock ends the windows.
 *
 * ARGV[1] is `take` or `give` (gives back to windows). Then per counter: KEYS its key; ARGV its
 * kind, limit and window in ms. A window is stored as its count, a bucket as the ms at which it is
 * full again. Returns the number of the counter that refuses (0 for none), then count and ms left of
 * each up to there; a bucket's count is 0.
 */
export const LIMIT_SCRIPT = `
local mode = ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = { 0 }

local function bucket(key, limit, window)
  local found = redis.call('GET', key)
  local full_in = math.min(math.max(found and tonumber(found) - now or 0, 0), window)
  local after = limit > 0 and full_in + window / limit or math.huge
  if limit < 1 or after > window + 0.001 then return false, 0, full_in end
  if after > 0 then
    redis.call('SET', key, string.format('%.3f', now + after), 'PX', math.ceil(after))
  end
  return true, 0, after
end

local function window(key, limit, length)
  local found = redis.call('GET', key)
  local count, left = tonumber(found or 0), length
  if found then
    left = redis.call('PTTL', key)
    -- A shorter window, or a clock that was set back, must not refuse every request.
    if left < 0 or left > length then left = length end
  end
  if mode == 'give' then
    if found then redis.call('SET', key, math.max(0, count - 1), 'KEEPTTL') end
    return true, 0, 0
  end
  if count + 1 > limit then return false, count, left end
  redis.call('SET', key, count + 1, 'PX', math.max(1, left))
  return true, count + 1, left
end

for place, key in ipairs(KEYS) do
  local at = (place - 1) * 3 + 1
  local count_in = ARGV[at + 1] == 'bucket' and bucket or window
  local limit, length = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local admitted, count, left = count_in(key, limit, length)
  table.insert(answer, count)
  table.insert(answer, string.format('%.3f', left))
  if not admitted then
    answer[1] = place
    return answer
  end
end
return answer
`;
