import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that is busy uses each of its connections more often than that. */
const lastAnswersMs = 1_000;
const lookEveryMs = 20;
/** A balancer looks more often whether a replica is leaving, and gives it no more connections then. */
const noticedMs = 400;
/** Without an arrival for this long, none is under way to a server that nobody is connected with. */
const quietMs = 20;
/** In a turn of the event loop that lasts this long, one may arrive unnoticed. */
const longTurnMs = 5;
/** However many still come, it is over after that, at the end of the next short turn. */
const arrivalsMs = 1_500;
/** A process that has no short turn any more does not wait for one longer than that. */
const shortTurnPatienceMs = 300;

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
    const until = performance.now() + lastAnswersMs;
    for (const response of this.open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    const isConnected = (await connectionsOf(this.server)) > 0;
    await takeArrivals(this.server, { quietForMs: isConnected ? noticedMs : quietMs });
    // The one of HTTP would cut at once what looks idle.
    NetServer.prototype.close.call(this.server);
    while (performance.now() < until && (await connectionsOf(this.server)) > 0) {
      await sleep(lookEveryMs);
    }
    if ((await connectionsOf(this.server)) === 0) return;
    // To a busy process, a connection looks unused whose request it has not read yet.
    await takeArrivals(this.server, { arrival: 'request' });
    this.server.closeIdleConnections();
  }
}

interface Arrivals {
  arrival?: 'connection' | 'request';
  /** It is over when none has come for so long. */
  quietForMs?: number;
}

/**
 * The system accepts clients before a busy process hears of them. A client in that queue may have
 * sent a request already, and would be reset with it when the port closes. So the caller closes
 * the port right after a short turn of the event loop, which has emptied the queue.
 */
export async function takeArrivals(
  server: NetServer,
  { arrival = 'connection', quietForMs = quietMs }: Arrivals = {},
): Promise<void> {
  let now = performance.now();
  let quietSince = now;
  const until = now + arrivalsMs;
  const note = (): void => {
    quietSince = performance.now();
  };
  server.on(arrival, note);
  for (;;) {
    await sleep(1);
    const turnedAt = now;
    now = performance.now();
    const isLongTurn = now - turnedAt > longTurnMs;
    if (isLongTurn) quietSince = Math.max(quietSince, now - quietForMs + quietMs);
    const isOver = now >= until || now - quietSince >= quietForMs;
    if ((isOver && !isLongTurn) || now >= until + shortTurnPatienceMs) break;
  }
  server.off(arrival, note);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
