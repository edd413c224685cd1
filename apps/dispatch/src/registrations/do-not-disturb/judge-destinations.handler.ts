import type { DestinationFinding, DestinationQuestion } from '@watchword/contracts';
import type { DestinationStore } from './destination.store.js';
import type { DndRegistry } from './dnd-registry.port.js';

/**
 * Judges live SMS: first by the lists of this installation, then by the registry. The registry gets
 * no number that is already refused, and none of a whitelisted sender.
 */
export class JudgeDestinationsHandler {
  constructor(
    private readonly store: Pick<DestinationStore, 'judge'>,
    private readonly registry: DndRegistry | null,
  ) {}

  /** Whether an answer can wait for more than the database. */
  get asksRegistry(): boolean {
    return this.registry !== null;
  }

  async judge(questions: readonly DestinationQuestion[], at: Date): Promise<DestinationFinding[]> {
    const found = await this.store.judge(questions, at);
    const open = questions.filter((_, index) => isOpen(found[index]));
    const asked = [...new Set(open.map(({ destination }) => destination))];
    const listed = asked.length === 0 ? null : await this.registry?.listed(asked);
    return found.map(({ sender, refusal, whitelisted, network }, index) => {
      const destination = questions[index]?.destination ?? '';
      const isListed = isOpen({ refusal, whitelisted }) && listed?.has(destination) === true;
      return { sender, refusal: isListed ? 'dnd' : refusal, network };
    });
  }
}

function isOpen(finding: { refusal: unknown; whitelisted: boolean } | undefined): boolean {
  return finding !== undefined && finding.refusal === null && !finding.whitelisted;
}
