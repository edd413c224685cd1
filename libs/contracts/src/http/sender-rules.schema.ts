import { type Static, Type } from '@sinclair/typebox';
import { nullable, words } from '../shapes.js';

/** The days of a week, as `Date` numbers them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Returns the minute of the day of a local time such as `08:30`. */
export function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Hours in which a country does not want promotional messages. */
export const QuietHours = Type.Object(
  {
    time_zone: Type.String({
      description: 'IANA time zone of the hours.',
      minLength: 1,
      maxLength: 64,
      examples: ['Africa/Lagos'],
    }),
    windows: Type.Array(
      Type.Object(
        {
          from: Type.String({
            description: 'Local time at which the hours begin.',
            pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
            examples: ['20:00'],
          }),
          to: Type.String({
            description:
              'Local time at which they end; the next day where it is not after `from`. At most 24:00.',
            pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
            examples: ['08:00'],
          }),
          days: Type.Optional(
            Type.Array(words(...WEEKDAYS), {
              description: 'Days on which they begin. Left out: every day.',
              minItems: 1,
              maxItems: 7,
              uniqueItems: true,
              examples: [['sun']],
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { additionalProperties: false },
);
export type QuietHours = Static<typeof QuietHours>;
export type QuietWindow = QuietHours['windows'][number];

/** What a country and its networks ask of senders of SMS. */
export const SenderRule = Type.Object(
  {
    alphanumeric: Type.Union(words('allowed', 'registered', 'replaced', 'forbidden').anyOf, {
      description:
        'Sender IDs with letters. `registered`: an approved registration is needed. `replaced`: networks show a ' +
        'number instead; such sends are not refused, and an account with a number of its own hands that over.',
      examples: ['registered'],
    }),
    length_min: Type.Integer({
      description: 'Characters that a sender ID has at least.',
      minimum: 1,
      maximum: 11,
      examples: [3],
    }),
    reserved_words: Type.Array(Type.String({ minLength: 1, maxLength: 11 }), {
      description:
        'Names that nobody may use there. Case, spaces and `. & _ -` make no difference.',
      maxItems: 1000,
      examples: [['INFO', 'OTP']],
    }),
    quiet_hours: nullable(QuietHours),
    last_checked: Type.String({
      description: 'Day on which the rule was compared with its sources.',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      examples: ['2026-07-01'],
    }),
  },
  { additionalProperties: false },
);
export type SenderRule = Static<typeof SenderRule>;

/** The rules of all countries. A country without one allows every sender ID at any hour. */
export const SenderRules = Type.Object(
  {
    enforcement: Type.Union(words('off', 'log', 'enforce').anyOf, {
      description:
        'What happens to a live SMS whose sender ID a rule does not allow. Quiet hours have a setting of their ' +
        'own in each workspace.',
      examples: ['log'],
    }),
    countries: Type.Record(Type.String(), SenderRule),
  },
  { additionalProperties: false },
);
export type SenderRules = Static<typeof SenderRules>;
