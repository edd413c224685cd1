import {
  type NewId,
  PHONE_KINDS,
  type SenderRecord,
  type SendingDomain,
  type WorkspaceId,
} from '@watchword/contracts';
import { creditData, prefixData } from './envelope.policy.js';
import { messageResource, registrationData } from './resource.policy.js';
import { sampleEmail } from './sample-email.policy.js';
import { sampleMessage } from './sample-message.policy.js';

/**
 * Returns `data` of a synthetic event of variant B: what a receiver must expect, with `test_mode: true`,
 * or `test: true` where a resource has no mode.
 */
export function sampleData(type: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const [kind, name] = type.split('.') as [string, string];
  return SAMPLES.get(kind)!(name, workspaceId, id, at);
}

type Sample = (name: string, workspaceId: WorkspaceId, id: NewId, at: string) => object;

const SAMPLES = new Map<string, Sample>([
  ...PHONE_KINDS.map((kind): [string, Sample] => [
    kind,
    (...about) => messageResource(sampleMessage(kind, ...about)),
  ]),
  ['email', sampleEmail],
  ['sender_id', sampleSenderId],
  ['domain', sampleDomain],
  ['prefix', samplePrefix],
  ['webhook', sampleWebhook],
  ['credit_balance', sampleBalance],
]);

const HOUR_MS = 3_600_000;
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
        problem: null,
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
  const endsAt = isThrottled ? new Date(Date.parse(at) + HOUR_MS).toISOString() : null;
  const counts = { otp_count: 120, verified_count: 3 };
  const event = { workspace_id: workspaceId, prefix: NETWORK_PREFIX, ...counts, ends_at: endsAt };
  return { ...prefixData(event), test: true };
}

function sampleWebhook(_hop: string, workspaceId: WorkspaceId, id: NewId): object {
  const url = 'https://acme.example/hooks';
  return { workspace_id: workspaceId, endpoint_id: id, url, reason: 'failing', test: true };
}

function sampleBalance(name: string, workspaceId: WorkspaceId, id: NewId, at: string): object {
  const about = { workspace_id: workspaceId, occurred_at: at };
  const entry = { ...about, entry_id: id, balance_after: 0 };
  const events: Readonly<Record<string, Parameters<typeof creditData>[0]>> = {
    topped_up: { ...entry, type: 'credit.topped_up', top_up_kind: 'purchase', credits: 100 },
    low: { ...entry, type: 'credit.low', threshold: 100 },
    top_up_failed: {
      ...about,
      type: 'credit.top_up_failed',
      payment_id: id,
      credits: 100,
      amount: 10_000,
      currency: 'NGN',
      failure: 'card_declined',
      balance: 0,
    },
  };
  return { ...creditData(events[name]!), test: true };
}
