import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestGateway } from './gateway.kit.js';

export const CURRENT = '2026-07-28';
export const OLDER = ['2025-11-25', '2025-06-18'];

/** The official client, connected to the edge without a socket. */
export async function connectAgent(
  gateway: TestGateway,
  key: string,
  version: string,
): Promise<Client> {
  const isOlder = OLDER.includes(version);
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    isOlder
      ? { supportedProtocolVersions: [version] }
      : { versionNegotiation: { mode: { pin: version } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => injected(gateway, url, init),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

async function injected(
  gateway: TestGateway,
  url: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const { status, headers, text } = await gateway.call({
    method: (init.method ?? 'GET') as 'POST',
    url: new URL(url).pathname,
    headers: Object.fromEntries(new Headers(init.headers)),
    payload: init.body as string,
  });
  const empty = status === 202 || status === 204;
  return new Response(empty ? null : text, {
    status,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
  });
}
