import type { SendMessage } from '@watchword/contracts';

/**
 * The command without its first member, the credits: `billing.accept_messages` puts `{"credits":n,` in front of it,
 * because only that statement knows the amount taken from the wallet.
 */
export function commandWithoutCredits(command: SendMessage): string {
  const text = JSON.stringify(command);
  if (!text.startsWith('{"credits":')) throw new Error('the credits of a command come first');
  return text.slice(text.indexOf(',') + 1);
}
