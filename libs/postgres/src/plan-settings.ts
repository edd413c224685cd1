/**
 * Settings of functions that take a batch. Their statements are planned once per connection, possibly while
 * the tables are still empty; a plan that reads whole tables would then live for as long as the
 * connection. Each touches a few rows by key, so the only sensible plan is known in advance,
 * with any statistics: index look-ups in nested loops. Each look-up must name the columns
 * of one unique index and nothing besides, or a plan made on empty tables may well choose another
 * index; further conditions are tested on what was found.
 */
export const PLANNED_ONCE_BY_KEY = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
`;
