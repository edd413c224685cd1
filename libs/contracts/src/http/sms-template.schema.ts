import { type Static, Type } from '@sinclair/typebox';
import { Encoding } from '../channels/sms/sms-content.schema.js';
import { TemplateVariables } from './messaging.schema.js';

/** Those that a workspace may have. */
export const TEMPLATES_MAX = 500;
const NAME_LENGTH_MAX = 100;
const BODY_LENGTH_MAX = 1600;
const SLUG_PATTERN = '^[a-z0-9-]{1,64}$';
/** Longer than any message, so that a text that is too long for one can be seen and measured. */
export const RENDERED_LENGTH_MAX = 16_000;

const name = Type.String({
  description: 'Name for people.',
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  examples: ['Order shipped'],
});
const body = Type.String({
  description: 'Text with placeholders: `{{name}}`.',
  minLength: 1,
  maxLength: BODY_LENGTH_MAX,
  examples: ['Hi {{name}}, order {{order}} is on its way.'],
});

export const CreateSmsTemplateBody = Type.Object({
  name,
  body,
  slug: Type.Optional(
    Type.String({
      description: 'Short name for requests; derived from the name when left out.',
      pattern: SLUG_PATTERN,
      examples: ['order-shipped'],
    }),
  ),
});
export type CreateSmsTemplateBody = Static<typeof CreateSmsTemplateBody>;

/** The body of a change. `slug` never changes, so it is refused. */
export const ChangeSmsTemplateBody = Type.Object(
  { name: Type.Optional(name), body: Type.Optional(body) },
  { additionalProperties: false },
);
export type ChangeSmsTemplateBody = Static<typeof ChangeSmsTemplateBody>;

/** A workspace's text with placeholders. Test and live mode share it. */
export const SmsTemplate = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  name: Type.String(),
  /** Unique in the workspace while the template exists. It never changes. */
  slug: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String()),
  /** Starts at 1 and rises with each change. */
  version: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export type SmsTemplate = Static<typeof SmsTemplate>;

export const RenderSmsTemplateBody = Type.Object({ variables: Type.Optional(TemplateVariables) });
export type RenderSmsTemplateBody = Static<typeof RenderSmsTemplateBody>;

/** A preview. A placeholder without a value stays in `body` and is listed in `missing`. */
export const RenderedSmsTemplate = Type.Object({
  body: Type.String(),
  segments: Type.Integer(),
  encoding: Encoding,
  missing: Type.Array(Type.String()),
});
export type RenderedSmsTemplate = Static<typeof RenderedSmsTemplate>;
