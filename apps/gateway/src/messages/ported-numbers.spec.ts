import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PriceListVersion } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { type Destination, parseDestination } from '@watchword/telephony';
import { FakeClock } from '@watchword/testing';
import type { ServedPriceList } from '../billing/price-list.cache.js';
import { PortedNumbers } from './ported-numbers.js';

const MTN = { name: 'MTN', mcc_mnc: ['62130'], credits: 4 };
const country = (networks: (typeof MTN)[]) => ({ credits: 5, listed: true, networks });
const list: PriceListVersion['list'] = {
  credit_price: { amount: 100, currency: 'NGN' },
  default_credits: 120,
  countries: { NG: country([MTN]), KE: country([]) },
};
const prices: ServedPriceList = { version: 1, updated_at: '', list, body: '', etag: '' };

function destinationOf(number: string): Destination {
  const parsed = parseDestination(number);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.destination;
}
const nigerian = destinationOf('+2348031234567');
const away = Object.assign(new Error('away'), { name: 'ServiceUnavailable' });

let asked: string[];
let answer: () => Promise<{ network: string | null }>;
let atHand: () => ServedPriceList | Promise<ServedPriceList>;
let ported: PortedNumbers;

beforeEach(() => {
  asked = [];
  answer = async () => ({ network: 'airtel_ng' });
  atHand = () => prices;
  const findNetwork = ({ destination }: { destination: string }) => {
    asked.push(destination);
    return answer();
  };
  const logger = createLogger({ service: 'gateway', level: 'silent' });
  const cache = { atHand: () => atHand() };
  ported = new PortedNumbers({ findNetwork }, cache, new FakeClock(), logger);
});

describe('the network of a one-time password', () => {
  it.each(['+254722123456', '+14152345678'])(
    'is that of the prefix at once, where no price depends on it: %s',
    (number) => {
      const destination = destinationOf(number);
      expect(ported.locate(destination)).toBe(destination);
      expect(asked).toEqual([]);
    },
  );

  it('is that of the ported number, where the country has rates by network', async () => {
    const located = await ported.locate(nigerian);
    expect(located).toMatchObject({ e164: nigerian.e164, network: { token: 'airtel_ng' } });
    expect(asked).toEqual([nigerian.e164]);
  });

  it('waits for prices that are not at hand', async () => {
    atHand = async () => prices;
    expect(await ported.locate(nigerian)).toMatchObject({ network: { token: 'airtel_ng' } });
    const kenyan = destinationOf('+254722123456');
    expect(await ported.locate(kenyan)).toBe(kenyan);
    expect(asked).toEqual([nigerian.e164]);
  });

  it.each([null, 'nobody_ng', 'airtel_ke'])('is that of the prefix for %s', async (network) => {
    answer = async () => ({ network });
    expect(await ported.locate(nigerian)).toBe(nigerian);
  });

  it('is that of the prefix while billing or dispatch is unavailable', async () => {
    answer = () => Promise.reject(away);
    expect(await ported.locate(nigerian)).toBe(nigerian);
    atHand = () => Promise.reject(away);
    expect(await ported.locate(nigerian)).toBe(nigerian);
    expect(asked).toHaveLength(1);
  });

  it('is not guessed where something else is wrong', async () => {
    answer = () => Promise.reject(new Error('a fault'));
    await expect(ported.locate(nigerian)).rejects.toThrow('a fault');
  });
});
