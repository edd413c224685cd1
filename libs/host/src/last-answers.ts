import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that is busy uses each of its connections more often than that. */
const lastAnswersMs = 1_000;
const lookEveryMs = 20;
/** However many still come, it is over after that. */
const arrivalsMs = 1_000;
/** Without an arrival for this long, it is over sooner. */
const quietMs = 20;
/** In a turn of the event loop that lasts this long, one may arrive unnoticed. */
const longTurnMs = 5;

/**
 * Lets the clients of a server go before it closes. A connection that looks idle may have a request
 * on its way, which would be lost with it. So the server takes no more connections, ends each with the answer
 * that it is giving or the next one (`Connection: close`), and cuts only connections that stay unused.
 * Without connections there is nothing to wait for.
 */
export class LastAnswers {
  private readonly open = new Set<ServerResponse>();
  private isClosing = false;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_, response) => {
      if (this.isClosing) return void response.setHeader('connection', 'close');
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
    });
  }

  async give(): Promise<void> {
    this.isClosing = true;
    for (const response of this.open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    await takeArrivals(this.server);
    // The one of HTTP would cut at once what looks idle.
    NetServer.prototype.close.call(this.server);
    const until = performance.now() + lastAnswersMs;
    while (performance.now() < until && (await connectionsOf(this.server)) > 0) {
      await sleep(lookEveryMs);
    }
    // To a busy process, a connection looks unused whose request it has not read yet.
    if ((await connectionsOf(this.server)) > 0) await takeArrivals(this.server, 'request');
  }
}

/**
 * The system accepts clients before a busy process hears of them. A client in that queue may have
 * sent a request already, and would be reset with it when the port closes.
 */
export async function takeArrivals(
  server: NetServer,
  arrival: 'connection' | 'request' = 'connection',
): Promise<void> {
  let now = performance.now();
  let quietSince = now;
  const until = now + arrivalsMs;
  const note = (): void => {
    quietSince = performance.now();
  };
  server.on(arrival, note);
  while (now < until && now - quietSince < quietMs) {
    await sleep(1);
    const turnedAt = now;
    now = performance.now();
    if (now - turnedAt > longTurnMs) quietSince = now;
  }
  server.off(arrival, note);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
