/** A lone half of a surrogate pair, or NUL; JSON can say them, PostgreSQL refuses both. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * JSON that PostgreSQL takes whatever was in it. What it cannot store becomes the replacement character: one
 * such text must not keep a message that is paid for from being sent.
 */
export function databaseJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNSTORABLE, '$1\\ufffd') : text;
}
