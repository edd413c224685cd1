import { Type } from '@sinclair/typebox';
import { nullable } from '../http/common.schema.js';

/**
 * The caller of a call that reads or changes messages. A message of another workspace, or of another mode
 * than the caller's key, does not exist for it: the statement that touches the row tests both.
 */
export const walls = {
  workspace_id: Type.String(),
  /** Mode of the key; null for a console session and an operator, which see both modes. */
  test_mode: nullable(Type.Boolean()),
};
