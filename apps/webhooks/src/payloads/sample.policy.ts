import type { MessageEvent, MessageEventType, MessageSnapshot } from '@watchword/contracts';
import { messageResource } from './resource.policy.js';

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

/** `data` of a synthetic event of variant B: what a receiver has to expect, with `test_mode: true`. */
export function sampleData(type: string, workspaceId: string, id: string, at: string): object {
  const [kind, hop] = type.split('.') as [string, string];
  if (kind === 'sms' || kind === 'otp') {
    return messageResource(sampleMessage(kind, hop, workspaceId, id, at));
  }
  if (kind === 'email') {
    return {
      id,
      email_id: id,
      project_id: workspaceId,
      status: hop,
      to: ['ada@example.com'],
      test_mode: true,
    };
  }
  return { workspace_id: workspaceId, test: true };
}

function sampleMessage(
  kind: 'sms' | 'otp',
  hop: string,
  workspaceId: string,
  id: string,
  at: string,
): MessageEvent {
  const state = STATES[hop] ?? 'sent';
  const hasFailed = ['failed', 'rejected', 'blocked'].includes(state);
  const reason = hasFailed ? 'absent_subscriber' : null;
  const isSent = state !== 'accepted' && state !== 'rejected';
  const code = { code_length: 6, ttl_seconds: 600, expires_at: at, language: 'en' };
  return {
    event_id: '',
    type: `message.${hop}` as MessageEventType,
    occurred_at: at,
    message: {
      id,
      workspace_id: workspaceId,
      kind,
      family: kind === 'sms' ? 'b' : 'a',
      test_mode: true,
      destination: '+2348031234567',
      country_code: 'NG',
      network: 'mtn_ng',
      sender_id: null,
      body: kind === 'sms' ? 'This is a sample.' : null,
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
      otp:
        kind === 'otp' ? { ...code, attempt_count: 0, max_attempts: 5, verified_at: null } : null,
      timeline: [{ status: 'queued', timestamp: at }],
      provider_attempts: [],
      cost: { amount_kobo: 500, currency: 'NGN' },
    },
  };
}
