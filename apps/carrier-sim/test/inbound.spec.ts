import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sdk from 'twilio';
import { AUTH_TOKEN, Bench } from './carrier-sim.kit.js';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const FROM = '+254711000001';

describe('messages that handsets send', () => {
  it('a message of a handset comes as Twilio posts it, with a signature that its SDK takes', async () => {
    const message = { provider: 'twilio', from: FROM, to: '+15005550006', body: 'Stop, please €' };
    const { status, json } = await bench.control('POST', '/inbound', message);
    expect(status).toBe(201);
    expect(json).toMatchObject({ provider: 'twilio' });
    const [callback] = await bench.receiver.waitFor(1);
    const { path, headers, form } = callback!;
    expect(form).toMatchObject({
      SmsStatus: 'received',
      From: FROM,
      To: '+15005550006',
      Body: 'Stop, please €',
    });
    const signature = String(headers['x-twilio-signature']);
    const url = `${bench.receiver.url}${path}`;
    expect(sdk.validateRequest(AUTH_TOKEN, signature, url, form)).toBe(true);
  });

  it('a message of a handset comes as Africa’s Talking posts it', async () => {
    const message = { provider: 'africas_talking', from: FROM, to: '20880', body: 'STOP' };
    const { status } = await bench.control('POST', '/inbound', message);
    expect(status).toBe(201);
    const [callback] = await bench.receiver.waitFor(1);
    expect(callback?.path).toBe('/callbacks/africas_talking/secret');
    expect(callback?.form).toMatchObject({ from: FROM, to: '20880', text: 'STOP' });
  });

  it('an opt-out comes as Africa’s Talking posts it', async () => {
    const optOut = { provider: 'africas_talking', from: FROM, to: 'Acme', opt_out: true };
    expect((await bench.control('POST', '/inbound', optOut)).status).toBe(201);
    const [callback] = await bench.receiver.waitFor(1);
    expect(callback?.path).toBe('/callbacks/africas_talking/secret');
    expect(callback?.form).toEqual({ senderId: 'Acme', phoneNumber: FROM });
  });

  it('a handset answers by the carrier of its last message', async () => {
    await bench.africasTalking({ phoneNumbers: [FROM] });
    const { json } = await bench.control('POST', '/inbound', { from: FROM, to: 'A', body: 'STOP' });
    expect(json.provider).toBe('africas_talking');
  });

  it.each([
    [{ to: 'A', body: 'STOP' }, undefined],
    [{ from: 'me', to: 'A', body: 'STOP' }, 'from'],
    [{ from: FROM, to: 'A', body: 'STOP', provider: 'vonage' }, 'provider'],
    [{ from: FROM, to: 'A', body: 'STOP', provider: '__proto__' }, 'provider'],
    [{ from: FROM, to: 'A', opt_out: true, provider: 'twilio' }, 'provider'],
    [{ from: FROM, to: 'A', opt_out: true, body: 'STOP' }, undefined],
    [{ from: FROM, to: 'A' }, undefined],
  ])('an impossible message of a handset is refused: %j', async (body, field) => {
    const { status, json } = await bench.control('POST', '/inbound', body);
    expect(status).toBe(400);
    expect(json.error.field).toBe(field);
  });
});

describe('the handset page', () => {
  it('the handset page admits only its own script and style', async () => {
    const response = await fetch(bench.simulator.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-/);
    expect(policy).not.toContain('unsafe');
    const page = await response.text();
    expect(page).toContain('/_simulator/messages');
    expect(page).not.toMatch(/\son\w+=|innerHTML|style="/);
  });
});

describe('the do-not-disturb registry', () => {
  const leaving = new AbortController();
  afterAll(() => leaving.abort());

  const lookUp = async (numbers: string[]) => {
    const response = await fetch(`${bench.simulator.url}/dnd/lookup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ numbers }),
      signal: leaving.signal,
    });
    return { status: response.status, text: await response.text() };
  };

  it('the do-not-disturb registry returns which numbers are listed', async () => {
    await bench.control('PUT', '/dnd', { numbers: [FROM] });
    const { status, text } = await lookUp([FROM, '+254711000002']);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ listed: [FROM] });
    expect((await lookUp(['me'])).status).toBe(400);
  });

  it('the do-not-disturb registry plays the scenarios of an error, a hang and garbage', async () => {
    const play = (submit: object) =>
      bench.control('POST', '/scenarios', { provider: 'dnd', submit, times: 1 });
    await play({ kind: 'http_status', status: 503 });
    expect((await lookUp([FROM])).status).toBe(503);
    await play({ kind: 'hang' });
    const hanging = lookUp([FROM]).catch(() => undefined);
    expect(await bench.isUnanswered(hanging)).toBe(true);
    await play({ kind: 'garbage' });
    const { text } = await lookUp([FROM]);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await lookUp([FROM])).status).toBe(200);
  });
});
