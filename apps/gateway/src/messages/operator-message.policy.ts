import {
  emailResource,
  type FoundEmail,
  type FoundMessage,
  type MessageRecord,
  type OperatorMessage,
  type PriceList,
} from '@watchword/contracts';
import { maskNumber } from '@watchword/telephony';
import { listedMessage } from '../channels/channels.js';

type CreditPrice = PriceList['credit_price'];

/** Returns a message of any channel for an operator: without personal data unless revealed. */
export function operatorMessage(
  record: FoundMessage,
  creditPrice: CreditPrice,
  revealed: boolean,
): OperatorMessage {
  if (record.kind === 'email') return operatorEmail(record, revealed);
  return { ...listedMessage(revealed ? record : withheld(record), creditPrice), revealed };
}

function withheld(record: MessageRecord): MessageRecord {
  const destination = maskNumber(record.destination);
  return { ...record, destination, body: null, original_body: null, metadata: {} };
}

function operatorEmail(record: FoundEmail, revealed: boolean): OperatorMessage {
  const { workspace_id, ...email } = { ...record, ...emailResource(record) };
  if (revealed) return { ...email, kind: 'email', workspace_id, revealed };
  return {
    ...email,
    ...withheldEmail(record),
    kind: 'email',
    workspace_id,
    subject: null,
    revealed,
  };
}

/** Replies of receivers go, too: they often quote the address. */
function withheldEmail(email: FoundEmail) {
  const { to, cc, bcc, reply_to: replyTo, recipients, timeline, provider_attempts: tries } = email;
  return {
    ...{ to: to.map(maskAddress), cc: cc.map(maskAddress), bcc: bcc.map(maskAddress) },
    reply_to: replyTo.map(maskAddress),
    recipients: recipients.map(({ address, status }) => ({
      address: maskAddress(address),
      status,
    })),
    timeline: timeline.map(({ recipient, ...hop }) =>
      recipient === undefined ? hop : { ...hop, recipient: maskAddress(recipient) },
    ),
    provider_attempts: tries.map((one) => ({
      ...one,
      recipient: maskAddress(one.recipient),
      error_message: null,
    })),
    ...{ headers: {}, attachments: [], metadata: {}, error_message: null },
  };
}

/** `Ada <ada@example.com>` becomes `a•••••@example.com`. */
export function maskAddress(mailbox: string): string {
  const address = /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
  const at = address.lastIndexOf('@');
  return at < 1 ? '•••••' : `${address.slice(0, 1)}•••••${address.slice(at)}`;
}
