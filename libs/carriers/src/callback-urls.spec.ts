import { describe, expect, it } from '@jest/globals';
import { callbackUrls } from './callback-urls.js';

const account = (id: string, carrier: string, settings = {}) => ({ id, carrier, settings });

describe('the addresses to enter at carriers', () => {
  it('decisions 24: are the same for reports, inbound messages and opt-outs, and differ by account', () => {
    const accounts = [
      account('africas_talking', 'africas_talking'),
      account('at_ke', 'africas_talking'),
      account('smpp', 'smpp'),
      account('simulator_1', 'simulator'),
    ];
    const urls = callbackUrls(accounts, 'https://a.example/', 'secret-of-all-carriers');
    expect(urls.map(({ account: id, kind }) => [id, kind])).toEqual([
      ['africas_talking', 'delivery reports'],
      ['africas_talking', 'inbound messages'],
      ['africas_talking', 'opt-outs'],
      ['at_ke', 'delivery reports'],
      ['at_ke', 'inbound messages'],
      ['at_ke', 'opt-outs'],
    ]);
    expect(new Set(urls.map(({ url }) => url)).size).toBe(2);
    for (const { url } of urls) {
      expect(url).toMatch(/^https:\/\/a\.example\/callbacks\/[a-z_]+\/[\w-]{43}$/);
    }
  });
});
