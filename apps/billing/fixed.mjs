import { createClient } from '@watchword/postgres';
import { testDatabase } from '@watchword/testing';
import { billingService } from './dist/index.js';
import { newId } from '@watchword/contracts';
const db = await testDatabase({
  service: 'billing',
  migrations: billingService.migrations,
  poolSize: 1,
});
const admin = createClient({ url: db.adminUrl, applicationName: 'x', schema: 'billing' });
await admin.connect();
const ws = newId();
await admin.query('INSERT INTO billing.accounts VALUES ($1, 1000000000, 0, 0, now())', [ws]);
const call = (w) =>
  `PERFORM * FROM billing.accept_sends(ARRAY['${w}']::uuid[], ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY[false], ARRAY[5]::bigint[], ARRAY['x'], ARRAY['+234'], ARRAY['{}'], ARRAY[NULL]::text[], ARRAY[NULL]::text[], ARRAY[NULL]::text[], now(), 'svc.send-commands.v1', 'x');`;
const time = async (label, body, n = 2000) => {
  const best = [];
  for (let r = 0; r < 3; r++) {
    const t = performance.now();
    await admin.query(`DO $$ BEGIN FOR i IN 1..${n} LOOP ${body} END LOOP; END $$`);
    best.push(((performance.now() - t) * 1000) / n);
  }
  console.log(label.padEnd(50), Math.min(...best).toFixed(1), 'us');
};
await time('unknown workspace', call(newId()));
await time('accepted', call(ws));
await admin.query('ALTER TABLE billing.entries DROP CONSTRAINT entry_has_the_shape_of_its_kind');
await time('unknown, less check', call(newId()));
await admin.query('ALTER TABLE billing.entries ALTER counter_account DROP EXPRESSION');
await time('unknown, less generated', call(newId()));
await admin.query('ALTER TABLE billing.entries DROP CONSTRAINT entries_top_up_kind_check');
await admin.query('ALTER TABLE billing.idempotency_keys DROP CONSTRAINT key_has_one_effect');
await time('unknown, less other checks', call(newId()));
await admin.query('DROP TRIGGER wake_readers ON billing.outbox');
await time('unknown, less trigger', call(newId()));
await admin.query(
  'ALTER FUNCTION billing.accept_sends RESET ALL; ALTER FUNCTION billing.accept_sends SET plan_cache_mode = force_generic_plan',
);
await time('unknown, less sets', call(newId()));
await admin.end();
await db.drop();
process.exit();
