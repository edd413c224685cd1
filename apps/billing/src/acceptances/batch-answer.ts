import type { BatchOutcome, MessageId, SendMessage } from '@watchword/contracts';

/**
 * One item of a stored answer. The command of an accepted send is stored once, with its acceptance.
 */
export type StoredOutcome =
  | { message_id: MessageId }
  | { balance: number; required: number }
  | { retry_after_seconds: number }
  | { error: string };

export function toStored(outcome: BatchOutcome): StoredOutcome {
  switch (outcome.verdict) {
    case 'accepted':
      return { message_id: outcome.command.message_id };
    case 'insufficient_credits':
      return { balance: outcome.balance, required: outcome.required };
    case 'limited':
      return { retry_after_seconds: outcome.retry_after_seconds };
    case 'refused':
      return { error: outcome.error };
  }
}

export function fromStored(
  stored: StoredOutcome,
  commands: ReadonlyMap<string, string>,
): BatchOutcome {
  if ('error' in stored) return { verdict: 'refused', error: stored.error };
  if ('required' in stored) return { verdict: 'insufficient_credits', ...stored };
  if ('retry_after_seconds' in stored) return { verdict: 'limited', ...stored };
  const command = commands.get(stored.message_id);
  if (command === undefined) throw new Error(`no acceptance of message ${stored.message_id}`);
  return { verdict: 'accepted', command: JSON.parse(command) as SendMessage };
}
