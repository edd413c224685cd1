/** A carrier for the spec of one adapter. It takes every request and gives one answer. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SAMPLE } from './provider-contract.kit.js';
import type { CarrierCallback, Provider, SubmitOutcome, SubmitRequest } from './provider.port.js';

export interface PeerAnswer {
  status: number;
  body: string;
}

export interface PeerRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Returns a reader of the files in `fixtures` beside the spec. */
export const fixturesOf = (spec: string) => (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, spec), 'utf8').trim();

export function callbackOf(
  rawBody: string,
  changes: Partial<CarrierCallback> = {},
): CarrierCallback {
  const url = 'https://svc.example.com/callbacks/account/path-secret-0123456789';
  return { method: 'POST', url, headers: {}, query: {}, rawBody, ...changes };
}

interface Exchange {
  outcome: SubmitOutcome;
  requests: readonly PeerRequest[];
}

/** Makes one call to a carrier that takes every request and gives this answer. */
export async function exchangeWith(
  { status, body: answer }: PeerAnswer,
  create: (baseUrl: string) => Provider,
  call: (provider: Provider) => Promise<SubmitOutcome>,
): Promise<Exchange> {
  const requests: PeerRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const { method = '', url: path = '', headers } = incoming;
    requests.push({ method, path, headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = create(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const outcome = await call(provider);
  await provider.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { outcome, requests };
}

/** Submits one message to a carrier that gives this answer. */
export const submitTo = (
  answer: PeerAnswer,
  create: (baseUrl: string) => Provider,
  request: Partial<SubmitRequest> = {},
): Promise<Exchange> =>
  exchangeWith(answer, create, (provider) => provider.submit({ ...SAMPLE, ...request }));
