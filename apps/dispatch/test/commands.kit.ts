import { type DeliveryReport, newId, type SendMessage } from '@watchword/contracts';
import type { TextCommand } from '../src/channels/text-channel.js';

/** Messages of the bus, for tests to vary. */
export const NIGERIAN = '+2348031234567';
export const AMERICAN = '+14155550123';

export function smsCommand(change: Partial<SendMessage> = {}): TextCommand {
  return {
    message_id: newId(),
    workspace_id: newId(),
    test_mode: false,
    kind: 'sms',
    family: 'a',
    destination: NIGERIAN,
    country_code: 'NG',
    network: 'mtn_ng',
    sender_id: 'Acme',
    segments: 1,
    credits: 5,
    price_rule: 'country:NG',
    metadata: { order: 7 },
    created_at: new Date().toISOString(),
    sms: {
      body: 'Your parcel is here.',
      original_body: null,
      encoding: 'GSM-7',
      rewritten: false,
      anti_spam: 'off',
    },
    otp: null,
    ...change,
  } as TextCommand;
}

export function otpCommand(
  change: Partial<SendMessage> = {},
  otp: Partial<NonNullable<TextCommand['otp']>> = {},
): TextCommand {
  const createdAt = change.created_at ?? new Date().toISOString();
  const ttlSeconds = otp.ttl_seconds ?? 600;
  return smsCommand({
    kind: 'otp',
    sms: null,
    otp: {
      code_length: 6,
      ttl_seconds: ttlSeconds,
      expires_at: new Date(Date.parse(createdAt) + ttlSeconds * 1_000).toISOString(),
      language: 'en',
      max_attempts: 5,
      brand: 'Acme',
      template: null,
      strict: false,
      ...otp,
    },
    ...change,
  });
}

export function deliveryReport(change: Partial<DeliveryReport>): DeliveryReport {
  return {
    report_id: newId(),
    provider: 'africas_talking',
    message_id: null,
    provider_message_id: null,
    state: 'delivered',
    reason: null,
    raw_code: null,
    raw_message: null,
    network: null,
    received_at: new Date().toISOString(),
    ...change,
  };
}
