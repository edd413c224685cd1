import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { crashList } from '@watchword/observability';
import { holds, renderReports } from '../invariants/check.ts';
import { HttpClient } from '../support/http.ts';
import { Operator } from '../support/operator.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FaultRun } from './fault-run.ts';

const ITEMS = 1_000;
const POINTS = [
  'gateway.accept-batch.before-call',
  'billing.accept-batch.before-commit',
  'billing.accept-batch.after-commit',
  'gateway.accept-batch.after-call',
];
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 2 ** 31);
let run: FaultRun;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 10, seed });
}, 120_000);

afterAll(async () => {
  await run?.stop();
  await run?.remove();
}, 60_000);

const batch = (round: number) => ({
  from: 'Acme',
  messages: Array.from({ length: ITEMS }, (_, index) => ({
    to: `+234701${1_000_000 + round * ITEMS + index}`,
    body: `Item ${index}`,
  })),
});

it('charges each item of a batch of 1,000 once, whenever the process is killed', async () => {
  const { reports } = await run.under(async ({ system }) => {
    const limits = { variant_b_per_second: null, variant_b_burst: null, key_per_minute: null };
    const customer = await new Operator(system).createWorkspace({
      credits: 10_000_000,
      settings: { limits },
    });
    const http = new HttpClient(`http://127.0.0.1:${system.port}`);
    const post = (round: number) =>
      http.post('/v1/sms/batch', batch(round), {
        key: customer.liveKey,
        headers: { 'idempotency-key': `batch-${round}` },
      });
    for (const [round, point] of POINTS.entries()) {
      await system.stop('SIGKILL');
      system.environment = { CRASH_AT: crashList([{ point, pass: 1 }]) };
      await system.start();
      const first = await post(round).catch(() => undefined);
      expect([point, first?.status]).toEqual([point, undefined]);
      await waitUntil(point, () => system.child?.signalCode === 'SIGKILL');
      system.environment = {};
      await system.start();
      const again = await retried(() => post(round));
      expect([again.status, again.json.accepted, again.json.failed]).toEqual([202, ITEMS, 0]);
      expect((await post(round)).text).toBe(again.text);
    }
    await http.close();
    const { rows } = await run.withDatabase((database) =>
      database.query<{ charges: number; messages: number }>(
        `SELECT count(*) AS charges, count(DISTINCT message_id) AS messages FROM billing.entries
         WHERE workspace_id = $1 AND kind = 'charge'`,
        [customer.id],
      ),
    );
    const total = POINTS.length * ITEMS;
    expect(rows).toEqual([{ charges: total, messages: total }]);
  });
  if (!holds(reports)) throw new Error(`CRASH_SEED=${seed}\n${renderReports(reports)}`);
}, 400_000);

async function retried<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask().catch(() => undefined);
    if (answer?.status === 202 || (answer && tries > 30)) return answer;
    if (tries > 60) throw new Error('no answer to a batch');
    await sleep(500);
  }
}
