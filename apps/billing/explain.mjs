import { createClient } from '@watchword/postgres';
import { AcceptStore } from './dist/acceptances/accept.store.js';
import { AcceptHandler } from './dist/acceptances/accept.handler.js';
import { DEFAULT_PRICE_LIST } from './dist/prices/default-price-list.js';
import { systemClock } from '@watchword/contracts';
export default async function (db, handler, request, workspaces) {
  const admin = createClient({ url: db.adminUrl, applicationName: 'x', schema: 'billing' });
  await admin.connect();
  const h = new AcceptHandler(
    new AcceptStore({
      query: async (s, v) => {
        const q = { ...s, values: v };
        return admin.query(q);
      },
    }),
    { current: { version: 1, updated_at: '', list: DEFAULT_PRICE_LIST } },
    systemClock,
  );
  const make = (n) =>
    Array.from({ length: n }, () => request(workspaces[Math.floor(Math.random() * 100)], true));
  for (let i = 0; i < 50; i++) await h.acceptBatch(make(64));
  for (const n of [1, 64]) {
    const b = Array.from({ length: 100 }, () => make(n));
    const t = performance.now();
    for (const x of b) await h.acceptBatch(x);
    console.log(n, ((performance.now() - t) / 100).toFixed(3), 'ms per batch');
  }
  await admin.query("LOAD 'auto_explain'");
  await admin.query(
    'SET auto_explain.log_min_duration=0; SET auto_explain.log_nested_statements=on; SET auto_explain.log_analyze=on; SET auto_explain.log_timing=on; SET client_min_messages=log',
  );
  const seen = {};
  admin.on('notice', (n) => {
    const total = /duration: ([\d.]+) ms/.exec(n.message);
    for (const line of n.message.split('\n')) {
      const m =
        /(Insert on \w+|Update on \w+|CTE Scan on judged  |LockRows|WindowAgg|Sort  |Nested Loop Left Join|Function Scan on \w+).*actual time=[\d.]+\.\.([\d.]+)/.exec(
          line,
        );
      if (m) (seen[m[1] + line.search(/\S/)] ??= []).push(Number(m[2]));
    }
    if (n.message.includes('pg_notify')) (seen.notify ??= []).push(Number(total[1]));
    if (n.message.includes('WITH item')) (seen.statement ??= []).push(Number(total[1]));
    if (n.message.includes('Function Scan on accept_sends'))
      (seen.total ??= []).push(Number(total[1]));
  });
  for (let i = 0; i < 60; i++) await h.acceptBatch(make(Number(process.argv[3] ?? 64)));
  for (const [k, v] of Object.entries(seen)) {
    v.sort((a, b) => a - b);
    console.log(
      k.padEnd(40),
      'median',
      v[v.length >> 1],
      'min',
      v[0],
      'p90',
      v[Math.floor(v.length * 0.9)],
    );
  }
  await admin.end();
}
