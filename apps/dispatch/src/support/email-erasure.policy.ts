import { storedAddress } from '@watchword/email';
import { type Email, openAttempt, type Recipient, wordsOf } from '../emails/email.js';

/** What an erasure writes of an email. */
export interface EmailErasure {
  readonly id: string;
  /** As it was read. */
  readonly version: number;
  readonly command: Email['command'];
  readonly toAddresses: readonly string[];
  /** Those that had the address, as they are afterwards. */
  readonly recipients: readonly Pick<Recipient, 'number' | 'address' | 'bounce'>[];
}

/** Whether a copy may still leave, or is leaving. Each names all who are shown. */
export function isOpen(email: Email): boolean {
  return email.recipients.some(
    ({ number, state, dueAt }) =>
      state === 'queued' || dueAt !== null || openAttempt(email, number) !== undefined,
  );
}

/** Whether it waits for its `send_at`. It names the person to its other recipients, so none gets it. */
export function isScheduled(email: Email, at: Date): boolean {
  return email.sendAt !== null && email.sendAt > at;
}

/**
 * Replaces the address. Where no other recipient is left, the subject, header fields, attachments, tags and
 * metadata go, too, and the reference to the texts, which are then deleted as unused ones are.
 */
export function erasureOf(email: Email, address: string, erased: string): EmailErasure {
  const words = wordsOf(email);
  const isIt = (mailbox: string) => storedAddress(mailbox) === storedAddress(address);
  const replaced = (mailboxes: readonly string[]) =>
    mailboxes.map((mailbox) => (isIt(mailbox) ? erased : mailbox));
  const recipients = replaced(words.recipients);
  const isWhole = recipients.every((one) => one === erased);
  const nothing = { subject: '', headers: {}, attachments: [], tags: [], content_sha256: '' };
  const command = {
    ...email.command,
    destination: recipients[0]!,
    ...(isWhole && { metadata: {} }),
    email: {
      ...words,
      ...(isWhole && nothing),
      to: replaced(words.to),
      cc: replaced(words.cc),
      bcc: replaced(words.bcc),
      reply_to: replaced(words.reply_to),
      recipients,
    },
  };
  return {
    id: email.id,
    version: email.version,
    command,
    toAddresses: recipients.map((one) => one.toLowerCase()),
    recipients: recipientsAt(email, address).map(({ number, bounce }) => ({
      number,
      address: erased,
      bounce: bounce && { ...bounce, message: null },
    })),
  };
}

function recipientsAt(email: Email, address: string): Recipient[] {
  return email.recipients.filter((one) => storedAddress(one.address) === storedAddress(address));
}
