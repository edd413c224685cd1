import { createClient } from 'redis';
import {
  isRefusal,
  keyPrefix,
  reconnecting,
  type RedisConnection,
} from './redis-connection.adapter.js';
import { countsChannel } from './redis.scripts.js';

/** What is counted in a strict window, by all together. */
export interface WindowCount {
  key: string;
  count: number;
  leftMs: number;
}

const countGatewaysEveryMs = 1_000;
/** A gateway that is being started again, or cannot be heard for a moment, keeps its share. */
const gatewayCountsKept = 10;
/** Assumed until a gateway has been heard. */
const gatewaysUnknown = 2;

export interface ListeningGatewaysOptions {
  url: string;
  redis: RedisConnection;
  isAway: () => boolean;
  onHeard: (heard: WindowCount) => void;
  /** Announcements before this moment were not heard. */
  onListening: () => void;
  /** Redis is there and does not let us listen. */
  onRefused: (error: unknown) => void;
}

const openEar = (url: string) => createClient({ url, RESP: 2, socket: reconnecting });

/** Who counts together, and what is heard of strict windows: each gateway listens, and so is counted. */
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
    this.counting = setInterval(() => void this.recount(), countGatewaysEveryMs).unref();
  }

  /** This one included. */
  get count(): number {
    return this.counts.length === 0 ? gatewaysUnknown : Math.max(...this.counts);
  }

  close(): void {
    clearInterval(this.counting);
    this.ear.destroy();
  }

  private readonly hear = (text: string): void => this.options.onHeard(parsed(text));

  /** After each new connection: what was said in between is missed. */
  private async listen(): Promise<void> {
    const { onListening, onRefused } = this.options;
    await this.ear.subscribe(countsChannel, this.hear).then(onListening, (error: unknown) => {
      if (isRefusal(error)) onRefused(error);
    });
  }

  private async recount(): Promise<void> {
    if (this.options.isAway()) return;
    const count = await this.options.redis.subscribersOf(countsChannel);
    if (count < 1) return;
    this.counts = [count, ...this.counts].slice(0, gatewayCountsKept);
  }
}

function parsed(text: string): WindowCount {
  const [count = '', leftMs = '', ...words] = text.split(' ');
  const key = words.join(' ').slice(keyPrefix.length);
  return { key, count: Number(count), leftMs: Number(leftMs) };
}
