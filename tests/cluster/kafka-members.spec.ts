/**
 * Consumers join and leave every two seconds for a minute, some without notice. Messages may be
 * handled twice; their effects, written as the services do, must not be. Issue 4, section 2.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import type { IncomingMessage } from '@watchword/bus';
import type { Topic } from '@watchword/contracts';
import { createClient, type DatabasePool, roleOf } from '@watchword/postgres';
import { range, type TestPayload } from '../../libs/bus/src/contract/messages.kit.js';
import { type Random, seededRandom } from '../faults/load.policy.js';
import { Cable } from './cable.kit.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

const seconds = Number(process.env['MEMBERS_SECONDS'] ?? 60);
const seed = Number(process.env['MEMBERS_SEED'] ?? Date.now() % 2 ** 31);
const changeEveryMs = 2_000;
const membersMax = 4;
const keys = 10;
/** Milliseconds; longer than a member's session (2 s), so that the group continues without it. */
const cutOffMs = 4_000;
const slowHandlerMs = 3_000;

let system: KafkaTestSystem;
let pool: DatabasePool;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
  pool = system.pool();
  const admin = createClient({ url: system.database.adminUrl, applicationName: 'admin' });
  await admin.connect();
  await admin.query(`
    CREATE TABLE billing.effects (
      message_id text PRIMARY KEY,
      key text NOT NULL,
      n integer NOT NULL,
      ordinal bigint NOT NULL
    );
    CREATE TABLE billing.sums (
      key text PRIMARY KEY,
      ordinal bigint NOT NULL,
      sum bigint NOT NULL
    );
    GRANT SELECT, INSERT, UPDATE ON billing.effects, billing.sums TO ${roleOf('billing')};
  `);
  await admin.end();
});

afterAll(() => system?.stop());

/**
 * Writes a message's effect once: its id is the key, in the effect's statement. The sum would
 * reveal one that counted twice, the ordinal one that came too early.
 */
async function writeEffects(batch: readonly IncomingMessage<TestPayload>[]): Promise<void> {
  const ofKeys = [batch.map(({ key }) => key)];
  await pool.transaction(async (transaction) => {
    await transaction.query(
      `INSERT INTO sums SELECT DISTINCT key, 0, 0 FROM unnest($1::text[]) AS m (key) ORDER BY key
       ON CONFLICT DO NOTHING`,
      ofKeys,
    );
    await transaction.query(
      'SELECT FROM sums WHERE key = ANY ($1) ORDER BY key FOR UPDATE',
      ofKeys,
    );
    await transaction.query(
      `WITH fresh AS (
         INSERT INTO effects
         SELECT id, key, n, sums.ordinal + row_number() OVER (PARTITION BY key ORDER BY place)
           FROM unnest($1::text[], $2::text[], $3::integer[])
                  WITH ORDINALITY AS m (id, key, n, place)
           JOIN sums USING (key)
         ON CONFLICT DO NOTHING
         RETURNING key, n, ordinal
       ), added AS (
         SELECT key, sum(n) AS sum, max(ordinal) AS ordinal FROM fresh GROUP BY key
       )
       UPDATE sums SET sum = sums.sum + added.sum, ordinal = added.ordinal
         FROM added WHERE sums.key = added.key`,
      [
        batch.map(({ id }) => id),
        batch.map(({ key }) => key),
        batch.map(({ payload }) => payload.n),
      ],
    );
  });
}

/** A group with members that join, leave, fall silent and are slow, at random. */
class RestlessGroup {
  readonly counts = { joined: 0, left: 0, cutOff: 0, slow: 0, handled: 0 };
  private readonly name = group();
  private readonly members: { cable: Cable; leave: () => Promise<void> }[] = [];
  private readonly leaving: Promise<void>[] = [];

  constructor(
    private readonly topic: Topic,
    private readonly random: Random,
  ) {}

  async join(): Promise<void> {
    this.counts.joined += 1;
    const cable = new Cable();
    const bus = await system.bus([this.topic], { socketFactory: cable.plugIn });
    const options = { group: this.name, batchSizeMax: 50 };
    const subscription = await bus.subscribe<TestPayload>(this.topic, options, (batch) =>
      this.handle(batch),
    );
    const leave = () => subscription.close().then(() => bus.close());
    this.members.push({ cable, leave });
  }

  async change(): Promise<void> {
    const index = Math.floor(this.random() * this.members.length);
    const dice = this.random();
    if (this.members.length < 2 || (dice < 0.4 && this.members.length < membersMax)) {
      await this.join();
    } else if (dice < 0.7) {
      this.counts.left += 1;
      // Not awaited: others come and go while it leaves.
      const [member] = this.members.splice(index, 1);
      if (member) this.leaving.push(member.leave());
    } else {
      this.counts.cutOff += 1;
      this.members[index]?.cable.cutFor(cutOffMs);
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.leaving);
  }

  private async handle(batch: IncomingMessage<TestPayload>[]): Promise<void> {
    const dice = this.random();
    if (dice < 0.02) this.counts.slow += 1;
    await sleep(dice < 0.02 ? slowHandlerMs : dice * 100);
    await writeEffects(batch);
    this.counts.handled += batch.length;
  }
}

describe(`a group whose members join and leave every ${changeEveryMs / 1_000} s`, () => {
  it(
    'has every effect once, and those of each key in order',
    async () => {
      console.log(`MEMBERS_SEED=${seed}, ${seconds} s`);
      const topic = topicOf(8);
      const publishing = await system.bus([topic]);
      await system.relay([topic], publishing);
      await system.relay([topic], await system.bus([topic]));
      const members = new RestlessGroup(topic, seededRandom(seed));
      await members.join();
      let written = 0;
      const until = Date.now() + seconds * 1_000;
      const writing = (async () => {
        for (; Date.now() < until; await sleep(50)) {
          await intoOutbox(pool, topic, range(written + 1, written + 5));
          written += 5;
        }
      })();
      while (Date.now() < until) {
        await sleep(changeEveryMs);
        await members.change();
      }
      await writing;
      await members.settle();
      await eventually(async () => {
        const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM effects');
        expect(rows[0]?.count).toBe(written);
      }, 60_000);
      const repeated = members.counts.handled - written;
      console.log(`${written} messages, ${repeated} handled again`, members.counts);
      await expectEachOnceInOrder(written);
    },
    (seconds + 150) * 1_000,
  );
});

async function expectEachOnceInOrder(written: number): Promise<void> {
  const { rows } = await pool.query<{ key: string; numbers: number[]; sum: number }>(
    `SELECT key, array_agg(n ORDER BY effects.ordinal) AS numbers, min(sums.sum) AS sum
       FROM effects JOIN sums USING (key) GROUP BY key`,
  );
  expect(rows).toHaveLength(keys);
  for (const { key, numbers, sum } of rows) {
    const expected = range(1, written).filter((n) => `key-${n % keys}` === key);
    expect(numbers).toEqual(expected);
    expect(sum).toBe(expected.reduce((total, n) => total + n, 0));
  }
}
