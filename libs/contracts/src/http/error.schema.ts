import { type Static, Type } from '@sinclair/typebox';

/**
 * The body of every error answer, in both variants. `type` never changes; `message` is prose and
 * may.
 */
export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    type: Type.String(),
    message: Type.String(),
    field: Type.Optional(Type.String()),
    request_id: Type.String(),
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
