import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A client that is busy uses each of its connections more often than that. */
const lastAnswersMs = 1_000;
const lookEveryMs = 20;
/** A balancer looks more often whether a replica is leaving, and gives it no more connections then. */
const noticedMs = 400;
/** However many still come, it is over after that. */
const arrivalsMs = 1_000;
/** In a turn of the event loop that lasts longer, one may arrive unnoticed. */
const shortTurnMs = 1;
/** The first one may be the rest of a turn that has looked for arrivals already. */
const emptyTurns = 3;

/**
 * Lets the clients of a server go before it closes. A connection that looks idle may have a request
 * on its way, which would be lost with it. So the server first gives balancers the time to see that it leaves. Then it
 * takes no more connections, ends each with the answer that it is giving or the next one (`Connection: close`), and
 * cuts only connections that stay unused. Without connections there is nothing to wait for.
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
    // Clients whose connections ended before that would come back to this server.
    if ((await connectionsOf(this.server)) > 0) await sleep(noticedMs);
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
    if ((await connectionsOf(this.server)) === 0) return;
    // To a busy process, a connection looks unused whose request it has not read yet.
    await takeArrivals(this.server, 'request');
    this.server.closeIdleConnections();
  }
}

/**
 * The system accepts clients before a busy process hears of them: it takes one in each turn of its event loop. A
 * client in that queue may have sent a request already, and would be reset with it when the port closes. So the caller
 * closes the port right after short turns that took none: they found the queue empty.
 */
export async function takeArrivals(
  server: NetServer,
  arrival: 'connection' | 'request' = 'connection',
): Promise<void> {
  let empty = 0;
  const note = (): void => {
    empty = -1;
  };
  server.on(arrival, note);
  let turnedAt = performance.now();
  const until = turnedAt + arrivalsMs;
  while (empty < emptyTurns && turnedAt < until) {
    await nextTurn();
    const now = performance.now();
    empty = now - turnedAt > shortTurnMs ? 0 : empty + 1;
    turnedAt = now;
  }
  server.off(arrival, note);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
