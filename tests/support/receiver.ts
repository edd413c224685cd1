import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook delivery as received, byte for byte. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  rawBody: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into events of every shape
  json: any;
  receivedAt: number;
}

/** A customer's webhook endpoint. Answers 200 unless `answer` decides otherwise. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: (delivery: Received) => number = () => 200;
  /** Milliseconds until it answers. */
  delayMs = 0;
  readonly url: string;
  private readonly server: Server;
  private readonly answering = new Set<NodeJS.Timeout>();

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new WebhookReceiver(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const rawBody = Buffer.concat(chunks).toString('utf8');
        const delivery: Received = {
          method: request.method ?? '',
          path: request.url ?? '/',
          headers: request.headers as Record<string, string>,
          rawBody,
          json: JSON.parse(rawBody) as unknown,
          receivedAt: Date.now(),
        };
        receiver.received.push(delivery);
        const status = receiver.answer(delivery);
        const headers =
          status >= 300 && status < 400 ? { location: `${receiver.url}/elsewhere` } : {};
        const answering = setTimeout(() => {
          receiver.answering.delete(answering);
          response.writeHead(status, headers).end('ok');
        }, receiver.delayMs);
        receiver.answering.add(answering);
      });
    });
    return receiver;
  }

  events(name: string, messageId?: string): Received[] {
    return this.received.filter(
      ({ json }) => json.event === name && (messageId === undefined || json.data.id === messageId),
    );
  }

  close(): Promise<void> {
    for (const answering of this.answering) clearTimeout(answering);
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
