import {
  asId,
  type MessageDetails,
  type MessageEvent,
  type MessageEventType,
  type MessageState,
  type NewId,
  PHONE_CONTRACTS,
  type PhoneKind,
  publicStatus,
  type PublicReason,
  REASON_SENTENCES,
  type TimelineHop,
  timeText,
  type WorkspaceId,
} from '@watchword/contracts';

type Hop = 'queued' | MessageState;

/** The hops that a message reaches until the event, and why it ends badly. */
interface History {
  readonly hops: readonly Hop[];
  readonly reason?: PublicReason;
}

/** By the second word of the event's name. */
const HISTORIES: Readonly<Record<string, History>> = {
  queued: { hops: ['queued'] },
  sent: { hops: ['queued', 'sent'] },
  delivered: { hops: ['queued', 'sent', 'delivered'] },
  verified: { hops: ['queued', 'sent', 'delivered', 'verified'] },
  expired: { hops: ['queued', 'sent', 'delivered', 'expired'] },
  failed: { hops: ['queued', 'sent', 'failed'], reason: 'absent_subscriber' },
  rejected: { hops: ['queued', 'rejected'], reason: 'invalid_number' },
  blocked: { hops: ['queued', 'blocked'], reason: 'antispam_blocked' },
  /** Only a scheduled SMS can be cancelled, and no hop stands for that state. */
  cancelled: { hops: ['cancelled'], reason: 'cancelled' },
};

const HOUR_MS = 3_600_000;
const PROVIDER = 'simulator_1';
const VERDICT = {
  ...{ label: 'spam', score: 1, flagged: true, reasons: ['test_number'], action: 'block' },
  ...{ model: 'test', version: '2026-11-1', latency_ms: 0 },
};

/** Returns the event of a message in test mode, as dispatch publishes it. */
export function sampleMessage(
  kind: PhoneKind,
  name: string,
  workspaceId: WorkspaceId,
  id: NewId,
  at: string,
): MessageEvent {
  const { hops, reason = null } = HISTORIES[name]!;
  const last = hops.at(-1)!;
  const state = last === 'queued' ? 'accepted' : last;
  const { otp, ...content } = PHONE_CONTRACTS[kind].sample(state, at);
  const { family, created_at: createdAt } = content;
  const isSent = hops.includes('sent');
  const reachedAt = (hop: Hop) => (hop === last ? at : createdAt);
  const timeOf = (hop: Hop) => (hops.includes(hop) ? reachedAt(hop) : null);
  return {
    event_id: asId(''),
    type: `message.${name}` as MessageEventType,
    occurred_at: at,
    message: {
      id,
      workspace_id: workspaceId,
      kind,
      ...content,
      test_mode: true,
      destination: '+2348031234567',
      country_code: 'NG',
      network: 'mtn_ng',
      state,
      credits: 5,
      segments: 1,
      encoding: 'GSM-7',
      provider: isSent ? PROVIDER : null,
      provider_message_id: isSent ? providerIdOf(id) : null,
      reason,
      refunded: reason === null ? null : true,
      error_code: reason,
      error_message: reason === null ? null : REASON_SENTENCES[reason],
      antispam: state === 'blocked' ? VERDICT : null,
      metadata: {},
      sent_at: timeOf('sent'),
      delivered_at: timeOf('delivered'),
    },
    details: {
      updated_at: at,
      failed_at: publicStatus(state, family) === 'failed' ? at : null,
      original_body: null,
      rewritten: false,
      otp,
      timeline: hops.map((hop) => hopOf(hop, reachedAt(hop), family, reason)),
      provider_attempts: attemptsOf(id, createdAt, hops, reason),
      cost: { amount_kobo: 500, currency: 'NGN' },
      send_at: state === 'cancelled' ? timeText(new Date(Date.parse(at) + HOUR_MS)) : null,
    },
  };
}

const providerIdOf = (id: string) => `${PROVIDER}_${id}`;

function hopOf(
  hop: Hop,
  timestamp: string,
  family: 'a' | 'b',
  reason: PublicReason | null,
): TimelineHop {
  if (hop === 'queued') return { status: hop, timestamp };
  const status = publicStatus(hop, family);
  if (hop === 'sent' || hop === 'delivered') return { status, timestamp, provider: PROVIDER };
  return { status, timestamp, ...(reason !== null && { reason, refunded: true }) };
}

/** An attempt is on record before it has an answer, and none is where no provider is asked. */
function attemptsOf(
  id: string,
  startedAt: string,
  hops: readonly Hop[],
  reason: PublicReason | null,
): MessageDetails['provider_attempts'] {
  const attempt = { provider: PROVIDER, attempted_at: startedAt, ok: false };
  if (hops.at(-1) === 'queued') return [attempt];
  if (!hops.includes('sent')) return [];
  const answered = { ...attempt, ok: reason === null, provider_message_id: providerIdOf(id) };
  return [reason === null ? answered : { ...answered, error_code: reason }];
}
