/**
 * Settings of the batch functions. Their statements are planned once per connection, possibly while the
 * tables are still empty. Each touches a few rows by key, so the only sensible plan is known in advance,
 * whatever the statistics say: index look-ups in nested loops.
 */
export const PLANNED_ONCE_BY_KEY = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
`;
