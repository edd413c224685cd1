import type { Reason, SendMessage } from '@watchword/contracts';

/** What registries and decisions of this moment say of messages whose `send_at` has come. */
export interface DueChecks {
  /** Why a message must not be sent any more, by message id; the others may go. */
  refusals(commands: readonly SendMessage[], at: Date): Promise<Map<string, Reason>>;
}
