import { describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import type { BusEnvironment } from './environment.kit.js';
import { message, newTopic, range, Recorder } from './messages.kit.js';

/** Tests that only committed messages are published. */
export function describeTransactions(environment: BusEnvironment): void {
  describe('transactions', () => {
    it('shows nothing before the commit and everything after it', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      await environment.subscribed(topic, recorder.handle);
      const transaction = await environment.system.begin(topic, [message(1), message(2)]);
      expect(recorder.numbers).toEqual([]);
      await transaction.commit();
      await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
    });

    it('never shows what was rolled back', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle);
      const transaction = await environment.system.begin(topic, [message(1)]);
      await transaction.rollBack();
      await bus.publish(topic, [message(2)]);
      await eventually(() => expect(recorder.numbers).toEqual([2]));
    });

    it('does not skip a slow transaction that others have overtaken', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle);
      const slow = await environment.system.begin(topic, [message(1, 'slow')]);
      for (const n of range(2, 20)) await bus.publish(topic, [message(n, 'fast')]);
      await slow.commit();
      await eventually(() => expect(recorder.seen).toHaveLength(20));
      expect(recorder.numbers.toSorted((a, b) => a - b)).toEqual(range(1, 20));
    });
  });
}
