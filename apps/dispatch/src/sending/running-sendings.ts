import type { MessageId } from '@watchword/contracts';

/**
 * A message, or one of its resends, that goes from provider to provider. A message may have
 * several.
 */
export interface Sending {
  readonly messageId: MessageId;
  /** 0 for the message itself, else the number of the resend. */
  readonly resend: number;
}

/** The running sendings of this process. */
export class RunningSendings {
  private readonly works = new Set<Promise<void>>();
  /** How often each runs: a sending that is taken over may run here already. */
  private readonly times = new Map<string, number>();

  has(sending: Sending): boolean {
    return this.times.has(keyOf(sending));
  }

  get isAny(): boolean {
    return this.works.size > 0;
  }

  /** Adds a sending until its work is done. The work never rejects. */
  add(sending: Sending, work: Promise<void>): void {
    const key = keyOf(sending);
    this.times.set(key, (this.times.get(key) ?? 0) + 1);
    this.works.add(work);
    void work.finally(() => {
      this.works.delete(work);
      const left = (this.times.get(key) ?? 1) - 1;
      if (left > 0) this.times.set(key, left);
      else this.times.delete(key);
    });
  }

  /** Resolves when all current sendings have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.works);
  }
}

function keyOf({ messageId, resend }: Sending): string {
  return `${messageId} ${resend}`;
}
