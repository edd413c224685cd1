import type { Reason, SendMessage } from '@watchword/contracts';

/** The current findings of registries and decisions about messages with a due `send_at`. */
export interface DueChecks {
  /** Returns by message id why a message must not be sent any more. The others may be sent. */
  refusals(commands: readonly SendMessage[], at: Date): Promise<Map<string, Reason>>;
}
