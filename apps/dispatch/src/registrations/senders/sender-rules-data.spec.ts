import { Value } from '@sinclair/typebox/value';
import { expect, it } from '@jest/globals';
import { isMoment, type QuietHours, type SenderRule, SenderRules } from '@watchword/contracts';
import { findCountry } from '@watchword/telephony';
import defaults from './data/sender-rules.json' with { type: 'json' };
import { quietUntil } from './quiet-hours.policy.js';

/** The gateway checks rules that operators write. Nothing but these tests checks the defaults. */
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
const SOME_DAY_MS = Date.UTC(2026, 10, 26);
const QUARTER_MS = HOUR_MS / 4;
/** In winter, in summer, and on the days on which clocks change in most of the US. */
const US_DAYS = ['2026-01-15', '2026-07-15', '2026-03-08', '2026-11-01'];
const US_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
];

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

it.each(US_ZONES)(
  'the default quiet hours of the US are before 8:00 and from 21:00 on the clocks of %s',
  (zone) => {
    const open = US_DAYS.flatMap((day) => openTimes(day, zone)).toSorted();
    expect(open.length).toBeGreaterThan(0);
    expect(open[0]! >= '08:00').toBe(true);
    expect(open.at(-1)! < '21:00').toBe(true);
  },
);

/** Returns the times of a day, on the clocks of a zone, that are not quiet in the US. */
function openTimes(day: string, timeZone: string): string[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    timeStyle: 'short',
  });
  const hours = defaults.countries.US.quiet_hours as QuietHours;
  const quarters = Array.from({ length: 96 }, (_, index) => index * QUARTER_MS);
  return quarters
    .map((ms) => new Date(Date.parse(`${day}T00:00:00Z`) + ms))
    .filter((at) => quietUntil(hours, at) === null)
    .map((at) => clock.format(at));
}

/** Returns how many hours of a week are not quiet. An unknown time zone throws. */
function openHours({ quiet_hours: hours }: SenderRule): number {
  if (hours === null) return WEEK_HOURS;
  const week = Array.from({ length: WEEK_HOURS }, (_, hour) => SOME_DAY_MS + hour * HOUR_MS);
  return week.filter((ms) => quietUntil(hours, new Date(ms)) === null).length;
}
