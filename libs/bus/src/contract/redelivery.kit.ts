import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import type { BusEnvironment } from './environment.kit.js';
import { gate, message, newTopic, Recorder } from './messages.kit.js';

/** Tests that a batch in progress comes again after its consumer has gone. */
export function describeRedelivery(environment: BusEnvironment): void {
  describe('at least once', () => {
    it('delivers again what a consumer had in hand when it was cut off', async () => {
      const topic = newTopic();
      const { opened, open: letGo } = gate();
      let inHand = 0;
      const { bus: dying } = await environment.subscribed(topic, async (batch) => {
        inHand += batch.length;
        await opened;
      });
      await dying.publish(topic, [message(1), message(2)]);
      await eventually(() => expect(inHand).toBeGreaterThan(0));
      const recorder = new Recorder();
      await environment.subscribed(topic, recorder.handle);
      await environment.system.cutOff(dying);
      await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
      letGo();
    });

    it('goes on with its subscriptions after being cut off', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle);
      await bus.publish(topic, [message(1)]);
      await eventually(() => expect(recorder.numbers).toEqual([1]));
      await environment.system.cutOff(bus);
      const other = await environment.open(topic);
      await other.publish(topic, [message(2)]);
      await eventually(() => expect(new Set(recorder.numbers)).toEqual(new Set([1, 2])));
    });

    it('has one consumer per group, and another takes over when it closes', async () => {
      const topic = newTopic();
      const [active, standby] = [new Recorder(), new Recorder()];
      const { bus, subscription } = await environment.subscribed(topic, active.handle);
      await bus.publish(topic, [message(1)]);
      await eventually(() => expect(active.numbers).toEqual([1]));
      await environment.subscribed(topic, standby.handle);
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
      let inHand = 0;
      const { bus, subscription } = await environment.subscribed(topic, async (batch) => {
        inHand += batch.length;
        await opened;
        handled.push(...batch.map((one) => one.payload.n));
      });
      await bus.publish(topic, [message(1)]);
      await eventually(() => expect(inHand).toBe(1));
      let closed = false;
      const closing = subscription.close().then(() => (closed = true));
      await nextTurn();
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
}
