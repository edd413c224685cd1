import { afterEach, describe, expect, it } from '@jest/globals';
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
});
