import type { Static, TSchema } from '@sinclair/typebox';
import build, { type AnySchema } from 'fast-json-stringify';

/** Compiles a serializer from the answer's documented schema. Members have the schema's order. */
export function compileSerializer<Schema extends TSchema>(
  schema: Schema,
): (value: Static<Schema>) => string {
  // TypeBox's schemas have symbols that this compiler does not expect.
  return build(JSON.parse(JSON.stringify(schema)) as AnySchema);
}
