import { type Static, Type } from '@sinclair/typebox';
import { nullable, PageQuery } from './common.schema.js';

const channel = Type.Literal('sms', { description: 'Channel of the suppression.' });

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

/** An address that is not sent to. */
export const Suppression = Type.Object({
  address: Type.String({ description: 'The number, in E.164.', examples: ['+2348031234567'] }),
  channel,
  origin: Type.Literal('opt_out'),
  scope: Type.Literal('all'),
  sender_id: nullable(Type.String({ description: 'The sender ID that the number opted out of.' })),
  created_at: Type.String({ format: 'date-time' }),
});
export type Suppression = Static<typeof Suppression>;
