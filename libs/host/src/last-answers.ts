import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that is busy uses each of its connections more often than that. */
const lastAnswersMs = 1_000;
const lookEveryMs = 20;

/**
 * Sends the clients of a server on before it closes. A connection that looks idle may have a request
 * on its way, which would be lost with it. So no more connections are taken, and each that is used
 * once more is told with its answer that it was the last one; only what nobody uses is left to be
 * cut. Without connections there is nothing to wait for.
 */
export async function giveLastAnswers(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  // The one of HTTP would cut at once what looks idle.
  NetServer.prototype.close.call(server);
  const until = performance.now() + lastAnswersMs;
  while (performance.now() < until && (await connectionsOf(server)) > 0) await sleep(lookEveryMs);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
}
