import { createClient } from 'redis';
import {
  isRefusal,
  KEY_PREFIX,
  reconnecting,
  type RedisConnection,
} from './redis-connection.adapter.js';
import { COUNTS_CHANNEL } from './redis.scripts.js';

/** The common count of a strict window. */
export interface WindowCount {
  key: string;
  count: number;
  leftMs: number;
}

const COUNT_GATEWAYS_EVERY_MS = 1_000;
/** A gateway that restarts, or is silent for a moment, keeps its share. */
const GATEWAY_COUNTS_KEPT = 10;
/** Number of gateways assumed until one has announced itself. */
const GATEWAYS_UNKNOWN = 2;

export interface ListeningGatewaysOptions {
  url: string;
  redis: RedisConnection;
  isAway: () => boolean;
  onHeard: (heard: WindowCount) => void;
  /** Called when it listens. Earlier announcements were missed. */
  onListening: () => void;
  /** Called when Redis answers but refuses to let us listen. */
  onRefused: (error: unknown) => void;
}

const openEar = (url: string) => createClient({ url, RESP: 2, socket: reconnecting });

/**
 * The gateways that count together, and their announcements of strict windows. A gateway that
 * listens is counted.
 */
export class ListeningGateways {
  private readonly ear: ReturnType<typeof openEar>;
  private readonly counting: NodeJS.Timeout;
  private counts: number[] = [];

  constructor(private readonly options: ListeningGatewaysOptions) {
    this.ear = openEar(options.url);
    // The other connection reports the same errors.
    this.ear.on('error', () => undefined);
    this.ear.on('ready', () => void this.listen());
    void this.ear.connect().catch(() => undefined);
    this.counting = setInterval(() => void this.recount(), COUNT_GATEWAYS_EVERY_MS).unref();
  }

  /** Number of gateways, this one included. */
  get count(): number {
    return this.counts.length === 0 ? GATEWAYS_UNKNOWN : Math.max(...this.counts);
  }

  close(): void {
    clearInterval(this.counting);
    this.ear.destroy();
  }

  private readonly hear = (text: string): void => this.options.onHeard(parsed(text));

  /** Listens after each new connection. Announcements in between are lost. */
  private async listen(): Promise<void> {
    const { onListening, onRefused } = this.options;
    await this.ear.subscribe(COUNTS_CHANNEL, this.hear).then(onListening, (error: unknown) => {
      if (isRefusal(error)) onRefused(error);
    });
  }

  private async recount(): Promise<void> {
    if (this.options.isAway()) return;
    const count = await this.options.redis.subscribersOf(COUNTS_CHANNEL);
    if (count < 1) return;
    this.counts = [count, ...this.counts].slice(0, GATEWAY_COUNTS_KEPT);
  }
}

function parsed(text: string): WindowCount {
  const [count = '', leftMs = '', ...words] = text.split(' ');
  const key = words.join(' ').slice(KEY_PREFIX.length);
  return { key, count: Number(count), leftMs: Number(leftMs) };
}
