import type { DestinationFinding, Reason, SendMessage } from '@watchword/contracts';
import type { PrefixGuardStore } from '../fraud/prefix-guard/prefix-guard.store.js';
import type { JudgeDestinationsHandler } from '../registrations/do-not-disturb/judge-destinations.handler.js';
import type { SuspensionStore } from '../suspensions/suspension.store.js';
import type { DueChecks } from './due-checks.port.js';

/**
 * Checks opt-outs, do-not-disturb lists, sender decisions, disabled countries and blocked prefixes,
 * in the order of a send. Not in test mode.
 */
export class RegisteredDueChecks implements DueChecks {
  constructor(
    private readonly destinations: Pick<JudgeDestinationsHandler, 'judge'>,
    private readonly prefixes: Pick<PrefixGuardStore, 'inForce'>,
    private readonly workspaces: Pick<SuspensionStore, 'enforcedCountries'>,
  ) {}

  async refusals(commands: readonly SendMessage[], at: Date): Promise<Map<string, Reason>> {
    const live = commands.filter(({ test_mode: testMode }) => !testMode);
    const refusals = new Map<string, Reason>();
    if (live.length === 0) return refusals;
    const workspaceIds = [...new Set(live.map(({ workspace_id: id }) => id))];
    const [findings, countries, restrictions] = await Promise.all([
      this.destinations.judge(live, at),
      this.workspaces.enforcedCountries(workspaceIds),
      this.prefixes.inForce(at),
    ]);
    const blocked = new Set(
      restrictions
        .filter(({ state }) => state === 'blocked')
        .map(({ workspaceId, prefix }) => `${workspaceId} ${prefix}`),
    );
    for (const [index, command] of live.entries()) {
      const prefix = `${command.workspace_id} ${command.destination.slice(1, 7)}`;
      const isOn = countries.get(command.workspace_id)?.includes(command.country_code) ?? true;
      const reason = reasonOf(findings[index]) ?? (isOn ? null : 'no_route');
      if (reason !== null) refusals.set(command.message_id, reason);
      else if (blocked.has(prefix)) refusals.set(command.message_id, 'fraud_blocked');
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
