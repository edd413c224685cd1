import fc, { type Arbitrary } from 'fast-check';

/** The parts of a JSON schema that these tests read. */
export interface Schema {
  type?: string;
  anyOf?: Schema[];
  const?: unknown;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Values that a schema allows; `known` gives those of members that it says too little about. */
export function allowedBy(
  schema: Schema,
  known: Record<string, Arbitrary<unknown>> = {},
): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => allowedBy(one, known)));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(allowedBy(schema.items ?? {}, known), {
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return record(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function text({ pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length <= maxLength);
  }
  const most = Math.max(minLength, Math.min(maxLength, 60));
  return fc.string({ minLength, maxLength: most, unit: 'grapheme' });
}

function record(schema: Schema, known: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> {
  const [additional] = Object.values(schema.patternProperties ?? {});
  if (additional) return fc.dictionary(fc.string(), allowedBy(additional, known), { maxKeys: 4 });
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    known[name] ?? allowedBy(member, known),
  ]);
  const arbitraries = Object.fromEntries(members) as Record<string, Arbitrary<unknown>>;
  return fc.record(arbitraries, { requiredKeys: schema.required ?? [] });
}

/** The same with one member that is anything at all, or nothing of the kind. */
export function almostAllowedBy(
  schema: Schema,
  known: Record<string, Arbitrary<unknown>> = {},
): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const spoilt = fc
    .tuple(allowedBy(schema, known), fc.constantFrom('extra', ...names), fc.jsonValue())
    .map(([value, name, instead]) => ({ ...(value as object), [name]: instead }));
  return fc.oneof(spoilt, fc.jsonValue({ maxDepth: 3 }));
}
