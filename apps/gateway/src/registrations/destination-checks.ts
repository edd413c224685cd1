import { Inject, Injectable } from '@nestjs/common';
import type {
  ApiError,
  Clock,
  DestinationFinding,
  DestinationQuestion,
  DispatchCalls,
  WorkspaceSettings,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { BoundedMap, isAway, CLOCK, LOGGER } from '@watchword/platform';
import { ProtectedSenderIds } from '../accounts/sender-ids/protected-sender-ids.js';
import { PlatformSettingsHolder } from '../limits/platform-settings.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import type { SendWords } from '../inputs/send-words.policy.js';
import {
  destinationRefused,
  judgeSender,
  senderRefused,
  type SenderVerdict,
} from './sender-rules.policy.js';

const LOG_AGAIN_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;
const DISPATCH_AWAY = 'destinations are not checked: dispatch is away';

/** The finding of test mode, where only magic numbers are refused. */
export const NOTHING_FOUND: DestinationFinding = { sender: 'usable', refusal: null };

export interface DestinationRefusals {
  readonly sender: ApiError | null;
  readonly destination: ApiError | null;
  /** Whether the sender ID is not registered and the workspace's setting only logs that. */
  readonly isWarned: boolean;
}

/** Sender decisions, do-not-disturb registries and opt-outs, which dispatch keeps. */
@Injectable()
export class DestinationChecks {
  private readonly loggedAtMs = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'judgeDestinations'>,
    @Inject(PlatformSettingsHolder)
    private readonly platform: Pick<PlatformSettingsHolder, 'current'>,
    @Inject(ProtectedSenderIds) private readonly protectedNames: Pick<ProtectedSenderIds, 'has'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Calls dispatch. While it is unavailable sends continue unchecked, except those whose sender ID
   * must be approved: they are refused as busy.
   */
  async find(
    questions: readonly DestinationQuestion[],
    settings: Pick<WorkspaceSettings, 'sender_id_enforcement'>,
  ): Promise<DestinationFinding[]> {
    if (questions.length === 0) return [];
    try {
      return (await this.dispatch.judgeDestinations({ questions: [...questions] })).findings;
    } catch (error) {
      if (!isAway(error) || this.needsApproval(questions, settings)) throw error;
      if (this.isNews(DISPATCH_AWAY)) this.logger.warn({ err: error }, DISPATCH_AWAY);
      return questions.map(() => NOTHING_FOUND);
    }
  }

  private needsApproval(
    questions: readonly DestinationQuestion[],
    { sender_id_enforcement: enforcement }: Pick<WorkspaceSettings, 'sender_id_enforcement'>,
  ): boolean {
    return questions.some(
      ({ sender_id: name }) =>
        name !== null && (enforcement === 'enforce' || this.protectedNames.has(name)),
    );
  }

  /** Returns why a live send would be refused. */
  refusals(
    question: DestinationQuestion,
    finding: DestinationFinding,
    settings: WorkspaceSettings,
    words: SendWords,
  ): DestinationRefusals {
    const verdict = this.verdictOf(question, finding, settings);
    const isRefused = verdict === 'not_approved' || verdict === 'protected';
    const { refusal } = finding;
    return {
      sender: isRefused ? senderRefused(verdict, words) : null,
      destination: refusal === null ? null : destinationRefused(refusal, words),
      isWarned: verdict === 'warn',
    };
  }

  /** Throws the first refusal. The sender's comes before the destination's. */
  check(
    question: DestinationQuestion,
    finding: DestinationFinding,
    settings: WorkspaceSettings,
    words: SendWords,
  ): void {
    const { sender, destination, isWarned } = this.refusals(question, finding, settings, words);
    if (sender !== null) throw sender;
    if (destination !== null) throw destination;
    if (!isWarned) return;
    const { workspace_id: workspaceId, sender_id: senderId, country_code: countryCode } = question;
    if (!this.isNews(`${workspaceId} ${senderId} ${countryCode}`)) return;
    this.logger.info({ workspaceId, senderId, countryCode }, 'sender ID is not registered');
  }

  /** Returns true once a minute for each fact, to limit log lines. */
  private isNews(fact: string): boolean {
    const nowMs = this.clock.now();
    if (nowMs - (this.loggedAtMs.get(fact) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return false;
    this.loggedAtMs.set(fact, nowMs);
    return true;
  }

  private verdictOf(
    { sender_id: senderId }: DestinationQuestion,
    finding: DestinationFinding,
    { sender_id_enforcement: enforcement }: WorkspaceSettings,
  ): SenderVerdict {
    if (senderId === null) return 'pass';
    const name = senderId.toLowerCase();
    const { shared_sender_ids: shared } = this.platform.current;
    return judgeSender(finding, {
      enforcement,
      isShared: shared.some((one) => one.toLowerCase() === name),
      isProtected: this.protectedNames.has(senderId),
    });
  }
}
