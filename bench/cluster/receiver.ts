/** A customer's webhook endpoint that only records when it got which message. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Receiver {
  /** The moment of the first delivery of `sms.delivered`, by message id. */
  readonly deliveredAt = new Map<string, number>();
  /** Messages that ended otherwise, which makes the bench invalid. */
  readonly failures: string[] = [];
  url = '';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(200).end();
        this.note(Buffer.concat(chunks).toString(), moment());
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const { server } = receiver;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return receiver;
  }

  private note(body: string, at: number): void {
    const { event, data } = JSON.parse(body) as { event: string; data: { id: string } };
    if (event !== 'sms.delivered') this.failures.push(body);
    else if (!this.deliveredAt.has(data.id)) this.deliveredAt.set(data.id, at);
  }

  assertAllDelivered(): void {
    const [first] = this.failures;
    if (first) throw new Error(`${this.failures.length} were not delivered, such as ${first}`);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Milliseconds since 1970, with a fraction. */
export const moment = (): number => performance.timeOrigin + performance.now();
