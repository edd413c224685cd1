import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import {
  type RunningKafka,
  type RunningRedis,
  type ServerProcess,
  startKafka,
  startRedis,
} from '@watchword/testing';

/**
 * The servers under a cluster in the hands of a test, which the cluster is told of by its settings: so the
 * test decides when they die, and when they come back.
 */
export class OwnServers {
  readonly postgres: EmbeddedPostgres;
  private readonly runningKafka: RunningKafka;
  private readonly runningRedis: RunningRedis;

  private constructor(postgres: EmbeddedPostgres, kafka: RunningKafka, redis: RunningRedis) {
    this.postgres = postgres;
    this.runningKafka = kafka;
    this.runningRedis = redis;
  }

  static async start(directory: string): Promise<OwnServers> {
    const starting = [
      startEmbeddedPostgres({ directory }),
      startKafka({ dataDir: join(directory, 'kafka'), say: console.log }),
      startRedis({ dataDir: directory }),
    ] as const;
    const settled = await Promise.allSettled(starting);
    if (settled.some(({ status }) => status === 'rejected')) {
      for (const one of settled) if (one.status === 'fulfilled') await one.value.stop();
    }
    return new OwnServers(...(await Promise.all(starting)));
  }

  /** What the cluster is told. */
  get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.postgres.url,
      KAFKA_BROKERS: this.runningKafka.brokers.join(','),
      REDIS_URL: this.redisUrl,
    };
  }

  get redisUrl(): string {
    return this.runningRedis.url;
  }

  get kafka(): ServerProcess {
    const [node] = this.runningKafka.nodes;
    if (node === undefined) throw new Error('KAFKA_BROKERS names a Kafka of somebody else');
    return node;
  }

  get redis(): ServerProcess {
    const { node } = this.runningRedis;
    if (node === undefined) throw new Error('REDIS_URL names a Redis of somebody else');
    return node;
  }

  async stop(): Promise<void> {
    this.kafka.resume();
    this.redis.resume();
    await Promise.all([this.runningKafka.stop(), this.runningRedis.stop(), this.postgres.stop()]);
  }
}
