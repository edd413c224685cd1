const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z0-9 .&_-]{1,11}$/;

/**
 * Returns whether the value has 1 to 11 letters, digits, spaces and `. & _ -`, with at least one
 * letter (otherwise it is a number).
 */
export function isSenderId(value: string): boolean {
  return SENDER_ID.test(value);
}

/** Returns whether the list has the sender ID, in any letter case. */
export function listsSenderId(listed: readonly string[], senderId: string | null): boolean {
  const lower = senderId?.toLowerCase();
  return listed.some((one) => one.toLowerCase() === lower);
}

/** Folds a sender ID: `G.T Bank`, `gt-bank` and `GTBank` look the same to a reader. */
export function foldSenderId(senderId: string): string {
  return senderId.toLowerCase().replaceAll(/[\s.&_-]/g, '');
}
