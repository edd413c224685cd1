/** The price list: interface sections 1.7, 1.10, 2.7, 4.1 rule 4; decisions 3. */
import { describe, expect, it } from '@jest/globals';
import { instant, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();

interface Country {
  country_code: string;
  credits: number;
  min_credits: number;
  max_credits: number;
  listed: boolean;
  networks: { name: string; mcc_mnc: string[]; credits: number }[];
}

const priceList = () => suite.http.get('/v1/pricing');
const countries = async () => (await priceList()).json.countries as Country[];

describe('GET /v1/pricing', () => {
  it('4.1: GET /v1/pricing needs no key and is cacheable for a minute', async () => {
    const { status, headers } = await priceList();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect(headers['etag']).toMatch(/^(W\/)?".+"$/);
  });

  it('decisions 3: its ETag answers a conditional request with 304', async () => {
    // Another spec may change a price in between.
    const answer = await waitUntil('304', async () => {
      const { headers } = await priceList();
      const again = await suite.http.get('/v1/pricing', {
        headers: { 'if-none-match': headers['etag']! },
      });
      return again.status === 304 && again;
    });
    expect(answer.text).toBe('');
  });

  it('decisions 3: GET /v1/pricing has exactly the documented members', async () => {
    const { json } = await priceList();
    expect(Object.keys(json).sort()).toEqual(['countries', 'credit_price', 'updated_at']);
    expect(json.credit_price).toEqual({ amount: 100, currency: 'NGN' });
    expect(json.updated_at).toMatch(instant);
    for (const country of json.countries as Country[]) {
      expect(country).toEqual({
        country_code: expect.stringMatching(/^[A-Z]{2}$/),
        name: expect.stringMatching(/./),
        dial_code: expect.stringMatching(/^\+?\d{1,4}$/),
        credits: expect.any(Number),
        min_credits: expect.any(Number),
        max_credits: expect.any(Number),
        listed: expect.any(Boolean),
        networks: expect.any(Array),
      });
    }
  });

  it('1.10: the eight priced markets are listed at their prices', async () => {
    const listed = (await countries()).filter((country) => country.listed);
    const prices = Object.fromEntries(listed.map((each) => [each.country_code, each.credits]));
    expect(prices).toEqual({ NG: 5, KE: 12, ZA: 20, GH: 30, GB: 45, CI: 60, BJ: 70, US: 100 });
  });

  it('2.7: unlisted destinations are shown at the price they are billed', async () => {
    const all = await countries();
    expect(all.length).toBeGreaterThan(150);
    const france = all.find(({ country_code }) => country_code === 'FR');
    expect(france).toMatchObject({ credits: 120, listed: false });
    expect(new Set(all.map(({ country_code }) => country_code)).size).toBe(all.length);
  });

  it('2.7: GET /v1/pricing is ordered cheapest first, and the span covers default and network rates', async () => {
    const all = await countries();
    const credits = all.map((country) => country.credits);
    const cheapest = all.map((country) => country.min_credits);
    const ascending = (list: number[]) => list.every((n, i) => i === 0 || list[i - 1]! <= n);
    expect(ascending(credits) || ascending(cheapest)).toBe(true);
    for (const country of all) {
      const rates = [country.credits, ...country.networks.map((network) => network.credits)];
      expect(country.min_credits).toBe(Math.min(...rates));
      expect(country.max_credits).toBe(Math.max(...rates));
    }
  });

  it('4.1 rule 4: is identical for signed-in and anonymous callers', async () => {
    const customer = await suite.customer();
    // Another spec may change a price in between.
    await waitUntil('one list for all callers', async () => {
      const [anonymous, live, test] = await Promise.all([
        priceList(),
        suite.http.get('/v1/pricing', { key: customer.liveKey }),
        suite.http.get('/v1/pricing', { key: customer.testKey }),
      ]);
      return live.text === anonymous.text && test.text === anonymous.text;
    });
  });
});
