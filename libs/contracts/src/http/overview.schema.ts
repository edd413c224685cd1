import { type Static, Type } from '@sinclair/typebox';
import { MESSAGE_KINDS } from '../channels/channels.js';
import { nullable, words } from '../shapes.js';

const HOUR_MS = 3_600_000;
/** Most hours or days that an overview has. */
export const OVERVIEW_POINTS_MAX = 400;
/** Most groups of an overview: those with the most sends. */
export const OVERVIEW_GROUPS_MAX = 100;

export const OVERVIEW_INTERVALS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
const Interval = words('hour', 'day');
export type OverviewInterval = Static<typeof Interval>;

const GroupBy = words('channel', 'country', 'network', 'carrier');
export type OverviewGroupBy = Static<typeof GroupBy>;
const Channel = words(...MESSAGE_KINDS);

const filters = {
  interval: Type.Optional(Interval),
  group_by: Type.Optional(GroupBy),
  channel: Type.Optional(Channel),
  test_mode: Type.Optional(
    Type.Boolean({ description: 'Counts test messages instead of live ones.' }),
  ),
};

export const OverviewQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      description:
        'Begin, rounded down to the hour, or to the day in UTC. Default: 7 days before `to`.',
      maxLength: 40,
      examples: ['2026-11-21T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    Type.String({
      description: 'End, rounded up likewise. Default: now.',
      maxLength: 40,
      examples: ['2026-11-28T00:00:00Z'],
    }),
  ),
  ...filters,
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const count = (description: string) => Type.Integer({ description, examples: [120] });

const figures = {
  sends: count('Messages that were accepted. An email counts once for each recipient.'),
  sent: count('Messages that a carrier accepted.'),
  delivered: count('Messages that were delivered. A verified code counts as delivered.'),
  undelivered: count('Messages that failed or expired and were not delivered.'),
  attempted: count('One-time passwords for which a code was tried.'),
  verified: count('One-time passwords that were verified.'),
  expired: count('One-time passwords that expired.'),
  failed: count('Messages that failed, were rejected or blocked, or bounced.'),
  cancelled: count('Messages that were cancelled.'),
  delivery_rate: nullable(
    Type.Number({
      description:
        '`delivered` of `delivered` and `undelivered`. Null while there are neither. Messages without an outcome do not count.',
      examples: [0.975],
    }),
  ),
  charged_credits: count(
    'Credits that these messages were charged, with resends. In test mode, what live would have charged.',
  ),
  refunded_credits: count('Credits of these messages that were refunded, at any time.'),
  spent_credits: count('`charged_credits` less `refunded_credits`.'),
  delivery_seconds: Type.Object(
    {
      p50: nullable(Type.Number({ examples: [2.38] })),
      p95: nullable(Type.Number({ examples: [9.5] })),
    },
    {
      description:
        'Seconds from the send, or from its `send_at`, to the delivery: of half of the messages, and of 95 percent. ' +
        'Within 4.5 percent. Null without deliveries.',
    },
  ),
};
export const OverviewFigures = Type.Object(figures);
export type OverviewFigures = Static<typeof OverviewFigures>;

export const Overview = Type.Object({
  from: Type.String(),
  to: Type.String(),
  interval: Interval,
  group_by: GroupBy,
  test_mode: Type.Boolean(),
  total: OverviewFigures,
  before: Type.Object(figures, {
    description: 'The period of the same length that ends at `from`.',
  }),
  points: Type.Array(Type.Object({ at: Type.String(), ...figures }), {
    description: 'Each hour or day of the period, in order.',
  }),
  groups: Type.Array(
    Type.Object({
      key: nullable(Type.String({ examples: ['NG'] })),
      ...figures,
      before: OverviewFigures,
    }),
    {
      description:
        `At most ${OVERVIEW_GROUPS_MAX}, the ones with the most sends first. The \`key\` is null where it is unknown, as the country of ` +
        'an email, or the carrier of a message that no carrier had.',
    },
  ),
});
export type Overview = Static<typeof Overview>;
