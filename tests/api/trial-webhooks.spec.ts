/** Webhooks of a workspace that signed up and has bought no credits: decisions 28. */
import { describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { freshNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { expectError, useSystem } from '../support/suite.js';
import { startSystemWith } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

// Failures are limited by address: each browser here has its own.
const suite = useSystem(() => startSystemWith({ TRUSTED_PROXIES: '1' }));

describe('a trial workspace', () => {
  it('decisions 28: a trial workspace has two webhooks, and a host gets a test event before others', async () => {
    const owner = new Browser(suite.system);
    await owner.signUp();
    const made = await owner.request('POST', '/dashboard/keys', { mode: 'test' });
    const key = made.json.key as string;
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => (receiver.received.length === 1 ? 500 : 200);
    const body = { url: receiver.url, events: ['sms.delivered'] };
    const create = () => suite.http.post('/v1/webhooks', body, { key });
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    expectError(await create(), 409, 'conflict');
    const put = { url: receiver.url, events: ['otp.delivered'] };
    expectError(await owner.request('PUT', '/dashboard/webhook', put), 409, 'conflict');
    const first = (await suite.http.get('/v1/webhooks', { key })).json.data[0].id as string;
    await suite.http.request('DELETE', `/v1/webhooks/${first}`, { key });
    const own = () => owner.request('PUT', '/dashboard/webhook', put);
    expect([(await own()).status, (await own()).status]).toEqual([200, 200]);
    expectError(await create(), 409, 'conflict');
    const sms = { from: 'Acme', to: freshNumber(), body: 'Hello' };
    expect((await suite.http.post('/v1/sms', sms, { key })).status).toBe(202);
    await waitUntil('the event', () => receiver.received.length === 3);
    type Event = { data: { test?: boolean } };
    const areTests = receiver.received.map(({ json }) => (json as Event).data.test === true);
    expect(areTests).toEqual([true, true, false]);
    await receiver.close();
  });
});
