import type { Static, TSchema } from '@sinclair/typebox';
import { nearMiss } from '@watchword/config';
import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  exampleOfInput,
  formOf,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
} from '@watchword/contracts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/**
 * Schemas compiled into functions when first needed: compiling all would make every start half a
 * second slower. The answer names the first problem, with its field and our own sentence, because
 * Ajv's texts are about schemas, not requests.
 */
// A `format` is for readers of the schema. The field's rule checks it.
// `verbose` gives an error the schema that it violates. A request's value is never shown.
// Comparing TypeBox's schemas with the meta-schema would slow each start.
const OURS = { strict: false, meta: false, validateSchema: false, verbose: true } as const;
const bodies = new Ajv({
  ...OURS,
  allErrors: false,
  validateFormats: false,
});
/** Query strings are text. Numbers in them are parsed, and defaults filled in. */
const queries = new Ajv({ ...OURS, coerceTypes: true, useDefaults: true, validateFormats: false });

export type Validator<Value> = (input: unknown) => Value;

/** A member that the schema does not name reaches no handler, so it cannot pass for one of ours. */
export function compileBody<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  const read = compile(bodies, schema);
  const names = namesOf(schema);
  return names === null ? read : (input) => withoutUnknown(read(input) as object, names);
}

/** Returns null where a schema does not list its members: unions, arrays, dictionaries. */
export function namesOf({
  properties,
  type,
  additionalProperties,
}: TSchema): ReadonlySet<string> | null {
  if (type !== 'object' || properties === undefined || additionalProperties === true) return null;
  return new Set(Object.keys(properties as object));
}

function withoutUnknown(body: object, names: ReadonlySet<string>): object {
  for (const name in body) {
    if (names.has(name)) continue;
    return Object.fromEntries(Object.entries(body).filter(([known]) => names.has(known)));
  }
  return body;
}

export function compileQuery<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  // Every route refuses unknown parameters.
  const read = compile(queries, { ...schema, additionalProperties: false });
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  const flags = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean');
  return (input) => {
    readFlags(input as Record<string, unknown>, flags);
    const query = read(input);
    refuseNul(query as Record<string, unknown>);
    return query;
  };
}

/** How clients write true and false: PHP 1 and 0, Python True and False, forms on. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

function readFlags(query: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const written = query[name];
    if (typeof written === 'string') query[name] = FLAGS.get(written.toLowerCase()) ?? written;
  }
}

/** PostgreSQL stores no NUL. The parser refuses a body that has one. */
function refuseNul(query: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(query)) {
    if (typeof value !== 'string' || !value.includes('\0')) continue;
    throw new ApiError('validation_error', { field, message: inputMessage(field, 'nul') });
  }
}

function compile<Schema extends TSchema>(ajv: Ajv, schema: Schema): Validator<Static<Schema>> {
  let compiled: ValidateFunction | undefined;
  const read = (input: unknown): Static<Schema> => {
    const valid = (compiled ??= ajv.compile(schema));
    if (valid(input)) return input as Static<Schema>;
    const completed = withEmptyObject(input, valid.errors ?? []);
    if (completed !== undefined) return read(completed);
    if (input === undefined) {
      throw new ApiError('validation_error', { message: ERROR_MESSAGES.bodyEmpty });
    }
    throw validationError(valid.errors ?? []);
  };
  return read;
}

/**
 * Returns the input with `{}` for one `[]` where the schema wants an object: PHP writes its empty object so. Undefined
 * where no error says that.
 */
function withEmptyObject(input: unknown, errors: readonly ErrorObject[]): unknown {
  const found = errors.find(
    ({ keyword, params, data }) =>
      keyword === 'type' && params['type'] === 'object' && Array.isArray(data) && data.length === 0,
  );
  if (!found) return undefined;
  const steps = found.instancePath.split('/').slice(1).map(unescapePointer);
  const last = steps.pop();
  if (last === undefined) return {};
  let holder = input as Record<string, unknown>;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  holder[last] = {};
  return input;
}

function validationError(errors: ErrorObject[]): ApiError {
  const first = errors[0];
  if (!first) return new ApiError('validation_error');
  const field = fieldOf(first);
  const message = inputMessage(field, problemOf(first, field, errors));
  return new ApiError('validation_error', { field, message });
}

/** Returns `limits.key_per_minute` for `/limits/key_per_minute`. */
function fieldOf(error: ErrorObject): string | undefined {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  const property = error.params['missingProperty'] ?? error.params['additionalProperty'];
  if (typeof property === 'string') steps.push(property);
  return steps.length > 0 ? steps.join('.') : undefined;
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function problemOf(
  first: ErrorObject,
  field: string | undefined,
  errors: ErrorObject[],
): InputProblem | ErrorText {
  const params = first.params as Record<string, unknown>;
  const { parentSchema: schema = {} } = first;
  const example = () => (field === undefined ? undefined : exampleOfInput(field, schema));
  switch (first.keyword) {
    case 'required':
      return 'required';
    case 'additionalProperties':
      return unknownMember(String(params['additionalProperty']), schema['properties']);
    case 'type':
      return INPUT_PROBLEMS.mustBe(alternatives(errors, first, 'type').map(withArticle), example());
    case 'const':
      return INPUT_PROBLEMS.mustBe(alternatives(errors, first, 'allowedValue'));
    case 'minimum':
      return INPUT_PROBLEMS.atLeast(params['limit']);
    case 'maximum':
      return INPUT_PROBLEMS.atMost(params['limit']);
    case 'minLength':
      return params['limit'] === 1 ? 'empty' : INPUT_PROBLEMS.charactersMin(params['limit']);
    case 'maxLength':
      return INPUT_PROBLEMS.charactersMax(params['limit']);
    case 'maxProperties':
      return INPUT_PROBLEMS.keysMax(params['limit']);
    case 'minItems':
      return INPUT_PROBLEMS.itemsMin(params['limit']);
    case 'maxItems':
      return INPUT_PROBLEMS.itemsMax(params['limit']);
    case 'uniqueItems':
      return 'repeated';
    default:
      return formOf(schema) ?? INPUT_PROBLEMS.form(example());
  }
}

/** A third of a name may be wrong, and no more letters than these: `sms_rewrite`. */
const WRONG_LETTERS_MAX = 3;

function unknownMember(name: string, known: object = {}): InputProblem | ErrorText {
  const lettersMax = Math.min(Math.max(1, Math.floor(name.length / 3)), WRONG_LETTERS_MAX);
  const meant = nearMiss(name, Object.keys(known), lettersMax);
  return meant === undefined ? 'unknown' : INPUT_PROBLEMS.unknownBut(meant);
}

/** Returns a type of JSON Schema with its article: `an array`. */
function withArticle(type: string): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Returns what a union allows: `"en" or "fr"`, `integer or null`. */
function alternatives(errors: ErrorObject[], first: ErrorObject, param: string): string[] {
  const allowed = errors
    .filter((error) => error.instancePath === first.instancePath && param in error.params)
    .map((error) => (param === 'type' ? error.params[param] : JSON.stringify(error.params[param])));
  return [...new Set(allowed)].map(String);
}
