import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a provider posts. */
export interface Callback {
  body: Buffer;
  signature: string;
}

export interface Wrong {
  amount?: number;
  currency?: string;
  /** Of the payment, where the report has it beside the reference. */
  paymentId?: string;
  reference?: string;
  /** Of the payment at the provider. */
  id?: string | null;
}

/** A payment provider over HTTP. It shares no code with the adapters. */
export interface ProviderSimulator {
  readonly name: 'stripe' | 'paystack';
  /** Credentials of its account, and the address of its API. */
  readonly settings: { secretKey: string; webhookSecret: string; apiUrl: string };
  /** Pays at the page. `wrong` makes the provider report something else than was ordered. */
  pay(checkoutUrl: string, wrong?: Wrong): Callback;
  /** `refundId` is that of the refund; a new one by default. */
  refund(providerPaymentId: string, amount: number, refundId?: string): Callback;
  /** A refund that was reported before has failed. */
  failRefund(providerPaymentId: string, amount: number, refundId: string): Callback;
  dispute(providerPaymentId: string): Callback;
  /** Declines the next charges of saved authorisations. */
  declineCharges(times: number): void;
  /** Handles the next requests, and cuts their connections before the answer. */
  loseAnswers(times: number): void;
  /** Refuses the next requests with 503, without effect. */
  fail(times: number): void;
  /** Returns the number of successful charges of saved authorisations. */
  charges(): number;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  json: unknown;
}

/** The HTTP part of a simulator. */
export class SimulatedApi {
  lost = 0;
  failing = 0;
  readonly url: string;
  private readonly server: Server;

  // Node runs this file directly, and does not support parameter properties.
  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  static async start(
    handle: (request: IncomingMessage, body: string) => Answer,
  ): Promise<SimulatedApi> {
    const server = createServer((request, response) => {
      void respond(request, response).catch(() => response.destroy());
    });
    const respond = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (api.failing > 0) {
        api.failing -= 1;
        response.writeHead(503).end('{}');
        return;
      }
      const { status, json } = handle(request, Buffer.concat(chunks).toString());
      if (api.lost > 0) {
        api.lost -= 1;
        response.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const api = new SimulatedApi(server, `http://127.0.0.1:${port}`);
    return api;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
