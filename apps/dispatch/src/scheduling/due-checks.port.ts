import type { Reason } from '@watchword/contracts';
import type { TextCommand } from '../channels/text-channel.js';

export interface DueFindings {
  /** By message id, why a message must not be sent any more. The others may be sent. */
  readonly refusals: ReadonlyMap<string, Reason>;
  /** All commands, with the anti-spam setting that their workspaces have now. */
  readonly commands: readonly TextCommand[];
}

/** The current findings of registries and decisions about messages with a due `send_at`. */
export interface DueChecks {
  look(commands: readonly TextCommand[], at: Date): Promise<DueFindings>;
}
