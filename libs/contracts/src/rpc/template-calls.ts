import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { idOf, nullable } from '../shapes.js';
import { call } from './calls.js';

/** What a send needs of a template. */
export const TemplateText = Type.Object({ id: Type.String(), body: Type.String() });
export type TemplateText = Static<typeof TemplateText>;

export const templateCalls = {
  /**
   * `reference` is an id when it is a UUID, otherwise a slug. Returns null when no template has it.
   */
  findTemplate: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), reference: Type.String() }),
    Type.Object({ template: nullable(TemplateText) }),
  ),
};
