export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns null unless the text is one JSON object. */
export function parseJsonObject(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}
