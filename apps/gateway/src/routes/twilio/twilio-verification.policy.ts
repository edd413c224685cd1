import { CODE_LENGTH_DEFAULT, type MessageId, type OtpDetails } from '@watchword/contracts';
import type { WorkspaceView } from '../../accounts/keys/key-directory.port.js';
import { sidOf, wholeSeconds } from './twilio-ids.policy.js';

export type VerificationStatus =
  'pending' | 'approved' | 'canceled' | 'max_attempts_reached' | 'failed' | 'expired';

/** Returns an OTP's state in the words of Twilio Verify. */
export function statusOf({ status, reason }: OtpDetails): VerificationStatus {
  if (status === 'verified') return 'approved';
  if (status === 'expired') return 'expired';
  if (status !== 'failed') return 'pending';
  if (reason === 'cancelled') return 'canceled';
  return reason === 'max_attempts_exceeded' ? 'max_attempts_reached' : 'failed';
}

/** Returns the body of a Verification. `url` is that of the verification itself. */
export function verificationOf(otp: OtpDetails, url: string) {
  const status = statusOf(otp);
  const sends = [otp.created_at, ...(otp.resends ?? []).map(({ created_at: time }) => time)];
  return {
    sid: sidOf('VE', otp.id as MessageId),
    service_sid: sidOf('VA', otp.workspace_id),
    account_sid: sidOf('AC', otp.workspace_id),
    to: otp.phone_number,
    channel: 'sms',
    status,
    valid: status === 'approved',
    lookup: { carrier: null },
    amount: null,
    payee: null,
    send_code_attempts: sends.map((time) => ({
      time: wholeSeconds(time),
      channel: 'SMS',
      attempt_sid: null,
    })),
    date_created: wholeSeconds(otp.created_at),
    date_updated: wholeSeconds(otp.updated_at),
    sna: null,
    url,
  };
}

/** Returns the body of a workspace's service. `url` is that of the service. */
export function serviceOf({ id, brand }: WorkspaceView, url: string) {
  const created = wholeSeconds(createdAt(id));
  return {
    sid: sidOf('VA', id),
    account_sid: sidOf('AC', id),
    friendly_name: brand,
    code_length: CODE_LENGTH_DEFAULT,
    lookup_enabled: false,
    psd2_enabled: false,
    skip_sms_to_landlines: false,
    dtmf_input_required: false,
    tts_name: null,
    do_not_share_warning_enabled: false,
    custom_code_enabled: false,
    push: {},
    totp: {},
    default_template_sid: null,
    whatsapp: {},
    passkeys: {},
    verify_event_subscription_enabled: false,
    date_created: created,
    date_updated: created,
    url,
    links: {
      verifications: `${url}/Verifications`,
      verification_checks: `${url}/VerificationCheck`,
    },
  };
}

/** Returns the time in a UUIDv7: its first 48 bits are milliseconds. */
function createdAt(id: string): string {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
}
