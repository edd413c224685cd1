import type { MessageId, WorkspaceId } from '@watchword/contracts';
import type { Message } from '../messages/message.js';

/**
 * The guessing cap (decisions, section 6): this many wrong codes in a row on one number of a
 * workspace, over all its codes, bar it from verification until a day after the last. Sends
 * continue. A right code resets the count. Not in test mode.
 */
const GUESSES_CONSECUTIVE_MAX = 100;
const BARRED_FOR_MS = 24 * 60 * 60 * 1_000;

export interface PhoneNumber {
  readonly workspaceId: WorkspaceId;
  readonly destination: string;
}

/** As stored: 0 and null before the first wrong code. */
export interface GuessCount extends PhoneNumber {
  readonly wrongCount: number;
  readonly lastWrongAt: Date | null;
}

/** The guesses of one round at one message, to be counted with it. */
export interface CountedGuesses extends PhoneNumber {
  readonly messageId: MessageId;
  readonly wrong: number;
  readonly isRight: boolean;
  /** Guesses of the whole round at this number. */
  readonly numberGuesses: number;
  /** The stored count they were judged with. Null when they were judged without it. */
  readonly known: number | null;
}

interface NumberTally {
  readonly known: number | null;
  wrongCount: number;
  lastWrongAt: Date | null;
  guesses: number;
}

interface MessageTally {
  readonly message: Message;
  wrong: number;
  isRight: boolean;
}

/** The guesses of one round, counted in memory in order of arrival. */
export class GuessTally {
  private readonly known: ReadonlyMap<string, GuessCount> | null;
  private readonly numbers = new Map<string, NumberTally>();
  private readonly messages = new Map<string, MessageTally>();

  /**
   * `counts` is null when they were not read. Then no guess is refused here, and the write decides.
   */
  constructor(
    counts: readonly GuessCount[] | null,
    private readonly at: Date,
  ) {
    this.known = counts && new Map(counts.map((count) => [nameOf(count), count]));
  }

  /** Returns the seconds for which the number is still barred, or null. */
  barredForSeconds(message: Message): number | null {
    if (message.testMode) return null;
    const { known, wrongCount, lastWrongAt } = this.numberOf(message);
    if (known === null || wrongCount < GUESSES_CONSECUTIVE_MAX || !lastWrongAt) return null;
    const leftMs = lastWrongAt.getTime() + BARRED_FOR_MS - this.at.getTime();
    return leftMs > 0 ? Math.ceil(leftMs / 1_000) : null;
  }

  count(message: Message, isRight: boolean): void {
    if (message.testMode) return;
    const number = this.numberOf(message);
    number.guesses += 1;
    const isPast = number.wrongCount >= GUESSES_CONSECUTIVE_MAX;
    number.wrongCount = isRight ? 0 : isPast ? 1 : number.wrongCount + 1;
    if (!isRight) number.lastWrongAt = this.at;
    const tally = this.messages.get(message.id) ?? { message, wrong: 0, isRight: false };
    if (isRight) tally.isRight = true;
    else tally.wrong += 1;
    this.messages.set(message.id, tally);
  }

  counted(): CountedGuesses[] {
    return [...this.messages.values()].map(({ message, wrong, isRight }) => {
      const { id: messageId, workspaceId, destination } = message;
      const { guesses: numberGuesses, known } = this.numberOf(message);
      return { messageId, workspaceId, destination, wrong, isRight, numberGuesses, known };
    });
  }

  private numberOf(message: Message): NumberTally {
    const name = nameOf(message);
    const tally = this.numbers.get(name);
    if (tally) return tally;
    const { wrongCount = 0, lastWrongAt = null } = this.known?.get(name) ?? {};
    const known = this.known ? wrongCount : null;
    const begun: NumberTally = { known, wrongCount, lastWrongAt, guesses: 0 };
    this.numbers.set(name, begun);
    return begun;
  }
}

function nameOf({ workspaceId, destination }: PhoneNumber): string {
  return `${workspaceId} ${destination}`;
}
