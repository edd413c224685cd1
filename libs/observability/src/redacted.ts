/**
 * Values under these names are never logged: codes, keys, secrets and bodies. Callers mask phone
 * numbers themselves (`maskNumber`), because only they know which field holds one.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'code',
  'body',
  'text',
  'message_text',
  'password',
  'secret',
  'token',
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'pepper',
]);
const CENSORED = '[redacted]';
/** Deeper objects are left out: they are too long for a line, and may be cyclic. */
const DEPTH_MAX = 5;
const TOO_DEEP = '[too deep]';

type Fields = Record<string, unknown>;

/**
 * Returns the fields of a line without secrets. Most lines have a few flat fields and are returned
 * unchanged. An object is copied only when it has to change. `err` is skipped: its serializer takes
 * only listed fields.
 */
export function redacted<Line extends object>(line: Line): Line {
  return redactedObject(line as Fields, 0) as Line;
}

function redactedObject(source: Fields, depth: number): Fields {
  let changed: Fields | undefined;
  for (const key of Object.keys(source)) {
    const value = source[key];
    const safe = SECRET_FIELDS.has(key) ? censored(value) : redactedValue(key, value, depth);
    if (safe === value) continue;
    changed ??= (Array.isArray(source) ? [...source] : { ...source }) as Fields;
    changed[key] = safe;
  }
  return changed ?? source;
}

function censored(value: unknown): unknown {
  return value === undefined ? undefined : CENSORED;
}

function redactedValue(key: string, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0 && key === 'err') return value;
  if (depth === DEPTH_MAX) return TOO_DEEP;
  const written = hasJson(value) ? value.toJSON() : value;
  if (typeof written !== 'object' || written === null) return written;
  return redactedObject(written as Fields, depth + 1);
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
