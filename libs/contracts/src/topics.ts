import type { TSchema } from '@sinclair/typebox';
import type { ServiceName } from './service-name.js';
import { RefundMessage } from './commands/refund-message.v1.js';
import { SendMessage } from './commands/send-message.v1.js';
import { SendPlatformEmail } from './commands/send-platform-email.v1.js';
import { AccountEvent } from './events/account-events.v1.js';
import {
  CreditLow,
  CreditRefunded,
  CreditToppedUp,
  CreditTopUpFailed,
} from './events/credit-events.v1.js';
import { DeliveryReport } from './events/delivery-report.v1.js';
import { EmailEvent } from './events/email-events.v1.js';
import { EmailReport } from './events/email-report.v1.js';
import { InboundMessage } from './events/inbound-message.v1.js';
import { MessageEvent } from './events/message-events.v1.js';
import { PrefixEvent } from './events/prefix-events.v1.js';
import { WorkspaceEvent } from './events/workspace-events.v1.js';
import { DomainEvent, SenderEvent } from './events/registration-events.v1.js';

/**
 * A topic. Topics are a public interface that internal teams consume. Changes are additive; a
 * breaking change is a new topic with the next version number.
 */

export interface Topic {
  readonly name: string;
  /** One sentence that says what the topic carries. */
  readonly purpose: string;
  /** The service that publishes the topic. Its schema holds the queue rows. */
  readonly owner: ServiceName;
  /** The groups that read it, in full: each gets every message. */
  readonly groups: readonly string[];
  /** The services of the groups. */
  readonly readers: readonly ServiceName[];
  /** What the key is. Messages with the same key are handled in order. */
  readonly key: string;
  readonly partitions: number;
  readonly retentionHours: number;
  /** Schemas of the payloads, by CloudEvents type with version. */
  readonly messages: Readonly<Record<string, TSchema>>;
}

function topic(declaration: Omit<Topic, 'readers'>): Topic {
  const readers = declaration.groups.map((group) => group.split('.')[0] as ServiceName);
  return Object.freeze({ ...declaration, readers });
}

export const TOPICS = {
  sendCommands: topic({
    name: 'svc.send-commands.v1',
    purpose: 'Accepted, priced and charged messages on their way to a carrier.',
    owner: 'billing',
    groups: ['dispatch.sending'],
    key: 'destination',
    partitions: 12,
    retentionHours: 72,
    messages: { 'svc.send-message.v1': SendMessage },
  }),
  deliveryReports: topic({
    name: 'svc.delivery-reports.v1',
    purpose: 'Delivery reports of carriers, verified and put into our words.',
    owner: 'gateway',
    groups: ['dispatch.delivery-reports'],
    key: 'message_id or provider_message_id',
    partitions: 12,
    retentionHours: 72,
    messages: { 'svc.delivery-report.v1': DeliveryReport },
  }),
  inboundMessages: topic({
    name: 'svc.inbound-messages.v1',
    purpose: 'Messages that handsets sent, verified and reduced to their keyword.',
    owner: 'gateway',
    groups: ['dispatch.inbound-messages'],
    key: 'from',
    partitions: 3,
    retentionHours: 168,
    messages: { 'svc.inbound-message.v1': InboundMessage },
  }),
  refundCommands: topic({
    name: 'svc.refund-commands.v1',
    purpose: 'Charges that are to be given back, each once.',
    owner: 'dispatch',
    groups: ['billing.refunds'],
    key: 'workspace_id',
    partitions: 6,
    retentionHours: 168,
    messages: { 'svc.refund-message.v1': RefundMessage },
  }),
  creditEvents: topic({
    name: 'svc.credit-events.v1',
    purpose: 'What happened to the credits of a workspace.',
    owner: 'billing',
    groups: ['dispatch.settlement', 'webhooks.fan-out'],
    key: 'workspace_id',
    partitions: 6,
    retentionHours: 168,
    messages: {
      'svc.credit-refunded.v1': CreditRefunded,
      'svc.credit-topped-up.v1': CreditToppedUp,
      'svc.credit-low.v1': CreditLow,
      'svc.credit-top-up-failed.v1': CreditTopUpFailed,
    },
  }),
  messageEvents: topic({
    name: 'svc.message-events.v1',
    purpose: 'What happened to a message, with its record as of that moment.',
    owner: 'dispatch',
    groups: ['webhooks.fan-out'],
    key: 'message_id',
    partitions: 12,
    retentionHours: 168,
    messages: { 'svc.message-event.v1': MessageEvent },
  }),
  emailReports: topic({
    name: 'svc.email-reports.v1',
    purpose: 'What came back of emails, verified: deliveries, bounces, complaints, opens, clicks.',
    owner: 'gateway',
    groups: ['dispatch.email-reports'],
    key: 'email_id',
    partitions: 12,
    retentionHours: 168,
    messages: { 'svc.email-report.v1': EmailReport },
  }),
  platformEmails: topic({
    name: 'svc.platform-emails.v1',
    purpose: 'Emails of the platform to its users, which nobody is charged for.',
    owner: 'gateway',
    groups: ['dispatch.platform-emails'],
    key: 'message_id',
    partitions: 3,
    retentionHours: 72,
    messages: { 'svc.send-platform-email.v1': SendPlatformEmail },
  }),
  emailEvents: topic({
    name: 'svc.email-events.v1',
    purpose: 'What happened to an email, with its record as of that moment.',
    owner: 'dispatch',
    groups: ['webhooks.fan-out'],
    key: 'email_id',
    partitions: 12,
    retentionHours: 168,
    messages: { 'svc.email-event.v1': EmailEvent },
  }),
  prefixEvents: topic({
    name: 'svc.prefix-events.v1',
    purpose: 'Prefixes of numbers that the protection against pumping has restricted.',
    owner: 'dispatch',
    groups: ['webhooks.fan-out'],
    key: 'workspace_id',
    partitions: 3,
    retentionHours: 168,
    messages: { 'svc.prefix-event.v1': PrefixEvent },
  }),
  workspaceEvents: topic({
    name: 'svc.workspace-events.v1',
    purpose: 'The events of a workspace in their sequence, as its webhooks tell them.',
    owner: 'webhooks',
    groups: [],
    key: 'workspace_id',
    partitions: 6,
    retentionHours: 168,
    messages: { 'svc.workspace-event.v1': WorkspaceEvent },
  }),
  registrationEvents: topic({
    name: 'svc.registration-events.v1',
    purpose: 'Decisions about sender IDs, and domains that were verified or failed.',
    owner: 'dispatch',
    groups: ['webhooks.fan-out'],
    key: 'workspace_id',
    partitions: 3,
    retentionHours: 168,
    messages: { 'svc.sender-event.v1': SenderEvent, 'svc.domain-event.v1': DomainEvent },
  }),
  accountEvents: topic({
    name: 'svc.account-events.v1',
    purpose: 'Changes of workspaces that others mirror.',
    owner: 'gateway',
    groups: ['dispatch.suspensions'],
    key: 'workspace_id',
    partitions: 3,
    retentionHours: 168,
    messages: { 'svc.account-event.v1': AccountEvent },
  }),
} as const;

export const ALL_TOPICS: readonly Topic[] = Object.values(TOPICS);

/**
 * Returns the dead-letter topic: messages that failed after all retries, with their reason and
 * coordinates.
 */
export function deadLetterTopicName(of: Topic): string {
  return `${of.name}.dead-letter`;
}
