import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { BOUNDS } from '../src/limits/send-admission.js';
import { shown } from './shown-metrics.js';
import { openGateway, type TestGateway, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';

/** As many sends of an overloaded gateway are open at a time. */
const UNDER_WAY_MIN = BOUNDS.underWayMin;

const billing = new EventEmitter().setMaxListeners(0);
let gateway: TestGateway;
let isStuck: boolean;
let sends: Promise<Sent>[];

beforeEach(async () => {
  isStuck = true;
  sends = [];
  gateway = await openGateway({}, undefined, {
    before: async ({ billing: { calls } }) => {
      const accept = calls.accept!;
      calls.accept = async (request) => {
        if (isStuck) await once(billing, 'free');
        return accept(request);
      };
    },
  });
  await gateway.operator('PATCH', '/settings', {
    limits: { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null },
  });
});

afterEach(async () => {
  free();
  await Promise.all(sends);
  await gateway?.close();
});

/** Lets billing answer all that it has taken. */
function free(): void {
  isStuck = false;
  billing.emit('free');
}

interface Sent {
  status: number;
  retryAfter: unknown;
}

let numbers = 0;

function send({ live_key: key }: WorkspaceKeys, headers = {}): Promise<Sent> {
  numbers += 1;
  const body = { phone_number: `+234803${String(numbers).padStart(7, '0')}` };
  const sent = gateway.post('/v1/otp/send', key, body, headers).then((answer) => ({
    status: answer.status,
    retryAfter: answer.headers['retry-after'],
  }));
  sends.push(sent);
  return sent;
}

/** Sends of this workspace while billing answers none, until the gateway refuses one. */
async function overloaded(workspace: WorkspaceKeys): Promise<void> {
  const refusals = await shown('watchword_sends_shed_total');
  for (let count = 0; count < UNDER_WAY_MIN; count += 1) void send(workspace);
  await waitUntil('a refusal', async () => {
    void send(workspace);
    return (await shown('watchword_sends_shed_total')) > refusals;
  });
}

describe('a gateway whose billing answers no send', () => {
  it('refuses further sends, and billing never gets one that was refused', async () => {
    const workspace = await gateway.newWorkspace(UNLIMITED);
    await overloaded(workspace);
    expect(await send(workspace)).toEqual({ status: 503, retryAfter: '1' });
    free();
    const statuses = (await Promise.all(sends)).map(({ status }) => status);
    const taken = statuses.filter((status) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(UNDER_WAY_MIN);
    expect(statuses.filter((status) => status === 503)).toHaveLength(statuses.length - taken);
    expect(gateway.billing.commands.size).toBe(taken);
    expect((await send(workspace)).status).toBe(200);
  });
});
