import type { MessageId } from '../ids.js';
import type { SendMessage } from '../commands/send-message.v1.js';
import type { EmailSummary } from '../events/email-events.v1.js';

/** Returns the record of an email right after acceptance, before dispatch has read the command. */
export function acceptedEmail(command: SendMessage): EmailSummary {
  const { email } = command;
  if (!email) throw new Error('the command is not of an email');
  const { content_sha256: _, from_domain: domain, recipients, ...words } = email;
  const sendAt = command.send_at ?? null;
  const isAhead = sendAt !== null && sendAt > command.created_at;
  const price = command.credit_price ?? { amount: 0, currency: 'NGN' };
  return {
    id: command.message_id,
    workspace_id: command.workspace_id,
    status: isAhead ? 'scheduled' : 'queued',
    ...words,
    metadata: command.metadata,
    recipients: recipients.map((address) => ({ address, status: 'queued' })),
    message_id: emailMessageId(command.message_id, domain),
    cost: { amount_kobo: command.credits * price.amount, currency: price.currency },
    credits: command.credits,
    refunded: null,
    open_count: 0,
    click_count: 0,
    timeline: isAhead ? [] : [{ status: 'queued', timestamp: command.created_at }],
    provider_attempts: [],
    error_code: null,
    error_message: null,
    test_mode: command.test_mode,
    send_at: sendAt,
    created_at: command.created_at,
    updated_at: command.created_at,
    sent_at: null,
    delivered_at: null,
  };
}

/**
 * Returns the `Message-ID` that every copy of an email carries, so receivers can drop duplicates.
 */
export function emailMessageId(emailId: MessageId, fromDomain: string): string {
  return `<${emailId}@${fromDomain}>`;
}

/**
 * Returns an email in the words of variant B, without its texts: `data` of events and an item of a
 * list.
 */
export function emailResource({
  workspace_id: projectId,
  credits: _credits,
  refunded: _refunded,
  updated_at: _updatedAt,
  ...summary
}: EmailSummary): EmailResource {
  const { id, ...rest } = summary;
  return { id, project_id: projectId, ...rest };
}

export type EmailResource = { readonly project_id: string } & Omit<
  EmailSummary,
  'workspace_id' | 'credits' | 'refunded' | 'updated_at'
>;
