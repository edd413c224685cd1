import { type Static, Type } from '@sinclair/typebox';
import { ERROR_CATALOGUE } from '../errors/error-catalogue.js';

/** The `type` of an error as a part of another answer. */
export const ErrorTypeText = Type.String({
  description: 'Kind of the error.',
  enum: Object.keys(ERROR_CATALOGUE),
  examples: ['validation_error'],
});

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
    doc_url: Type.Optional(Type.String()),
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
