/** `watchword login`: where the key comes from, and that only a good one is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CONFIG, type Desk, KEY, openDesk } from './terminal.kit.js';

const ok = (body: unknown) => ({ status: 200, body });
const balance = ok({ workspace_id: 'w', balance: 7, updated_at: '2026-11-21T00:08:48.390Z' });
const refusal = (status: number, type: string) => ({
  status,
  body: { error: { type, message: 'No.', request_id: 'req-1' } },
});
const started = ok({
  device_code: 'secret-device-code',
  user_code: 'BCDF-GHJK',
  verification_uri: 'http://127.0.0.1:3000/app#/device',
  verification_uri_complete: 'http://127.0.0.1:3000/app#/device/BCDF-GHJK',
  expires_in: 600,
  interval: 5,
});
const state = (status: string) => ok({ status });
const approved = ok({ status: 'approved', key: KEY, mode: 'test', permission: 'full' });

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.server.close());
beforeEach(() => {
  desk.files.clear();
  desk.secret = undefined;
  desk.terminal.environment['WATCHWORD_KEY'] = undefined;
});
const sent = () => desk.server.requests as { path: string; body: Record<string, unknown> }[];

describe('watchword login by the dashboard', () => {
  it('shows the address and the code, polls, and stores the key', async () => {
    const answers = [started, state('authorization_pending'), approved, balance];
    const { code, output, notes } = await desk.run('login', answers);
    expect([code, output]).toEqual([0, `The test key is stored in ${CONFIG}.\n`]);
    expect(notes).toContain('/app#/device/BCDF-GHJK');
    expect(notes).toContain('this code: BCDF-GHJK');
    expect(notes + output).not.toContain('secret-device-code');
    expect(desk.sleeps).toEqual([5_000, 5_000]);
    expect(sent()[0]).toMatchObject({
      path: '/auth/device',
      body: { client_name: 'watchword on ada-laptop' },
    });
    expect(sent()[1]).toMatchObject({
      path: '/auth/device/token',
      body: { device_code: 'secret-device-code' },
    });
    expect(JSON.parse(desk.files.get(CONFIG)!)).toEqual({ key: KEY, base_url: desk.server.url });
  });

  it('polls less often when it is asked to, and after a lost answer', async () => {
    const answers = [
      ...[started, state('slow_down'), { fault: 'cut' }, refusal(429, 'rate_limit_exceeded')],
      ...[refusal(503, 'internal_error'), approved, balance],
    ];
    expect((await desk.run('login', answers)).code).toBe(0);
    expect(desk.sleeps).toEqual([5_000, 10_000, 15_000, 20_000, 25_000]);
  });

  it.each([
    ['access_denied', 'The log-in was denied in the dashboard.'],
    ['expired_token', 'Nobody confirmed in time.'],
  ])('ends with %s, and stores nothing', async (status, message) => {
    const { code, notes } = await desk.run('login', [started, state(status)]);
    expect([code, desk.files.size]).toEqual([3, 0]);
    expect(notes).toContain(message);
  });

  it('ends by itself when nobody confirms', async () => {
    const waiting = Array.from({ length: 200 }, () => state('authorization_pending'));
    const { code } = await desk.run('login', [started, ...waiting]);
    expect([code, desk.sleeps.length]).toEqual([3, 120]);
  });

  it('writes the address and the code as notes with --json', async () => {
    const { output, notes } = await desk.run('login --json', [started, approved, balance]);
    expect(JSON.parse(output)).toEqual({ stored: CONFIG, mode: 'test' });
    expect(notes).toContain('BCDF-GHJK');
  });

  it('shows why a log-in cannot start', async () => {
    const answers = [refusal(429, 'rate_limit_exceeded')];
    expect(await desk.run('login', answers)).toMatchObject({ code: 7 });
    expect(await desk.run('login', [{ fault: 'cut' }])).toMatchObject({ code: 9 });
    expect(await desk.run('login --base-url ftp://x')).toMatchObject({ code: 2 });
  });
});

describe('watchword login with a key', () => {
  it('checks the key, stores it, and later commands use it', async () => {
    const stored = await desk.run(`login --key ${KEY}`, [balance]);
    expect(stored).toMatchObject({ code: 0, output: `The test key is stored in ${CONFIG}.\n` });
    expect(JSON.parse(desk.files.get(CONFIG)!)).toEqual({ key: KEY, base_url: desk.server.url });
    await desk.run('otp send +2348030000000', [ok({ id: 'x', status: 'pending' })]);
    const { headers } = desk.server.requests[0] as { headers: Record<string, string> };
    expect(headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  it('stores no key that the API refuses', async () => {
    const { code } = await desk.run(`login --key ${KEY}`, [refusal(401, 'authentication_error')]);
    expect([code, desk.files.size]).toEqual([3, 0]);
  });

  it('takes the key from the input', async () => {
    desk.secret = `${KEY}\n`;
    expect(await desk.run('login --key -', [balance])).toMatchObject({ code: 0 });
    desk.secret = undefined;
    expect(await desk.run('login --key -')).toMatchObject({ code: 2 });
  });

  it('takes the test key of npm start', async () => {
    const credentials = { base_url: desk.server.url, test_key: KEY, live_key: 'x' };
    desk.files.set('.data/dev-credentials.json', JSON.stringify(credentials));
    expect(await desk.run('login --local', [balance])).toMatchObject({ code: 0 });
    expect(desk.files.get(CONFIG)).toContain(KEY);
  });
});
