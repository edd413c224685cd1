import { describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import type { BusEnvironment } from './environment.kit.js';
import { message, newTopic, range, Recorder } from './messages.kit.js';

/** Tests that every group gets every message, complete and in order. */
export function describeDelivery(environment: BusEnvironment): void {
  describe('delivery', () => {
    it('hands over what was published, as it was published', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle);
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const sent = { ...message(1, 'ключ'), traceparent };
      await bus.publish(topic, [sent]);
      await eventually(() => expect(recorder.seen).toHaveLength(1));
      expect(recorder.seen[0]).toEqual({ ...sent, payload: { n: 1 } });
    });

    it('gives every group every message, also those of before it subscribed', async () => {
      const topic = newTopic('billing', ['group-0', 'group-1']);
      const bus = await environment.open(topic);
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
      const bus = await environment.open(one, other);
      const recorder = new Recorder();
      await bus.subscribe(one, { group: 'test.group' }, recorder.handle);
      await bus.publish(other, [message(1)]);
      await bus.publish(one, [message(2)]);
      await eventually(() => expect(recorder.numbers).toEqual([2]));
    });

    it('keeps the order of each key, at every speed of its publishers', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle, { batchSizeMax: 7 });
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
      const { bus } = await environment.subscribed(topic, recorder.handle);
      const parts = range(0, 99).map((part) =>
        range(part * 100 + 1, part * 100 + 100).map((n) => message(n, `key-${n % 50}`)),
      );
      await Promise.all(parts.map((part) => bus.publish(topic, part)));
      await eventually(() => expect(recorder.seen).toHaveLength(10_000));
      expect(new Set(recorder.numbers).size).toBe(10_000);
    });
  });
}
