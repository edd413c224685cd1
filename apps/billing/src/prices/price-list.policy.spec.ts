import { describe, expect, it } from '@jest/globals';
import type { PriceListVersion } from '@watchword/contracts';
import { DEFAULT_PRICE_LIST } from '../../test/default-price-list.js';
import { priceOf } from './price-list.policy.js';

const standard: PriceListVersion = { version: 1, updated_at: '', list: DEFAULT_PRICE_LIST };

function withNetworks(...networks: PriceListVersion['list']['countries'][string]['networks']) {
  const countries = { NG: { credits: 5, listed: true, networks } };
  return { ...standard, version: 7, list: { ...DEFAULT_PRICE_LIST, countries } };
}

const toMtn = { kind: 'sms', country_code: 'NG', network: 'mtn_ng', segments: 1 } as const;

describe('the price of a send', () => {
  it('to any other country is the default', () => {
    for (const country_code of ['FR', 'constructor', '__proto__']) {
      const price = priceOf(
        { ...toMtn, country_code, network: 'orange_fr', segments: 2 },
        standard,
      );
      expect(price).toEqual({ credits: 240, rule: 'default@1' });
    }
  });

  it('of an email is a credit for each recipient, under every list', () => {
    const email = { kind: 'email', country_code: '', network: null, segments: 3 } as const;
    expect(priceOf(email, withNetworks())).toEqual({ credits: 3, rule: 'email@7' });
  });

  it('is taken once per segment', () => {
    expect(priceOf({ ...toMtn, segments: 10 }, standard).credits).toBe(50);
  });

  it.each([
    ['its token', { name: 'mtn_ng', mcc_mnc: [], credits: 3 }],
    ['its name', { name: 'MTN', mcc_mnc: [], credits: 3 }],
    ['a network code', { name: 'The yellow one', mcc_mnc: ['62130'], credits: 3 }],
  ])('follows the rate of a network given by %s', (_, rate) => {
    const list = withNetworks({ name: 'Glo', mcc_mnc: [], credits: 9 }, rate);
    expect(priceOf(toMtn, list)).toEqual({ credits: 3, rule: 'network:mtn_ng@7' });
  });

  it('is the country’s when the network is unknown or has no rate', () => {
    const list = withNetworks({ name: 'Glo', mcc_mnc: ['62150'], credits: 9 });
    for (const network of [null, 'mtn_ng', 'nobody_ng']) {
      expect(priceOf({ ...toMtn, network }, list).rule).toBe('country:NG@7');
    }
  });
});
