import { Value } from '@sinclair/typebox/value';
import { expect, it } from '@jest/globals';
import { isMoment, type SenderRule, SenderRules } from '@watchword/contracts';
import { findCountry } from '@watchword/telephony';
import defaults from './data/sender-rules.json' with { type: 'json' };
import { quietUntil } from './quiet-hours.policy.js';

/** The gateway checks rules that operators write. Nothing but these tests checks the defaults. */
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
const SOME_DAY_MS = Date.UTC(2026, 10, 26);

it('the default sender rules fit the schema', () => {
  expect([...Value.Errors(SenderRules, defaults)]).toEqual([]);
});

it('the default sender rules refuse nothing', () => {
  expect(defaults.enforcement).toBe('log');
});

it.each(Object.entries(defaults.countries as SenderRules['countries']))(
  'the default sender rule of %s has an existing country, day, time zone and open hour',
  (countryCode, rule) => {
    expect(findCountry(countryCode)).not.toBeNull();
    expect(isMoment(`${rule.last_checked}T00:00:00Z`)).toBe(true);
    expect(openHours(rule)).toBeGreaterThan(0);
  },
);

/** Returns how many hours of a week are not quiet. An unknown time zone throws. */
function openHours({ quiet_hours: hours }: SenderRule): number {
  if (hours === null) return WEEK_HOURS;
  const week = Array.from({ length: WEEK_HOURS }, (_, hour) => SOME_DAY_MS + hour * HOUR_MS);
  return week.filter((ms) => quietUntil(hours, new Date(ms)) === null).length;
}
