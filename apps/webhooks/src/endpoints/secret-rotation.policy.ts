const PREVIOUS_SECRET_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Returns the time until which a replaced secret signs beside the new one. */
export function previousSecretExpiry(at: Date): Date {
  return new Date(at.getTime() + PREVIOUS_SECRET_LIFE_MS);
}
