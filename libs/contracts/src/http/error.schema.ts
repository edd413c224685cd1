import { type Static, Type } from '@sinclair/typebox';

/** Every answer that is not a success, in both variants. `type` is stable, `message` is prose. */
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
