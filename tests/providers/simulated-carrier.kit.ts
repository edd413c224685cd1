/** What tests of adapters against the carrier simulator share. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CarrierSim } from '@watchword/carrier-sim';
import type { CarrierCallback } from '@watchword/carriers';
import { request } from 'undici';
import type { CarrierPeer, PeerBehaviour } from '../../libs/carriers/src/provider-contract.kit.js';

export async function control(
  sim: CarrierSim,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await request(`${sim.url}/_simulator${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = await response.body.json();
  if (response.statusCode >= 300) throw new Error(JSON.stringify(answer));
  return answer;
}

/** A simulator as the peer of the provider contract. `prefix` is the path of the carrier. */
export function peerOf(sim: CarrierSim, prefix: string): CarrierPeer {
  return {
    baseUrl: sim.url + prefix,
    async play(behaviour) {
      await control(sim, 'POST', '/scenarios', { submit: scenarioOf(behaviour), receipts: [] });
    },
    async messages() {
      const rows = (await control(sim, 'GET', '/messages')) as Array<Record<string, string>>;
      return rows.map(({ to = '', from = '', body = '' }) => ({ to, from, body }));
    },
    close: () => sim.close(),
  };
}

function scenarioOf(behaviour: PeerBehaviour): Record<string, unknown> {
  if (behaviour.kind !== 'throttle') return { ...behaviour };
  return { kind: 'throttle', retry_after_s: behaviour.retryAfterSeconds };
}

/** A gateway's ear: what the simulator posted, as the adapter is given it. */
export class CallbackReceiver {
  readonly callbacks: CarrierCallback[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const url = `${this.url}${incoming.url ?? ''}`;
      this.callbacks.push({
        method: incoming.method ?? '',
        url,
        headers: incoming.headers as IncomingHttpHeaders,
        query: Object.fromEntries(new URL(url).searchParams),
        rawBody: Buffer.concat(chunks).toString('utf8'),
      });
      response.end();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
