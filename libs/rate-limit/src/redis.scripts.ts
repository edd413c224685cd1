/** Lua: whether a bucket has the tokens, the ms until it is full then, and the time now. */
const LOOK_AT_BUCKET = `
local function look_at_bucket(key, limit, window, cost, left, alone)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local found = redis.call('GET', key)
  local full_in = found and tonumber(found) - now or 0
  if left > full_in and (alone or not found) then full_in = left end
  full_in = math.min(math.max(full_in, 0), window)
  if cost > limit then return false, full_in, now end
  local after = full_in + cost * window / limit
  if after > window + 0.001 then return false, full_in, now end
  return true, after, now
end
`;

/** Channel for the counts of strict windows: count, ms left and key. */
export const COUNTS_CHANNEL = 'watchword:limit-counts';

/**
 * Lua: the caller knows counts that Redis has lost. To counts that Redis still has, it adds what it
 * counted alone.
 */
const MERGE = `
local function merge(found, count, known, alone_count)
  if not found then return known end
  return math.max(0, count + alone_count)
end
`;

/**
 * Lua: publishes the count of a strict window to all gateways. An error of the publish must not
 * fail the count.
 */
const publish = `
local function publish(key, count, left)
  redis.pcall('PUBLISH', '${COUNTS_CHANNEL}', count .. ' ' .. left .. ' ' .. key)
end
`;

/**
 * Takes all counters of a request in one call. Redis runs a script as a whole, without other
 * commands in between, and its own clock ends the windows.
 *
 * Per counter: KEYS its key; ARGV limit, length of the window in ms, cost, and what the caller
 * knows of the window: count, ms left, 1 when it has counted there alone, and how many; then 1 for
 * a bucket, 1 for a strict one, whose count is published to all gateways. Redis may know less than
 * the caller, because it was restarted, emptied or unavailable. A bucket is stored as the ms at
 * which it is full again; its count is always 0. Returns the number of the counter that refuses (0
 * for none), then count and ms left of each up to there.
 */
export const takeScript = `${LOOK_AT_BUCKET}${MERGE}${publish}local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 9
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  local alone_count = tonumber(ARGV[at + 7])
  if ARGV[at + 8] == '1' then
    local admitted, full_in, now = look_at_bucket(key, limit, window, cost, left, alone)
    table.insert(answer, 0)
    table.insert(answer, string.format('%.3f', full_in))
    if not admitted then
      answer[1] = place
      return answer
    end
    redis.call('SET', key, string.format('%.3f', now + full_in), 'PX', math.ceil(full_in))
  else
    local found = redis.call('GET', key)
    local count = found and tonumber(found) or 0
    local ends = window
    if found then
      ends = redis.call('PTTL', key)
      if ends < 0 or ends > window then
        ends = window
        redis.call('PEXPIRE', key, ends)
      end
    end
    if not found and known > 0 then ends = math.min(left, window) end
    local merged = merge(found, count, known, alone_count)
    local admitted = merged + cost <= limit
    local after = admitted and merged + cost or merged
    if after ~= count then
      redis.call('SET', key, after, 'PX', math.max(1, ends))
      if ARGV[at + 9] == '1' then publish(key, after, ends) end
    end
    table.insert(answer, after)
    table.insert(answer, ends)
    if not admitted then
      answer[1] = place
      return answer
    end
  end
end
return answer
`;

/** Like `takeScript`, with the same arguments and answer, but changes nothing. */
export const wouldTakeScript = `${LOOK_AT_BUCKET}${MERGE}local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 9
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  local alone_count = tonumber(ARGV[at + 7])
  local refuses = false
  if ARGV[at + 8] == '1' then
    local admitted, full_in = look_at_bucket(key, limit, window, cost, left, alone)
    refuses = not admitted
    table.insert(answer, 0)
    table.insert(answer, string.format('%.3f', full_in))
  else
    local found = redis.call('GET', key)
    local count = found and tonumber(found) or 0
    local ends = window
    if found then
      ends = redis.call('PTTL', key)
      if ends < 0 or ends > window then ends = window end
    end
    if not found and known > 0 then ends = math.min(left, window) end
    count = merge(found, count, known, alone_count)
    refuses = count + cost > limit
    if not refuses then count = count + cost end
    table.insert(answer, count)
    table.insert(answer, ends)
  end
  if refuses then
    answer[1] = place
    return answer
  end
end
return answer
`;

/**
 * Per counter: KEYS its key; ARGV the cost, for a bucket the ms in which that many tokens come
 * back, 1 for a strict window, and the ms left of the window that counted (0: not known). An ended window is
 * ignored. A window that lasts longer is a later one and keeps its count.
 */
export const giveBackScript = `${publish}
for place, key in ipairs(KEYS) do
  local found = redis.call('GET', key)
  if found then
    local at = (place - 1) * 4
    local cost, back = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local most, left = tonumber(ARGV[at + 4]), redis.call('PTTL', key)
    if back > 0 then
      redis.call('SET', key, string.format('%.3f', tonumber(found) - back), 'KEEPTTL')
    elseif most == 0 or left <= most then
      local count = math.max(0, tonumber(found) - cost)
      redis.call('SET', key, count, 'KEEPTTL')
      if ARGV[at + 3] == '1' then publish(key, count, left) end
    end
  end
end
`;

/**
 * ARGV a cursor, a pattern and the approximate number of keys to look at. Returns the next cursor,
 * then key, count and ms left of each window.
 */
export const PAGE_SCRIPT = `
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local answer = { page[1] }
for _, key in ipairs(page[2]) do
  local count, left = redis.call('GET', key), redis.call('PTTL', key)
  if count and left > 0 then
    table.insert(answer, key)
    table.insert(answer, count)
    table.insert(answer, left)
  end
end
return answer
`;

/** Per window: KEYS its key; ARGV count and ms left. A window with at least this count stays. */
export const restoreScript = `${publish}
for place, key in ipairs(KEYS) do
  local count, left = tonumber(ARGV[2 * place - 1]), tonumber(ARGV[2 * place])
  local found = tonumber(redis.call('GET', key) or 0)
  if found < count then
    redis.call('SET', key, count, 'PX', left)
    publish(key, count, left)
  end
end
`;
