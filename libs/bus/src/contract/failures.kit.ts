import { describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { TransientError } from '../bus.port.js';
import type { BuriedMessage, BusEnvironment } from './environment.kit.js';
import { message, newTopic, range, Recorder, type TestPayload } from './messages.kit.js';

/** Tests that a failing message is set aside and delays no other. */
export function describeFailures(environment: BusEnvironment): void {
  /** A neighbour may be handled before the message is buried. */
  const buried = (topic: Topic, group: string, messages: readonly BuriedMessage[]) =>
    eventually(async () =>
      expect(await environment.system.deadLetters(topic, group)).toEqual(messages),
    );

  describe('failures', () => {
    it('tries a failed batch again', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      let failures = 3;
      const { bus } = await environment.subscribed(topic, async (batch) => {
        failures -= 1;
        if (failures >= 0) throw new Error('not now');
        await recorder.handle(batch);
      });
      await bus.publish(
        topic,
        range(1, 3).map((n) => message(n)),
      );
      await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
      expect(await environment.system.deadLetters(topic, 'test.group')).toEqual([]);
    });

    it('buries a message that always fails, and nothing but it', async () => {
      const topic = newTopic('billing', ['g']);
      const recorder = new Recorder();
      let triesOfPoison = 0;
      const bus = await environment.open(topic);
      const messages = range(1, 500).map((n) => message(n, `key-${n % 20}`));
      await bus.publish(topic, messages);
      await bus.subscribe<TestPayload>(topic, { group: 'g', attemptsMax: 5 }, async (batch) => {
        if (batch.some((one) => one.payload.n === 250)) {
          triesOfPoison += 1;
          throw new Error('cannot do number 250');
        }
        await recorder.handle(batch);
      });
      await eventually(() => expect(recorder.seen).toHaveLength(499));
      expect(triesOfPoison).toBe(5);
      expect(new Set(recorder.numbers).size).toBe(499);
      const sameKey = recorder.numbers.filter((n) => n % 20 === 10);
      expect(sameKey).toEqual(sameKey.toSorted((a, b) => a - b));
      await buried(topic, 'g', [
        { id: 'message-250', reason: 'Error: cannot do number 250', attempts: 5 },
      ]);
    });

    it('buries what is not JSON or does not fit the schema, without quoting it', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      const { bus } = await environment.subscribed(topic, recorder.handle);
      await bus.publish(topic, [
        message(1),
        message(2, 'k', '{"n": +2348012345678'),
        message(3, 'k', '{"n": "+2348012345678"}'),
        message(4, 'k', '{"m": 4}'),
        message(5),
      ]);
      await eventually(() => expect(recorder.numbers).toEqual([1, 5]));
      await buried(topic, 'test.group', [
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
      const { bus } = await environment.subscribed(topic, recorder.handle);
      await bus.publish(topic, [{ ...message(1), type: 'test.happened.v2' }, message(2)]);
      await eventually(() => expect(recorder.numbers).toEqual([2]));
      await buried(topic, 'test.group', [
        { id: 'message-1', reason: 'its type is none of this topic', attempts: 0 },
      ]);
    });

    it('retries without end while the environment is unavailable, and buries nothing', async () => {
      const topic = newTopic();
      const recorder = new Recorder();
      let isUnavailable = true;
      let tries = 0;
      const { bus } = await environment.subscribed(
        topic,
        async (batch) => {
          tries += 1;
          if (isUnavailable) throw new TransientError('the provider is unavailable');
          await recorder.handle(batch);
        },
        { attemptsMax: 2 },
      );
      await bus.publish(
        topic,
        range(1, 3).map((n) => message(n)),
      );
      await eventually(() => expect(tries).toBeGreaterThan(4));
      isUnavailable = false;
      await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
      expect(await environment.system.deadLetters(topic, 'test.group')).toEqual([]);
    });

    it('can be closed while the environment is unavailable, and then delivers again', async () => {
      const topic = newTopic();
      let tries = 0;
      const { bus, subscription } = await environment.subscribed(topic, async () => {
        tries += 1;
        throw new TransientError('the provider is unavailable');
      });
      await bus.publish(topic, [message(1)]);
      await eventually(() => expect(tries).toBeGreaterThan(2));
      await subscription.close();
      const recorder = new Recorder();
      await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
      await eventually(() => expect(recorder.numbers).toEqual([1]));
    });

    it('replays dead letters to their group only, each at most until it succeeds', async () => {
      const topic = newTopic('billing', ['test.group', 'other']);
      const [recorder, other] = [new Recorder(), new Recorder()];
      let broken = true;
      const { bus } = await environment.subscribed(
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
        expect(await environment.system.deadLetters(topic, 'test.group')).toHaveLength(2),
      );
      broken = false;
      expect(await environment.system.replayDeadLetters(topic, 'test.group')).toBe(2);
      await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
      await eventually(async () =>
        expect(await environment.system.deadLetters(topic, 'test.group')).toEqual([]),
      );
      expect(await environment.system.replayDeadLetters(topic, 'test.group')).toBe(0);
      await bus.publish(topic, [message(3)]);
      await eventually(() => expect(other.numbers).toEqual([1, 2, 3]));
    });

    it('discards the dead letters of one group for good', async () => {
      const topic = newTopic('billing', ['test.group', 'other']);
      const fail = async () => {
        throw new Error('a defect');
      };
      const { bus } = await environment.subscribed(topic, fail, { attemptsMax: 1 });
      await bus.subscribe(topic, { group: 'other', attemptsMax: 1 }, fail);
      await bus.publish(topic, [message(1), message(2)]);
      for (const group of ['test.group', 'other']) {
        await eventually(async () =>
          expect(await environment.system.deadLetters(topic, group)).toHaveLength(2),
        );
      }
      expect(await environment.system.discardDeadLetters(topic, 'test.group')).toBe(2);
      expect(await environment.system.deadLetters(topic, 'test.group')).toEqual([]);
      expect(await environment.system.replayDeadLetters(topic, 'test.group')).toBe(0);
      expect(await environment.system.discardDeadLetters(topic, 'test.group')).toBe(0);
      expect(await environment.system.deadLetters(topic, 'other')).toHaveLength(2);
    });
  });
}
