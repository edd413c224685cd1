import { randomUUID } from 'node:crypto';
import type { Receipt } from '../outcomes/outcome.js';

/** Amazon's event for an address that an earlier complaint put on the list of the account. */
const ON_ACCOUNT_LIST = 'OnAccountSuppressionList';

export interface SesEmail {
  readonly messageId: string;
  readonly to: string;
  readonly source: string;
  readonly tags: Readonly<Record<string, readonly string[]>>;
}

/** Returns an SES event as a configuration set publishes it. */
export function sesEvent(email: SesEmail, { outcome, code }: Receipt): object {
  const timestamp = new Date().toISOString();
  const mail = {
    timestamp,
    messageId: email.messageId,
    source: email.source,
    destination: [email.to],
    tags: email.tags,
  };
  switch (outcome) {
    case 'delivered':
      return {
        eventType: 'Delivery',
        mail,
        delivery: { timestamp, recipients: [email.to], smtpResponse: '250 2.0.0 OK' },
      };
    case 'buffered':
      return {
        eventType: 'DeliveryDelay',
        mail,
        deliveryDelay: { timestamp, delayType: 'TransientCommunicationFailure' },
      };
    case 'complained':
      return {
        eventType: 'Complaint',
        mail,
        complaint: {
          timestamp,
          feedbackId: randomUUID(),
          complainedRecipients: [{ emailAddress: email.to }],
          ...(code === ON_ACCOUNT_LIST
            ? { complaintSubType: code }
            : { complaintSubType: null, complaintFeedbackType: String(code ?? 'abuse') }),
        },
      };
    case 'failed':
      return {
        eventType: 'Bounce',
        mail,
        bounce: bounce(email, String(code ?? 'NoEmail'), timestamp),
      };
  }
}

const TRANSIENT = ['MailboxFull', 'MessageTooLarge', 'ContentRejected', 'AttachmentRejected'];

/** `code` is a bounce sub-type of SES. */
function bounce({ to }: SesEmail, subType: string, timestamp: string): object {
  const isTransient = TRANSIENT.includes(subType);
  const status = isTransient ? '5.2.2' : '5.1.1';
  return {
    timestamp,
    feedbackId: randomUUID(),
    bounceType: isTransient ? 'Transient' : 'Permanent',
    bounceSubType: subType,
    bouncedRecipients: [
      {
        emailAddress: to,
        action: 'failed',
        status,
        diagnosticCode: `smtp; 550 ${status} simulated`,
      },
    ],
  };
}
