import type { Static, TSchema } from '@sinclair/typebox';
import build, { type AnySchema } from 'fast-json-stringify';

/**
 * Returns a serializer of the answer's documented schema, which its first answer compiles. Members
 * have the schema's order.
 */
export function compileSerializer<Schema extends TSchema>(
  schema: Schema,
): (value: Static<Schema>) => string {
  let write: ((value: Static<Schema>) => string) | undefined;
  // TypeBox's schemas have symbols that this compiler does not expect.
  const compile = () => build(JSON.parse(JSON.stringify(schema)) as AnySchema);
  return (value) => (write ??= compile())(value);
}
