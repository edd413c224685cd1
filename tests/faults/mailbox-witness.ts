import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedEmail } from '../invariants/email-evidence.ts';
import type { HttpClient } from '../support/http.ts';

const POLL_EVERY_MS = 250;

/**
 * Every copy that reached the local mailbox, over all lives of the simulator, which keeps emails in memory alone. What
 * arrives in the last moment of a life is not seen, so copies are counted too low at worst, never too high.
 */
export class MailboxWitness {
  private readonly seen = new Map<string, ReceivedEmail>();
  private readonly stopping = new AbortController();
  private readonly looking: Promise<void>;
  private readonly simulator: () => HttpClient | undefined;
  private since = 0;

  constructor(simulator: () => HttpClient | undefined) {
    this.simulator = simulator;
    this.looking = this.watch();
  }

  async copies(): Promise<ReceivedEmail[]> {
    await this.poll();
    return [...this.seen.values()];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looking;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.poll();
      await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns nothing where no simulator answers, because the system is down. */
  private async poll(): Promise<void> {
    const since = new Date(this.since).toISOString();
    const path = `/_simulator/emails?since=${encodeURIComponent(since)}`;
    const answer = await this.simulator()
      ?.get(path)
      .catch(() => undefined);
    if (answer?.status !== 200) return;
    for (const { to, raw, received_at } of answer.json as Received[]) {
      const [, emailId] = /^Message-ID: <([\w-]+)@/im.exec(raw) ?? [];
      if (emailId !== undefined) this.seen.set(`${emailId} ${to} ${received_at}`, { emailId, to });
      this.since = Math.max(this.since, Date.parse(received_at) - POLL_EVERY_MS);
    }
  }
}

interface Received {
  to: string;
  raw: string;
  received_at: string;
}
