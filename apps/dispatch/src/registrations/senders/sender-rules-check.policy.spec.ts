import { describe, expect, it } from '@jest/globals';
import { ApiError, type QuietHours, type SenderRule, type SenderRules } from '@watchword/contracts';
import { checkSenderRules } from './sender-rules-check.policy.js';

const rule = (change: Partial<SenderRule> = {}): SenderRule => ({
  alphanumeric: 'allowed',
  length_min: 3,
  reserved_words: [],
  quiet_hours: { time_zone: 'Africa/Lagos', windows: [{ from: '20:00', to: '08:00' }] },
  last_checked: '2026-07-01',
  ...change,
});
const rules = (countryCode: string, of: SenderRule): SenderRules => ({
  enforcement: 'log',
  countries: { [countryCode]: of },
});

describe('checkSenderRules', () => {
  it('takes a rule with and without quiet hours', () => {
    expect(() => checkSenderRules(rules('NG', rule()))).not.toThrow();
    expect(() => checkSenderRules(rules('NG', rule({ quiet_hours: null })))).not.toThrow();
    const windows: QuietHours['windows'] = [
      { from: '20:00', to: '19:59' },
      { from: '00:00', to: '24:00', days: ['sat', 'sun'] },
    ];
    const quiet_hours = { time_zone: 'Africa/Lagos', windows };
    expect(() => checkSenderRules(rules('NG', rule({ quiet_hours })))).not.toThrow();
  });

  it.each<[string, string, Partial<SenderRule>]>([
    ['countries.XX', 'XX', {}],
    ['countries.constructor', 'constructor', {}],
    ['countries.NG.last_checked', 'NG', { last_checked: '2026-02-30' }],
    [
      'countries.NG.quiet_hours.time_zone',
      'NG',
      { quiet_hours: { time_zone: 'Africa/Nowhere', windows: [{ from: '20:00', to: '08:00' }] } },
    ],
    [
      'countries.NG.quiet_hours.windows',
      'NG',
      {
        quiet_hours: {
          time_zone: 'Africa/Lagos',
          windows: [
            { from: '20:00', to: '08:00' },
            { from: '08:00', to: '20:00' },
          ],
        },
      },
    ],
  ])('refuses %s', (field, countryCode, change) => {
    const check = () => checkSenderRules(rules(countryCode, rule(change)));
    expect(check).toThrow(ApiError);
    expect(check).toThrow(expect.objectContaining({ type: 'validation_error', field }));
  });
});
