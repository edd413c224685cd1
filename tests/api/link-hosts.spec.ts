/** Links below `links.<domain>`: the token of one sender counts at no host of another. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifiedDomain } from '../support/records.js';
import { type Customer, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const TRACKING_HOST = 'clicks.platform.example';
const suite = useSystem(() => startOwnSystem({ TRACKING_HOST }));
let customer: Customer;
let own: string;
let other: string;
let withoutRecord: string;

beforeAll(async () => {
  customer = await suite.customer({ credits: 100 });
  const stranger = await suite.customer({ credits: 1 });
  own = await verifiedDomain(suite, customer);
  other = await verifiedDomain(suite, stranger);
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
  it('of a domain with a TRACKING record count at its own host alone', async () => {
    const links = await linksFrom(own);
    expect(links.host).toBe(`links.${own}`);
    for (const host of [`links.${other}`, TRACKING_HOST, '127.0.0.1']) {
      expect(await statusesAt(host, links)).toEqual(UNKNOWN);
    }
    expect(await statusesAt(`links.${own}`, links)).toEqual(LEADS);
  });

  it('of a domain without one count at no host of a domain', async () => {
    const links = await linksFrom(withoutRecord);
    expect(links.host).toBe(TRACKING_HOST);
    for (const host of [`links.${other}`, `links.${withoutRecord}`]) {
      expect(await statusesAt(host, links)).toEqual(UNKNOWN);
    }
    expect(await statusesAt(TRACKING_HOST, links)).toEqual(LEADS);
  });
});
