/** Interface 1.9, decisions 11, 23 and 25: the agent endpoint. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from '../support/agent.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
const TOOLS = ['get_pricing', 'send_otp', 'verify_otp', 'get_otp', 'send_sms', 'get_sms'];
const ACCEPT = { accept: 'application/json, text/event-stream' };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_pricing', arguments: {} },
};
let customer: Customer;
let agent: Agent;

beforeAll(async () => {
  customer = await suite.customer({ credits: 50_000 });
  agent = await Agent.of(suite, customer);
});

const post = (key?: string, headers: Record<string, string> = {}, body: unknown = CALL) =>
  suite.http.post('/mcp', body, { key, headers: { ...ACCEPT, ...headers } });
const newSms = () => ({ to: freshNumber(), from: 'Acme', body: 'Hello' });

describe('the agent endpoint', () => {
  it('1 item 9 tools: six tools, and none for payments', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  });

  it('5 rule 6 agent key: an agent key opens the agent endpoint', async () => {
    expectError(await post(), 401, 'authentication_error');
    for (const permission of ['full', 'otp', 'sending']) {
      const { key } = await customer.newKey('live', permission);
      expectError(await post(key), 403, 'permission_error');
    }
    expect((await post(agent.key)).status).toBe(200);
  });

  it('decisions 2: agent budget: and its country allow-list bound the agent endpoint', async () => {
    const bounds = { daily_budget_credits: 0, countries: ['NG'] };
    const bounded = await Agent.of(suite, customer, bounds);
    const over = await bounded.call('send_otp', { phone_number: freshNumber() });
    expect(over.body.error).toMatchObject({ type: 'insufficient_credits', field: 'daily_budget' });
    const abroad = await bounded.call('send_otp', { phone_number: '+254712345678' });
    expect(abroad.body.error.type).toBe('country_not_enabled');
  });

  it('decisions 11: structuredContent is the REST success body, with the same JSON as text', async () => {
    const { body } = await agent.call('send_sms', newSms());
    const shown = await agent.call('get_sms', { id: body.id });
    expect(Object.keys(shown.body)).toEqual(
      Object.keys((await customer.getSms(body.id as string)).json),
    );
  });

  it('decisions 11: failures are isError with the REST error envelope', async () => {
    const { isError, body } = await agent.call('get_otp', { id: unknownId });
    expect(isError).toBe(true);
    expect(Object.keys(body)).toEqual(['error']);
    expect(Object.keys(body.error)).toEqual(['type', 'message', 'request_id', 'doc_url']);
  });

  it('decisions 11: schemas: of inputs and outputs are published; get tools are read-only', async () => {
    const { tools } = await agent.client.listTools();
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
      expect(annotations?.readOnlyHint).toBe(name.startsWith('get_'));
    }
  });

  it('decisions 23: dry_run answers what the send would cost and does nothing', async () => {
    const before = await customer.balance();
    const sms = newSms();
    const { isError, body } = await agent.call('send_sms', { ...sms, dry_run: true });
    expect(isError).toBe(false);
    expect(body).toMatchObject({ credits: expect.any(Number), would_pass: true });
    expect(await customer.balance()).toBe(before);
    expect(await suite.handset(sms.to)).toEqual([]);
  });

  it('decisions 25: bad arguments are isError', async () => {
    const { isError, body } = await agent.call('send_sms', { ...newSms(), to: 'Ada' });
    expect([isError, body.error.type, body.error.field]).toEqual([true, 'phone_invalid', 'to']);
  });

  it.each([
    ['null', null],
    ['an empty list', []],
  ])('arguments that are %s count as none', async (_, given) => {
    const params = { name: 'get_pricing', arguments: given };
    const { status, json } = await post(agent.key, {}, { ...CALL, params });
    expect([status, json.result.isError ?? false]).toEqual([200, false]);
  });

  it.each([['a text'], [7], [['+2348031234567']]])(
    'arguments that are %j are refused in the words of the other errors',
    async (given) => {
      const params = { name: 'send_otp', arguments: given };
      const { status, json } = await post(agent.key, {}, { ...CALL, params });
      const { error } = json.result.structuredContent;
      expect([status, json.result.isError]).toEqual([200, true]);
      expect([error.type, error.field]).toEqual(['validation_error', 'arguments']);
    },
  );

  it('decisions 25: limits answer 200 with isError and retry_after_seconds', async () => {
    const limited = await suite.customer({ settings: { limits: { key_per_minute: 6 } } });
    const busy = await Agent.of(suite, limited);
    for (let call = 0; call < 6; call += 1) await post(busy.key);
    const { status, json } = await post(busy.key);
    expect([status, json.result.isError]).toEqual([200, true]);
    expect(json.result.structuredContent.error).toMatchObject({
      type: 'rate_limited',
      retry_after_seconds: expect.any(Number),
    });
  });

  it('decisions 25: empty wallet is sms_quota_exceeded on send_sms', async () => {
    const poor = await Agent.of(suite, await suite.customer({ credits: 0 }));
    expect((await poor.call('send_sms', newSms())).body.error.type).toBe('sms_quota_exceeded');
    const otp = await poor.call('send_otp', { phone_number: freshNumber() });
    expect(otp.body.error.type).toBe('insufficient_credits');
  });

  it('decisions 25: idempotency_key belongs to the tool and not to the request', async () => {
    const sms = { ...newSms(), idempotency_key: 'one' };
    const first = await agent.call('send_sms', sms);
    expect(await agent.call('send_sms', sms)).toEqual({ ...first, replayed: true });
    const other = await agent.call('send_sms', { ...sms, body: 'Another' });
    expect(other.body.error.type).toBe('idempotency_conflict');
    const otp = { phone_number: freshNumber(), idempotency_key: 'one' };
    expect((await agent.call('send_otp', otp)).isError).toBe(false);
  });

  it('decisions 25: Origin: a foreign one is 403', async () => {
    expectError(await post(agent.key, { origin: 'https://evil.example' }), 403, 'permission_error');
  });

  it('decisions 25: methods: GET and DELETE are 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await suite.http.request(method, '/mcp', { key: agent.key, headers: ACCEPT });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });
});

const CALLS = 100;
const SENDS_PAID = 10;

describe('the daily budget', () => {
  it('decisions 2: the daily budget is never exceeded by 100 parallel calls, and a dry run knows it', async () => {
    const scout = await Agent.of(suite, customer);
    const asked = { phone_number: freshNumber(), dry_run: true };
    const { credits } = (await scout.call('send_otp', asked)).body;
    const agent = await Agent.of(suite, customer, {
      daily_budget_credits: SENDS_PAID * credits + credits - 1,
    });
    const before = await customer.balance();
    const results = await Promise.all(
      Array.from({ length: CALLS }, () => agent.call('send_otp', { phone_number: freshNumber() })),
    );
    const refused = results.filter(({ isError }) => isError);
    expect(CALLS - refused.length).toBe(SENDS_PAID);
    for (const { body } of refused) {
      expect(body.error).toMatchObject({ type: 'insufficient_credits', field: 'daily_budget' });
    }
    expect(before - (await customer.balance())).toBe(SENDS_PAID * credits);
    const dry = await agent.call('send_otp', asked);
    expect([dry.isError, dry.body.would_pass]).toEqual([false, false]);
    expect(dry.body.gates[0]).toMatchObject({ gate: 'balance', type: 'insufficient_credits' });
  });

  it('decisions 25: the daily budget counts in test mode what live would have cost, and debits nothing', async () => {
    const agent = await Agent.of(suite, customer, { daily_budget_credits: 0 }, 'test');
    const before = await customer.balance();
    const refused = await agent.call('send_otp', { phone_number: magicNumber(1) });
    expect(refused.body.error).toMatchObject({ field: 'daily_budget' });
    const rich = await Agent.of(suite, customer, { daily_budget_credits: 1_000 }, 'test');
    const sent = await rich.call('send_otp', { phone_number: magicNumber(1) });
    expect(sent.isError).toBe(false);
    expect(await customer.balance()).toBe(before);
  });
});
