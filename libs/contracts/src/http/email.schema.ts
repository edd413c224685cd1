import { type Static, Type } from '@sinclair/typebox';
import { EMAIL_STATUSES, EmailSummary } from '../events/email-events.v1.js';
import { Metadata, PageQuery } from './common.schema.js';
import { Instant } from './message-list.schema.js';
import { BatchItemError, sendAt } from './messaging.schema.js';
import { QuoteId } from './quote.schema.js';
import { nullable, published } from '../shapes.js';

export const EMAIL_RECIPIENTS_MAX = 50;
const EMAIL_BATCH_MAX = 100;
const EMAIL_HEADERS_MAX = 20;
const EMAIL_TAGS_MAX = 10;
const EMAIL_ATTACHMENTS_MAX = 20;
const EMAIL_SUBJECT_MAX = 998;
/** Largest message in bytes, as SMTP carries it. */
export const EMAIL_BYTES_MAX = 10 * 1024 * 1024;

const mailbox = Type.String({ examples: ['Ada <ada@example.com>'] });

/** The description of the list comes before that of its items, so that an error names the item. */
const mailboxes = (description: string, minItems = 0) =>
  Type.Union([Type.Array(mailbox, { minItems, maxItems: EMAIL_RECIPIENTS_MAX }), mailbox], {
    description,
    examples: [['ada@example.com']],
  });

const Attachment = Type.Object({
  filename: Type.String({
    description: 'Name of the file. Only the last segment of a path is kept.',
    minLength: 1,
    maxLength: 255,
    examples: ['invoice.pdf'],
  }),
  content: Type.String({
    description: 'The file in padded base64.',
    examples: ['SGVsbG8='],
  }),
  content_type: Type.Optional(
    Type.String({
      description: 'Left out: derived from the name.',
      maxLength: 255,
      examples: ['application/pdf'],
    }),
  ),
  content_id: Type.Optional(
    Type.String({
      description: 'Of an image that the HTML shows as `cid:<content_id>`.',
      minLength: 1,
      maxLength: 128,
      examples: ['logo'],
    }),
  ),
});

const email = {
  from: Type.String({
    description: 'One mailbox at a verified domain: `addr` or `Name <addr>`.',
    examples: ['Acme <hello@mail.example.com>'],
  }),
  to: mailboxes('Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`.', 1),
  subject: Type.String({
    description: 'The subject; it can be empty.',
    maxLength: EMAIL_SUBJECT_MAX,
    pattern: '^[^\\r\\n]*$',
    examples: ['Your order 1042 has shipped'],
  }),
  html: Type.Optional(
    Type.String({
      description: 'The HTML part. Give this, `text` or both.',
      examples: ['<p>It is on its way.</p>'],
    }),
  ),
  text: Type.Optional(
    Type.String({
      description: 'The text part. Left out: derived from `html`; empty: none.',
      examples: ['It is on its way.'],
    }),
  ),
  cc: Type.Optional(mailboxes('Recipients of copies.')),
  bcc: Type.Optional(mailboxes('Recipients of blind copies.')),
  reply_to: Type.Optional(mailboxes('Where answers go.')),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Further headers. Those that the service writes itself are refused.',
      maxProperties: EMAIL_HEADERS_MAX,
      examples: [{ 'X-Order': '1042' }],
    }),
  ),
  attachments: Type.Optional(
    Type.Array(Attachment, {
      description: 'Attached files. The finished message has at most 10 MiB.',
      maxItems: EMAIL_ATTACHMENTS_MAX,
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ pattern: '^[\\w-]{1,64}$' }), {
      description: 'Words to find the email by: letters, digits, - and _.',
      maxItems: EMAIL_TAGS_MAX,
      examples: [['orders']],
    }),
  ),
  category: Type.Optional(
    Type.Union([Type.Literal('transactional'), Type.Literal('marketing')], {
      description: 'Marketing email carries one-click unsubscribe.',
    }),
  ),
  track_opens: Type.Optional(Type.Boolean({ description: 'Counts opens with a hidden image.' })),
  track_clicks: Type.Optional(Type.Boolean({ description: 'Counts clicks on links of the HTML.' })),
  send_at: sendAt,
  metadata: Type.Optional(Metadata),
};

/** An item of `POST /v1/emails/batch`. */
export const EmailBatchItem = Type.Object(email);

/** The body of `POST /v1/emails`. */
export const SendEmailBody = Type.Object({ ...email, quote_id: Type.Optional(QuoteId) });
export type SendEmailBody = Static<typeof SendEmailBody>;

/** A batch accepts any objects here. Faults of an item are answered at that item. */
const anyItem = Type.Object({}, { additionalProperties: true });

export const SendEmailBatchBody = Type.Array(published(anyItem, EmailBatchItem), {
  minItems: 1,
  maxItems: EMAIL_BATCH_MAX,
});
export type SendEmailBatchBody = Static<typeof SendEmailBatchBody>;

const Status = Type.Union(EMAIL_STATUSES.map((status) => Type.Literal(status)));

/** The answer of a send. `GET /v1/emails/{id}` has the whole record. */
export const SentEmail = Type.Object({ id: Type.String(), status: Status });
export type SentEmail = Static<typeof SentEmail>;

export const EmailBatchAnswer = Type.Object({
  accepted: Type.Integer(),
  failed: Type.Integer(),
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      email: Type.Optional(SentEmail),
      error: Type.Optional(BatchItemError),
    }),
  ),
});
export type EmailBatchAnswer = Static<typeof EmailBatchAnswer>;

const {
  id,
  workspace_id: _workspaceId,
  credits: _credits,
  refunded: _refunded,
  updated_at: _updatedAt,
  ...shown
} = EmailSummary.properties;

/** An email without its texts. */
export const ListedEmail = Type.Object({
  id,
  project_id: Type.String(),
  ...shown,
  message_id: Type.String({
    description: 'The `Message-ID` of every copy.',
    pattern: '^<.+@.+>$',
    examples: ['<01890000-0000-7000-8000-000000000000@mail.example.com>'],
  }),
});
export type ListedEmail = Static<typeof ListedEmail>;

/**
 * The record of an email. `html` and `text` are null after 30 days, when the content is deleted.
 */
export const Email = Type.Object({
  ...ListedEmail.properties,
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  content_expired: Type.Boolean(),
});
export type Email = Static<typeof Email>;

export const EmailListQuery = Type.Composite([
  PageQuery,
  Type.Object({
    status: Type.Optional(Status),
    to: Type.Optional(
      Type.String({
        description: 'Only emails to this address, copies included. Letter case does not matter.',
        minLength: 3,
        maxLength: 254,
        examples: ['ada@example.com'],
      }),
    ),
    from: Type.Optional(
      Type.String({
        description: 'Only emails from this address, without its name.',
        minLength: 3,
        maxLength: 254,
        examples: ['hello@mail.example.com'],
      }),
    ),
    tag: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
    test_mode: Type.Optional(Type.Boolean()),
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
  }),
]);
export type EmailListQuery = Static<typeof EmailListQuery>;
