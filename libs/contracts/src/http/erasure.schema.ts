import { type Static, Type } from '@sinclair/typebox';

/** Whom to forget. */
export const EraseBody = Type.Object(
  {
    to: Type.String({
      description: 'A number in E.164, or an email address.',
      pattern: '^(?:\\+[1-9]\\d{7,14}|[^@\\s]+@[^@\\s]+)$',
      maxLength: 320,
      examples: ['+2348031000001'],
    }),
    reason: Type.String({
      description: 'Why it is erased, for the audit.',
      minLength: 1,
      maxLength: 500,
      examples: ['Request 17 of the person.'],
    }),
  },
  { additionalProperties: false },
);
export type EraseBody = Static<typeof EraseBody>;

/** What this call erased it from. A repeat that finds nothing has zeros. */
export const Erasure = Type.Object({
  messages: Type.Integer({ description: 'One-time passwords, SMS or emails.' }),
  webhook_events: Type.Integer({ description: 'Stored events of webhooks.' }),
  webhook_attempts: Type.Integer({ description: 'Attempts that had it in the answer.' }),
});
export type Erasure = Static<typeof Erasure>;
