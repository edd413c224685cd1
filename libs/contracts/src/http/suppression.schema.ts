import { type Static, Type } from '@sinclair/typebox';
import { SuppressionOrigin, SuppressionScope } from '../rpc/suppression-calls.js';
import { PageQuery } from './common.schema.js';
import { nullable } from '../shapes.js';

/** Longest email address in characters (RFC 5321). */
const EMAIL_ADDRESS_MAX = 254;

const channel = Type.Union([Type.Literal('sms'), Type.Literal('email')], {
  description: 'Channel of the suppression.',
});

export const SuppressionsQuery = Type.Composite([
  PageQuery,
  Type.Object({ channel: Type.Optional(channel) }),
]);
export type SuppressionsQuery = Static<typeof SuppressionsQuery>;

export const SuppressionQuery = Type.Object({
  channel: Type.Optional(channel),
  sender_id: Type.Optional(Type.String({ minLength: 1, maxLength: 11 })),
});
export type SuppressionQuery = Static<typeof SuppressionQuery>;

/** The body of `POST /v1/suppressions`. */
export const CreateSuppressionBody = Type.Object({
  address: Type.String({
    description: 'Email address that is not sent to any more.',
    minLength: 1,
    maxLength: EMAIL_ADDRESS_MAX,
    examples: ['ada@example.com'],
  }),
});
export type CreateSuppressionBody = Static<typeof CreateSuppressionBody>;

const createdAt = Type.String({ format: 'date-time' });

/** A number that replied STOP to a sender ID. */
export const SmsSuppression = Type.Object({
  address: Type.String({ description: 'The number, in E.164.', examples: ['+2348031234567'] }),
  channel: Type.Literal('sms'),
  origin: Type.Literal('opt_out'),
  scope: Type.Literal('all'),
  sender_id: nullable(Type.String(), {
    description: 'The sender ID that the number opted out of.',
  }),
  created_at: createdAt,
});

/** An email address that bounced, complained, unsubscribed or was entered by hand. */
export const EmailAddressSuppression = Type.Object({
  address: Type.String({
    description: 'The email address, in lower case.',
    examples: ['ada@example.com'],
  }),
  channel: Type.Literal('email'),
  origin: SuppressionOrigin,
  scope: SuppressionScope,
  created_at: createdAt,
});
export type EmailAddressSuppression = Static<typeof EmailAddressSuppression>;

/** A number or an address that receives no more messages. */
export const Suppression = Type.Union([SmsSuppression, EmailAddressSuppression]);
export type Suppression = Static<typeof Suppression>;
