import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, range, Recorder } from '../../libs/bus/src/bus-contract.kit.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

let system: KafkaTestSystem;

beforeAll(async () => {
  system = await KafkaTestSystem.start({ brokers: 3 });
}, 240_000);

afterAll(() => system?.stop(), 120_000);

describe('three brokers, replication 3, at least two in sync', () => {
  it('lose nothing and keep the order of each key when each of them is killed in turn', async () => {
    const topic = topicOf(6);
    const pool = system.pool();
    const [publishing, consuming] = [await system.bus([topic]), await system.bus([topic])];
    await system.relay([topic], publishing);
    const recorder = new Recorder();
    await consuming.subscribe(topic, { group: group() }, recorder.handle);
    let written = 0;
    const write = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await intoOutbox(pool, topic, [(written += 1)]);
        await sleep(10);
      }
    };
    for (const node of system.kafka.nodes) {
      await write(100);
      await node.kill();
      await write(300);
      // All is there before the next one goes: with two away there is no majority.
      await eventually(() => expect(new Set(recorder.numbers).size).toBe(written), 60_000);
      await node.start();
      await sleep(3_000);
    }
    await write(100);
    await eventually(() => expect(new Set(recorder.numbers).size).toBe(written), 60_000);
    for (const key of range(0, 9)) {
      const ofKey = [...new Set(recorder.numbers.filter((n) => n % 10 === key))];
      expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
    }
  }, 300_000);
});
