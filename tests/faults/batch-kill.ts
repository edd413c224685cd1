import { crashList } from '@watchword/observability';
import { HttpClient } from '../support/http.ts';
import { Operator } from '../support/operator.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault } from './fault-run.ts';

export const BATCH_ITEMS = 1_000;
/** One batch for each. */
export const BATCH_POINTS = [
  'gateway.accept-batch.before-call',
  'billing.accept-batch.before-commit',
  'billing.accept-batch.after-commit',
  'gateway.accept-batch.after-call',
];
/** For a system under load on a slow machine. */
const patient = { timeoutMs: 180_000, everyMs: 500 };

/** What the customer saw of one batch. */
export interface KilledBatch {
  point: string;
  /** Whether a request was accepted before the process was killed. A busy one may refuse. */
  isAcceptedBefore: boolean;
  status: number;
  accepted: number;
  failed: number;
  /** Whether a third request with the same key got the same bytes. */
  isReplayed: boolean;
}

export interface KilledBatches {
  seen: KilledBatch[];
  charges: number;
  messages: number;
}

const batch = (round: number) => ({
  from: 'Acme',
  messages: Array.from({ length: BATCH_ITEMS }, (_, index) => ({
    to: `+234701${1_000_000 + round * BATCH_ITEMS + index}`,
    body: `Item ${index}`,
  })),
});

/** Kills the process once at each step of a batch, and sends the batch again with its key. */
export function killingBatches(note: (batches: KilledBatches) => void): Fault {
  return async (run) => {
    const { system } = run;
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
    const accepted = (round: number) =>
      waitUntil(
        `an answer to batch ${round}`,
        async () => {
          const answer = await post(round).catch(() => undefined);
          return answer?.status === 202 ? answer : undefined;
        },
        patient,
      );
    const seen: KilledBatch[] = [];
    for (const [round, point] of BATCH_POINTS.entries()) {
      await system.stop('SIGKILL');
      system.environment = { CRASH_AT: crashList([{ point, pass: 1 }]) };
      await system.start();
      const statuses: unknown[] = [];
      const dies = async () => {
        statuses.push(await post(round).then(({ status }) => status, String));
        return system.child?.signalCode === 'SIGKILL';
      };
      await waitUntil(point, dies, patient);
      system.environment = {};
      await system.start();
      const { status, json, text } = await accepted(round);
      const isReplayed = (await post(round)).text === text;
      const isAcceptedBefore = statuses.includes(202);
      const { accepted: taken, failed } = json;
      seen.push({ point, isAcceptedBefore, status, accepted: taken, failed, isReplayed });
    }
    await http.close();
    const { rows } = await run.withDatabase((database) =>
      database.query<{ charges: number; messages: number }>(
        `SELECT count(*) AS charges, count(DISTINCT message_id) AS messages FROM billing.entries
         WHERE workspace_id = $1 AND kind = 'charge'`,
        [customer.id],
      ),
    );
    note({ seen, ...rows[0]! });
  };
}
