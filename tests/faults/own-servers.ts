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

  /** Settings for the cluster. */
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
    if (node === undefined) throw new Error('KAFKA_BROKERS names a foreign Kafka');
    return node;
  }

  get redis(): ServerProcess {
    const { node } = this.runningRedis;
    if (node === undefined) throw new Error('REDIS_URL names a foreign Redis');
    return node;
  }

  async stop(): Promise<void> {
    this.kafka.resume();
    this.redis.resume();
    await Promise.all([this.runningKafka.stop(), this.runningRedis.stop(), this.postgres.stop()]);
  }
}
