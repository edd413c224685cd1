import type { TSchema } from '@sinclair/typebox';
import type { Topic } from '@watchword/contracts';
import { Ajv, type ValidateFunction } from 'ajv';

export type Parsed = { payload: unknown; problem?: never } | { problem: string };

/** The schemas are TypeBox's. Comparing them with the meta-schema would slow each start. */
const ajv = new Ajv({ strict: false, meta: false, validateSchema: false });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/**
 * Parses and validates a payload. A problem says the place and the kind, never the value: logs and
 * dead letters must not hold numbers and texts of people.
 */
export function parsePayload(topic: Topic, type: string, text: string): Parsed {
  const schema = topic.messages[type];
  if (!schema) return { problem: 'its type is none of this topic' };
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return { problem: 'the payload is not JSON' };
  }
  const fits = validatorOf(schema);
  if (fits(payload)) return { payload };
  const first = fits.errors?.[0];
  const where = first?.instancePath || 'the payload';
  return { problem: `${where} ${first?.message ?? 'does not fit the schema'}` };
}

function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const validator = ajv.compile(schema);
  compiled.set(schema, validator);
  return validator;
}
