import { Inject, Injectable } from '@nestjs/common';
import type {
  ApiError,
  Clock,
  DestinationFinding,
  DestinationQuestion,
  DispatchCalls,
  ErrorText,
  SenderProblem,
  WorkspaceSettings,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, isUnavailable, LOGGER, OnceAMinute } from '@watchword/platform';
import { listsSenderId } from '@watchword/telephony';
import { ProtectedSenderIds } from '../accounts/sender-ids/protected-sender-ids.js';
import { PlatformSettingsHolder } from '../limits/platform-settings.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import type { SendWords } from '../inputs/send-words.policy.js';
import { judgeByRule, quietRefusal } from './country-rules.policy.js';
import {
  destinationRefused,
  judgeSender,
  senderRefused,
  type SenderVerdict,
} from './sender-registration.policy.js';

const DISPATCH_AWAY = 'destinations are not checked: dispatch is unavailable';

/** The finding of test mode, where only magic numbers are refused. */
export const NOTHING_FOUND: DestinationFinding = {
  sender: 'usable',
  refusal: null,
  network: null,
};

export interface DestinationRefusals {
  readonly sender: ApiError | null;
  readonly destination: ApiError | null;
  /** A promotional message in quiet hours, where the workspace refuses it. */
  readonly quiet: ApiError | null;
  /** What a quote says about the sender ID without a refusal. */
  readonly remark: ErrorText | null;
  /** What is logged about the sender ID, where settings only log it. */
  readonly logged: SenderProblem | null;
}

/** Sender decisions, do-not-disturb registries and opt-outs, which dispatch keeps. */
@Injectable()
export class DestinationChecks {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'judgeDestinations'>,
    @Inject(PlatformSettingsHolder)
    private readonly platform: Pick<PlatformSettingsHolder, 'current'>,
    @Inject(ProtectedSenderIds) private readonly protectedNames: Pick<ProtectedSenderIds, 'has'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /**
   * Calls dispatch. While it is unavailable sends continue unchecked, except those whose sender ID
   * must be approved, and those that keep quiet hours: they are refused as busy.
   */
  async find(
    questions: readonly DestinationQuestion[],
    settings: Pick<WorkspaceSettings, 'sender_id_enforcement'>,
  ): Promise<DestinationFinding[]> {
    if (questions.length === 0) return [];
    try {
      return (await this.dispatch.judgeDestinations({ questions: [...questions] })).findings;
    } catch (error) {
      if (!isUnavailable(error) || this.needsApproval(questions, settings)) throw error;
      if (this.lines.isDue(DISPATCH_AWAY)) this.logger.warn({ err: error }, DISPATCH_AWAY);
      return questions.map(() => NOTHING_FOUND);
    }
  }

  private needsApproval(
    questions: readonly DestinationQuestion[],
    { sender_id_enforcement: enforcement }: Pick<WorkspaceSettings, 'sender_id_enforcement'>,
  ): boolean {
    return questions.some(
      ({ sender_id: name, quiet_at: quietAt }) =>
        quietAt !== undefined ||
        (name !== null && (enforcement === 'enforce' || this.protectedNames.has(name))),
    );
  }

  /** Returns why a live send would be refused. */
  refusals(
    question: DestinationQuestion,
    finding: DestinationFinding,
    settings: WorkspaceSettings,
    words: SendWords,
  ): DestinationRefusals {
    const isShared = this.isShared(question.sender_id);
    const verdict = this.verdictOf(question, finding, settings, isShared);
    const country = question.country_code;
    const byRule = judgeByRule(finding, question, { isShared, words });
    const isRefused = verdict === 'not_approved' || verdict === 'protected';
    const { refusal } = finding;
    const isLogged = byRule.isLogged || verdict === 'warn';
    return {
      sender: isRefused ? senderRefused(verdict, words) : byRule.refusal,
      destination: refusal === null ? null : destinationRefused(refusal, words),
      quiet: quietRefusal(finding, country, settings),
      remark: byRule.remark,
      logged: isLogged ? (finding.rule?.problem ?? 'unregistered') : null,
    };
  }

  /** Throws the first refusal. The sender's comes before the destination's. */
  check(
    question: DestinationQuestion,
    finding: DestinationFinding,
    settings: WorkspaceSettings,
    words: SendWords,
  ): void {
    const found = this.refusals(question, finding, settings, words);
    const first = found.sender ?? found.destination ?? found.quiet;
    if (first !== null) throw first;
    const { logged: problem } = found;
    if (problem === null) return;
    const { workspace_id: workspaceId, sender_id: senderId, country_code: countryCode } = question;
    if (!this.lines.isDue(`${workspaceId} ${senderId} ${countryCode}`)) return;
    const said =
      problem === 'unregistered' ? 'sender ID is not registered' : 'sender ID is against a rule';
    this.logger.info({ workspaceId, senderId, countryCode, problem }, said);
  }

  private isShared(senderId: string | null): boolean {
    return listsSenderId(this.platform.current.shared_sender_ids, senderId);
  }

  private verdictOf(
    { sender_id: senderId }: DestinationQuestion,
    finding: DestinationFinding,
    { sender_id_enforcement: enforcement }: WorkspaceSettings,
    isShared: boolean,
  ): SenderVerdict {
    if (senderId === null) return 'pass';
    return judgeSender(finding, {
      enforcement,
      isShared,
      isProtected: this.protectedNames.has(senderId),
    });
  }
}
