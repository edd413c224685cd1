import type { DestinationFinding, Reason, SendMessage } from '@watchword/contracts';
import type { TextCommand } from '../channels/text-channel.js';
import type { PrefixGuardStore } from '../fraud/prefix-guard/prefix-guard.store.js';
import type { JudgeDestinationsHandler } from '../registrations/do-not-disturb/judge-destinations.handler.js';
import type { SuspensionStore, WorkspaceRules } from '../suspensions/suspension.store.js';
import type { DueChecks, RulesByWorkspace } from './due-checks.port.js';

/**
 * Checks sender decisions, opt-outs, do-not-disturb lists, disabled countries and blocked prefixes,
 * in the order of a send and as the workspace's settings are now. In test mode nothing is refused.
 */
export class RegisteredDueChecks implements DueChecks {
  constructor(
    private readonly destinations: Pick<JudgeDestinationsHandler, 'judge'>,
    private readonly prefixes: Pick<PrefixGuardStore, 'inForce'>,
    private readonly workspaces: Pick<SuspensionStore, 'rules'>,
  ) {}

  rules(commands: readonly TextCommand[]): Promise<RulesByWorkspace> {
    return this.workspaces.rules([...new Set(commands.map(({ workspace_id: id }) => id))]);
  }

  async refusals(
    commands: readonly TextCommand[],
    rulesOf: RulesByWorkspace,
    at: Date,
  ): Promise<Map<string, Reason>> {
    const live = commands.filter(({ test_mode: testMode }) => !testMode);
    const refusals = new Map<string, Reason>();
    if (live.length === 0) return refusals;
    const [findings, restrictions] = await Promise.all([
      this.destinations.judge(live, at),
      this.prefixes.inForce(at),
    ]);
    const blocked = new Set(
      restrictions
        .filter(({ state }) => state === 'blocked')
        .map(({ workspaceId, prefix }) => `${workspaceId} ${prefix}`),
    );
    for (const [index, command] of live.entries()) {
      const prefix = `${command.workspace_id} ${command.destination.slice(1, 7)}`;
      const rules = rulesOf.get(command.workspace_id);
      const isOn = rules?.countries?.includes(command.country_code) ?? true;
      const reason = reasonOf(command, findings[index], rules) ?? (isOn ? null : 'no_route');
      if (reason !== null) refusals.set(command.message_id, reason);
      else if (blocked.has(prefix)) refusals.set(command.message_id, 'fraud_blocked');
    }
    return refusals;
  }
}

function reasonOf(
  { sender_id: senderId }: SendMessage,
  finding: DestinationFinding | undefined,
  rules: WorkspaceRules | undefined,
): Reason | null {
  if (finding === undefined) return null;
  const isUnregistered = finding.sender === 'unregistered' && !isFree(senderId, rules);
  if (finding.sender === 'barred' || isUnregistered) return 'sender_id_rejected';
  if (finding.refusal === 'opted_out') return 'opted_out';
  return finding.refusal === 'dnd' ? 'dnd_active' : null;
}

/** Returns whether the sender ID needs no registration in this workspace. */
function isFree(senderId: string | null, rules: WorkspaceRules | undefined): boolean {
  const shared = rules?.sharedSenderIds ?? null;
  if (senderId === null || shared === null) return true;
  return shared.some((one) => one.toLowerCase() === senderId.toLowerCase());
}
