/** Real sends in the embedded default, and the links in emails: decisions 20, 26. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { untilVerified, verifiedDomain } from '../support/records.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
/** Milliseconds. From then on a hit counts as a person's. */
const PERSON_MS = 2_500;
let customer: Customer;
let domain: string;

interface Mail {
  to: string;
  subject: string;
  raw: string;
}

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 100, settings: { limits } });
  domain = await verifiedDomain(suite, customer);
});

let sent = 0;
const send = async (body: Record<string, unknown> = {}) => {
  const to = `reader${Date.now()}-${++sent}@example.org`;
  const answer = await customer.post('/v1/emails', {
    from: `Acme <hello@${domain}>`,
    to,
    subject: 'Hello',
    html: '<p>Hi <a href="https://acme.example/order?a=1&amp;b=2">order</a></p>',
    ...body,
  });
  expect(answer.status).toBe(202);
  const mail = await waitUntil(`the email to ${to}`, async () => {
    const { json } = await suite.system.simulator.get(`/_simulator/emails?to=${to}`);
    return (json as Mail[])[0];
  });
  // Without the soft line breaks of quoted-printable.
  const text = mail.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return { id: answer.json.id as string, to, text };
};
const until = (id: string, holds: (email: Record<string, unknown>) => boolean) =>
  waitUntil(`email ${id}`, async () => {
    const { json } = await customer.get(`/v1/emails/${id}`);
    return holds(json) ? json : undefined;
  });
/** With its host: the base64 of a signature can hold `/u/` too. */
const linkIn = (text: string, path: string): URL => {
  const [link] = new RegExp(`https?://[^/\\s]+${path}/[\\w-]+`).exec(text) ?? [];
  if (link === undefined) throw new Error(`no ${path} in ${text}`);
  return new URL(link);
};
/** Follows a link at its host, which this system serves. */
const follow = ({ host, pathname }: URL, headers = {}) =>
  suite.http.get(pathname, { headers: { host, ...headers } });
const unsubscribe = ({ host, pathname }: URL) => {
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  return suite.http.post(pathname, undefined, { raw: 'List-Unsubscribe=One-Click', headers });
};
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' };

describe('a live email', () => {
  it('decisions 26: a live email to the domain of the simulator is refused', async () => {
    const body = {
      from: `a@${domain}`,
      to: ['ada@example.org', 'x@sim.test'],
      subject: '',
      text: 'a',
    };
    expectError(await customer.post('/v1/emails', body), 400, 'validation_error', 'to.1');
  });

  it('decisions 5, 20: the plan pays first, then the wallet, then 402 quota_exceeded', async () => {
    const poor = await suite.customer({ credits: 1 });
    await suite.operator.request('PUT', `/workspaces/${poor.id}/plan`, {
      sms_segments_per_month: 0,
      emails_per_month: 2,
    });
    const { json } = await poor.post('/v1/domains', { name: domain });
    const [dkim] = json.records;
    const records = [{ type: dkim.type, name: dkim.name, value: dkim.value }];
    await suite.system.simulator.post('/_simulator/dns', { records });
    await untilVerified(poor, json.id);
    const to = ['p1@example.org', 'p2@example.org', 'p3@example.org'];
    const body = { from: `a@${domain}`, subject: 'Hello', text: 'Hi' };
    expect((await poor.post('/v1/emails', { ...body, to })).status).toBe(202);
    expect(await poor.balance()).toBe(0);
    expectError(await poor.post('/v1/emails', { ...body, to: 'p4@x.org' }), 402, 'quota_exceeded');
    expect(await poor.balance()).toBe(0);
  });
});

describe('links', () => {
  it('decisions 20: links count an open and a click of a person, and lead where the email said', async () => {
    const { id, text } = await send({ track_opens: true, track_clicks: true });
    await until(id, ({ status }) => status === 'delivered');
    await sleep(PERSON_MS);
    const pixel = await follow(linkIn(text, '/t/o'), BROWSER);
    expect(pixel.status).toBe(200);
    expect(pixel.headers).toMatchObject({ 'content-type': 'image/gif', 'content-length': '43' });
    const click = await follow(linkIn(text, '/t/c'), BROWSER);
    expect(click.status).toBe(302);
    expect(click.headers['location']).toBe('https://acme.example/order?a=1&b=2');
    await until(id, ({ open_count, click_count }) => open_count === 1 && click_count === 1);
  });

  it('decisions 20: links with a changed token, or of another host, lead nowhere', async () => {
    const { text } = await send({ track_clicks: true });
    const link = linkIn(text, '/t/c');
    const changed = `${link.href.slice(0, -2)}${link.href.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await follow(new URL(changed))).status).toBe(404);
    expect((await follow(link, { host: 'links.other.example.net' })).status).toBe(404);
    expect((await suite.http.get('/t/c/https:%2F%2Fevil.example')).status).toBe(404);
    expect((await suite.http.get('/t/o/none')).status).toBe(200);
    expect((await suite.http.get('/u/none')).status).toBe(404);
    expect((await suite.http.post('/u/none')).status).toBe(404);
  });

  it('decisions 20: links unsubscribe by POST alone, from marketing email alone', async () => {
    const { id, to, text } = await send({ category: 'marketing' });
    await until(id, ({ status }) => status === 'delivered');
    const link = linkIn(text, '/u');
    const page = await follow(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain(to);
    const list = async () =>
      (await customer.get('/v1/suppressions?channel=email')).json.data as { address: string }[];
    expect((await list()).some(({ address }) => address === to)).toBe(false);
    expect((await unsubscribe(link)).status).toBe(200);
    await waitUntil('the suppression', async () =>
      (await list()).find(({ address }) => address === to),
    );
    const body = { from: `a@${domain}`, to, subject: '', text: 'a' };
    expect((await customer.post('/v1/emails', body)).status).toBe(202);
    const again = await customer.post('/v1/emails', { ...body, category: 'marketing' });
    expectError(again, 400, 'address_suppressed', 'to');
  });
});
