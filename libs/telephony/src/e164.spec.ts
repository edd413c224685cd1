import { describe, expect, it } from '@jest/globals';
import { parseDestination } from './e164.js';

function verdict(raw: string): string {
  const parsed = parseDestination(raw);
  return parsed.ok ? parsed.destination.countryCode : parsed.problem;
}

describe('parseDestination', () => {
  it('tells all about a Nigerian number', () => {
    expect(parseDestination('+2348031234567')).toEqual({
      ok: true,
      destination: {
        e164: '+2348031234567',
        countryCode: 'NG',
        dialCode: '234',
        nationalNumber: '8031234567',
        prefix: '234803',
        network: { name: 'MTN', token: 'mtn_ng', countryCode: 'NG', mccMnc: ['62130'] },
        type: 'MOBILE',
      },
    });
  });

  it.each([
    ['+2290197123456', 'BJ'],
    ['+447400123456', 'GB'],
    ['+447797712345', 'JE'],
    ['+12025551234', 'US'],
    ['+14165550123', 'CA'],
    ['+17875551234', 'PR'],
    ['+77011234567', 'KZ'],
    ['+79161234567', 'RU'],
    ['+522013091962', 'MX'],
    ['+56600491001', 'CL'],
    ['+541169070001', 'AR'],
    ['+5491169070001', 'AR'],
    ['+3728112345', 'EE'],
  ])('places %s in %s', (raw, country) => {
    expect(verdict(raw)).toBe(country);
  });

  it.each([
    ['2348031234567', 'not_e164'],
    ['+234 803 123 4567', 'not_e164'],
    ['+2348031234567\n', 'not_e164'],
    ['+٢٣٤٨٠٣١٢٣٤٥٦٧', 'not_e164'],
    ['+1234567', 'not_e164'],
    ['+0348031234567', 'not_e164'],
    ['', 'not_e164'],
    ['+23409012345678', 'impossible'],
    ['+22997123456', 'impossible'],
    ['+99912345678', 'impossible'],
    ['+80012345678', 'no_country'],
    ['+12025550142', 'fictional'],
    ['+447700900042', 'fictional'],
    ['+18005551234', 'refused_type'],
    ['+15005550006', 'refused_type'],
    ['+2348001234567', 'refused_type'],
    ['+23412345678', 'impossible'],
    ['+881612345678', 'blocked_range'],
    ['+37180123456', 'refused_type'],
    ['+3728012345', 'blocked_range'],
  ])('refuses %j as %s', (raw, problem) => {
    expect(verdict(raw)).toBe(problem);
  });

  // Google's data, as of libphonenumber 9.0.43, know no country of these.
  it.each([
    ['+16215550123', 'US'],
    ['+70001234567', 'RU'],
    ['+447700900100', 'GB'],
  ])('decisions 27: %s of a shared plan belongs to its main country %s', (raw, country) => {
    expect(verdict(raw)).toBe(country);
  });

  it('accepts a range that is newer than the metadata', () => {
    const parsed = parseDestination('+2346001234567');
    expect(parsed).toMatchObject({ ok: true, destination: { countryCode: 'NG', type: undefined } });
  });

  it('accepts the fictional ranges in test mode', () => {
    expect(parseDestination('+447700900042', { testMode: true })).toMatchObject({
      ok: true,
      destination: { countryCode: 'GB', dialCode: '44', prefix: '447700', network: null },
    });
    expect(parseDestination('+12025550142', { testMode: true })).toMatchObject({
      ok: true,
      destination: { countryCode: 'US', prefix: '120255' },
    });
  });
});
