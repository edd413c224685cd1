import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeArrivals } from '@watchword/host';
import type { Health } from './health-of.js';

export interface BalancerTarget {
  host: string;
  port: number;
  health: () => Promise<Health>;
}

export interface BalancerOptions {
  host: string;
  port: number;
  targets: readonly BalancerTarget[];
}

const LOOK_EVERY_MS = 300;
/** For a client that sends on after its answer, for example a body that is too large. */
const LAST_WORDS_MS = 1_000;
/** One slow answer is no illness. */
const MISSES_MAX = 2;

class Target {
  misses = 0;
  isLeaving = false;
  readonly connections = new Set<Socket>();

  constructor(readonly at: BalancerTarget) {}

  get isSilent(): boolean {
    return this.misses >= MISSES_MAX;
  }

  /** The lower, the sooner it gets a connection. */
  get rank(): number {
    return this.isSilent ? 2 : this.isLeaving ? 1 : 0;
  }
}

/**
 * One port in front of several: connections go to the targets in turn, healthy ones first, each
 * with a PROXY protocol line before the client's bytes. A target that takes no connection is passed
 * over at once, and one that leaves keeps those that it has. Connections to a target that fell
 * silent are cut, so that their clients come again and reach another.
 */
export class Balancer {
  private readonly targets: Target[];
  private readonly server: Server;
  private readonly closing = new AbortController();
  private readonly clients = new Set<Socket>();
  private looking: Promise<unknown> = Promise.resolve();
  private turn = 0;

  constructor(private readonly options: BalancerOptions) {
    this.targets = options.targets.map((target) => new Target(target));
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
      this.clients.add(client);
      client.once('close', () => this.clients.delete(client));
      client.on('error', () => client.destroy());
      this.forward(client, this.inTurn());
    });
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    this.looking = Promise.all(this.targets.map((target) => this.look(target)));
  }

  /**
   * Takes no new connections and leaves the open ones to the targets, which answer open requests
   * and close idle connections.
   */
  async drain(): Promise<void> {
    await takeArrivals(this.server);
    this.closing.abort();
    this.server.close();
    await this.looking;
  }

  /** Cuts the connections that are left. */
  async close(): Promise<void> {
    if (this.server.listening) await this.drain();
    await this.looking;
    for (const client of this.clients) client.destroy();
  }

  /** Every target once, beginning with the next healthy one. */
  private inTurn(): Target[] {
    this.turn = (this.turn + 1) % this.targets.length;
    const all = [...this.targets.slice(this.turn), ...this.targets.slice(0, this.turn)];
    return all.toSorted((one, other) => one.rank - other.rank);
  }

  private forward(client: Socket, [target, ...others]: readonly Target[]): void {
    if (!target || client.destroyed) return void client.destroy();
    const { host, port } = target.at;
    const upstream = createConnection({ host, port, noDelay: true });
    const refused = () => this.forward(client, others);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      target.connections.add(upstream);
      upstream.once('close', () => {
        target.connections.delete(upstream);
        finish(client);
      });
      upstream.on('error', () => upstream.destroy());
      client.once('close', () => upstream.destroy());
      upstream.write(proxyLineOf(client));
      client.pipe(upstream);
      // Our end follows from its close, when all that it said is with us.
      upstream.pipe(client, { end: false });
    });
  }

  private async look(target: Target): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const health = await target.at.health();
      target.isLeaving = health === 'leaving';
      target.misses = health === 'silent' ? target.misses + 1 : 0;
      if (signal.aborted) return;
      if (target.isSilent) for (const connection of target.connections) connection.destroy();
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Limits by address count the client's, as without a balancer. */
function proxyLineOf({ remoteAddress, remotePort, remoteFamily, localAddress, localPort }: Socket) {
  if (remoteAddress === undefined || localAddress === undefined) return 'PROXY UNKNOWN\r\n';
  const family = remoteFamily === 'IPv6' ? 'TCP6' : 'TCP4';
  return `PROXY ${family} ${remoteAddress} ${localAddress} ${remotePort} ${localPort}\r\n`;
}

/** The client gets the rest of its answer, and further bytes from it are dropped. */
function finish(client: Socket): void {
  client.unpipe();
  client.resume();
  client.end();
  const timeout = setTimeout(() => client.destroy(), LAST_WORDS_MS).unref();
  client.once('close', () => clearTimeout(timeout));
}
