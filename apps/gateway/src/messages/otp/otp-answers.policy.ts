import {
  type ResendOtpAnswer,
  type SendMessage,
  type SendOtpAnswer,
  type VerifyOtpAnswer,
  type VerifyResult,
} from '@watchword/contracts';

/** Returns the answer. It uses only the stored command, so a replay is equal to the byte. */
export function sentOtp(command: SendMessage): SendOtpAnswer {
  const { otp } = command;
  if (!otp) throw new Error(`message ${command.message_id} is not a one-time password`);
  return {
    id: command.message_id,
    phone_number: command.destination,
    country_code: command.country_code,
    credit_cost: command.credits,
    status: 'pending',
    code_length: otp.code_length,
    expires_at: otp.expires_at,
    created_at: command.created_at,
  };
}

/** Returns the answer of a resend, just as stable. `id` is that of the OTP. */
export function resentOtp(command: SendMessage): ResendOtpAnswer {
  const { resend } = command;
  if (!resend) throw new Error(`message ${command.message_id} is not a resend`);
  return {
    id: resend.otp_id,
    phone_number: command.destination,
    country_code: command.country_code,
    credit_cost: command.credits,
    status: 'pending',
    code_length: resend.code_length,
    expires_at: resend.expires_at,
    created_at: command.created_at,
    resend_id: command.message_id,
    resends_remaining: resend.remaining,
  };
}

export function checkedOtp(result: Extract<VerifyResult, { outcome: 'checked' }>): VerifyOtpAnswer {
  return {
    valid: result.valid,
    status: result.status === 'delivered' ? 'sent' : result.status,
    attempts_used: result.attempts_used,
    attempts_remaining: result.valid ? undefined : result.attempts_remaining,
  };
}
