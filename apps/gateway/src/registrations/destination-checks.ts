import type {
  ApiError,
  DestinationFinding,
  DestinationQuestion,
  DispatchCalls,
  WorkspaceSettings,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { isAway } from '@watchword/platform';
import type { ProtectedSenderIds } from '../accounts/sender-ids/protected-sender-ids.js';
import type { PlatformSettingsHolder } from '../limits/platform-settings.js';
import type { SendWords } from '../messages/send-words.policy.js';
import {
  destinationRefused,
  judgeSender,
  senderRefused,
  type SenderVerdict,
} from './sender-rules.policy.js';

/** The finding of test mode, where only magic numbers refuse. */
export const NOTHING_FOUND: DestinationFinding = { sender: 'usable', refusal: null };

export interface DestinationRefusals {
  readonly sender: ApiError | null;
  readonly destination: ApiError | null;
}

/** Sender decisions, do-not-disturb registries and opt-outs, as dispatch keeps them. */
export class DestinationChecks {
  constructor(
    private readonly dispatch: Pick<DispatchCalls, 'judgeDestinations'>,
    private readonly platform: Pick<PlatformSettingsHolder, 'current'>,
    private readonly protectedNames: Pick<ProtectedSenderIds, 'has'>,
    private readonly logger: Logger,
  ) {}

  /**
   * While dispatch is away, sends go on unchecked, except those whose sender ID must be approved:
   * they are refused as busy.
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
      this.logger.warn({ err: error }, 'destinations are not checked: dispatch is away');
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

  /** What a live send would be refused for. */
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
    };
  }

  /** Throws the first refusal; the sender's comes before the destination's. */
  check(
    question: DestinationQuestion,
    finding: DestinationFinding,
    settings: WorkspaceSettings,
    words: SendWords,
  ): void {
    const { sender, destination } = this.refusals(question, finding, settings, words);
    if (sender !== null) throw sender;
    if (destination !== null) throw destination;
    if (this.verdictOf(question, finding, settings) !== 'warn') return;
    const { workspace_id: workspaceId, sender_id: senderId, country_code: countryCode } = question;
    this.logger.info({ workspaceId, senderId, countryCode }, 'sender ID is not registered');
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
