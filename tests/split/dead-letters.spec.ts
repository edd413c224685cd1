/** Operators see and replay messages that a consumer cannot handle. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { kafkaAccess } from '../support/kafka-access.js';
import { instant, Suite } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

const topic = 'svc.refund-commands.v1';
const group = 'billing.refunds';
const reason = "the payload must have required property 'workspace_id'";

const suite = new Suite();
let system: SplitSystem;

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
});

afterAll(() => system.close());

interface Cause {
  topic: string;
  group: string;
  reason: string;
  count: number;
  newest: { id: string }[];
}

/** Returns the causes of this file's message. */
async function causes(): Promise<Cause[]> {
  const { status, json } = await suite.operator.request('GET', '/dead-letters');
  expect(status).toBe(200);
  return (json.data as Cause[]).filter((cause) => cause.reason === reason);
}

async function publishMalformed(id: string): Promise<void> {
  const access = kafkaAccess(system.processes.credentials)!;
  const producer = new Kafka({ ...access, logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  const headers = {
    ce_specversion: '1.0',
    ce_id: id,
    ce_type: 'svc.refund-message.v1',
    ce_source: '/watchword/dispatch',
    ce_time: new Date().toISOString(),
  };
  await producer.send({ topic, messages: [{ key: id, value: '{"message_id":"x"}', headers }] });
  await producer.disconnect();
}

describe('a command that billing cannot read', () => {
  it('is shown with its cause, and dies again when it is replayed as it is', async () => {
    const id = `malformed-${Date.now()}`;
    await publishMalformed(id);
    const isShown = async () => (await causes()).some((one) => one.newest[0]?.id === id);
    await waitUntil('the dead letter', isShown);
    const [cause] = await causes();
    expect(cause).toEqual({
      topic,
      group,
      reason,
      count: expect.any(Number),
      first_died_at: expect.stringMatching(instant),
      last_died_at: expect.stringMatching(instant),
      can_be_replayed: true,
      newest: expect.arrayContaining([
        {
          id,
          type: 'svc.refund-message.v1',
          attempts: 0,
          origin: { topic, partition: expect.any(Number), offset: expect.stringMatching(/^\d+$/) },
        },
      ]),
    });
    const body = { topic, group };
    const { status, json } = await suite.operator.request('POST', '/dead-letters/replay', body);
    expect([status, json]).toEqual([200, { ...body, replayed: cause?.count }]);
    const isBack = async () => (await causes())[0]?.count === cause?.count;
    await waitUntil('it to have died again', isBack);
  });
});
