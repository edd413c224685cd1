import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { banner, bannerWithoutGateway } from './banner.js';

const run = promisify(execFile);
const asked: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  asked.push({ url: request.url, headers: request.headers, body });
  response.end('{}');
});
const directory = mkdtempSync(join(tmpdir(), "watchword it's "));

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

describe('the banner', () => {
  it('prints commands that a shell runs as they are, with any directory and port', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentialsFile = join(directory, 'dev-credentials.json');
    writeFileSync(credentialsFile, JSON.stringify({ live_key: 'svc_live_1' }));
    const text = banner({
      baseUrl: url,
      simulatorUrl: url,
      statusUrl: url,
      credentialsFile,
      testKey: 'svc_test_1',
      logInToken: 'token',
    });
    expect(text).not.toContain('svc_live');
    const lines = text.split('\n');
    const commands = lines.filter((line) => /^ {2}(?:curl| {2}-H)/.test(line)).join('\n');
    await run('sh', ['-c', commands]);
    const keys = asked.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(['Bearer svc_test_1', 'Bearer svc_live_1', undefined]);
    const numbers = asked.slice(0, 2).map(({ body }) => JSON.parse(body) as unknown);
    expect(new Set(numbers.map((sent) => JSON.stringify(sent))).size).toBe(2);
    expect(asked[2]?.url).toBe('/_simulator/messages');
  });

  it('of services without a gateway names no address of the public API', () => {
    const config = { services: ['billing'], internalHost: '127.0.0.1', metricsPort: 8311 } as const;
    expect(bannerWithoutGateway({ ...config, rpcPort: 8301 })).toBe(
      'Watchword (billing) is running without a gateway: no public API; ' +
        'status and metrics at http://127.0.0.1:8311; calls of other services at 127.0.0.1:8301',
    );
    expect(bannerWithoutGateway({ ...config, metricsPort: 0, rpcPort: 0 })).toBe(
      'Watchword (billing) is running without a gateway: no public API',
    );
  });
});
