import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type RunningKafka,
  type RunningRedis,
  type ServerProcess,
  startKafka,
  startRedis,
} from '@watchword/local-servers';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';

/**
 * The servers under a cluster, owned by the test, which decides when they die and when they return.
 * The cluster gets their addresses by its settings.
 */
export class OwnServers {
  readonly postgres: EmbeddedPostgres;
  private readonly directory: string;
  private readonly runningKafka: RunningKafka;
  private readonly runningRedis: RunningRedis;

  private constructor(
    directory: string,
    postgres: EmbeddedPostgres,
    kafka: RunningKafka,
    redis: RunningRedis,
  ) {
    this.directory = directory;
    this.postgres = postgres;
    this.runningKafka = kafka;
    this.runningRedis = redis;
  }

  static async start(directory: string, brokers: 1 | 3): Promise<OwnServers> {
    const starting = [
      startEmbeddedPostgres({ directory }),
      startKafka({ dataDir: join(directory, 'kafka'), brokers, say: console.log }),
      startRedis({ dataDir: directory }),
    ] as const;
    const settled = await Promise.allSettled(starting);
    if (settled.some(({ status }) => status === 'rejected')) {
      for (const one of settled) if (one.status === 'fulfilled') await one.value.stop();
    }
    return new OwnServers(directory, ...(await Promise.all(starting)));
  }

  /** Settings for the cluster. */
  get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.postgres.url,
      KAFKA_BROKERS: this.kafkaAddresses.join(','),
      REDIS_URL: this.redisUrl,
    };
  }

  get redisUrl(): string {
    return this.runningRedis.url;
  }

  /** The only broker, or the first of them. */
  get kafka(): ServerProcess {
    const [node] = this.brokers;
    if (node === undefined) throw new Error('KAFKA_BROKERS names a foreign Kafka');
    return node;
  }

  /** Broker 1 comes first. */
  get brokers(): readonly ServerProcess[] {
    return this.runningKafka.nodes;
  }

  get kafkaAddresses(): string[] {
    return [...this.runningKafka.brokers];
  }

  /** The number of the broker that leads the others, by what they have last written of it. */
  get controller(): number {
    const states = this.brokers.map((_, index) => {
      const place = ['kafka', `kafka-${index + 1}`, 'logs', '__cluster_metadata-0', 'quorum-state'];
      const text = readFileSync(join(this.directory, ...place), 'utf8');
      return JSON.parse(text) as { leaderId: number; leaderEpoch: number };
    });
    const latest = states.toSorted((a, b) => b.leaderEpoch - a.leaderEpoch);
    return latest.find(({ leaderId }) => leaderId > 0)?.leaderId ?? 1;
  }

  get redis(): ServerProcess {
    const { node } = this.runningRedis;
    if (node === undefined) throw new Error('REDIS_URL names a foreign Redis');
    return node;
  }

  async stop(): Promise<void> {
    for (const broker of this.brokers) broker.resume();
    this.redis.resume();
    await Promise.all([this.runningKafka.stop(), this.runningRedis.stop(), this.postgres.stop()]);
  }
}
