import { EXAMPLE_ID, EXAMPLE_TIME } from '../routes/examples.js';
import { WORDS } from './words.js';

/** A reader could take the example of a secret for a good one. */
const SECRET = /password|secret|token/;

/**
 * Returns the example of a property as JSON text, for the sentence about its wrong type or form.
 * Undefined without an example of the right type and form.
 */
export function exampleOfInput(path: string, schema: object): string | undefined {
  const steps = path.split('.');
  const name = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
  if (SECRET.test(name)) return undefined;
  const { type, pattern, examples } = schema as Record<string, unknown>;
  const own = (examples as unknown[] | undefined)?.[0];
  const word = own ?? WORDS[name]?.[1] ?? usualText(name);
  const isItem = own === undefined && name !== steps.at(-1) && Array.isArray(word);
  const example = isItem ? word[0] : word;
  const kind = Array.isArray(example) ? 'array' : typeof example;
  if (kind !== (type === 'integer' ? 'number' : type)) return undefined;
  const isFit = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(String(example));
  return isFit ? JSON.stringify(example) : undefined;
}

function usualText(name: string): string | undefined {
  if (name === 'id' || name.endsWith('_id')) return EXAMPLE_ID;
  return /(_at|_after|_before)$/.test(name) ? EXAMPLE_TIME : undefined;
}
