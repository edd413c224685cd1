import { type EmailEvent, emailResource, type MessageEvent } from '@watchword/contracts';
import { CHANNELS } from './channels/channels.js';
import { messageData } from './envelope.policy.js';

/** Returns `data` of variant B: the resource as its GET shows it. */
export function messageResource(event: MessageEvent): object {
  const { type, message } = event;
  return CHANNELS[message.kind].resource(event) ?? messageData(type, message);
}

/** Returns the email as its GET shows it without its texts, the recipient, and the report. */
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
