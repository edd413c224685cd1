/** What the pages of the dashboard read about messages: one list, one page for each, and a live stream. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { magicNumber } from '../support/numbers.js';
import { expectError, unknownId, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let user: Browser;
let key: string;

const asKey = (path: string, body: unknown) =>
  suite.system.http.request('POST', path, {
    body,
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': user.ip },
  });
const list = (query: string) => user.request('GET', `/dashboard/search?${query}`);
const idsOf = ({ json }: { json: { data: { id: string }[] } }) => json.data.map(({ id }) => id);

beforeAll(async () => {
  user = new Browser(suite.system);
  expect((await user.signUp()).status).toBe(200);
  const body = { name: 'Pages', mode: 'test', permission: 'full' };
  key = (await user.request('POST', '/dashboard/keys', body)).json.key as string;
});

async function sendOtp(digits: number): Promise<string> {
  const answer = await asKey('/v1/otp/send', { phone_number: magicNumber(digits) });
  expect(answer.status).toBe(200);
  return answer.json.id as string;
}

/** Reads server-sent events until one fits, and hangs up. */
async function streamUntil(path: string, fits: (text: string) => boolean, headers = {}) {
  const hangUp = new AbortController();
  const answer = await fetch(`${suite.system.http.baseUrl}${path}`, {
    headers: { cookie: user.cookie, 'x-forwarded-for': user.ip, ...headers },
    signal: hangUp.signal,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (fits(text)) break;
  }
  hangUp.abort();
  return text;
}

describe('GET /dashboard/search', () => {
  it('finds a message by its id, by its number in any writing, by channel, status and mode', async () => {
    const id = await sendOtp(0);
    const number = magicNumber(0);
    const [international, dialled] = [number, `00${number.slice(1)}`].map(encodeURIComponent);
    const spaced = encodeURIComponent(
      `${number.slice(0, 4)} ${number.slice(4, 7)}-${number.slice(7)}`,
    );
    for (const q of [id, international, dialled, spaced]) {
      expect(idsOf(await list(`q=${q}`))).toContain(id);
    }
    expect(idsOf(await list('kind=otp&test_mode=true'))).toContain(id);
    expect(idsOf(await list('test_mode=false'))).toEqual([]);
    expect(idsOf(await list('kind=email'))).toEqual([]);
    expect(idsOf(await list('q=nobody@example.com'))).toEqual([]);
    expect(idsOf(await list('created_after=2099-01-01'))).toEqual([]);
  });

  it('refuses a text that names no receiver', async () => {
    expectError(await list('q=hello'), 400, 'validation_error', 'q');
  });

  it('shows no message of another workspace', async () => {
    const id = await sendOtp(0);
    const other = new Browser(suite.system);
    await other.signUp();
    for (const q of [id, encodeURIComponent(magicNumber(0))]) {
      expect(idsOf(await other.request('GET', `/dashboard/search?q=${q}`))).toEqual([]);
    }
    const page = await other.request('GET', `/dashboard/messages/${id}`);
    expectError(page, 404, 'not_found');
  });
});

describe('GET /dashboard/messages/{id}', () => {
  it('has the record, each attempt in plain words, the charge, and the events with their deliveries', async () => {
    const id = await sendOtp(10);
    const page = await waitUntil('the failed message with its events', async () => {
      const { json } = await user.request('GET', `/dashboard/messages/${id}`);
      return json.message.status === 'failed' && json.events.length > 1 ? json : undefined;
    });
    expect(page.message).toMatchObject({ id, kind: 'otp', test_mode: true });
    expect(page.attempts.at(-1)).toMatchObject({ ok: false, meaning: expect.any(String) });
    expect(page.attempts).toHaveLength(page.message.provider_attempts.length);
    expect(page.events.map(({ type }: { type: string }) => type)).toContain('otp.failed');
    expect(page.events[0].deliveries).toEqual([]);
    for (const { message_id } of page.entries) expect(message_id).toBe(id);
  });

  it('is 404 for an unknown id', async () => {
    expectError(await user.request('GET', `/dashboard/messages/${unknownId}`), 404, 'not_found');
  });
});

describe('GET /dashboard/stream', () => {
  it('repeats events from a number on, and resumes after the last one that was received', async () => {
    const id = await sendOtp(0);
    const delivered = (text: string) => text.includes(id) && text.includes('otp.delivered');
    const first = await streamUntil('/dashboard/stream?after=0', delivered);
    const numbers = [...first.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const next = await sendOtp(0);
    const resumed = { 'last-event-id': String(numbers.at(-1)) };
    const second = await streamUntil('/dashboard/stream', (text) => text.includes(next), resumed);
    expect(second).not.toContain(id);
  });

  it('needs a session and a number that can be', async () => {
    const anonymous = await suite.system.http.request('GET', '/dashboard/stream', {});
    expectError(anonymous, 401, 'authentication_error');
    const bad = await user.request('GET', '/dashboard/stream?after=-1');
    expectError(bad, 400, 'validation_error', 'after');
  });
});
