import { Type } from '@sinclair/typebox';
import { MESSAGE_EVENTS_OF_A, MESSAGE_EVENTS_OF_B } from '../channels/channel-contracts.js';
import { EMAIL_EVENT_TYPES } from './email-events.v1.js';
import { PREFIX_EVENT_TYPES } from './prefix-events.v1.js';
import { DOMAIN_EVENT_TYPES, SENDER_EVENT_TYPES } from './registration-events.v1.js';

/** Events of an endpoint of variant A that names none. */
export const DEFAULT_EVENTS: readonly string[] = [
  'otp.sent',
  'otp.failed',
  'sms.delivered',
  'sms.failed',
  'sms.blocked',
  'credit_balance.topped_up',
];

/** Events that an endpoint gets only when it names them. */
export const OPT_IN_EVENTS: readonly string[] = [
  ...[...MESSAGE_EVENTS_OF_A].filter((name) => !DEFAULT_EVENTS.includes(name)),
  'credit_balance.low',
  'credit_balance.top_up_failed',
  ...SENDER_EVENT_TYPES,
  ...DOMAIN_EVENT_TYPES,
  ...PREFIX_EVENT_TYPES,
  'webhook.disabled',
];

/** Events that only endpoints of variant B can get. */
export const VARIANT_B_EVENTS: readonly string[] = [...MESSAGE_EVENTS_OF_B, ...EMAIL_EVENT_TYPES];

/** A filter by the name of an event: a name that no event has is refused. */
export const EventName = Type.Union(
  [...DEFAULT_EVENTS, ...OPT_IN_EVENTS, ...VARIANT_B_EVENTS].map((name) => Type.Literal(name)),
  { description: 'Name of an event.', examples: ['sms.failed'] },
);
