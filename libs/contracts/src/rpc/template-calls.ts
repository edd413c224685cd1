import { type Static, Type } from '@sinclair/typebox';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';

export const TEMPLATE_NAME_LENGTH_MAX = 100;
export const TEMPLATE_BODY_LENGTH_MAX = 1600;
export const TEMPLATE_SLUG_PATTERN = '^[a-z0-9-]{1,64}$';

/** A text with placeholders, as a workspace keeps it. Test and live mode share it. */
export const TemplateRecord = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  name: Type.String(),
  /** Unique in its workspace while the template exists; never changes. */
  slug: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String()),
  /** 1 at first, raised by each change. */
  version: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type TemplateRecord = Static<typeof TemplateRecord>;

const nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const OfWorkspace = { workspace_id: Type.String() };

export const templateCalls = {
  createTemplate: call(
    Type.Object({
      ...OfWorkspace,
      name: Type.String(),
      body: Type.String(),
      /** Null: derived from the name. */
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
      Type.Object({ verdict: Type.Literal('slug_taken') }),
      Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
    ]),
    { idempotent: false },
  ),
  /** Newest first, those before the position; one row more than `limit` is never given. */
  listTemplates: call(
    Type.Object({
      ...OfWorkspace,
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before_id: nullable(Type.String()),
    }),
    Type.Object({ data: Type.Array(TemplateRecord) }),
  ),
  /** `reference` is an id when it has the form of a UUID, otherwise a slug. Null: none has it. */
  findTemplate: call(
    Type.Object({ ...OfWorkspace, reference: Type.String() }),
    Type.Object({ template: nullable(TemplateRecord) }),
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
  /** False: there was none. */
  deleteTemplate: call(
    Type.Object({ ...OfWorkspace, template_id: Type.String() }),
    Type.Object({ deleted: Type.Boolean() }),
  ),
};
