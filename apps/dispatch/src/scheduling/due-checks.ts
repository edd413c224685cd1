import { Inject, Injectable } from '@nestjs/common';
import {
  type DestinationFinding,
  type DestinationQuestion,
  quietAtOf,
  type Reason,
  type SenderProblem,
  type SendMessage,
} from '@watchword/contracts';
import { listsSenderId } from '@watchword/telephony';
import type { TextCommand } from '../channels/text-channel.js';
import { PrefixGuardStore } from '../fraud/prefix-guard/prefix-guard.store.js';
import { JudgeDestinationsHandler } from '../registrations/do-not-disturb/judge-destinations.handler.js';
import { SuspensionStore, type WorkspaceRules } from '../suspensions/suspension.store.js';

type RulesByWorkspace = ReadonlyMap<string, WorkspaceRules>;

interface DueFindings {
  /** By message id, why a message must not be sent any more. */
  readonly refusals: ReadonlyMap<string, Reason>;
  /** By message id, until when a promotional message waits for the end of quiet hours. */
  readonly waits: ReadonlyMap<string, Date>;
}

/**
 * Checks sender decisions and rules, opt-outs, do-not-disturb lists, disabled countries, blocked prefixes and
 * quiet hours, in the order of a send and as the workspace's settings are now. In test mode nothing is refused.
 */
@Injectable()
export class DueChecks {
  constructor(
    @Inject(JudgeDestinationsHandler)
    private readonly destinations: Pick<JudgeDestinationsHandler, 'judge'>,
    @Inject(PrefixGuardStore) private readonly prefixes: Pick<PrefixGuardStore, 'inForce'>,
    @Inject(SuspensionStore) private readonly workspaces: Pick<SuspensionStore, 'rules'>,
  ) {}

  /** Returns the settings that the workspaces have now, by workspace id. */
  rules(commands: readonly TextCommand[]): Promise<RulesByWorkspace> {
    return this.workspaces.rules([...new Set(commands.map(({ workspace_id: id }) => id))]);
  }

  /** Finds what keeps messages from being sent. The others may be sent. */
  async find(
    commands: readonly TextCommand[],
    rulesOf: RulesByWorkspace,
    at: Date,
  ): Promise<DueFindings> {
    const live = commands.filter(({ test_mode: testMode }) => !testMode);
    const refusals = new Map<string, Reason>();
    const waits = new Map<string, Date>();
    if (live.length === 0) return { refusals, waits };
    const questions = live.map((one) => questionOf(one, rulesOf.get(one.workspace_id), at));
    const [findings, restrictions] = await Promise.all([
      this.destinations.judge(questions, at),
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
      const quietUntil = findings[index]?.quiet_until;
      if (reason !== null) refusals.set(command.message_id, reason);
      else if (blocked.has(prefix)) refusals.set(command.message_id, 'fraud_blocked');
      else if (quietUntil !== undefined) waits.set(command.message_id, new Date(quietUntil));
    }
    return { refusals, waits };
  }
}

/** Quiet hours that began to count after the acceptance make a promotional message wait. */
function questionOf(
  command: TextCommand,
  rules: WorkspaceRules | undefined,
  at: Date,
): DestinationQuestion {
  const { workspace_id, sender_id, country_code, destination, sms } = command;
  const quiet = quietAtOf(sms?.category, rules?.quietHours ?? 'off', at.toISOString());
  return { workspace_id, sender_id, country_code, destination, ...quiet };
}

/** Without the list of shared sender IDs it is unknown here whether one has to be registered. */
const REFUSED_BY_RULE: ReadonlySet<SenderProblem> = new Set(['forbidden', 'reserved', 'too_short']);

function reasonOf(
  { sender_id: senderId }: SendMessage,
  finding: DestinationFinding | undefined,
  rules: WorkspaceRules | undefined,
): Reason | null {
  if (finding === undefined) return null;
  const isUnregistered = finding.sender === 'unregistered' && !isFree(senderId, rules);
  const { rule } = finding;
  const isRefused = rule?.is_enforced === true && REFUSED_BY_RULE.has(rule.problem);
  if (finding.sender === 'barred' || isUnregistered || isRefused) return 'sender_id_rejected';
  if (finding.refusal === 'opted_out') return 'opted_out';
  return finding.refusal === 'dnd' ? 'dnd_active' : null;
}

/** Returns whether the sender ID needs no registration in this workspace. */
function isFree(senderId: string | null, rules: WorkspaceRules | undefined): boolean {
  const shared = rules?.sharedSenderIds ?? null;
  if (senderId === null || shared === null) return true;
  return listsSenderId(shared, senderId);
}
