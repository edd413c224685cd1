/** Links below `links.<domain>`: one sender's token is valid at no other sender's host. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifiedDomain } from '../support/records.js';
import { type Customer, useSystem } from '../support/suite.js';
import { sharedSettings, startSystemWith } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const TRACKING_HOST = 'clicks.platform.example';
const CALLBACK_SECRET = sharedSettings()['CALLBACK_SECRET'] ?? 'link-hosts'.repeat(4);
const suite = useSystem(() =>
  startSystemWith({ TRACKING_HOST, CALLBACK_SECRET, TRUSTED_PROXIES: '1' }),
);
// Wrong secrets are counted by address: no other spec has this one.
const headers = { 'x-forwarded-for': '192.0.2.17' };
let customer: Customer;
let own: string;
let other: string;
let withoutRecord: string;

beforeAll(async () => {
  customer = await suite.customer({ credits: 100 });
  const outsider = await suite.customer({ credits: 1 });
  own = await verifiedDomain(suite, customer);
  other = await verifiedDomain(suite, outsider);
  withoutRecord = await verifiedDomain(suite, customer, { without: 'TRACKING' });
});

interface Links {
  readonly host: string;
  readonly click: string;
  readonly unsubscribe: string;
}

/** The links of an email from this domain. */
async function linksFrom(domain: string): Promise<Links> {
  const to = `reader@${domain}`;
  const answer = await customer.post('/v1/emails', {
    ...{ from: `hello@${domain}`, to, subject: 'Hello', category: 'marketing' },
    ...{ html: '<a href="https://acme.example/">order</a>', track_clicks: true },
  });
  expect(answer.status).toBe(202);
  const raw = await waitUntil(`the email to ${to}`, async () => {
    const { json } = await suite.system.simulator.get(`/_simulator/emails?to=${to}`);
    return (json as { raw: string }[])[0]?.raw;
  });
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, host, click] = /href="https:\/\/([^/]+)(\/t\/c\/[\w-]+)"/.exec(text) ?? [];
  const [, unsubscribe] = new RegExp(`https://${host}(/u/[\\w-]+)`).exec(text) ?? [];
  if (!host || !click || !unsubscribe) throw new Error(`links are missing in ${text}`);
  return { host, click, unsubscribe };
}

async function statusesAt(host: string, { click, unsubscribe }: Links): Promise<number[]> {
  const options = { headers: { host } };
  return [
    (await suite.http.get(click, options)).status,
    (await suite.http.get(unsubscribe, options)).status,
    (await suite.http.post(unsubscribe, undefined, options)).status,
  ];
}

const LEADS = [302, 200, 200];
const UNKNOWN = [404, 404, 404];

describe('links of an email', () => {
  it('decisions 26: links of an email of a domain with a TRACKING record count at its own host alone', async () => {
    const links = await linksFrom(own);
    expect(links.host).toBe(`links.${own}`);
    for (const host of [`links.${other}`, TRACKING_HOST, '127.0.0.1']) {
      expect(await statusesAt(host, links)).toEqual(UNKNOWN);
    }
    expect(await statusesAt(`links.${own}`, links)).toEqual(LEADS);
  });

  it('links of an email of a domain without one count at no host of a domain', async () => {
    const links = await linksFrom(withoutRecord);
    expect(links.host).toBe(TRACKING_HOST);
    for (const host of [`links.${other}`, `links.${withoutRecord}`]) {
      expect(await statusesAt(host, links)).toEqual(UNKNOWN);
    }
    expect(await statusesAt(TRACKING_HOST, links)).toEqual(LEADS);
  });
});

describe('a proxy that asks before it gets a certificate', () => {
  // `npm run operator -- callback-urls` prints it.
  const secret = createHmac('sha256', CALLBACK_SECRET).update('link-hosts').digest('base64url');
  const ask = async (domain: string, under = secret) => {
    const query = new URLSearchParams({ domain });
    const { status, text } = await suite.http.get(`/link-hosts/${under}?${query}`, { headers });
    return { status, text };
  };

  it('a proxy that asks before it gets a certificate hears yes for the link host of a verified domain', async () => {
    const yes = { status: 200, text: 'OK' };
    expect(await ask(`links.${own}`)).toEqual(yes);
    expect(await ask(`links.${other}`)).toEqual(yes);
    expect(await ask(`LINKS.${own.toUpperCase()}`)).toEqual(yes);
  });

  it('a proxy that asks before it gets a certificate hears no, in the words of an unknown path, for every other name and secret', async () => {
    const { json } = await customer.post('/v1/domains', { name: 'pending.example.net' });
    expect(json.status).toBe('pending');
    const names = [
      ...[own, `mail.${own}`, `links.links.${own}`, `links.${withoutRecord}`],
      ...['links.pending.example.net', 'links.nobody.example', TRACKING_HOST, 'links.', ''],
      ...[`links.${own}/`, `links.${own}:443`, `links.${own}\0`, 'links.%', `x links.${own}`],
    ];
    const messages = new Set<string>();
    for (const name of names) {
      const { status, text } = await ask(name);
      expect([name, status]).toEqual([name, 404]);
      messages.add(JSON.parse(text).error.message);
    }
    for (const wrong of ['x', secret.slice(1), `${secret}x`]) {
      const { status, text } = await ask(`links.${own}`, wrong);
      expect(status).toBe(404);
      messages.add(JSON.parse(text).error.message);
    }
    expect((await suite.http.get(`/link-hosts/${secret}`, { headers })).status).toBe(404);
    expect(messages.size).toBe(1);
  });
});
