import type { Reason, SendMessage } from '@watchword/contracts';

/** What registries and decisions say now about messages whose `send_at` has come. */
export interface DueChecks {
  /** Returns by message id why a message must not be sent any more. The others may be sent. */
  refusals(commands: readonly SendMessage[], at: Date): Promise<Map<string, Reason>>;
}
