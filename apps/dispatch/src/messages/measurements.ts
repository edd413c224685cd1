import { MESSAGE_KINDS, REASONS } from '@watchword/contracts';
import { histogram, openCounter } from '@watchword/observability';
import type { Message } from './message.js';

const countState = openCounter(
  'watchword_messages_total',
  'Live messages of workspaces that reached a state: `sent`, `delivered`, `verified`, `expired`, `failed`, `blocked`, `rejected`, `cancelled`; the reason of the last five where there is one.',
  ['kind', 'state', 'reason'],
);

for (const kind of MESSAGE_KINDS) {
  for (const state of ['sent', 'delivered']) countState.expect({ kind, state, reason: '' });
  for (const reason of REASONS) countState.expect({ kind, state: 'failed', reason });
}

const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

const secondsToCarrier = histogram(
  'watchword_time_to_carrier_seconds',
  'Live messages of workspaces that a carrier took: the time from acceptance, or from `send_at`, until then.',
  { kind: MESSAGE_KINDS },
  BUCKETS,
);

const secondsToDelivery = histogram(
  'watchword_time_to_delivery_seconds',
  'Live messages of workspaces that were delivered: the time from acceptance, or from `send_at`, until then.',
  { kind: MESSAGE_KINDS },
  BUCKETS,
);

/** An email as a whole reached a state. */
export function countEmailState(state: string, reason: string): void {
  countState({ kind: 'email', state, reason });
}

/** Shows this failure of emails as 0 until there is one. */
export function expectEmailFailure(reason: string): void {
  countState.expect({ kind: 'email', state: 'failed', reason });
}

/** The first copy of an email was taken, or the last one delivered. */
export function noteEmailTime(hop: 'carrier' | 'delivery', seconds: number): void {
  const note = hop === 'carrier' ? secondsToCarrier : secondsToDelivery;
  note({ kind: 'email' }, seconds);
}

/** Counts what a recorded write means: each reached state once. */
export function countHops(before: Message | null, after: Message): void {
  if (after.testMode) return;
  const { kind } = after.content;
  const isNew = (property: 'sentAt' | 'deliveredAt' | 'verifiedAt' | 'endedAt') =>
    after[property] !== null && (before === null || before[property] === null);
  const from = Math.max(after.createdAt.getTime(), after.sendAt?.getTime() ?? 0);
  const secondsUntil = (at: Date | null) => Math.max(0, ((at?.getTime() ?? from) - from) / 1_000);
  if (isNew('sentAt')) {
    countState({ kind, state: 'sent', reason: '' });
    secondsToCarrier({ kind }, secondsUntil(after.sentAt));
  }
  if (isNew('deliveredAt')) {
    countState({ kind, state: 'delivered', reason: '' });
    secondsToDelivery({ kind }, secondsUntil(after.deliveredAt));
  }
  if (isNew('verifiedAt')) countState({ kind, state: 'verified', reason: '' });
  if (isNew('endedAt')) countState({ kind, state: after.state, reason: after.reason ?? '' });
}
