/** Whether a bucket has the tokens, in how many ms it is full then, and the time now. */
const lookAtBucket = `
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

/**
 * All counters of a request in one call: Redis runs a script as a whole, so that nobody comes in
 * between, and its own clock ends the windows.
 *
 * Per counter: KEYS its key; ARGV limit, length of the window in ms, cost, and what the caller
 * knows of the window: count, ms left, 1 when it has counted there alone; last, 1 for a bucket.
 * Redis may know less than the caller, because it was restarted or emptied or away meanwhile.
 * Of a bucket is kept at which ms it is full again; its count is always 0.
 * Answers the place of the counter that refuses (0 when none does), then count and ms left of each
 * one up to there.
 */
export const takeScript = `${lookAtBucket}local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 7
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  if ARGV[at + 7] == '1' then
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
end
return answer
`;

/** As `takeScript`, with the same arguments and the same answer, and nothing is changed by it. */
export const wouldTakeScript = `${lookAtBucket}
local answer = { 0 }
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 7
  local limit, window, cost = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local known, left, alone = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), ARGV[at + 6] == '1'
  local refuses = false
  if ARGV[at + 7] == '1' then
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
    if known > count and (alone or not found) then
      count = known
      if not found then ends = math.min(left, window) end
    end
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
 * Per counter: KEYS its key; ARGV the cost, and for a bucket in how many ms so much comes back. A window that
 * has ended is nobody's any more.
 */
export const giveBackScript = `
for place, key in ipairs(KEYS) do
  local found = redis.call('GET', key)
  if found then
    local cost, back = tonumber(ARGV[2 * place - 1]), tonumber(ARGV[2 * place])
    if back > 0 then
      redis.call('SET', key, string.format('%.3f', tonumber(found) - back), 'KEEPTTL')
    else
      redis.call('SET', key, math.max(0, tonumber(found) - cost), 'KEEPTTL')
    end
  end
end
`;
