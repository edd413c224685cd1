import { Inject, Injectable } from '@nestjs/common';
import type { DestinationFinding, DestinationQuestion } from '@watchword/contracts';
import { DestinationStore } from './destination.store.js';
import { CachedSenderRules } from '../senders/cached-sender-rules.js';
import { ruled } from '../senders/sender-rules.policy.js';
import { DND_REGISTRY, type DndRegistry } from './dnd-registry.port.js';

/**
 * Judges live SMS: first by the lists of this installation and the country's rules, then by the registry. The
 * registry gets no number that is already refused, and none of a whitelisted sender.
 */
@Injectable()
export class JudgeDestinationsHandler {
  constructor(
    @Inject(DestinationStore) private readonly store: Pick<DestinationStore, 'judge'>,
    @Inject(DND_REGISTRY) private readonly registry: DndRegistry | null,
    @Inject(CachedSenderRules) private readonly rules: Pick<CachedSenderRules, 'current'>,
  ) {}

  /** Whether an answer can wait for more than the database. */
  get asksRegistry(): boolean {
    return this.registry !== null;
  }

  async judge(questions: readonly DestinationQuestion[], at: Date): Promise<DestinationFinding[]> {
    const [found, rules] = await Promise.all([
      this.store.judge(questions, at),
      this.rules.current(),
    ]);
    const open = questions.filter((_, index) => isOpen(found[index]));
    const asked = [...new Set(open.map(({ destination }) => destination))];
    const listed = asked.length === 0 ? null : await this.registry?.listed(asked);
    return found.map(({ sender, refusal, whitelisted, network }, index) => {
      const question = questions[index]!;
      const isListed =
        isOpen({ refusal, whitelisted }) && listed?.has(question.destination) === true;
      return {
        sender,
        refusal: isListed ? 'dnd' : refusal,
        network,
        ...ruled(rules, question, sender),
      };
    });
  }
}

function isOpen(finding: { refusal: unknown; whitelisted: boolean } | undefined): boolean {
  return finding !== undefined && finding.refusal === null && !finding.whitelisted;
}
