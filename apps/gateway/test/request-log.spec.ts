import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { callTool, connectAgent, CURRENT } from './agent.kit.js';
import { openGateway, type TestGateway } from './gateway.kit.js';

let gateway: TestGateway;
afterEach(() => gateway?.close());

type Fields = Record<string, unknown>;

function requests(): Fields[] {
  const lines = gateway.logs.map((line) => JSON.parse(line) as Fields);
  return lines.filter(({ msg }) => msg === 'request');
}

async function sendTwice() {
  const { live_key: key, workspace_id: id } = await gateway.newWorkspace();
  gateway.logs.length = 0;
  const body = { phone_number: '+2348031234567' };
  const accepted = await gateway.post('/v1/otp/send', key, body);
  const refused = await gateway.post('/v1/otp/send', key, { phone_number: 5 });
  return { key, id, accepted, refused };
}

describe('the request log', () => {
  it('has a line per request, with what finds it again and nothing secret', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'all' });
    const { key, id, accepted, refused } = await sendTwice();
    const line = { level: 'info', service: 'gateway', method: 'POST', route: '/v1/otp/send' };
    const caller = { workspace_id: id, key_last4: key.slice(-4) };
    expect(requests()).toMatchObject([
      { ...line, ...caller, status: 200, request_id: accepted.headers['x-request-id'] },
      { ...line, ...caller, status: 400, error: 'validation_error' },
    ]);
    for (const { ms } of requests()) expect(ms).toBeGreaterThanOrEqual(0);
    expect(gateway.logs.join('')).toContain(refused.body.error.request_id);
    expect(gateway.logs.join('')).not.toContain(key);
    expect(gateway.logs.join('')).not.toContain('8031234567');
  });

  it('has, of requests without a route, the path without its query or a secret', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'all' });
    const paths = ['/nope?key=1', '/callbacks/twilio/secret/more', '/link-hosts/secret/more'];
    for (const path of [...paths, '/v1/otp/%zz']) await gateway.get(path);
    const routes = requests().map(({ route }) => route);
    expect(routes.slice(0, 3)).toEqual(['/nope', '/callbacks/', '/link-hosts/']);
    expect(gateway.logs.join('')).not.toMatch(/key=1|secret/);
  });

  it('has every answer that is not a success, and no other, with "failed"', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'failed' });
    const { refused } = await sendTwice();
    expect(requests()).toMatchObject([
      { status: 400, request_id: refused.headers['x-request-id'] },
    ]);
  });

  it('has a refused call of a tool, whose answer has status 200, with "failed"', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'failed' });
    const { workspace_id: id } = await gateway.newWorkspace();
    const made = { mode: 'live', permission: 'agent' };
    const { body } = await gateway.operator('POST', `/workspaces/${id}/keys`, made);
    const client = await connectAgent(gateway, body.key as string, CURRENT);
    gateway.logs.length = 0;
    const { body: refused } = await callTool(client, 'get_otp', { id: 'unknown' });
    expect(requests()).toMatchObject([
      { status: 200, error: 'not_found', request_id: refused.error.request_id },
    ]);
  });

  it('has connections that are refused before there is a request', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'failed' });
    await gateway.app.listen(0, '127.0.0.1');
    const port = Number(new URL(await gateway.app.getUrl()).port);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => resolve(chunk.toString()));
    });
    const requestId = /X-Request-Id: (\S+)/.exec(answer)?.[1] ?? 'none';
    expect(gateway.logs.join('')).toContain(requestId);
  });

  it('has nothing with "off"', async () => {
    gateway = await openGateway({ REQUEST_LOG: 'off' });
    await sendTwice();
    expect(requests()).toEqual([]);
  });
});
