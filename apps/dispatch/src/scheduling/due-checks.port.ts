import type { Reason } from '@watchword/contracts';
import type { TextCommand } from '../channels/text-channel.js';
import type { WorkspaceRules } from '../suspensions/suspension.store.js';

export type RulesByWorkspace = ReadonlyMap<string, WorkspaceRules>;

/** The current findings of registries and decisions about messages with a due `send_at`. */
export interface DueChecks {
  /** Returns the settings that the workspaces have now, by workspace id. */
  rules(commands: readonly TextCommand[]): Promise<RulesByWorkspace>;
  /** Returns by message id why a message must not be sent any more. The others may be sent. */
  refusals(
    commands: readonly TextCommand[],
    rules: RulesByWorkspace,
    at: Date,
  ): Promise<ReadonlyMap<string, Reason>>;
}
