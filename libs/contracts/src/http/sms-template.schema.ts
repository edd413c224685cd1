import { type Static, Type } from '@sinclair/typebox';
import { Encoding } from '../channels/sms/sms-content.schema.js';
import {
  RenderedTemplate,
  TEMPLATE_BODY_LENGTH_MAX,
  TEMPLATE_NAME_LENGTH_MAX,
  TEMPLATE_SLUG_PATTERN,
} from '../rpc/template-calls.js';
import { TemplateVariables } from './messaging.schema.js';

const name = Type.String({
  description: 'Name for people.',
  minLength: 1,
  maxLength: TEMPLATE_NAME_LENGTH_MAX,
  examples: ['Order shipped'],
});
const body = Type.String({
  description: 'Text with placeholders: `{{name}}`.',
  minLength: 1,
  maxLength: TEMPLATE_BODY_LENGTH_MAX,
  examples: ['Hi {{name}}, order {{order}} is on its way.'],
});

export const CreateSmsTemplateBody = Type.Object({
  name,
  body,
  slug: Type.Optional(
    Type.String({
      description: 'Short name for requests; derived from the name when left out.',
      pattern: TEMPLATE_SLUG_PATTERN,
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

export const SmsTemplate = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String()),
  version: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
export type SmsTemplate = Static<typeof SmsTemplate>;

export const RenderSmsTemplateBody = Type.Object({ variables: Type.Optional(TemplateVariables) });
export type RenderSmsTemplateBody = Static<typeof RenderSmsTemplateBody>;

/** A preview. A placeholder without a value stays in `body` and is listed in `missing`. */
export const RenderedSmsTemplate = Type.Object({
  ...RenderedTemplate.properties,
  encoding: Encoding,
});
export type RenderedSmsTemplate = RenderedTemplate;
