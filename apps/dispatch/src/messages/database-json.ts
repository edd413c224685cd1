/** A lone half of a surrogate pair, or NUL; JSON can say them, PostgreSQL refuses both. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * JSON that PostgreSQL always accepts. A character that it cannot store becomes the replacement
 * character: it must not stop a paid message.
 */
export function databaseJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNSTORABLE, '$1\\ufffd') : text;
}

/** As JSON of the database has it: times are texts. */
export type Stored<Type> = {
  [Property in keyof Type]: Type[Property] extends Date
    ? string
    : Type[Property] extends Date | null
      ? string | null
      : Type[Property];
};

export function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
