import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { TemplateVariables } from '../http/messaging.schema.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { idOf, nullable, verdict } from '../shapes.js';

/** Those that a workspace may have. */
export const TEMPLATES_MAX = 500;
export const TEMPLATE_NAME_LENGTH_MAX = 100;
export const TEMPLATE_BODY_LENGTH_MAX = 1600;
export const TEMPLATE_SLUG_PATTERN = '^[a-z0-9-]{1,64}$';
/** Longer than any message, so that a text that is too long for one can be seen and measured. */
export const RENDERED_LENGTH_MAX = 16_000;

/** A workspace's text with placeholders. Test and live mode share it. */
export const TemplateRecord = Type.Object({
  id: Type.String(),
  workspace_id: idOf<WorkspaceId>(),
  name: Type.String(),
  /** Unique in the workspace while the template exists. It never changes. */
  slug: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String()),
  /** Starts at 1 and rises with each change. */
  version: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type TemplateRecord = Static<typeof TemplateRecord>;

/** A text as a send would measure it. A missing variable is left standing in `body`. */
export const RenderedTemplate = Type.Object({
  body: Type.String(),
  segments: Type.Integer(),
  encoding: Type.String(),
  missing: Type.Array(Type.String()),
});
export type RenderedTemplate = Static<typeof RenderedTemplate>;

const OfWorkspace = { workspace_id: idOf<WorkspaceId>() };

export const templateCalls = {
  createTemplate: call(
    Type.Object({
      ...OfWorkspace,
      name: Type.String(),
      body: Type.String(),
      /** Null: derive the slug from the name. */
      slug: nullable(Type.String()),
      variables: Type.Array(Type.String()),
      idempotency: nullable(IdempotencyClaim),
    }),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('created'),
        replayed: Type.Boolean(),
        template: TemplateRecord,
      }),
      verdict('slug_taken', 'too_many', 'idempotency_conflict'),
    ]),
    { idempotent: false },
  ),
  /** Lists at most `limit` templates before the position, newest first. */
  listTemplates: call(
    Type.Object({
      ...OfWorkspace,
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before_id: nullable(Type.String()),
    }),
    Type.Object({ data: Type.Array(TemplateRecord) }),
  ),
  /**
   * `reference` is an id when it is a UUID, otherwise a slug. Returns null when no template has it.
   */
  findTemplate: call(
    Type.Object({ ...OfWorkspace, reference: Type.String() }),
    Type.Object({ template: nullable(TemplateRecord) }),
  ),
  /** A key repeats the text that it gave first, although the template has changed since. */
  renderTemplate: call(
    Type.Object({
      ...OfWorkspace,
      template_id: Type.String(),
      variables: TemplateVariables,
      rewriting: Type.Boolean(),
      idempotency: nullable(IdempotencyClaim),
    }),
    Type.Union([
      Type.Object({
        verdict: Type.Literal('rendered'),
        replayed: Type.Boolean(),
        rendered: RenderedTemplate,
      }),
      Type.Object({ verdict: Type.Literal('too_long'), characters: Type.Integer() }),
      verdict('not_found', 'idempotency_conflict'),
    ]),
  ),
  changeTemplate: call(
    Type.Object({
      ...OfWorkspace,
      template_id: Type.String(),
      name: Type.Optional(Type.String()),
      body: Type.Optional(Type.String()),
      variables: Type.Optional(Type.Array(Type.String())),
    }),
    Type.Object({ template: nullable(TemplateRecord) }),
    { idempotent: false },
  ),
  /** Returns false when the template does not exist. */
  deleteTemplate: call(
    Type.Object({ ...OfWorkspace, template_id: Type.String() }),
    Type.Object({ deleted: Type.Boolean() }),
  ),
};
