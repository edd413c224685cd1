import type { Static, TSchema } from '@sinclair/typebox';
import build, { type AnySchema } from 'fast-json-stringify';

/**
 * Compiled from the schema that documents the answer. Members come in the order of the schema.
 */
export function compileSerializer<Schema extends TSchema>(
  schema: Schema,
): (value: Static<Schema>) => string {
  // Schemas of TypeBox carry symbols that this compiler does not expect.
  return build(JSON.parse(JSON.stringify(schema)) as AnySchema);
}
