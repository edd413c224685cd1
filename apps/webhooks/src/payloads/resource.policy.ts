import {
  type EmailEvent,
  emailResource,
  type MessageDetails,
  type MessageEvent,
  type MessageRecord,
  otpDetails,
  smsRecord,
} from '@watchword/contracts';
import { messageData } from './envelope.policy.js';

/**
 * `data` of variant B: the resource as its GET shows it, in variant B's words also for messages of
 * variant A. An SMS has its id as `sms_id` too.
 */
export function messageResource({ type, occurred_at: at, message, details }: MessageEvent): object {
  if (message.kind === 'otp') {
    // Events of older versions do not have the code's life.
    if (!details?.otp) return messageData(type, message);
    return otpDetails({ ...message, ...details });
  }
  const rest = details ?? withoutDetails(at);
  const timeline = rest.timeline.map((hop) =>
    hop.status === 'blocked' ? { ...hop, status: 'rejected' } : hop,
  );
  const record: MessageRecord = { ...message, ...rest, family: 'b', timeline };
  return { ...smsRecord(record, rest.cost ?? null), sms_id: message.id };
}

/** The email as its GET shows it without its texts, whom it happened to, and what came back. */
export function emailData(
  event: Pick<EmailEvent, 'email' | 'recipient' | 'bounce' | 'complaint' | 'open' | 'click'>,
): object {
  const { email, recipient, bounce, complaint, open, click } = event;
  return {
    ...emailResource(email),
    email_id: email.id,
    recipient,
    ...(bounce && { bounce }),
    ...(complaint && { complaint }),
    ...(open && { open }),
    ...(click && { click }),
  };
}

/** An event of an older version has the snapshot alone. */
function withoutDetails(at: string): MessageDetails {
  return {
    updated_at: at,
    failed_at: null,
    original_body: null,
    rewritten: false,
    otp: null,
    timeline: [],
    provider_attempts: [],
  };
}
