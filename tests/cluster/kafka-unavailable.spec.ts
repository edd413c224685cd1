import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerProcess } from '@watchword/local-servers';
import { eventually } from '@watchword/testing';
import { message, range, Recorder } from '../../libs/bus/src/contract/messages.kit.js';
import { group, intoQueue, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

let system: KafkaTestSystem;
let broker: ServerProcess;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
  broker = system.kafka.nodes[0] as ServerProcess;
});

afterEach(() => system.tidy());

afterAll(() => system?.stop());

describe('an unavailable Kafka', () => {
  it('an unavailable Kafka delays no start, refuses what is published, and is found when it comes', async () => {
    const topic = topicOf(2);
    await broker.kill();
    const bus = await system.bus([topic]);
    expect(bus.ready).toBe(false);
    await expect(bus.check()).rejects.toThrow('has not been found');
    await expect(bus.publish(topic, [message(1)])).rejects.toThrow('has not taken the messages');
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    await broker.start();
    await eventually(() => expect(bus.ready).toBe(true));
    await eventually(() => bus.publish(topic, [message(2)]));
    await eventually(() => expect(recorder.numbers).toEqual([2]));
    await eventually(() => bus.check());
  });

  it.each(['SIGKILL', 'SIGSTOP'])(
    'an unavailable Kafka loses nothing of the queue: %s',
    async (how) => {
      const topic = topicOf(4);
      const pool = system.pool();
      const [publishing, consuming] = [await system.bus([topic]), await system.bus([topic])];
      await system.relay([topic], publishing);
      const recorder = new Recorder();
      await consuming.subscribe(topic, { group: group() }, recorder.handle);
      let written = 0;
      const write = async (until: number) => {
        while (written < until) await intoQueue(pool, topic, [(written += 1)]).then(() => sleep(2));
      };
      await write(300);
      if (how === 'SIGKILL') await broker.kill();
      else broker.pause();
      await write(900);
      await sleep(2_000);
      if (how === 'SIGKILL') await broker.start();
      else broker.resume();
      await write(1_000);
      await eventually(() => expect(new Set(recorder.numbers).size).toBe(1_000));
      for (const key of range(0, 9)) {
        const ofKey = [...new Set(recorder.numbers.filter((n) => n % 10 === key))];
        expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
      }
    },
  );
});
