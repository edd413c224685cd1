import { type Static, Type } from '@sinclair/typebox';

/** A recipient to erase. */
export const EraseBody = Type.Object(
  {
    to: Type.String({
      description: 'A number in E.164, or an email address.',
      pattern: '^(?:\\+[1-9]\\d{7,14}|[^@\\s]+@[^@\\s]+)$',
      maxLength: 320,
      examples: ['+2348031000001'],
    }),
    reason: Type.String({
      description: 'Why the recipient is erased, for the audit.',
      minLength: 1,
      maxLength: 500,
      examples: ['Request 17 of the person.'],
    }),
  },
  { additionalProperties: false },
);
export type EraseBody = Static<typeof EraseBody>;

/** From how many this call erased the recipient, and what is left. A repeat that finds nothing has zeros. */
export const Erasure = Type.Object({
  messages: Type.Integer({ description: 'One-time passwords, SMS or emails.' }),
  webhook_events: Type.Integer({ description: 'Stored events of webhooks.' }),
  webhook_attempts: Type.Integer({
    description: 'Webhook attempts with the recipient in the answer.',
  }),
  cancelled: Type.Integer({
    description: 'Scheduled messages to the recipient that were cancelled and are refunded.',
  }),
  erased_later: Type.Integer({
    description:
      'Messages that have not ended, without test messages. They are erased when they end.',
  }),
});
export type Erasure = Static<typeof Erasure>;
