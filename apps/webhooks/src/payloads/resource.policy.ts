import {
  type DomainEvent,
  type EmailEvent,
  emailResource,
  type MessageEvent,
  PHONE_CONTRACTS,
  type SenderEvent,
} from '@watchword/contracts';
import { messageData } from './envelope.policy.js';

/** Returns `data` of variant B: the resource as its GET shows it. */
export function messageResource(event: MessageEvent): object {
  const { type, message } = event;
  return PHONE_CONTRACTS[message.kind].resource(event) ?? messageData(type, message);
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

/** Returns a sender ID with the country that was decided, or a domain, in the words of its GET. */
export function registrationData(
  event:
    | Pick<SenderEvent, 'workspace_id' | 'sender' | 'country'>
    | Pick<DomainEvent, 'workspace_id' | 'domain'>,
): object {
  const record = 'domain' in event ? event.domain : { ...event.sender, country: event.country };
  return { ...record, project_id: event.workspace_id };
}
