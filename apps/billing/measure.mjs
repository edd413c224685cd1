import { readFileSync } from 'node:fs';
import { newId, systemClock } from '@watchword/contracts';
import { testDatabase } from '@watchword/testing';
import { AcceptStore } from './dist/acceptances/accept.store.js';
import { AcceptHandler } from './dist/acceptances/accept.handler.js';
import { billingService } from './dist/index.js';
import { DEFAULT_PRICE_LIST } from './dist/prices/default-price-list.js';
const db = await testDatabase({
  service: 'billing',
  migrations: billingService.migrations,
  poolSize: 1,
});
const { pool } = db;
const handler = new AcceptHandler(
  new AcceptStore(pool),
  { current: { version: 1, updated_at: '', list: DEFAULT_PRICE_LIST } },
  systemClock,
);
const workspaces = Array.from({ length: 1000 }, newId);
for (const id of workspaces)
  await pool.query(`INSERT INTO billing.accounts VALUES ($1, 1000000000, 0, 0, now())`, [id]);
const pid = (await pool.query('SELECT pg_backend_pid() AS p')).rows[0].p;
const cpu = () => {
  const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(f[11]) + Number(f[12])) * 10;
};
const request = (workspace, keyed) => ({
  idempotency: keyed
    ? { scope: 'live POST /v1/otp/send', key: newId(), fingerprint: 'f'.repeat(64) }
    : null,
  send: {
    message_id: newId(),
    workspace_id: workspace,
    test_mode: false,
    kind: 'otp',
    family: 'a',
    destination: '+23480' + Math.floor(Math.random() * 1e8),
    country_code: 'NG',
    network: 'mtn_ng',
    sender_id: null,
    segments: 1,
    metadata: {},
    sms: null,
    otp: {
      code_length: 6,
      ttl_seconds: 600,
      expires_at: new Date().toISOString(),
      language: 'en',
      max_attempts: 5,
      brand: 'Demo',
      template: null,
      strict: false,
    },
  },
});
async function run(label, size, ws, keyed, ms = 2500) {
  const make = () =>
    Array.from({ length: size }, (_, i) =>
      request(workspaces[Math.floor(Math.random() * ws)], keyed),
    );
  for (let i = 0; i < 5; i++) await handler.acceptBatch(make());
  const batches = Array.from({ length: Math.ceil((ms * 40) / size) }, make);
  const c0 = cpu(),
    n0 = process.cpuUsage(),
    t0 = performance.now();
  let n = 0,
    k = 0;
  while (performance.now() - t0 < ms && k < batches.length) {
    const r = await handler.acceptBatch(batches[k++]);
    if (r.some((x) => x.verdict !== 'accepted')) throw new Error(JSON.stringify(r[0]));
    n += size;
  }
  const wall = performance.now() - t0,
    node = process.cpuUsage(n0);
  console.log(
    label.padEnd(28),
    `${Math.round((n / wall) * 1000)}/s`,
    `wall ${((wall * 1000) / n).toFixed(1)} us`,
    `pg cpu ${(((cpu() - c0) * 1000) / n).toFixed(1)} us`,
    `node ${((node.user + node.system) / n).toFixed(1)} us`,
    `batch ${(wall / (n / size)).toFixed(2)} ms`,
  );
}
if (process.argv[2] === 'perf') {
  const size = Number(process.argv[3]);
  const { execSync, spawn } = await import('node:child_process');
  const p = spawn(
    'perf',
    ['record', '-g', '-F', '1999', '-o', '/tmp/billing.perf', '-p', String(pid)],
    { stdio: 'inherit' },
  );
  await new Promise((r) => setTimeout(r, 500));
  await run('perf ' + size, size, 100, process.argv[4] === 'keyed', 5000);
  p.kill('SIGINT');
  await new Promise((r) => p.on('exit', r));
} else if (process.argv[2] === 'explain') {
  await import('./explain.mjs').then((m) => m.default(db, handler, request, workspaces));
} else if (process.argv[2] === 'quick') {
  for (const keyed of [false, true])
    for (const ws of [1, 100]) await run('size 64 ws ' + ws + ' ' + keyed, 64, ws, keyed, 2000);
} else
  for (const keyed of [false, true])
    for (const size of [1, 16, 64, 256])
      for (const ws of [1, 100])
        await run(`size ${size} ws ${ws} ${keyed ? 'keyed' : ''}`, size, ws, keyed);
console.log((await pool.query('SELECT count(*) AS n FROM billing.entries')).rows[0]);
await db.drop();
process.exit(0);
