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
    ['+254712345678', 'KE'],
    ['+233241234567', 'GH'],
    ['+27821234567', 'ZA'],
    ['+2290197123456', 'BJ'],
    ['+2250701234567', 'CI'],
    ['+447400123456', 'GB'],
    ['+447797712345', 'JE'],
    ['+447781123456', 'GG'],
    ['+447624123456', 'IM'],
    ['+12025551234', 'US'],
    ['+14165550123', 'CA'],
    ['+18765551234', 'JM'],
    ['+17875551234', 'PR'],
    ['+18095551234', 'DO'],
    ['+77011234567', 'KZ'],
    ['+79161234567', 'RU'],
    ['+522013091962', 'MX'],
    ['+56600491001', 'CL'],
    ['+541169070001', 'AR'],
    ['+542214567890', 'AR'],
    ['+5491169070001', 'AR'],
    ['+37281123456', 'EE'],
    ['+3728112345', 'EE'],
  ])('places %s in %s', (raw, country) => {
    expect(verdict(raw)).toBe(country);
  });

  it.each([
    ['2348031234567', 'not_e164'],
    ['+234 803 123 4567', 'not_e164'],
    ['+2348031234567;ext=5', 'not_e164'],
    ['+2348031234567\n', 'not_e164'],
    ['+٢٣٤٨٠٣١٢٣٤٥٦٧', 'not_e164'],
    ['+1234567', 'not_e164'],
    ['+1234567890123456', 'not_e164'],
    ['+0348031234567', 'not_e164'],
    ['', 'not_e164'],
    ['+23409012345678', 'impossible'],
    ['+22997123456', 'impossible'],
    ['+22507071234', 'impossible'],
    ['+99912345678', 'impossible'],
    ['+80012345678', 'no_country'],
    ['+12025550142', 'fictional'],
    ['+447700900042', 'fictional'],
    ['+18005551234', 'refused_type'],
    ['+19005551234', 'refused_type'],
    ['+15005550006', 'refused_type'],
    ['+2347001234567', 'refused_type'],
    ['+2348001234567', 'refused_type'],
    ['+23412345678', 'impossible'],
    ['+442071234567', 'refused_type'],
    ['+447012345678', 'refused_type'],
    ['+881612345678', 'blocked_range'],
    ['+870773111632', 'blocked_range'],
    ['+979123456789', 'blocked_range'],
    ['+37180123456', 'refused_type'],
    ['+3728012345', 'blocked_range'],
    ['+3278123456', 'blocked_range'],
    ['+34801234567', 'blocked_range'],
  ])('refuses %j as %s', (raw, problem) => {
    expect(verdict(raw)).toBe(problem);
  });

  // Google's data, as of libphonenumber 9.0.43, know no country of these.
  it.each([
    ['+16215550123', 'US'],
    ['+70001234567', 'RU'],
    ['+39312345678', 'IT'],
    ['+447700900100', 'GB'],
    ['+614999999999', 'AU'],
    ['+212999999999', 'MA'],
    ['+262123456789', 'RE'],
    ['+590123456789', 'GP'],
    ['+5991234567', 'CW'],
  ])('places %s of a shared plan in its main country %s', (raw, country) => {
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

  it('accepts an ordinary number in test mode too', () => {
    expect(parseDestination('+2348030000010', { testMode: true }).ok).toBe(true);
  });
});
