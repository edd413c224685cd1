import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MicroBatcher } from '@watchword/batching';
import type { AcceptRequest, AcceptResult } from '@watchword/contracts';
import { quantile, undisturbed } from '@watchword/testing';
import { shown } from './shown-metrics.js';
import { openGateway, type TestGateway, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';

/** The database takes so long for a batch of so many: 50 sends a second. */
const BATCH_MS = 100;
const BATCH_SIZE = 5;
const OVERLOAD_PER_SECOND = 200;
const SECONDS = 3;
const PATIENCE_MS = 150_000;

let gateway: TestGateway;
let slow: MicroBatcher<AcceptRequest, AcceptResult>;

beforeEach(async () => {
  const settings = { SENDS_WAIT_MS: '250', SENDS_UNDER_WAY_MIN: '8' };
  gateway = await openGateway(settings, undefined, {
    before: async ({ billing }) => {
      const accept = billing.calls.accept!;
      slow = new MicroBatcher({
        name: 'a slow database',
        flush: async (requests) => {
          await sleep(BATCH_MS);
          return Promise.all(requests.map((request) => accept(request)));
        },
        sizeMax: BATCH_SIZE,
        queueMax: 10_000,
        laneOf: ({ send }) => send.workspace_id,
      });
      billing.calls.accept = (request) => slow.submit(request);
    },
  });
  await gateway.operator('PATCH', '/settings', {
    limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
  });
});

afterEach(() => gateway?.close());

interface Sent {
  status: number;
  retryAfter: unknown;
  ms: number;
}

let numbers = 0;

async function send({ live_key: key }: WorkspaceKeys, headers = {}): Promise<Sent> {
  numbers += 1;
  const body = { phone_number: `+234803${String(numbers).padStart(7, '0')}` };
  const beganAt = performance.now();
  const answer = await gateway.post('/v1/otp/send', key, body, headers);
  const retryAfter = answer.headers['retry-after'];
  return { status: answer.status, retryAfter, ms: performance.now() - beganAt };
}

/** Sends at this rate, however slow the answers are. */
async function flood(workspace: WorkspaceKeys, perSecond: number): Promise<Sent[]> {
  const sends: Promise<Sent>[] = [];
  const startedAt = performance.now();
  while (sends.length < perSecond * SECONDS) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (sends.length < due) sends.push(send(workspace));
    await sleep(2);
  }
  return Promise.all(sends);
}

const waits = (sends: readonly Sent[]) => sends.map(({ ms }) => ms);
const accepted = (sends: readonly Sent[]) => sends.filter(({ status }) => status === 200);
const refused = (sends: readonly Sent[]) => sends.filter(({ status }) => status === 503);

describe('four times what the database can take', () => {
  it(
    'is refused at once beyond that, and the rest is accepted',
    () =>
      undisturbed(async () => {
        const workspace = await gateway.newWorkspace(UNLIMITED);
        const before = await shown('watchword_sends_shed_total');
        const commandsBefore = gateway.billing.commands.size;
        const sends = await flood(workspace, OVERLOAD_PER_SECOND);
        const [taken, shed] = [accepted(sends), refused(sends)];
        expect((await shown('watchword_sends_shed_total')) - before).toBeGreaterThan(50);
        expect(taken.length + shed.length).toBe(sends.length);
        expect(taken.length).toBeGreaterThan(50 * SECONDS * 0.6);
        expect(shed.length).toBeGreaterThan(50);
        expect(shed.every(({ retryAfter }) => retryAfter === '1')).toBe(true);
        expect(quantile(waits(shed), 0.5)).toBeLessThan(quantile(waits(taken), 0.5) / 5);
        // A refused send never came to billing.
        expect(gateway.billing.commands.size - commandsBefore).toBe(taken.length);
      }),
    PATIENCE_MS,
  );

  it(
    'leaves nothing of a refused send: its key is as new',
    () =>
      undisturbed(async () => {
        const workspace = await gateway.newWorkspace(UNLIMITED);
        const flooding = flood(workspace, OVERLOAD_PER_SECOND);
        await sleep(2_000);
        let headers = {};
        let tries = 0;
        for (let status = 200; status === 200; tries += 1) {
          headers = { 'idempotency-key': `key-${tries}` };
          ({ status } = await send(workspace, headers));
        }
        await flooding;
        const before = gateway.billing.commands.size;
        expect((await send(workspace, headers)).status).toBe(200);
        expect(gateway.billing.commands.size).toBe(before + 1);
      }),
    PATIENCE_MS,
  );

  it(
    'does not touch verifications',
    () =>
      undisturbed(async () => {
        const workspace = await gateway.newWorkspace(UNLIMITED);
        const flooding = flood(workspace, OVERLOAD_PER_SECOND);
        await sleep(2_000);
        const body = { phone_number: '+2348031234567', code: '123456' };
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            gateway.post('/v1/otp/verify', workspace.live_key, body),
          ),
        );
        expect(answers.filter(({ status }) => status === 503)).toEqual([]);
        expect(refused(await flooding).length).toBeGreaterThan(0);
      }),
    PATIENCE_MS,
  );
});

describe('one workspace with nine tenths of the traffic', () => {
  it(
    'is refused alone, and the others wait for one batch more at most',
    () =>
      undisturbed(async () => {
        const [hog, ...others] = await Promise.all(
          Array.from({ length: 6 }, () => gateway.newWorkspace(UNLIMITED)),
        );
        const ofOthers = async () => (await Promise.all(others.map((one) => flood(one, 4)))).flat();
        const alone = await ofOthers();
        const [beside, ofHog] = await Promise.all([ofOthers(), flood(hog!, 180)]);
        expect(refused([...alone, ...beside])).toEqual([]);
        expect(refused(ofHog).length).toBeGreaterThan(50);
        expect(accepted(ofHog).length).toBeGreaterThan(20 * SECONDS);
        // Alone a send finds the database idle. Beside others it waits for the batch in hand as well.
        expect(quantile(waits(beside), 0.5)).toBeLessThan(2 * quantile(waits(alone), 0.5));
      }),
    PATIENCE_MS,
  );
});
