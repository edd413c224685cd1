/**
 * Texts with placeholders: `{{ name }}`, blanks optional. A template holds no code. Inserted values
 * are not parsed again, so a value that looks like a placeholder stays text.
 */
const OPENING = '{{';
const PLACEHOLDER = /\{\{[ \t]*([A-Za-z_][A-Za-z0-9_]{0,63})[ \t]*\}\}/y;

export const TEMPLATE_VARIABLES_MAX = 50;

export type TemplateValue = string | number | boolean;

/** Why a text is no template. `malformed`: a `{{` that starts no placeholder. */
export type TemplateProblem = 'malformed' | 'too_many_variables';

export type ParsedTemplate =
  | { readonly ok: true; readonly variables: readonly string[] }
  | { readonly ok: false; readonly problem: TemplateProblem };

export interface RenderedTemplate {
  /** Null when it would be longer than `charactersMax`. */
  readonly text: string | null;
  readonly characters: number;
  /** Names without a value, in the order of the text. Their placeholders stay in `text`. */
  readonly missing: readonly string[];
}

/** Returns the names in a text, each once, in order of their first occurrence. */
export function parseTemplate(body: string): ParsedTemplate {
  const variables = new Set<string>();
  const parts = splitTemplate(body);
  if (parts === null) return { ok: false, problem: 'malformed' };
  for (const { name } of parts) if (name !== undefined) variables.add(name);
  // No request may have such a key.
  if (variables.has('__proto__')) return { ok: false, problem: 'malformed' };
  if (variables.size > TEMPLATE_VARIABLES_MAX) return { ok: false, problem: 'too_many_variables' };
  return { ok: true, variables: [...variables] };
}

/**
 * Renders a valid template in time proportional to the body. A value in many places can make a text
 * many times as long as the request, so a text that is too long is counted and never built.
 */
export function renderTemplate(
  body: string,
  values: ReadonlyMap<string, TemplateValue>,
  charactersMax: number,
): RenderedTemplate {
  const missing = new Set<string>();
  // A long value can stand in hundreds of places.
  const lengths = new Map<string, number>();
  const lengthOf = (part: string): number => {
    const known = lengths.get(part) ?? characterCount(part);
    lengths.set(part, known);
    return known;
  };
  let characters = 0;
  const rendered = (splitTemplate(body) ?? [{ text: body }]).map(({ text, name }) => {
    const value = name === undefined ? undefined : values.get(name);
    if (name !== undefined && value === undefined) missing.add(name);
    const part = value === undefined ? text : String(value);
    characters += lengthOf(part);
    return part;
  });
  const text = characters > charactersMax ? null : rendered.join('');
  return { text, characters, missing: [...missing] };
}

/** As JSON Schema counts: an emoji is one character, and two UTF-16 units. */
function characterCount(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

interface Part {
  readonly text: string;
  /** Present for a placeholder. */
  readonly name?: string;
}

/** Returns null when a `{{` starts no placeholder. */
function splitTemplate(body: string): Part[] | null {
  const parts: Part[] = [];
  let position = 0;
  for (;;) {
    const opening = body.indexOf(OPENING, position);
    if (opening === -1) return [...parts, { text: body.slice(position) }];
    PLACEHOLDER.lastIndex = opening;
    const [placeholder, name] = PLACEHOLDER.exec(body) ?? [];
    if (placeholder === undefined || name === undefined) return null;
    parts.push({ text: body.slice(position, opening) }, { text: placeholder, name });
    position = opening + placeholder.length;
  }
}
