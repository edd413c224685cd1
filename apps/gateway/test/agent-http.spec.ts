/** Answers of the agent endpoint as HTTP: credentials, methods, origins, bodies and limits. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, connectAgent, CURRENT } from './agent.kit.js';
import { UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const PRICES = rpc('tools/call', { name: 'get_pricing', arguments: {} });

let workspace: WorkspaceKeys;
let key: string;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
  key = await newKey(workspace, 'agent');
});

function rpc(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

async function newKey({ workspace_id: id }: WorkspaceKeys, permission: string) {
  const path = `/workspaces/${id}/keys`;
  return (await gateway.operator('POST', path, { mode: 'live', permission })).body.key as string;
}

const post = (body: unknown, headers: object = {}, own: string | undefined = key) =>
  gateway.post('/mcp', own, body, { ...ACCEPT, ...headers });

describe('credentials', () => {
  it('are an agent key: 401 without one, 403 with another', async () => {
    for (const unknown of [undefined, 'svc_live_short', `svc_live_${'x'.repeat(32)}`]) {
      const { status, body } = await gateway.post('/mcp', unknown, PRICES, ACCEPT);
      expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    }
    for (const permission of ['full', 'otp', 'sending']) {
      const { status, body } = await post(PRICES, {}, await newKey(workspace, permission));
      expect([status, body.error.type]).toEqual([403, 'permission_error']);
    }
    const answer = await post(PRICES);
    expect([answer.status, answer.body.result.isError]).toEqual([200, undefined]);
  });

  it('of a suspended workspace are 403', async () => {
    const own = await gateway.newWorkspace(UNLIMITED);
    const agentKey = await newKey(own, 'agent');
    const suspension = { suspended: true, reason: 'abuse' };
    await gateway.operator('PATCH', `/workspaces/${own.workspace_id}`, suspension);
    expect((await post(PRICES, {}, agentKey)).status).toBe(403);
  });
});

describe('a request', () => {
  it.each(['GET', 'DELETE', 'PUT'])('with %s is 405', async (method) => {
    const headers = { ...ACCEPT, authorization: `Bearer ${key}` };
    const answer = await gateway.call({ method: method as 'GET', url: '/mcp', headers });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('from a page of another origin is 403', async () => {
    for (const origin of ['https://evil.example', 'null', 'nonsense']) {
      const { status, body } = await post(PRICES, { origin });
      expect([status, body.error.field]).toEqual([403, 'Origin']);
    }
    const own = { host: 'sms.example.com', origin: 'https://sms.example.com' };
    expect((await post(PRICES, own)).status).toBe(200);
  });

  it.each([
    ['a batch, which would evade the limits', [PRICES, PRICES]],
    ['no object', '7'],
  ])('of %s is 400', async (_, body) => {
    const { status, body: answer } = await post(body, { 'content-type': 'application/json' });
    expect([status, answer.error.type]).toEqual([400, 'validation_error']);
  });

  it.each([
    ['nothing of JSON-RPC', {}],
    ['a number for a method', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['an unknown version', { ...PRICES, params: { _meta: meta('1999-01-01') } }],
    ['a listener', rpc('subscriptions/listen', { _meta: meta(CURRENT), notifications: {} })],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['no name', rpc('tools/call', {})],
    ['a list for arguments', rpc('tools/call', { name: 'get_otp', arguments: [] })],
  ])('with %s is refused, with no status of ours', async (_, body) => {
    const { status, text } = await post(body);
    expect(status).toBeLessThan(500);
    if (status === 200) expect(JSON.parse(text)).toHaveProperty('error');
  });

  it('with a NUL are answered in band where it is in the arguments, else with 400', async () => {
    const bad = rpc('tools/call', { name: 'get_otp', arguments: { id: 'a\0' } });
    const { status, body } = await post({ ...bad, id: 'one' });
    expect([status, body]).toMatchObject([
      200,
      { id: 'one', result: { isError: true, structuredContent: { error: { field: 'id' } } } },
    ]);
    for (const other of [
      rpc('tools/call', { name: 'get_otp\0', arguments: {} }),
      { ...bad, method: 'tools/list' },
    ]) {
      const refused = await post(other);
      expect([refused.status, refused.body.error.type]).toEqual([400, 'validation_error']);
    }
  });

  it('of a version that is too old is answered with one that is spoken', async () => {
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    };
    const { status, body, headers } = await post(rpc('initialize', params));
    expect([status, body.result.protocolVersion]).toEqual([200, '2025-11-25']);
    expect(headers).not.toHaveProperty('mcp-session-id');
    const old = await post(PRICES, { 'mcp-protocol-version': '2025-03-26' });
    expect(old.status).toBe(400);
  });
});

function meta(version: string) {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

describe('limits', () => {
  it('of the key and of the workspace answer tool calls in band, all else with 429', async () => {
    for (const limited of ['key_per_minute', 'workspace_per_minute']) {
      const own = await gateway.newWorkspace({ limits: { ...UNLIMITED.limits, [limited]: 3 } });
      const agentKey = await newKey(own, 'agent');
      const client = await connectAgent(gateway, agentKey, CURRENT);
      await post(PRICES, {}, agentKey);
      await post(PRICES, {}, agentKey);
      const { isError, body } = await callTool(client, 'get_pricing', {});
      expect(isError).toBe(true);
      expect(body.error).toMatchObject({
        type: 'rate_limited',
        retry_after_seconds: expect.any(Number),
      });
      const other = await post(rpc('tools/list'), {}, agentKey);
      expect([other.status, other.body.error.type]).toEqual([429, 'rate_limited']);
      expect(other.headers).toHaveProperty('retry-after');
    }
  });

  it('of a destination are rate_limited for every tool', async () => {
    const own = await gateway.newWorkspace({
      limits: { ...UNLIMITED.limits, sms_per_number_per_minute: 1 },
    });
    const client = await connectAgent(gateway, await newKey(own, 'agent'), CURRENT);
    const sms = { to: '+2348031230001', from: 'Acme', body: 'Hello' };
    expect((await callTool(client, 'send_sms', sms)).isError).toBe(false);
    const { body } = await callTool(client, 'send_sms', sms);
    expect(body.error).toMatchObject({
      type: 'rate_limited',
      retry_after_seconds: expect.any(Number),
    });
  });

  it('show what is left', async () => {
    const own = await gateway.newWorkspace();
    const { headers } = await post(PRICES, {}, await newKey(own, 'agent'));
    expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });
});
