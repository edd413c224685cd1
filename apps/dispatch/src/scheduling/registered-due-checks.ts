import type { DestinationFinding, Reason, SendMessage } from '@watchword/contracts';
import type { PrefixGuardStore } from '../fraud/prefix-guard/prefix-guard.store.js';
import type { JudgeDestinationsHandler } from '../registrations/do-not-disturb/judge-destinations.handler.js';
import type { DueChecks } from './due-checks.port.js';

/** Opt-outs, do-not-disturb lists, decisions about sender IDs, and blocked prefixes. Not in test mode. */
export class RegisteredDueChecks implements DueChecks {
  constructor(
    private readonly destinations: Pick<JudgeDestinationsHandler, 'judge'>,
    private readonly prefixes: PrefixGuardStore,
  ) {}

  async refusals(commands: readonly SendMessage[], at: Date): Promise<Map<string, Reason>> {
    const live = commands.filter(({ test_mode: testMode }) => !testMode);
    const refusals = new Map<string, Reason>();
    if (live.length === 0) return refusals;
    const findings = await this.destinations.judge(live, at);
    const blocked = new Set(
      (await this.prefixes.inForce(at))
        .filter(({ state }) => state === 'blocked')
        .map(({ workspaceId, prefix }) => `${workspaceId} ${prefix}`),
    );
    for (const [index, command] of live.entries()) {
      const prefix = `${command.workspace_id} ${command.destination.slice(1, 7)}`;
      const reason = blocked.has(prefix) ? 'fraud_blocked' : reasonOf(findings[index]);
      if (reason !== null) refusals.set(command.message_id, reason);
    }
    return refusals;
  }
}

function reasonOf(finding: DestinationFinding | undefined): Reason | null {
  if (finding === undefined) return null;
  if (finding.sender === 'barred') return 'sender_id_rejected';
  if (finding.refusal === 'opted_out') return 'opted_out';
  return finding.refusal === 'dnd' ? 'dnd_active' : null;
}
