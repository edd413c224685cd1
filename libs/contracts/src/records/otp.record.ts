import type { OtpDetails } from '../http/otp.schema.js';
import { type MessageState, publicStatus } from '../message-states.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';

/** Returns an OTP as `GET /v1/otp/{id}` and the events of variant B show it. */
export function otpDetails(record: MessageRecord): OtpDetails {
  const { otp } = record;
  if (!otp) throw new Error(`message ${record.id} is not a one-time password`);
  return {
    id: record.id,
    workspace_id: record.workspace_id,
    phone_number: record.destination,
    country_code: record.country_code,
    credit_cost: record.credits,
    status: publicStatus(record.state as MessageState, record.family),
    code_length: otp.code_length,
    ttl_seconds: otp.ttl_seconds,
    attempt_count: otp.attempt_count,
    max_attempts: otp.max_attempts,
    language: otp.language,
    test_mode: record.test_mode,
    expires_at: otp.expires_at,
    created_at: record.created_at,
    updated_at: record.updated_at,
    sent_at: record.sent_at,
    delivered_at: record.delivered_at,
    verified_at: otp.verified_at,
    failed_at: record.failed_at,
    reason: record.reason ?? undefined,
    refunded: record.refunded ?? undefined,
    metadata: record.metadata,
    timeline: record.timeline,
    provider_attempts: record.provider_attempts,
    resends: record.resends,
  };
}
