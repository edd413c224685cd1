/** A small carrier for the spec of one adapter. It answers from its voice, or misbehaves. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CarrierPeer, PeerBehaviour, PeerMessage } from './provider-contract.kit.js';

export interface PeerAnswer {
  status: number;
  body: string;
}

/** The carrier's side of a dialect, with answers from fixtures. */
export interface PeerVoice {
  /** Returns null for a request that the carrier would refuse from every caller. */
  read(request: PeerRequest): PeerMessage | null;
  isAuthorised(request: PeerRequest): boolean;
  accept(message: PeerMessage, count: number): PeerAnswer;
  refuse(message: PeerMessage, code: string): PeerAnswer;
  fault(status: number): PeerAnswer;
}

export interface PeerRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const DRIP_EVERY_MS = 20;

export async function openScriptedPeer(voice: PeerVoice): Promise<CarrierPeer> {
  const messages: PeerMessage[] = [];
  let behaviour: PeerBehaviour = { kind: 'accept' };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request: PeerRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    const message = voice.read(request);
    if (!voice.isAuthorised(request)) return say(response, voice.fault(401));
    if (message === null) return say(response, voice.fault(400));
    act(response, voice, behaviour, message, messages);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async play(next) {
      behaviour = next;
    },
    async messages() {
      return [...messages];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function act(
  response: ServerResponse,
  voice: PeerVoice,
  behaviour: PeerBehaviour,
  message: PeerMessage,
  messages: PeerMessage[],
): void {
  const accept = () => voice.accept(message, messages.push(message));
  switch (behaviour.kind) {
    case 'accept':
      return say(response, accept());
    case 'refuse':
      return say(response, voice.refuse(message, behaviour.code));
    case 'http_status':
      return say(response, voice.fault(behaviour.status));
    case 'throttle':
      response.setHeader('retry-after', String(behaviour.retryAfterSeconds));
      return say(response, voice.fault(429));
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'garbage':
      return say(response, { status: 200, body: '{"<html> \u0000 upstream said' });
    case 'accept_then_lose_answer':
      accept();
      response.socket?.destroy();
      return;
    case 'slow_drip':
      return drip(response, accept());
    case 'giant_body':
      return flood(response, accept());
  }
}

function say(response: ServerResponse, { status, body }: PeerAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function drip(response: ServerResponse, { status, body }: PeerAnswer): void {
  response.writeHead(status).write(body);
  const timer = setInterval(() => response.write(' '), DRIP_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}

function flood(response: ServerResponse, { status, body }: PeerAnswer): void {
  const filler = ' '.repeat(16 * 1_024);
  response.writeHead(status).write(body);
  const pour = () => {
    while (!response.destroyed && response.write(filler));
  };
  response.on('drain', pour);
  pour();
}
