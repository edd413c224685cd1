/** Answers of the agent endpoint as HTTP: credentials, methods, origins, bodies and limits. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CURRENT } from './agent.kit.js';
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

describe('a request', () => {
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

  it("decisions 23: an agent's request of a version that is too old is answered with one that is spoken", async () => {
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
