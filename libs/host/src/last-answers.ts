import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { OpenItems } from '@watchword/batching';

/** Milliseconds. */
interface LastAnswersTimes {
  /** A balancer checks more often whether a replica is leaving, and then stops connecting to it. */
  readonly noticed: number;
  /** A busy client uses each of its connections more often. */
  readonly unused: number;
  /** Answers take less, unless the client does not read. */
  readonly open: number;
}

const TIMES: LastAnswersTimes = { noticed: 400, unused: 1_000, open: 1_000 };
const LOOK_EVERY_MS = 20;
/** Most milliseconds to wait for arrivals, however many still come. */
const ARRIVALS_MS = 1_000;
/** Milliseconds. In a longer turn of the event loop a connection may arrive unnoticed. */
const SHORT_TURN_MS = 1;
/** The first turn may be the rest of one that has looked for arrivals already. */
const EMPTY_TURNS = 3;

/**
 * Closes a server without losing requests. A connection that looks idle may have a request on its
 * way, which would be lost. So the server first gives balancers time to see that it leaves. Then
 * it accepts no more connections, ends each with its current or next answer (`Connection: close`),
 * and cuts those that stay unused or whose request is not whole, and later those whose answer does not
 * end: one client that hangs would keep the services from stopping. Without connections there is nothing
 * to wait for.
 */
export class LastAnswers {
  private readonly open = new OpenItems<ServerResponse>();
  private readonly sockets = new Set<Socket>();
  private isClosing = false;

  private readonly times: LastAnswersTimes;

  /** Specs give their own times. */
  constructor(
    private readonly server: Server,
    times: Partial<LastAnswersTimes> = {},
  ) {
    this.times = { ...TIMES, ...times };
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', (_, response) => {
      if (this.isClosing) response.setHeader('connection', 'close');
      const place = this.open.add(response);
      response.once('close', () => this.open.remove(place));
    });
  }

  async give(): Promise<void> {
    // Clients with earlier ended connections would connect to this server again.
    if ((await connectionsOf(this.server)) > 0) await sleep(this.times.noticed);
    this.isClosing = true;
    for (const response of this.open) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    await takeArrivals(this.server);
    // HTTP's own `close` would cut connections that look idle.
    NetServer.prototype.close.call(this.server);
    const until = performance.now() + this.times.unused;
    while (performance.now() < until && (await connectionsOf(this.server)) > 0) {
      await sleep(LOOK_EVERY_MS);
    }
    if ((await connectionsOf(this.server)) === 0) return;
    // A busy process sees a connection as unused before it has read its request.
    await takeArrivals(this.server, 'request');
    const answered = new Set<Socket>();
    for (const { req } of this.open) if (req.complete) answered.add(req.socket);
    for (const socket of this.sockets) if (!answered.has(socket)) socket.destroy();
    const cut = setTimeout(() => this.server.closeAllConnections(), this.times.open);
    this.server.once('close', () => clearTimeout(cut));
  }
}

/**
 * Waits until the accept queue is empty. The system accepts clients before a busy process does: it
 * takes one in each turn of its event loop. A client in that queue may have sent a request already,
 * and would be reset when the port closes. So the caller closes the port right after several short
 * turns that took none.
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
  const until = turnedAt + ARRIVALS_MS;
  while (empty < EMPTY_TURNS && turnedAt < until) {
    await nextTurn();
    const now = performance.now();
    empty = now - turnedAt > SHORT_TURN_MS ? 0 : empty + 1;
    turnedAt = now;
  }
  server.off(arrival, note);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
