import { once } from 'node:events';
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net';

/** A proxy to a server, PostgreSQL for instance, that can hang or disappear at one address. */
export class BreakableProxy {
  private listener: Server | undefined;
  private port = 0;
  private readonly sockets = new Set<Socket>();
  private readonly stranded = new WeakSet<Socket>();
  private hanging = false;
  /** How many connections came. */
  connections = 0;

  private constructor(private readonly server: { host: string; port: number }) {}

  static async to(serverUrl: string): Promise<BreakableProxy> {
    const { hostname: host, port } = new URL(serverUrl);
    const proxy = new BreakableProxy({ host, port: Number(port) });
    await proxy.open();
    return proxy;
  }

  async open(): Promise<void> {
    this.listener = createServer((client) => this.join(client));
    this.listener.listen(this.port, '127.0.0.1');
    await once(this.listener, 'listening');
    this.port = (this.listener.address() as AddressInfo).port;
  }

  url(of: string): string {
    const url = new URL(of);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Keeps connections and accepts new ones, but passes nothing on. */
  hang(): void {
    this.hanging = true;
    for (const socket of this.sockets) socket.pause();
  }

  goOn(): void {
    this.hanging = false;
    for (const socket of this.sockets) if (!this.stranded.has(socket)) socket.resume();
  }

  /** Passes nothing on again by the connections that are open, as if their host had vanished. New ones work. */
  strand(): void {
    for (const socket of this.sockets) {
      socket.pause();
      this.stranded.add(socket);
    }
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.listener?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket): void {
    this.connections += 1;
    const upstream = createConnection(this.server);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.hanging) from.pause();
    }
  }
}
