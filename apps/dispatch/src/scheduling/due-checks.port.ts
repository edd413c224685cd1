import type { Reason } from '@watchword/contracts';
import type { TextCommand } from '../channels/text-channel.js';
import type { WorkspaceRules } from '../suspensions/suspension.store.js';

export type RulesByWorkspace = ReadonlyMap<string, WorkspaceRules>;

export interface DueFindings {
  /** By message id, why a message must not be sent any more. */
  readonly refusals: ReadonlyMap<string, Reason>;
  /** By message id, until when a promotional message waits for the end of quiet hours. */
  readonly waits: ReadonlyMap<string, Date>;
}

/** The current findings of registries and decisions about messages with a due `send_at`. */
export interface DueChecks {
  /** Returns the settings that the workspaces have now, by workspace id. */
  rules(commands: readonly TextCommand[]): Promise<RulesByWorkspace>;
  /** Finds what keeps messages from being sent. The others may be sent. */
  find(commands: readonly TextCommand[], rules: RulesByWorkspace, at: Date): Promise<DueFindings>;
}
