import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { TOPICS } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { KafkaClient } from './kafka-client.adapter.js';
import { KafkaConsumer } from './kafka-consumer.js';
import type { KafkaDeadLetters } from './kafka-dead-letters.js';

let isAway: boolean;
let crash: () => void;
let attempts: number;
let hangs: boolean;
let joins: number;
let onJoin: () => void;
let lines: string[];
let consumer: KafkaConsumer;

/** The parts of kafkajs' consumer by which a member joins and crashes. */
function scriptedConsumer() {
  const listeners = new Map<string, (event: object) => void>();
  return {
    events: { GROUP_JOIN: 'join', CRASH: 'crash', FETCH: 'fetch', HEARTBEAT: 'heartbeat' },
    on: (event: string, listener: (event: object) => void) => {
      const others = listeners.get(event);
      listeners.set(event, (told) => (others?.(told), listener(told)));
    },
    connect: async () => {
      attempts += 1;
      if (isAway) throw new Error('away');
    },
    subscribe: async () => undefined,
    run: async () => {
      if (hangs) return new Promise(() => undefined);
      crash = () => listeners.get('crash')?.({ payload: { error: new Error('gone') } });
      joins += 1;
      listeners.get('join')?.({});
      onJoin();
    },
    disconnect: async () => undefined,
  };
}

beforeEach(() => {
  isAway = false;
  attempts = 0;
  hangs = false;
  joins = 0;
  onJoin = () => undefined;
  lines = [];
  consumer = new KafkaConsumer({
    client: { consumer: scriptedConsumer } as unknown as KafkaClient,
    topic: TOPICS.deliveryReports,
    group: 'test.reports',
    batchSizeMax: 1,
    attemptsMax: 1,
    handle: async () => undefined,
    deadLetters: {} as KafkaDeadLetters,
    logger: createLogger(
      { service: 'test', level: 'info' },
      { write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg) },
    ),
    sessionTimeoutMs: 6_000,
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await consumer.close();
});

/** Moves the clock forward. */
function passes(milliseconds: number): void {
  const then = Date.now() + milliseconds;
  jest.spyOn(Date, 'now').mockReturnValue(then);
}

describe('a consumer', () => {
  it('is cut off when it could not consume for a while, until the group takes it in', async () => {
    await consumer.joined;
    expect(consumer.isCutOff).toBe(false);
    isAway = true;
    crash();
    await eventually(() => expect(attempts).toBeGreaterThan(1));
    expect(consumer.isCutOff).toBe(false);
    passes(2_000);
    expect(consumer.isCutOff).toBe(true);
    isAway = false;
    await eventually(() => expect(consumer.isCutOff).toBe(false));
  });

  it('is not cut off by a coordinator that moves', async () => {
    await consumer.joined;
    crash();
    await eventually(() => expect(joins).toBe(2));
    passes(10_000);
    expect(consumer.isCutOff).toBe(false);
  });

  it('gives up a member that never comes to the end of its start', async () => {
    await consumer.joined;
    hangs = true;
    crash();
    await eventually(() => expect(attempts).toBe(2));
    hangs = false;
    passes(60_000);
    await eventually(() => expect(joins).toBe(2));
  });

  it('is cut off while it joins and crashes repeatedly, and logs that once', async () => {
    await consumer.joined;
    onJoin = () => crash();
    crash();
    await eventually(() => expect(consumer.isCutOff).toBe(true));
    const before = joins;
    await eventually(() => expect(joins).toBeGreaterThanOrEqual(before + 2));
    expect(consumer.isCutOff).toBe(true);
    onJoin = () => undefined;
    await eventually(() => expect(consumer.isCutOff).toBe(false));
    expect(lines).toEqual(['cannot consume', 'consuming again']);
  });
});
