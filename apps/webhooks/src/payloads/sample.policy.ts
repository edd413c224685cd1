import {
  asId,
  EMAIL_RECIPIENT_STATUSES,
  type EmailSummary,
  type MessageEvent,
  type MessageEventType,
  type MessageSnapshot,
  type NewId,
  type SenderRecord,
  type SendingDomain,
  type WorkspaceId,
} from '@watchword/contracts';
import { CHANNELS } from './channels/channels.js';
import { prefixData } from './envelope.policy.js';
import { emailData, messageResource, registrationData } from './resource.policy.js';

const STATES: Readonly<Record<string, MessageSnapshot['state']>> = {
  queued: 'accepted',
  sent: 'sent',
  delivered: 'delivered',
  verified: 'verified',
  expired: 'expired',
  failed: 'failed',
  rejected: 'rejected',
  blocked: 'blocked',
  cancelled: 'cancelled',
};

/**
 * Returns `data` of a synthetic event of variant B: what a receiver must expect, with `test_mode: true`,
 * or `test: true` where a resource has no mode.
 */
export function sampleData(type: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const [kind, hop] = type.split('.') as [string, string];
  return SAMPLES.get(kind)?.(hop, workspaceId, id, at) ?? { workspace_id: workspaceId, test: true };
}

type Sample = (hop: string, workspaceId: WorkspaceId, id: NewId, at: string) => object;

const SAMPLES = new Map<string, Sample>([
  ...Object.keys(CHANNELS).map((kind): [string, Sample] => [
    kind,
    (...about) => messageResource(sampleMessage(kind as keyof typeof CHANNELS, ...about)),
  ]),
  ['email', sampleEmail],
  ['sender_id', sampleSenderId],
  ['domain', sampleDomain],
  ['prefix', samplePrefix],
  ['webhook', sampleWebhook],
  ['credit_balance', (_, workspaceId) => ({ workspace_id: workspaceId, balance: 0, test: true })],
]);

function sampleMessage(
  kind: keyof typeof CHANNELS,
  hop: string,
  workspaceId: WorkspaceId,
  id: NewId,
  at: string,
): MessageEvent {
  const state = STATES[hop] ?? 'sent';
  const hasFailed = ['failed', 'rejected', 'blocked'].includes(state);
  const reason = hasFailed ? 'absent_subscriber' : null;
  const isSent = state !== 'accepted' && state !== 'rejected';
  const { family, body, otp } = CHANNELS[kind].sample(at);
  return {
    event_id: asId(''),
    type: `message.${hop}` as MessageEventType,
    occurred_at: at,
    message: {
      id,
      workspace_id: workspaceId,
      kind,
      family,
      test_mode: true,
      destination: '+2348031234567',
      country_code: 'NG',
      network: 'mtn_ng',
      sender_id: null,
      body,
      state,
      credits: 5,
      segments: 1,
      encoding: 'GSM-7',
      provider: isSent ? 'simulator' : null,
      provider_message_id: null,
      reason,
      refunded: hasFailed ? true : null,
      error_code: reason,
      error_message: null,
      antispam: null,
      metadata: {},
      created_at: at,
      sent_at: isSent ? at : null,
      delivered_at: state === 'delivered' ? at : null,
    },
    details: {
      updated_at: at,
      failed_at: hasFailed ? at : null,
      original_body: null,
      rewritten: false,
      otp,
      timeline: [{ status: 'queued', timestamp: at }],
      provider_attempts: [],
      cost: { amount_kobo: 500, currency: 'NGN' },
    },
  };
}

const SAMPLE_ADDRESS = 'ada@example.com';
const SAMPLE_AGENT = { ip: '203.0.113.7', user_agent: 'Mozilla/5.0' };

/** Members that only this event has. */
const EMAIL_DETAILS = {
  bounced: {
    bounce: {
      type: 'permanent',
      sub_type: 'no_email',
      code: '550 5.1.1',
      message: 'No such user',
    },
  },
  complained: { complaint: { type: 'abuse' } },
  opened: { open: { ...SAMPLE_AGENT, machine_open: false } },
  clicked: { click: { ...SAMPLE_AGENT, url: 'https://example.com/', machine_click: false } },
} as const;

function sampleEmail(hop: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const status = EMAIL_RECIPIENT_STATUSES.find((one) => one === hop) ?? 'delivered';
  const isOfAll = hop === 'queued' || hop === 'cancelled';
  const email: EmailSummary = {
    id,
    workspace_id: workspaceId,
    status,
    from: 'Acme <hello@acme.example>',
    to: [SAMPLE_ADDRESS],
    cc: [],
    bcc: [],
    reply_to: [],
    subject: 'This is a sample.',
    headers: {},
    attachments: [],
    tags: [],
    metadata: {},
    category: 'transactional',
    track_opens: false,
    track_clicks: false,
    recipients: [{ address: SAMPLE_ADDRESS, status }],
    message_id: `<${id}@acme.example>`,
    cost: { amount_kobo: 100, currency: 'NGN' },
    credits: 1,
    refunded: null,
    open_count: hop === 'opened' || hop === 'clicked' ? 1 : 0,
    click_count: hop === 'clicked' ? 1 : 0,
    timeline: [{ status: 'queued', timestamp: at }],
    provider_attempts: [],
    error_code: hop === 'failed' ? 'all_providers_failed' : null,
    error_message: null,
    test_mode: true,
    send_at: null,
    created_at: at,
    updated_at: at,
    sent_at: status === 'queued' ? null : at,
    delivered_at: status === 'delivered' ? at : null,
  };
  const details = EMAIL_DETAILS[hop as keyof typeof EMAIL_DETAILS] ?? {};
  return emailData({ email, recipient: isOfAll ? null : SAMPLE_ADDRESS, ...details });
}

const DAY_MS = 86_400_000;
const NETWORK_PREFIX = '234803';

function sampleSenderId(hop: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const isRejected = hop === 'rejected';
  const reason = isRejected ? 'This is a sample.' : null;
  const status = isRejected ? 'rejected' : 'approved';
  const country = 'NG';
  const review = { country, status, rejection_reason: reason, reviewed_at: at } as const;
  const sender: SenderRecord = {
    id,
    workspace_id: workspaceId,
    sender_id: 'Acme',
    status,
    reviews: [{ ...review, dnd_whitelisted: false }],
    rejection_reason: reason,
    created_at: at,
    updated_at: at,
    countries: [country],
    registered_entity: 'Acme Ltd',
    registration_doc_url: null,
    use_case: 'Order updates',
    sample_message: 'This is a sample.',
    notes: null,
  };
  return { ...registrationData({ workspace_id: workspaceId, country, sender }), test: true };
}

function sampleDomain(hop: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const isVerified = hop === 'verified';
  const name = 'acme.example';
  const domain: SendingDomain = {
    id,
    workspace_id: workspaceId,
    name,
    status: isVerified ? 'verified' : 'failed',
    records: [
      {
        purpose: 'DKIM',
        type: 'TXT',
        name: `svc${id.replaceAll('-', '')}._domainkey.${name}`,
        value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
        priority: null,
        required: true,
        status: isVerified ? 'verified' : 'pending',
      },
    ],
    created_at: at,
    verified_at: at,
    last_checked_at: at,
  };
  return { ...registrationData({ workspace_id: workspaceId, domain }), test: true };
}

function samplePrefix(hop: string, workspaceId: WorkspaceId, _id: string, at: string): object {
  const isThrottled = hop === 'throttled';
  const endsAt = isThrottled ? new Date(Date.parse(at) + DAY_MS).toISOString() : null;
  const counts = { otp_count: 120, verified_count: 3 };
  const event = { workspace_id: workspaceId, prefix: NETWORK_PREFIX, ...counts, ends_at: endsAt };
  return { ...prefixData(event), test: true };
}

function sampleWebhook(_hop: string, workspaceId: WorkspaceId, id: NewId): object {
  const url = 'https://acme.example/hooks';
  return { workspace_id: workspaceId, endpoint_id: id, url, reason: 'failing', test: true };
}
