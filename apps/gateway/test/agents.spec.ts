/** Tests the agent endpoint through the official client, in the three versions it supports. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { newId } from '@watchword/contracts';
import { callTool, connectAgent, CURRENT, OLDER } from './agent.kit.js';
import { type TestGateway, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const NUMBER = '+2348031234567';
const SMS = { to: NUMBER, from: 'Acme', body: 'Your order 1042 is on its way.' };
const NIL = '01890000-0000-7000-8000-000000000000';

let workspace: WorkspaceKeys;
let spent: number;
let balance: number;

useGateway({}, undefined, { before: async ({ billing }) => price(billing) });

beforeAll(async () => {
  workspace = await gateway.newWorkspace(UNLIMITED);
});
beforeEach(() => {
  spent = 0;
  balance = 1_000;
});

function price({ calls }: TestGateway['billing']) {
  calls.quote = async ({ segments }) => ({
    verdict: 'quoted',
    replayed: false,
    quote_id: newId(),
    expires_at: new Date().toISOString(),
    credits: 5 * segments,
    credit_price: { amount: 100, currency: 'NGN' },
    balance,
  });
  calls.getKeySpending = async () => ({ day: '2026-01-05', credits: spent });
}

async function newKey(bounds: object = {}, mode = 'live', owner = workspace) {
  const body = { mode, permission: 'agent', ...bounds };
  const path = `/workspaces/${owner.workspace_id}/keys`;
  const answer = await gateway.operator('POST', path, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.key as string;
}

async function agent(bounds?: object, mode?: string, version = CURRENT): Promise<Client> {
  return connectAgent(gateway, await newKey(bounds, mode), version);
}

describe.each([CURRENT, ...OLDER])('version %s of the protocol', (version) => {
  let client: Client;
  beforeAll(async () => {
    client = await agent({}, 'live', version);
  });

  it('lists six tools with schemas of both sides; those that read say so', async () => {
    const { tools } = await client.listTools();
    const facts = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(facts).toEqual([
      ['get_pricing', true],
      ['send_otp', false],
      ['verify_otp', false],
      ['get_otp', true],
      ['send_sms', false],
      ['get_sms', true],
    ]);
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    }
    const sms = tools.find(({ name }) => name === 'send_sms')?.inputSchema;
    expect(sms?.required).toEqual(['to', 'from']);
    expect(Object.keys(sms?.properties ?? {})).toEqual(
      expect.arrayContaining(['send_at', 'template', 'idempotency_key', 'dry_run']),
    );
  });

  it('answers each tool with the body that REST answers', async () => {
    const prices = await callTool(client, 'get_pricing', {});
    expect(prices.body).toEqual((await gateway.get('/v1/pricing')).body);
    const otp = await callTool(client, 'send_otp', { phone_number: NUMBER, code_length: 4 });
    expect(otp.body).toMatchObject({ phone_number: NUMBER, status: 'pending', code_length: 4 });
    const checked = await callTool(client, 'verify_otp', { otp_id: otp.body.id, code: '1234' });
    expect(checked.body).toMatchObject({ valid: false, attempts_used: expect.any(Number) });
    const own = await gateway.get(`/v1/otp/${otp.body.id}`, workspace.live_key);
    expect((await callTool(client, 'get_otp', { id: otp.body.id })).body).toEqual(own.body);
    const sms = await callTool(client, 'send_sms', SMS);
    expect(sms.body).toMatchObject({ to: NUMBER, from: 'Acme', status: 'queued' });
    const same = await gateway.get(`/v1/sms/${sms.body.id}`, workspace.live_key);
    expect((await callTool(client, 'get_sms', { id: sms.body.id })).body).toEqual(same.body);
  });

  it('answers failures with the REST envelope', async () => {
    const { isError, body } = await callTool(client, 'get_sms', { id: NIL });
    expect(isError).toBe(true);
    expect(body).toEqual({
      error: {
        type: 'not_found',
        message: expect.any(String),
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });
});

describe('arguments', () => {
  it.each([
    ['send_otp', {}, 'validation_error', 'phone_number'],
    ['send_otp', { phone_number: NUMBER, code_length: 9 }, 'validation_error', 'code_length'],
    ['send_otp', { phone_number: '12' }, 'validation_error', 'phone_number'],
    [
      'send_otp',
      { phone_number: NUMBER, idempotency_key: '' },
      'validation_error',
      'idempotency_key',
    ],
    ['verify_otp', { otp_id: 'x', code: '1' }, 'validation_error', 'otp_id'],
    ['get_otp', { id: 'x' }, 'not_found', undefined],
    ['get_otp', {}, 'validation_error', 'id'],
    ['send_sms', { ...SMS, to: '12' }, 'phone_invalid', 'to'],
    ['send_sms', { ...SMS, from: 'far too long a sender' }, 'sender_id_invalid', 'from'],
    ['send_sms', { ...SMS, send_at: 'soon' }, 'validation_error', 'send_at'],
    ['send_sms', { ...SMS, send_at: 'soon', dry_run: true }, 'validation_error', 'send_at'],
    ['send_sms', { ...SMS, dry_run: 'yes' }, 'validation_error', 'dry_run'],
    ['send_sms', { ...SMS, body: 'a\0b' }, 'validation_error', 'body'],
    ['send_sms', { ...SMS, body: '\ud800' }, 'validation_error', 'body'],
    ['send_sms', { ...SMS, metadata: { a: { 'b\0': 1 } } }, 'validation_error', 'metadata'],
    ['get_sms', JSON.parse(`{"__proto__":{"id":"${NIL}"}}`), 'validation_error', undefined],
  ])('%s of %j is %s', async (name, args, type, field) => {
    const { isError, body } = await callTool(await agent(), name, args);
    expect([isError, body.error.type, body.error.field]).toEqual([true, type, field]);
  });

  it('of an unknown tool are an error of the protocol', async () => {
    const client = await agent();
    for (const name of ['top_up', 'constructor']) {
      await expect(client.callTool({ name })).rejects.toThrow(`Unknown tool: ${name}`);
    }
  });
});

describe('an idempotency_key', () => {
  it('replays the first answer, for this tool only, and refuses other arguments', async () => {
    const client = await agent();
    const keyed = { phone_number: NUMBER, idempotency_key: newId() };
    const first = await callTool(client, 'send_otp', keyed);
    const again = await callTool(client, 'send_otp', keyed);
    expect(again).toEqual({ ...first, replayed: true });
    const other = await callTool(client, 'send_otp', { ...keyed, code_length: 5 });
    expect(other.body.error.type).toBe('idempotency_conflict');
    const sms = await callTool(client, 'send_sms', {
      ...SMS,
      idempotency_key: keyed.idempotency_key,
    });
    expect([sms.isError, sms.replayed]).toEqual([false, false]);
    const { idempotency } = gateway.billing.requests.at(-1)!;
    expect(idempotency?.scope).toBe('live POST send_sms');
  });
});

describe('a dry run', () => {
  it('answers the quote and whether the send would pass, and sends nothing', async () => {
    const client = await agent();
    const sends = gateway.billing.requests.length;
    for (const [name, args] of [
      ['send_otp', { phone_number: NUMBER }],
      ['send_sms', SMS],
    ] as const) {
      const { isError, body } = await callTool(client, name, { ...args, dry_run: true });
      expect(isError).toBe(false);
      expect(body).toMatchObject({ credits: 5, country_code: 'NG', would_pass: true });
      expect(body.gates.map(({ verdict }: { verdict: string }) => verdict)).not.toContain('refuse');
    }
    balance = 0;
    const { isError, body } = await callTool(client, 'send_sms', { ...SMS, dry_run: true });
    expect([isError, body.would_pass]).toEqual([false, false]);
    expect(body.gates[0]).toMatchObject({ verdict: 'refuse', type: 'sms_quota_exceeded' });
    expect(gateway.billing.requests).toHaveLength(sends);
  });

  it('knows the budget and the countries of the key, in test mode too', async () => {
    const bounds = { daily_budget_credits: 12, countries: ['KE'] };
    for (const mode of ['live', 'test']) {
      spent = 8;
      const client = await agent(bounds, mode);
      const { body } = await callTool(client, 'send_otp', { phone_number: NUMBER, dry_run: true });
      expect(body.would_pass).toBe(false);
      expect(body.gates.slice(0, 2)).toEqual([
        expect.objectContaining({ gate: 'balance', type: 'insufficient_credits' }),
        expect.objectContaining({ gate: 'country', type: 'country_not_enabled' }),
      ]);
    }
  });
});

describe('the bounds of a key', () => {
  it('are shown with the key, and refused for other permissions', async () => {
    await newKey({ daily_budget_credits: 7, countries: ['NG', 'GH', 'NG'] });
    const path = `/workspaces/${workspace.workspace_id}/keys`;
    const { body } = await gateway.operator('GET', path);
    expect(body.data[0]).toMatchObject({ daily_budget_credits: 7, countries: ['NG', 'GH'] });
    expect(body.data.at(-1)).not.toHaveProperty('countries');
    for (const [name, value] of [
      ['daily_budget_credits', 1],
      ['countries', ['NG']],
    ] as const) {
      const refused = await gateway.operator('POST', path, { mode: 'live', [name]: value });
      expect([refused.status, refused.body.error.field]).toEqual([400, name]);
    }
    for (const countries of [[], ['ng'], 'NG', ['NG', 'XX']]) {
      const wrong = { mode: 'live', permission: 'agent', countries };
      expect((await gateway.operator('POST', path, wrong)).status).toBe(400);
    }
  });

  it('go to billing with the send; over budget is insufficient_credits', async () => {
    const client = await agent({ daily_budget_credits: 50 });
    expect((await callTool(client, 'send_otp', { phone_number: NUMBER })).isError).toBe(false);
    expect(gateway.billing.requests.at(-1)?.budget).toMatchObject({ daily_credits: 50 });
    for (const [name, args] of [
      ['send_otp', { phone_number: NUMBER }],
      ['send_sms', SMS],
    ] as const) {
      gateway.billing.script.push(async () => ({ verdict: 'daily_budget', left: 0, required: 5 }));
      const { isError, body } = await callTool(client, name, args);
      expect(isError).toBe(true);
      expect(body.error).toMatchObject({ type: 'insufficient_credits', field: 'daily_budget' });
    }
  });

  it('refuse a country outside the list, of one inside nothing', async () => {
    const client = await agent({ countries: ['NG'] });
    const kenya = '+254712345678';
    const otp = await callTool(client, 'send_otp', { phone_number: kenya });
    expect(otp.body.error).toMatchObject({ type: 'country_not_enabled', field: 'phone_number' });
    const sms = await callTool(client, 'send_sms', { ...SMS, to: kenya });
    expect(sms.body.error).toMatchObject({ type: 'country_not_enabled', field: 'to' });
    expect((await callTool(client, 'send_sms', SMS)).isError).toBe(false);
  });

  it('leave the wallet to its own error', async () => {
    const client = await agent();
    for (const [name, args, type] of [
      ['send_otp', { phone_number: NUMBER }, 'insufficient_credits'],
      ['send_sms', SMS, 'sms_quota_exceeded'],
    ] as const) {
      const empty = { verdict: 'insufficient_credits', balance: 0, required: 5 } as const;
      gateway.billing.script.push(async () => empty);
      expect((await callTool(client, name, args)).body.error.type).toBe(type);
    }
  });
});
