import { type Static, Type } from '@sinclair/typebox';
import { Encoding, SmsCategory } from '../channels/sms/sms-content.schema.js';
import { SmsRecordFields } from '../channels/sms/sms-fields.schema.js';
import { ProviderAttempt } from '../events/message-events.v1.js';
import { MESSAGE_CHARACTERS_MAX, Metadata } from './common.schema.js';
import { ErrorTypeText } from './error.schema.js';
import { QuoteId } from './quote.schema.js';
import { SmsStatus } from './statuses.js';
import { nullable, published } from '../shapes.js';

const BATCH_MESSAGES_MAX = 1_000;
export const SEND_AT_DAYS_MAX = 30;

const VariableValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** Values for the placeholders of a template. Values without a placeholder are ignored. */
export const TemplateVariables = Type.Record(Type.String(), VariableValue);
export type TemplateVariables = Static<typeof TemplateVariables>;

const text = {
  body: Type.Optional(
    Type.String({
      description: 'The text. Give this or `template`.',
      minLength: 1,
      maxLength: MESSAGE_CHARACTERS_MAX,
      examples: ['Your order 1042 is on its way.'],
    }),
  ),
  template: Type.Optional(
    Type.String({
      description: 'Slug or id of an SMS template. Give this or `body`.',
      minLength: 1,
      maxLength: 64,
      examples: ['order-shipped'],
    }),
  ),
  variables: Type.Optional(TemplateVariables),
};

export const sendAt = Type.Optional(
  Type.String({
    description: 'When to send: RFC 3339 with an offset, at most 30 days ahead.',
    format: 'date-time',
    maxLength: 40,
    examples: ['2026-12-01T09:00:00+01:00'],
  }),
);
export const category = Type.Optional(
  Type.Union(SmsCategory.anyOf, {
    description:
      'What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has ' +
      'set `quiet_hours`.',
    default: 'transactional',
    examples: ['promotional'],
  }),
);
const to = Type.String({
  description: 'Destination in E.164: a plus sign, then 8 to 15 digits.',
  examples: ['+2348031234567'],
});
const from = Type.String({
  description:
    'Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end.',
  examples: ['Acme'],
});

/** The body of `POST /v1/sms`. */
export const CreateSmsBody = Type.Object({
  to,
  from,
  ...text,
  category,
  send_at: sendAt,
  metadata: Type.Optional(Metadata),
  quote_id: Type.Optional(QuoteId),
});
export type CreateSmsBody = Static<typeof CreateSmsBody>;

/** An item of a batch. Its `from` and text take precedence over those of the batch. */
export const SmsBatchItem = Type.Object({
  to,
  from: Type.Optional(from),
  ...text,
  category,
  metadata: Type.Optional(Metadata),
});
export type SmsBatchItem = Static<typeof SmsBatchItem>;

/**
 * The body of `POST /v1/sms/batch`. Items are checked one by one; the answer names their faults.
 */
export const SmsBatchBody = Type.Object({
  from: Type.Optional(from),
  template: text.template,
  send_at: sendAt,
  messages: Type.Array(published(Type.Object({}, { additionalProperties: true }), SmsBatchItem), {
    description: 'The messages, each with `to` and a text of its own or the shared template.',
    minItems: 1,
    maxItems: BATCH_MESSAGES_MAX,
  }),
});
export type SmsBatchBody = Static<typeof SmsBatchBody>;

const moment = Type.String({ format: 'date-time' });

/** One hand-over to a provider. Unknown values are null. */
const SmsProviderAttempt = Type.Object({
  ...ProviderAttempt.properties,
  provider_message_id: nullable(Type.String()),
  error_code: nullable(Type.String()),
  error_message: nullable(Type.String()),
});

/** A message in the words of variant B. Unknown values are null. */
export const SmsMessage = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  status: SmsStatus,
  to: Type.String(),
  from: nullable(Type.String()),
  body: nullable(Type.String()),
  segments: Type.Integer(),
  encoding: Encoding,
  ...SmsRecordFields.properties,
  country: Type.String(),
  carrier: nullable(Type.String()),
  provider: nullable(Type.String()),
  provider_message_id: nullable(Type.String()),
  provider_attempts: Type.Array(SmsProviderAttempt),
  cost: Type.Object({ amount_kobo: Type.Integer(), currency: Type.String() }),
  error_code: nullable(Type.String()),
  error_message: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  test_mode: Type.Boolean(),
  send_at: nullable(moment),
  created_at: moment,
  sent_at: nullable(moment),
  delivered_at: nullable(moment),
});
export type SmsMessage = Static<typeof SmsMessage>;

/** Why an item of a batch was not accepted. */
export const BatchItemError = Type.Object({
  type: ErrorTypeText,
  message: Type.String(),
  field: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(Type.Integer()),
});
export type BatchItemError = Static<typeof BatchItemError>;

export const SmsBatchAnswer = Type.Object({
  accepted: Type.Integer(),
  failed: Type.Integer(),
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      sms: Type.Optional(SmsMessage),
      error: Type.Optional(BatchItemError),
    }),
  ),
});
export type SmsBatchAnswer = Static<typeof SmsBatchAnswer>;
