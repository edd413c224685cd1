/**
 * Settings of functions that take a batch. Their statements are planned once per connection,
 * possibly on empty tables, and a plan that reads whole tables would then last as long as the
 * connection. Each touches a few rows by key, so the right plan is always index look-ups in nested
 * loops. Each look-up must name exactly the columns of one unique index, otherwise a plan made on
 * empty tables may choose another index. Further conditions are tested on the found rows.
 */
export const PLANNED_ONCE_BY_KEY = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
`;
