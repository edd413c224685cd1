import {
  emailResource,
  type FoundEmail,
  type FoundMessage,
  isEmail,
  listedMessage,
  type MessageRecord,
  type OperatorMessage,
} from '@watchword/contracts';
import { isAddress, maskAddress } from '@watchword/email';
import { maskNumber } from '@watchword/telephony';

/** Returns a message of any channel for an operator: without personal data unless revealed. */
export function operatorMessage(record: FoundMessage, revealed: boolean): OperatorMessage {
  if (isEmail(record)) return operatorEmail(record, revealed);
  return { ...listedMessage(revealed ? record : withheld(record)), revealed };
}

function withheld(record: MessageRecord): MessageRecord {
  const destination = maskNumber(record.destination);
  // Answers of carriers go, too: some quote the number.
  const attempts = record.provider_attempts.map(
    ({ error_message: _errorMessage, ...attempt }) => attempt,
  );
  const hidden = { body: null, original_body: null, metadata: {} };
  return { ...record, ...hidden, destination, provider_attempts: attempts };
}

function operatorEmail(record: FoundEmail, revealed: boolean): OperatorMessage {
  const { workspace_id } = record;
  const shown = { ...emailResource(record), kind: 'email', workspace_id, revealed } as const;
  return revealed ? shown : { ...shown, ...withheldEmail(record), subject: null };
}

/** Replies of receivers go, too: they often quote the address. */
function withheldEmail(email: FoundEmail) {
  return {
    to: email.to.map(maskAddress),
    cc: email.cc.map(maskAddress),
    bcc: email.bcc.map(maskAddress),
    reply_to: email.reply_to.map(maskAddress),
    recipients: email.recipients.map(({ address, status }) => ({
      address: maskAddress(address),
      status,
    })),
    timeline: email.timeline.map(({ recipient, ...hop }) =>
      recipient === undefined ? hop : { ...hop, recipient: maskAddress(recipient) },
    ),
    provider_attempts: email.provider_attempts.map((attempt) => ({
      ...attempt,
      recipient: maskAddress(attempt.recipient),
      error_message: null,
    })),
    error_message: null,
    headers: {},
    attachments: [],
    metadata: {},
  };
}

/** Masks a number or an email address. */
export function maskReceiver(receiver: string): string {
  return isAddress(receiver) ? maskAddress(receiver) : maskNumber(receiver);
}
