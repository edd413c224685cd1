/** A lone half of a surrogate pair, or NUL; JSON can say them, PostgreSQL refuses both. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * Returns JSON that PostgreSQL always accepts. A character it cannot store becomes the replacement
 * character, because it must not stop a paid message.
 */
export function databaseJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNSTORABLE, '$1\\ufffd') : text;
}

/** As the database's JSON has it: times are texts. */
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

/** Null without rows: the statement then skips what would write them. */
export function rowsJson(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : databaseJson(rows);
}
