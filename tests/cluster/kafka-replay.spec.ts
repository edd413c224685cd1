/** Dead letters can be replayed any number of times, with one effect. Issue 4, section 2. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import {
  type AcceptRequest,
  type RefundMessage,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { Kafka, logLevel } from 'kafkajs';
import {
  balanceOf,
  openBilling,
  openRefunds,
  openWallet,
  outboxOf,
  refundOf,
  send,
  type TestBilling,
} from '../../apps/billing/test/billing.kit.js';
import { RefundHandler } from '../../apps/billing/src/refunds/refund.handler.js';
import { RefundStore } from '../../apps/billing/src/refunds/refund.store.js';
import type { KafkaBus } from '../../libs/bus/src/kafka/kafka-bus.adapter.js';
import { message, range } from '../../libs/bus/src/contract/messages.kit.js';
import { KafkaTestSystem, silent, topicOf } from './kafka-system.kit.js';

const topic = TOPICS.refundCommands;
const group = 'billing.refunds';
const replayOffsets = `${group}:${topic.name}:replay`;

/** Billing's handler, with a defect that comes and goes. */
class DefectiveHandler {
  defect: 'none' | 'before the effect' | 'after the effect' = 'none';
  /** Refunds per message, as the handler counted them. */
  readonly handled = new Map<string, number>();

  constructor(private readonly handler: RefundHandler) {}

  async refundBatch(commands: readonly RefundMessage[]): Promise<void> {
    const { defect } = this;
    if (defect === 'before the effect') throw new Error('a defect');
    await this.handler.refundBatch(commands);
    if (defect === 'after the effect') throw new Error('a defect');
    for (const { message_id: id } of commands) {
      this.handled.set(id, (this.handled.get(id) ?? 0) + 1);
    }
  }
}

let system: KafkaTestSystem;
let billing: TestBilling;
let handler: DefectiveHandler;
let bus: KafkaBus;
let office: KafkaBus;
let workspace: WorkspaceId;
let requests: AcceptRequest[];

beforeAll(async () => {
  [system, billing] = await Promise.all([KafkaTestSystem.start(), openBilling()]);
  const { database, clock } = billing;
  handler = new DefectiveHandler(new RefundHandler(new RefundStore(database.pool), clock, silent));
  // Buses of billing, and of the gateway that an operator asks.
  [bus, office] = [await system.bus([topic]), await system.bus([topic])];
  await openRefunds(billing, bus, handler);
});

afterAll(async () => {
  await system?.stop();
  await billing?.close();
});

const letters = () => office.listDeadLetters(topic, group, 100);
const balance = () => balanceOf(billing.calls, workspace);

async function askForRefunds(of: readonly AcceptRequest[]): Promise<void> {
  await bus.publish(
    topic,
    of.map((request) => ({
      id: `refund-${request.send.message_id}`,
      key: workspace,
      type: 'svc.refund-message.v1',
      time: '2026-01-05T09:00:00.000Z',
      payload: JSON.stringify(refundOf(request)),
    })),
  );
}

/** Waits until each of the six was handled this many times. */
async function handledTimes(times: number): Promise<void> {
  await eventually(() => {
    const counts = requests.map(({ send: { message_id: id } }) => handler.handled.get(id) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(times);
  });
}

/** As after a crash between the copies and the note that they were made. */
async function forgetTheReplay(): Promise<void> {
  const brokers = [...system.kafka.brokers];
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteGroups([replayOffsets]);
  await admin.disconnect();
}

/** Expects one refund per message, and one announcement. */
async function expectOneEffect(): Promise<void> {
  expect(await balance()).toBe(100);
  const entries = await billing.calls.listEntries({ workspace_id: workspace, limit: 100 });
  if (!('data' in entries)) throw new Error('no list');
  const refunds = entries.data.filter(({ kind }) => kind === 'refund');
  const ids = requests.map(({ send: { message_id: id } }) => id).toSorted();
  expect(refunds.map((entry) => entry.message_id).toSorted()).toEqual(ids);
  const events = await outboxOf(billing.database.pool, TOPICS.creditEvents.name);
  const ofWallet = events.filter(({ key }) => key === workspace).map((event) => event.message_id);
  expect(ofWallet.filter((id) => id.startsWith('refund-')).toSorted()).toEqual(
    ids.map((id) => `refund-${id}`),
  );
}

describe('dead letters of refunds', () => {
  /** Six charged messages with refunds as dead letters: three without effect, three after it. */
  beforeEach(async () => {
    handler.defect = 'none';
    handler.handled.clear();
    workspace = await openWallet(billing.calls, 100);
    requests = Array.from({ length: 6 }, () => send(workspace));
    for (const request of requests) await billing.calls.accept(request);
    handler.defect = 'before the effect';
    await askForRefunds(requests.slice(0, 3));
    await eventually(async () => expect(await letters()).toHaveLength(3));
    handler.defect = 'after the effect';
    await askForRefunds(requests.slice(3));
    await eventually(async () => expect(await letters()).toHaveLength(6));
    handler.defect = 'none';
  });

  it('are refunds once they are replayed, after any kind of death', async () => {
    expect(await balance()).toBe(85);
    expect(await letters()).toEqual(
      requests.map(({ send: { message_id: id } }) => ({
        id: `refund-${id}`,
        type: 'svc.refund-message.v1',
        group,
        reason: 'Error: a defect',
        attempts: 5,
        diedAt: expect.stringMatching(/Z$/),
        origin: { topic: topic.name, partition: expect.any(Number), offset: expect.any(String) },
      })),
    );
    expect(await office.replayDeadLetters(topic, group)).toBe(6);
    await handledTimes(1);
    expect(await letters()).toEqual([]);
    await expectOneEffect();
  });

  it('have one effect when they are replayed again and again', async () => {
    expect(await office.replayDeadLetters(topic, group)).toBe(6);
    await handledTimes(1);
    expect(await office.replayDeadLetters(topic, group)).toBe(0);
    for (const times of [2, 3]) {
      await forgetTheReplay();
      expect(await office.replayDeadLetters(topic, group)).toBeGreaterThanOrEqual(6);
      await handledTimes(times);
    }
    await expectOneEffect();
  });

  it('have one effect when two people replay them at the same time', async () => {
    const other = await system.bus([topic]);
    const counts = await Promise.all([
      office.replayDeadLetters(topic, group),
      other.replayDeadLetters(topic, group),
    ]);
    expect(Math.max(...counts)).toBe(6);
    await handledTimes(1);
    expect(await letters()).toEqual([]);
    await expectOneEffect();
  });

  it('die again where nothing has changed, and can still be replayed afterwards', async () => {
    handler.defect = 'before the effect';
    expect(await office.replayDeadLetters(topic, group)).toBe(6);
    await eventually(async () => expect(await letters()).toHaveLength(6));
    const [first] = await letters();
    expect(first?.origin.topic).toBe(topic.name);
    handler.defect = 'none';
    expect(await office.replayDeadLetters(topic, group)).toBe(6);
    await handledTimes(1);
    await expectOneEffect();
  });

  it('of all groups are listed together, and those of others stay as they are', async () => {
    await bus.publish(topic, [
      { id: 'odd', key: 'k', type: 'svc.nothing.v9', time: new Date().toISOString(), payload: '1' },
    ]);
    const stranger = await system.bus([topic]);
    await stranger.subscribe(topic, { group: 'finance.copies' }, async () => undefined);
    await eventually(async () => {
      const all = await office.listDeadLetters(topic, null, 100);
      expect(all.filter(({ id }) => id === 'odd').map((letter) => letter.group)).toEqual(
        expect.arrayContaining([group, 'finance.copies']),
      );
    });
    expect(await office.replayDeadLetters(topic, group)).toBe(7);
    await handledTimes(1);
    await eventually(async () => {
      const all = await office.listDeadLetters(topic, null, 100);
      expect(all.map(({ id, group: owner }) => [id, owner])).toEqual([
        ['odd', 'finance.copies'],
        ['odd', group],
      ]);
    });
    await expectOneEffect();
  });
});

describe('many dead letters', () => {
  it('are handled again once each when a second person asks while a first one replays many', async () => {
    const many = topicOf(1);
    const [publisher, first, second] = await Promise.all([
      system.bus([many]),
      system.bus([many]),
      system.bus([many]),
    ]);
    const reading = await publisher.subscribe(many, { group }, async () => undefined);
    const unknown = range(1, 400).map((n) => ({ ...message(n), type: 'test.happened.v9' }));
    await publisher.publish(many, unknown);
    const died = async () => (await first.listDeadLetters(many, group, 2_000)).length;
    await eventually(async () => expect(await died()).toBe(400));
    // Otherwise those that died again would count as well.
    await reading.close();
    const replaying = first.replayDeadLetters(many, group);
    await sleep(200);
    const counts = await Promise.all([replaying, second.replayDeadLetters(many, group)]);
    const replayed = counts.reduce((sum, count) => sum + count);
    expect(replayed).toBeGreaterThanOrEqual(400);
    // Includes the one that was being replayed when the second replay started.
    expect(replayed).toBeLessThanOrEqual(401);
  });
});
