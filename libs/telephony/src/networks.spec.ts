import { describe, expect, it } from '@jest/globals';
import carrierPrefixes from './data/carrier-prefixes.json' with { type: 'json' };
import { parseDestination } from './e164.js';
import { findNetwork, networkByMccMnc, networkByToken, networkOfNumber } from './networks.js';

const { _source, ...tables } = carrierPrefixes;
/** All networks that a prefix belongs to. */
const networks = [
  ...new Set(
    Object.values(tables).flatMap(({ cc, prefixes }) =>
      Object.keys(prefixes).map((prefix) => findNetwork(cc, prefix)!),
    ),
  ),
];

describe('findNetwork', () => {
  it.each([
    ['234', '8031234567', 'MTN', 'mtn_ng'],
    ['234', '7025123456', 'MTN', 'mtn_ng'],
    ['254', '712345678', 'Safaricom', 'safaricom_ke'],
    ['233', '571234567', 'AT', 'at_gh'],
    ['27', '821234567', 'Vodacom', 'vodacom_za'],
    ['229', '0142123456', 'MTN', 'mtn_bj'],
    ['225', '0712345678', 'Orange', 'orange_ci'],
    ['44', '7797123456', 'JT', 'jt_je'],
  ])('finds +%s %s with %s', (dialCode, nationalNumber, name, token) => {
    expect(findNetwork(dialCode, nationalNumber)).toMatchObject({ name, token });
  });

  // As PyPI phonenumbers 9.0.43 has them.
  it.each([
    ['254', '135123456', 'airtel_ke'],
    ['254', '139123456', 'airtel_ke'],
    ['254', '760123456', 'airtel_ke'],
    ['254', '761123456', 'telkom_ke'],
    ['254', '763123456', 'airtel_ke'],
    ['254', '767123456', 'airtel_ke'],
    ['254', '180123456', 'safaricom_ke'],
    ['234', '9101234567', 'mtn_ng'],
    ['234', '7201234567', 'lebara_ng'],
    ['27', '691234567', 'telkom_za'],
    ['27', '690123456', 'mtn_za'],
    ['27', '696123456', 'rain_za'],
  ])('knows the newer range +%s %s of %s', (dialCode, nationalNumber, token) => {
    expect(findNetwork(dialCode, nationalNumber)?.token).toBe(token);
  });

  it('knows nothing about North America or an unlisted prefix', () => {
    expect(findNetwork('1', '2025550123')).toBeNull();
    expect(findNetwork('234', '6001234567')).toBeNull();
  });
});

describe('networkOfNumber', () => {
  it.each(['+2348031234567', '+2290142123456', '+447400123456', '+2349991234567', '+14152345678'])(
    'is the network that a send to %s is given',
    (number) => {
      const parsed = parseDestination(number);
      expect(parsed.ok).toBe(true);
      expect(networkOfNumber(number)).toBe(parsed.ok && parsed.destination.network);
    },
  );
});

describe('tokens and network codes', () => {
  it('are unique and well formed', () => {
    const tokens = networks.map((network) => network.token);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.filter((token) => !/^[a-z0-9]+(_[a-z0-9]+)*_[a-z]{2}$/.test(token))).toEqual([]);
    expect(tokens.map((token) => networkByToken(token))).toEqual(networks);
    expect(new Set(networks.map(({ countryCode }) => countryCode))).toEqual(
      new Set(['NG', 'KE', 'GH', 'ZA', 'GB', 'GG', 'IM', 'JE', 'BJ', 'CI']),
    );
  });

  it('lead from the network code to the network', () => {
    expect(networkByMccMnc('62130')?.token).toBe('mtn_ng');
    expect(networkByMccMnc('62006')?.token).toBe('at_gh');
    expect(networkByMccMnc('99999')).toBeNull();
    expect(networks.flatMap((network) => network.mccMnc)).toHaveLength(26);
  });
});
