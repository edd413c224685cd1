import { setTimeout as sleep } from 'node:timers/promises';
import { deadLetterTopicName, type Topic, TOPICS } from '@watchword/contracts';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { KafkaStranger, type StoredRecord } from '../support/kafka-stranger.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One topic per reading service: billing, dispatch, webhooks. */
const POISONED: readonly Topic[] = [
  TOPICS.refundCommands,
  TOPICS.sendCommands,
  TOPICS.messageEvents,
];
const REASON = 'its type is none of this topic';
/** Fifty at each replica within some seconds, and few beside the messages. */
const PLANTED = 8;
const PLANT_EVERY_MS = 500;
const PATIENCE_MS = 60_000;

/**
 * Messages of an unknown version in the outboxes of a cluster, among all others and on all
 * partitions. Only dead letters can end them, and each must be one: after a crash perhaps twice,
 * never missing.
 */
export class KafkaPoison {
  private readonly database: DatabasePool;
  private readonly stranger: KafkaStranger;
  private readonly planted = new Map<Topic, string[]>();
  private readonly planting: Promise<void>;
  private stopped = false;

  private constructor(databaseUrl: string, stranger: KafkaStranger) {
    this.stranger = stranger;
    this.database = createPool({ url: databaseUrl, applicationName: 'watchword-poison', max: 1 });
    this.planting = this.plantAgainAndAgain();
    // Looked at when it is stopped.
    this.planting.catch(() => undefined);
  }

  static async start(databaseUrl: string, brokers: readonly string[]): Promise<KafkaPoison> {
    return new KafkaPoison(databaseUrl, await KafkaStranger.open(brokers));
  }

  /** Called when no process dies any more. Waits until all poison is buried, and removes it. */
  async stop(): Promise<string> {
    this.stopped = true;
    await this.planting;
    // Each relay keeps the order of its outbox: behind these nothing comes again.
    for (const topic of POISONED) await this.plant(topic);
    const burials = await Promise.all(POISONED.map((topic) => this.buried(topic)));
    for (const topic of POISONED) await this.remove(topic);
    const planted = [...this.planted.values()].flat().length;
    return `${planted} poisoned messages, all buried, by ${burials.flat().length} dead letters`;
  }

  async close(): Promise<void> {
    this.stopped = true;
    await this.planting.catch(() => undefined);
    await this.stranger.close();
    await this.database.end();
  }

  private async plantAgainAndAgain(): Promise<void> {
    while (!this.stopped) {
      for (const topic of POISONED) await this.plant(topic);
      await sleep(PLANT_EVERY_MS);
    }
  }

  private async plant(topic: Topic): Promise<void> {
    const { rows } = await this.database.query<{ id: string }>(
      `INSERT INTO ${topic.owner}.outbox (topic, reader, key, message_id, type, occurred_at, payload)
       SELECT topic, reader, 'poison-' || gen_random_uuid(), 'poison-' || gen_random_uuid(),
         'svc.nothing-known.v99', now(), '{}'
       FROM ${topic.owner}.outbox_readers, generate_series(1, $2::int) WHERE topic = $1
       RETURNING message_id AS id`,
      [topic.name, PLANTED],
    );
    const planted = this.planted.get(topic) ?? [];
    this.planted.set(topic, [...planted, ...rows.map(({ id }) => id)]);
  }

  /** The ids of all dead letters of the topic, once every planted one is among them. */
  private async buried(topic: Topic): Promise<string[]> {
    const ids: string[] = [];
    const others: string[] = [];
    const note = ({ headers }: StoredRecord) => {
      const [id, reason] = [String(headers['ce_id']), String(headers['dead_letter_reason'])];
      ids.push(id);
      if (!id.startsWith('poison-') || reason !== REASON) others.push(`${id}: ${reason}`);
    };
    const missing = () => this.planted.get(topic)?.filter((id) => !ids.includes(id)) ?? [];
    try {
      await this.stranger.whileReading([deadLetterTopicName(topic)], note, () =>
        waitUntil('all poison to be buried', () => missing().length === 0, {
          timeoutMs: PATIENCE_MS,
          everyMs: 250,
        }),
      );
      if (others.length > 0) throw new Error(`dead letters of others: ${others.join('; ')}`);
      return ids;
    } catch (error) {
      throw new Error(`not buried of ${topic.name}: ${missing().join()}`, { cause: error });
    }
  }

  /** Removes letters once none can come again from a group that has not committed them. */
  private async remove(topic: Topic): Promise<void> {
    await this.readToItsEnd(topic);
    await this.stranger.empty(deadLetterTopicName(topic));
  }

  private async readToItsEnd({ name }: Topic): Promise<void> {
    const { admin } = this.stranger;
    const ends = await admin.fetchTopicOffsets(name);
    const { groups } = await admin.listGroups();
    const readers = groups.map(({ groupId }) => groupId).filter((id) => id.endsWith(`:${name}`));
    const hasRead = async (groupId: string) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [name] });
      const at = new Map(found?.partitions.map((one) => [one.partition, Number(one.offset)]));
      return ends.every(
        ({ partition, high }) => Number(high) === 0 || (at.get(partition) ?? -1) >= Number(high),
      );
    };
    await waitUntil(
      `${name} to be read`,
      async () => (await Promise.all(readers.map(hasRead))).every(Boolean),
      { timeoutMs: PATIENCE_MS, everyMs: 250 },
    );
  }
}
