import {
  emailFailureSentence,
  type EmailHop,
  type EmailRecipientStatus,
  type EmailSummary,
  type NewId,
  timeText,
  type WorkspaceId,
} from '@watchword/contracts';
import { emailData } from './resource.policy.js';

/** The status of an email at the event, and the hops that it reaches until then. */
interface History {
  readonly status: EmailRecipientStatus;
  readonly hops: readonly string[];
}

const DELIVERED = ['queued', 'sent', 'delivered'];

/** By the second word of the event's name. */
const HISTORIES: Readonly<Record<string, History>> = {
  queued: { status: 'queued', hops: ['queued'] },
  sent: { status: 'sent', hops: ['queued', 'sent'] },
  delivered: { status: 'delivered', hops: DELIVERED },
  delayed: { status: 'queued', hops: ['queued', 'delayed'] },
  bounced: { status: 'bounced', hops: ['queued', 'sent', 'bounced'] },
  complained: { status: 'complained', hops: [...DELIVERED, 'complained'] },
  opened: { status: 'delivered', hops: [...DELIVERED, 'opened'] },
  clicked: { status: 'delivered', hops: [...DELIVERED, 'opened', 'clicked'] },
  /** It leaves no hop. */
  unsubscribed: { status: 'delivered', hops: DELIVERED },
  failed: { status: 'failed', hops: ['queued', 'failed'] },
  /** While it is scheduled: no hop stands for that. */
  cancelled: { status: 'cancelled', hops: ['cancelled'] },
};

const HOUR_MS = 3_600_000;
const ADDRESS = 'ada@example.com';
const FAILURE = 'all_providers_failed';
const AGENT = { ip: '203.0.113.7', user_agent: 'Watchword test mode' };
const BOUNCE = {
  type: 'permanent',
  sub_type: 'no_email',
  code: '550 5.1.1',
  message: 'Simulated: no such user.',
} as const;

/** Members that only this event has. */
const DETAILS = {
  bounced: { bounce: BOUNCE },
  complained: { complaint: { type: 'abuse' } },
  opened: { open: { ...AGENT, machine_open: false } },
  clicked: { click: { ...AGENT, url: 'https://example.com/', machine_click: false } },
} as const;

/** Returns `data` of an event of an email in test mode. */
export function sampleEmail(name: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const { status, hops } = HISTORIES[name]!;
  const hasFailed = status === 'failed';
  const isCancelled = status === 'cancelled';
  const count = (hop: string) => (hops.includes(hop) ? 1 : 0);
  const timeOf = (hop: string) => (hops.includes(hop) ? at : null);
  const bounce = status === 'bounced' ? { bounce: BOUNCE } : {};
  const email: EmailSummary = {
    id,
    workspace_id: workspaceId,
    status,
    from: 'Acme <hello@acme.example>',
    to: [ADDRESS],
    cc: [],
    bcc: [],
    reply_to: [],
    subject: 'This is a sample.',
    headers: {},
    attachments: [],
    tags: [],
    category: name === 'unsubscribed' ? 'marketing' : 'transactional',
    track_opens: false,
    track_clicks: false,
    metadata: {},
    recipients: [{ address: ADDRESS, status, ...bounce }],
    message_id: `<${id}@acme.example>`,
    cost: { amount_kobo: 100, currency: 'NGN' },
    credits: 1,
    refunded: hasFailed || isCancelled ? true : null,
    open_count: count('opened'),
    click_count: count('clicked'),
    timeline: hops.map((hop) => hopOf(hop, at)),
    provider_attempts: attemptsOf(id, hops, at),
    error_code: hasFailed ? FAILURE : null,
    error_message: hasFailed ? emailFailureSentence(FAILURE) : null,
    test_mode: true,
    send_at: isCancelled ? timeText(new Date(Date.parse(at) + HOUR_MS)) : null,
    created_at: at,
    updated_at: at,
    sent_at: timeOf('sent'),
    delivered_at: timeOf('delivered'),
  };
  const details = DETAILS[name as keyof typeof DETAILS] ?? {};
  const isOfAll = name === 'queued' || isCancelled;
  return emailData({ email, recipient: isOfAll ? null : ADDRESS, ...details });
}

function hopOf(status: string, timestamp: string): EmailHop {
  if (status === 'queued' || status === 'cancelled') return { status, timestamp };
  const hop = { status, timestamp, recipient: ADDRESS };
  if (status === 'sent') return { ...hop, provider: 'simulator_1' };
  return status === 'failed' ? { ...hop, reason: FAILURE, refunded: true } : hop;
}

type Attempt = EmailSummary['provider_attempts'][number];

function attemptsOf(id: string, hops: readonly string[], at: string): Attempt[] {
  const attempt = (provider: string, answer: Partial<Attempt>): Attempt => ({
    provider,
    recipient: ADDRESS,
    attempted_at: at,
    ok: false,
    provider_message_id: null,
    error_code: null,
    error_message: 'Simulated.',
    ...answer,
  });
  if (hops.includes('sent')) {
    const answer = { ok: true, provider_message_id: `simulator_1-${id}-0`, error_message: null };
    return [attempt('simulator_1', answer)];
  }
  if (hops.includes('delayed')) return [attempt('simulator_1', { error_code: '452 4.2.2' })];
  if (!hops.includes('failed')) return [];
  return ['simulator_1', 'simulator_2'].map((one) => attempt(one, { error_code: '554 5.3.0' }));
}
