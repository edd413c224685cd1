import { type Bounce, bounceOfStatus, type EmailTokens, safeAnswerText } from '@watchword/email';
import type { EmailCarrierReport } from '../email/email-carrier.js';
import { asObject, type JsonObject } from '../http/json-object.js';
import { refOfTag, TAG_NAME } from './ses-tag.js';

type Fate = Omit<EmailCarrierReport, 'emailId' | 'recipient' | 'reportId'>;

const COMPLAINTS = ['abuse', 'fraud', 'virus', 'other'];
const ON_ACCOUNT_LIST = 'OnAccountSuppressionList';
const NO_MAILBOX = ['NoEmail', 'Suppressed', ON_ACCOUNT_LIST];

const SUB_TYPES: Readonly<Record<string, Bounce['sub_type']>> = {
  NoEmail: 'no_email',
  Suppressed: 'suppressed',
  OnAccountSuppressionList: 'suppressed',
  MailboxFull: 'mailbox_full',
  MessageTooLarge: 'message_too_large',
  ContentRejected: 'content_rejected',
  AttachmentRejected: 'content_rejected',
};

/** Returns the report in an SES event. Null where the event has no outcome of an email. */
export function reportOf(
  event: JsonObject,
  reportId: string,
  tokens: EmailTokens,
  nowMs: number,
): EmailCarrierReport | null {
  const tags = asObject(asObject(event.mail)?.tags)?.[TAG_NAME];
  const ref = refOfTag(Array.isArray(tags) ? tags[0] : undefined, tokens, nowMs);
  const fate = ref === null ? null : fateOf(event);
  return ref === null || fate === null ? null : { ...ref, reportId, ...fate };
}

function fateOf(event: JsonObject): Fate | null {
  const detail = (name: string) => asObject(event[name]) ?? {};
  switch (event.eventType ?? event.notificationType) {
    case 'Delivery':
      return { kind: 'delivered', occurredAt: timeOf(detail('delivery')) };
    case 'DeliveryDelay':
      return { kind: 'delayed', occurredAt: timeOf(detail('deliveryDelay')) };
    case 'Bounce':
      return bounced(detail('bounce'));
    case 'Complaint':
      return complained(detail('complaint'));
    // SES found a virus in an email that it had accepted.
    case 'Reject': {
      const bounce = bounceOf('permanent', 'content_rejected', null, detail('reject').reason);
      return { kind: 'bounced', bounce, suppress: false, occurredAt: null };
    }
    default:
      return null;
  }
}

function bounced(bounce: JsonObject): Fate {
  const isPermanent = bounce.bounceType === 'Permanent';
  const subType = typeof bounce.bounceSubType === 'string' ? bounce.bounceSubType : '';
  const recipients = Array.isArray(bounce.bouncedRecipients) ? bounce.bouncedRecipients : [];
  // One recipient per message. The token names it, so its address is not read.
  const { status, diagnosticCode } = asObject(recipients[0]) ?? {};
  const named = Object.hasOwn(SUB_TYPES, subType) ? SUB_TYPES[subType]! : 'general';
  return {
    kind: 'bounced',
    bounce: bounceOf(isPermanent ? 'permanent' : 'transient', named, status, diagnosticCode),
    suppress: isPermanent && isNoMailbox(subType, status, diagnosticCode),
    occurredAt: timeOf(bounce),
  };
}

/** `General` is any other refusal. The receiver's answer says whether it is about the mailbox. */
function isNoMailbox(subType: string, status: unknown, diagnostic: unknown): boolean {
  if (subType !== 'General') return NO_MAILBOX.includes(subType);
  const [code, text] = [status, diagnostic].map((one) => (typeof one === 'string' ? one : null));
  return bounceOfStatus(code ?? null, text ?? null).suppress;
}

/** Receivers that give no type mean abuse. `not-spam` withdraws a complaint. */
function complained(complaint: JsonObject): Fate | null {
  // SES did not try to send: nobody complained about this email.
  if (complaint.complaintSubType === ON_ACCOUNT_LIST) {
    const { timestamp } = complaint;
    return bounced({ bounceType: 'Permanent', bounceSubType: ON_ACCOUNT_LIST, timestamp });
  }
  const said = complaint.complaintFeedbackType ?? 'abuse';
  const type = COMPLAINTS.find((one) => one === said);
  if (type === undefined) return null;
  return { kind: 'complained', complaint: { type }, occurredAt: timeOf(complaint) };
}

function bounceOf(
  type: Bounce['type'],
  sub_type: Bounce['sub_type'],
  code: unknown,
  message: unknown,
): Bounce {
  return {
    type,
    sub_type,
    code: typeof code === 'string' && /^[\d.]{3,11}$/.test(code) ? code : null,
    message: typeof message === 'string' ? safeAnswerText(message) : null,
  };
}

function timeOf({ timestamp }: JsonObject): string | null {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
