import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** Longest line of the PROXY protocol, version 1, and its first bytes. */
const LINE_BYTES_MAX = 107;
const START = 'PROXY ';
const TIMEOUT_MS = 5_000;

/**
 * Takes the client's address from a PROXY protocol line, which a connection balancer writes before
 * the first request. A connection without the line is served as it is, so only the balancer may
 * reach the port.
 */
export function acceptProxyLines(server: Server): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const serve = () => listeners.forEach((listener) => listener.call(server, socket));
    readLine(socket, serve);
  });
}

function readLine(socket: Socket, serve: () => void): void {
  let seen = Buffer.alloc(0);
  const drop = () => socket.destroy();
  const timeout = setTimeout(drop, TIMEOUT_MS).unref();
  const read = () => {
    for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read()) {
      seen = Buffer.concat([seen, chunk]);
    }
    const end = seen.indexOf('\r\n');
    const head = seen.subarray(0, START.length).toString('latin1');
    const isLine = START.startsWith(head);
    if (isLine && end < 0 && seen.length < LINE_BYTES_MAX && !socket.readableEnded) return;
    finish();
    const text = seen.subarray(0, Math.max(end, 0)).toString('latin1');
    const address = isLine ? addressIn(text) : null;
    if (address === undefined) return void socket.destroy();
    if (address) Object.defineProperty(socket, 'remoteAddress', { value: address });
    const rest = isLine ? seen.subarray(end + 2) : seen;
    if (rest.length > 0) socket.unshift(rest);
    serve();
  };
  const finish = () => {
    clearTimeout(timeout);
    socket.off('readable', read).off('error', drop).off('close', finish);
  };
  socket.on('readable', read).on('error', drop).on('close', finish);
}

/**
 * Returns null where the balancer does not know the address, undefined for another kind of line.
 */
function addressIn(line: string): string | null | undefined {
  const [, family, source = ''] = line.split(' ');
  if (family === 'UNKNOWN') return null;
  const isAddress = isIP(source) === (family === 'TCP6' ? 6 : 4);
  return isAddress && /^PROXY TCP[46] \S+ \S+ \d{1,5} \d{1,5}$/.test(line) ? source : undefined;
}
