import type { SendMessage } from '@watchword/contracts';

/**
 * The command without its first member: `billing.accept_messages` puts `{"credits":n,` in front of it, because what is
 * taken of the wallet is known only there.
 */
export function commandWithoutCredits(command: SendMessage): string {
  return JSON.stringify({ ...command, credits: undefined }).slice(1);
}
