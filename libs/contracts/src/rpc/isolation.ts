import { Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { idOf, nullable } from '../shapes.js';

/**
 * The caller of a call that reads or changes messages. To it, a message of another workspace or
 * another mode does not exist. The statement that touches the row tests both.
 */
export const callerScope = {
  workspace_id: idOf<WorkspaceId>(),
  /** Mode of the key. Null for a console session and an operator, which see both modes. */
  test_mode: nullable(Type.Boolean()),
};
