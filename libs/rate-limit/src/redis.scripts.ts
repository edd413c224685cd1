/**
 * All counters of a request in one call: Redis runs a script as a whole, so that nobody comes in
 * between, and its own clock ends the windows.
 *
 * Per counter: KEYS its key; ARGV limit, length of the window in ms, cost, and what the caller
 * knows of the window: count, ms left, 1 when it has counted there alone. Redis may know less than
 * the caller, because it was restarted or emptied or away meanwhile.
 * Answers the place of the counter that refuses (0 when none does), then count and ms left of each
 * one up to there.
 */
export const takeScript = `
local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 6
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
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
  if known > count and (alone or not found) then
    count = known
    if not found then ends = math.min(left, window) end
    redis.call('SET', key, count, 'PX', math.max(1, ends))
    found = true
  end
  if count + cost > limit then
    answer[1] = place
    table.insert(answer, count)
    table.insert(answer, ends)
    return answer
  end
  count = count + cost
  if found then redis.call('INCRBY', key, cost) else redis.call('SET', key, count, 'PX', ends) end
  table.insert(answer, count)
  table.insert(answer, ends)
end
return answer
`;

/** As `takeScript`, with the same arguments and the same answer, and nothing is changed by it. */
export const wouldTakeScript = `
local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 6
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  local found = redis.call('GET', key)
  local count = found and tonumber(found) or 0
  local ends = window
  if found then
    ends = redis.call('PTTL', key)
    if ends < 0 or ends > window then ends = window end
  end
  if known > count and (alone or not found) then
    count = known
    if not found then ends = math.min(left, window) end
  end
  local refuses = count + cost > limit
  if refuses then answer[1] = place else count = count + cost end
  table.insert(answer, count)
  table.insert(answer, ends)
  if refuses then return answer end
end
return answer
`;

/** Per counter: KEYS its key, ARGV the cost. A window that has ended is nobody's any more. */
export const giveBackScript = `
for place, key in ipairs(KEYS) do
  local found = redis.call('GET', key)
  if found then
    redis.call('SET', key, math.max(0, tonumber(found) - tonumber(ARGV[place])), 'KEEPTTL')
  end
end
`;
