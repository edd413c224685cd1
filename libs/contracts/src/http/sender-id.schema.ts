import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { SenderReview, SenderStatus } from '../rpc/sender-calls.js';
import { PageQuery, UUID_PATTERN } from './common.schema.js';
import { idOf, nullable, words } from '../shapes.js';

const SENDER_COUNTRIES_MAX = 250;

const application = {
  countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
    description: 'Countries to register it in, as ISO 3166-1 alpha-2 codes.',
    minItems: 1,
    maxItems: SENDER_COUNTRIES_MAX,
    uniqueItems: true,
    examples: [['NG', 'KE']],
  }),
  registered_entity: Type.String({
    description: 'Legal name of the company that owns the name.',
    minLength: 1,
    maxLength: 200,
    examples: ['Acme Ltd'],
  }),
  use_case: Type.String({
    description: 'What the messages are for.',
    minLength: 1,
    maxLength: 1000,
    examples: ['Order updates to customers who bought in our shop.'],
  }),
  sample_message: Type.String({
    description: 'A typical message.',
    minLength: 1,
    maxLength: 1600,
    examples: ['Acme: your order 1042 is on its way.'],
  }),
};
/** URL of the document. Null removes it. */
const documentUrl = Type.Optional(
  nullable(
    Type.String({
      description: 'HTTPS address of the registration document.',
      pattern: '^https://[^\\s/?#]+\\S*$',
      maxLength: 2048,
      examples: ['https://example.com/registration.pdf'],
    }),
  ),
);
const notes = Type.Optional(
  nullable(Type.String({ description: 'Anything the reviewer should know.', maxLength: 1000 })),
);

export const RequestSenderBody = Type.Object({
  sender_id: Type.String({
    description:
      'The name: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end.',
    minLength: 1,
    examples: ['Acme'],
  }),
  ...application,
  registration_doc_url: documentUrl,
  notes,
});
export type RequestSenderBody = Static<typeof RequestSenderBody>;

/** The body of a change. `sender_id` never changes, so it is refused. */
export const ChangeSenderBody = Type.Object(
  {
    countries: Type.Optional(application.countries),
    registered_entity: Type.Optional(application.registered_entity),
    use_case: Type.Optional(application.use_case),
    sample_message: Type.Optional(application.sample_message),
    registration_doc_url: documentUrl,
    notes,
  },
  { additionalProperties: false },
);
export type ChangeSenderBody = Static<typeof ChangeSenderBody>;

export const SenderId = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  sender_id: Type.String(),
  status: SenderStatus,
  countries: Type.Array(Type.String()),
  reviews: Type.Array(SenderReview),
  registered_entity: Type.String(),
  registration_doc_url: nullable(Type.String()),
  use_case: Type.String(),
  sample_message: Type.String(),
  notes: nullable(Type.String()),
  rejection_reason: nullable(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export type SenderId = Static<typeof SenderId>;

export const SenderIdList = Type.Object({ data: Type.Array(SenderId) });

export const ReviewSenderBody = Type.Object(
  {
    countries: application.countries,
    status: words('approved', 'active', 'suspended', 'rejected'),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    dnd_whitelisted: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ReviewSenderBody = Static<typeof ReviewSenderBody>;

export const SendersToReviewQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(SenderStatus),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  workspace_id: Type.Optional(idOf<WorkspaceId>({ pattern: UUID_PATTERN })),
});
export type SendersToReviewQuery = Static<typeof SendersToReviewQuery>;
