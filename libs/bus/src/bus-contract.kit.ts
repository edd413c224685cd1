import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import type { ServiceName, Topic } from '@watchword/contracts';
import {
  type Bus,
  type IncomingMessage,
  type OutgoingMessage,
  type SubscriptionOptions,
  TransientError,
} from './bus.port.js';

/** What an adapter brings to be put through the contract. */
export interface BusSystem {
  /** One more bus on the same servers, as another process would have it. */
  open(topics: readonly Topic[]): Promise<Bus>;
  /** Publishes inside a transaction of the topic's owner, which the test ends when it likes. */
  begin(topic: Topic, messages: readonly OutgoingMessage[]): Promise<OpenTransaction>;
  /** Makes the servers forget the bus, as when its process died; it may come back by itself. */
  cutOff(bus: Bus): Promise<void>;
  deadLetters(topic: Topic, group: string): Promise<BuriedMessage[]>;
  replayDeadLetters(topic: Topic, group: string): Promise<number>;
  stop(): Promise<void>;
}

export interface OpenTransaction {
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

export interface BuriedMessage {
  id: string;
  reason: string;
  attempts: number;
}

export interface TestPayload {
  n: number;
}

export function newTopic(owner: ServiceName = 'billing'): Topic {
  return {
    name: `test.${randomUUID()}.v1`,
    purpose: 'A test.',
    owner,
    readers: [],
    key: 'anything',
    partitions: 2,
    retentionHours: 1,
    messages: { 'test.happened.v1': Type.Object({ n: Type.Integer() }) },
  };
}

export function message(n: number, key = 'k', payload = JSON.stringify({ n })): OutgoingMessage {
  const time = new Date().toISOString();
  return { id: `message-${n}`, key, type: 'test.happened.v1', payload, time };
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export async function eventually(check: () => void | Promise<void>, withinMs = 10_000) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(5);
    }
  }
}

type Handler = (batch: IncomingMessage<TestPayload>[]) => Promise<void>;

/** Keeps what was handled to the end, in order. */
export class Recorder {
  readonly seen: IncomingMessage<TestPayload>[] = [];

  handle: Handler = async (batch) => {
    this.seen.push(...batch);
  };

  get numbers(): number[] {
    return this.seen.map((one) => one.payload.n);
  }
}

/** A promise and its key. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** The guarantees of `bus.port.ts`, as tests that every adapter must pass. */
export function describeBusContract(name: string, start: () => Promise<BusSystem>): void {
  describe(`the bus contract: ${name}`, () => {
    let system: BusSystem;
    const buses: Bus[] = [];

    beforeAll(async () => {
      system = await start();
    }, 120_000);

    afterAll(async () => {
      await Promise.all(buses.map((bus) => bus.close()));
      await system?.stop();
    }, 60_000);

    async function open(...topics: Topic[]): Promise<Bus> {
      const bus = await system.open(topics);
      buses.push(bus);
      return bus;
    }

    async function subscribed(
      topic: Topic,
      handle: Handler,
      options: Partial<SubscriptionOptions> = {},
    ) {
      const bus = await open(topic);
      const subscription = await bus.subscribe<TestPayload>(
        topic,
        { group: 'test.group', ...options },
        handle,
      );
      return { bus, subscription };
    }

    describe('delivery', () => {
      it('hands over what was published, as it was published', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
        const sent = { ...message(1, 'ключ'), traceparent };
        await bus.publish(topic, [sent]);
        await eventually(() => expect(recorder.seen).toHaveLength(1));
        expect(recorder.seen[0]).toEqual({ ...sent, payload: { n: 1 } });
      });

      it('gives every group every message, from the beginning of the log', async () => {
        const topic = newTopic();
        const bus = await open(topic);
        await bus.publish(
          topic,
          range(1, 5).map((n) => message(n)),
        );
        const recorders = [new Recorder(), new Recorder()];
        for (const [index, { handle }] of recorders.entries()) {
          await bus.subscribe(topic, { group: `group-${index}` }, handle);
        }
        await bus.publish(
          topic,
          range(6, 10).map((n) => message(n)),
        );
        for (const recorder of recorders) {
          await eventually(() => expect(recorder.numbers).toEqual(range(1, 10)));
        }
      });

      it('keeps topics apart', async () => {
        const [one, other] = [newTopic(), newTopic()];
        const bus = await open(one, other);
        const recorder = new Recorder();
        await bus.subscribe(one, { group: 'g' }, recorder.handle);
        await bus.publish(other, [message(1)]);
        await bus.publish(one, [message(2)]);
        await eventually(() => expect(recorder.numbers).toEqual([2]));
      });

      it('keeps the order of each key, whoever publishes how fast', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle, { batchSizeMax: 7 });
        const lastSent: Promise<void>[] = [];
        for (const n of range(1, 300)) {
          lastSent.push(bus.publish(topic, [message(n, `key-${n % 10}`)]));
          if (n % 50 === 0) await Promise.all(lastSent);
        }
        await eventually(() => expect(recorder.seen).toHaveLength(300));
        for (const key of range(0, 9)) {
          const ofKey = recorder.seen.filter((one) => one.key === `key-${key}`);
          const numbers = ofKey.map((one) => one.payload.n);
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        }
      });

      it('moves ten thousand messages', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        const parts = range(0, 99).map((part) =>
          range(part * 100 + 1, part * 100 + 100).map((n) => message(n, `key-${n % 50}`)),
        );
        await Promise.all(parts.map((part) => bus.publish(topic, part)));
        await eventually(() => expect(recorder.seen).toHaveLength(10_000), 30_000);
        expect(new Set(recorder.numbers).size).toBe(10_000);
      }, 40_000);
    });

    describe('transactions', () => {
      it('shows nothing before the commit and everything after it', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        await subscribed(topic, recorder.handle);
        const transaction = await system.begin(topic, [message(1), message(2)]);
        await sleep(150);
        expect(recorder.numbers).toEqual([]);
        await transaction.commit();
        await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
      });

      it('never shows what was rolled back', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        const transaction = await system.begin(topic, [message(1)]);
        await transaction.rollBack();
        await bus.publish(topic, [message(2)]);
        await eventually(() => expect(recorder.numbers).toEqual([2]));
      });

      it('does not skip a slow transaction that others have overtaken', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        const slow = await system.begin(topic, [message(1, 'slow')]);
        for (const n of range(2, 20)) await bus.publish(topic, [message(n, 'fast')]);
        await sleep(100);
        await slow.commit();
        await eventually(() => expect(recorder.seen).toHaveLength(20));
        expect(recorder.numbers.toSorted((a, b) => a - b)).toEqual(range(1, 20));
      });
    });

    describe('at least once', () => {
      it('delivers again what a consumer had in hand when it was cut off', async () => {
        const topic = newTopic();
        const { opened, open: letGo } = gate();
        let inHand = 0;
        const { bus: dying } = await subscribed(topic, async (batch) => {
          inHand += batch.length;
          await opened;
        });
        await dying.publish(topic, [message(1), message(2)]);
        await eventually(() => expect(inHand).toBeGreaterThan(0));
        const recorder = new Recorder();
        await subscribed(topic, recorder.handle);
        await system.cutOff(dying);
        await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
        letGo();
      });

      it('goes on with its subscriptions after being cut off', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        await bus.publish(topic, [message(1)]);
        await eventually(() => expect(recorder.numbers).toEqual([1]));
        await system.cutOff(bus);
        const other = await open(topic);
        await other.publish(topic, [message(2)]);
        await eventually(() => expect(new Set(recorder.numbers)).toEqual(new Set([1, 2])));
      });

      it('has one consumer per group, and another takes over when it closes', async () => {
        const topic = newTopic();
        const [active, standby] = [new Recorder(), new Recorder()];
        const { bus, subscription } = await subscribed(topic, active.handle);
        await bus.publish(topic, [message(1)]);
        await eventually(() => expect(active.numbers).toEqual([1]));
        await subscribed(topic, standby.handle);
        await bus.publish(topic, [message(2)]);
        await eventually(() => expect(active.seen.length + standby.seen.length).toBe(2));
        await subscription.close();
        await bus.publish(topic, [message(3)]);
        await eventually(() => expect(standby.numbers).toContain(3));
        expect([...active.numbers, ...standby.numbers].toSorted()).toEqual([1, 2, 3]);
      });

      it('closes only when the batch in hand is done, and does not deliver it again', async () => {
        const topic = newTopic();
        const { opened, open: letGo } = gate();
        const handled: number[] = [];
        const { bus, subscription } = await subscribed(topic, async (batch) => {
          await opened;
          handled.push(...batch.map((one) => one.payload.n));
        });
        await bus.publish(topic, [message(1)]);
        await sleep(100);
        let closed = false;
        const closing = subscription.close().then(() => (closed = true));
        await sleep(50);
        expect(closed).toBe(false);
        letGo();
        await closing;
        expect(handled).toEqual([1]);
        const recorder = new Recorder();
        await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
        await bus.publish(topic, [message(2)]);
        await eventually(() => expect(recorder.numbers).toEqual([2]));
      });
    });

    describe('failures', () => {
      it('tries a failed batch again', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        let failures = 3;
        const { bus } = await subscribed(topic, async (batch) => {
          failures -= 1;
          if (failures >= 0) throw new Error('not now');
          await recorder.handle(batch);
        });
        await bus.publish(
          topic,
          range(1, 3).map((n) => message(n)),
        );
        await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
        expect(await system.deadLetters(topic, 'test.group')).toEqual([]);
      });

      it('buries a message that always fails, and nothing but it, within a second', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        let triesOfPoison = 0;
        const bus = await open(topic);
        const messages = range(1, 500).map((n) => message(n, `key-${n % 20}`));
        await bus.publish(topic, messages);
        const startedAt = Date.now();
        await bus.subscribe<TestPayload>(topic, { group: 'g', attemptsMax: 5 }, async (batch) => {
          if (batch.some((one) => one.payload.n === 250)) {
            triesOfPoison += 1;
            throw new Error('cannot do number 250');
          }
          await recorder.handle(batch);
        });
        await eventually(() => expect(recorder.seen).toHaveLength(499));
        expect(Date.now() - startedAt).toBeLessThan(3_000);
        expect(triesOfPoison).toBe(5);
        expect(new Set(recorder.numbers).size).toBe(499);
        const sameKey = recorder.numbers.filter((n) => n % 20 === 10);
        expect(sameKey).toEqual(sameKey.toSorted((a, b) => a - b));
        expect(await system.deadLetters(topic, 'g')).toEqual([
          { id: 'message-250', reason: 'Error: cannot do number 250', attempts: 5 },
        ]);
      });

      it('buries what is not JSON or does not fit the schema, without quoting it', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        await bus.publish(topic, [
          message(1),
          message(2, 'k', '{"n": +2348012345678'),
          message(3, 'k', '{"n": "+2348012345678"}'),
          message(4, 'k', '{"m": 4}'),
          message(5),
        ]);
        await eventually(() => expect(recorder.numbers).toEqual([1, 5]));
        expect(await system.deadLetters(topic, 'test.group')).toEqual([
          { id: 'message-2', reason: 'the payload is not JSON', attempts: 0 },
          { id: 'message-3', reason: '/n must be integer', attempts: 0 },
          {
            id: 'message-4',
            reason: "the payload must have required property 'n'",
            attempts: 0,
          },
        ]);
      });

      it('buries a version that it does not know', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        const { bus } = await subscribed(topic, recorder.handle);
        await bus.publish(topic, [{ ...message(1), type: 'test.happened.v2' }, message(2)]);
        await eventually(() => expect(recorder.numbers).toEqual([2]));
        expect(await system.deadLetters(topic, 'test.group')).toEqual([
          { id: 'message-1', reason: 'its type is none of this topic', attempts: 0 },
        ]);
      });

      it('retries for ever while the world is away, and buries nothing', async () => {
        const topic = newTopic();
        const recorder = new Recorder();
        let away = true;
        let tries = 0;
        const { bus } = await subscribed(
          topic,
          async (batch) => {
            tries += 1;
            if (away) throw new TransientError('the provider is away');
            await recorder.handle(batch);
          },
          { attemptsMax: 2 },
        );
        await bus.publish(
          topic,
          range(1, 3).map((n) => message(n)),
        );
        await eventually(() => expect(tries).toBeGreaterThan(4));
        away = false;
        await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
        expect(await system.deadLetters(topic, 'test.group')).toEqual([]);
      });

      it('can be closed while it waits for the world, and then delivers again', async () => {
        const topic = newTopic();
        let tries = 0;
        const { bus, subscription } = await subscribed(topic, async () => {
          tries += 1;
          throw new TransientError('the provider is away');
        });
        await bus.publish(topic, [message(1)]);
        await eventually(() => expect(tries).toBeGreaterThan(2));
        await subscription.close();
        const recorder = new Recorder();
        await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
        await eventually(() => expect(recorder.numbers).toEqual([1]));
      });

      it('replays dead letters to their group only, each at most until it succeeds', async () => {
        const topic = newTopic();
        const [recorder, other] = [new Recorder(), new Recorder()];
        let broken = true;
        const { bus } = await subscribed(
          topic,
          async (batch) => {
            if (broken) throw new Error('a defect');
            await recorder.handle(batch);
          },
          { attemptsMax: 1 },
        );
        await bus.subscribe(topic, { group: 'other' }, other.handle);
        await bus.publish(topic, [message(1), message(2)]);
        await eventually(async () =>
          expect(await system.deadLetters(topic, 'test.group')).toHaveLength(2),
        );
        broken = false;
        expect(await system.replayDeadLetters(topic, 'test.group')).toBe(2);
        await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
        await eventually(async () =>
          expect(await system.deadLetters(topic, 'test.group')).toEqual([]),
        );
        expect(await system.replayDeadLetters(topic, 'test.group')).toBe(0);
        expect(other.numbers).toEqual([1, 2]);
      });
    });
  });
}
