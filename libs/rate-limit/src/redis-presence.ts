import type { Logger } from '@watchword/observability';

export interface RedisPresenceOptions {
  logger: Logger;
  /** Called when Redis becomes unavailable and when it is back, for a metric. */
  onAway?: (isAway: boolean) => void;
  /** Checks whether Redis accepts counts, and sends it the missed counts before it counts again. */
  probe: () => Promise<void>;
}

const PROBE_EVERY_MS = 200;
/**
 * Answers in a row after which Redis is back. By then the other gateways have sent their counts,
 * too.
 */
const PROBES_TO_RETURN = 5;

/** States: here, away. One failure makes Redis away. It is checked until it is here again. */
export class RedisPresence {
  private away = false;
  private answersInARow = 0;
  private closed = false;
  private probing: NodeJS.Timeout | undefined;

  constructor(private readonly options: RedisPresenceOptions) {}

  get isAway(): boolean {
    return this.away;
  }

  goAway(error: unknown): void {
    if (this.away || this.closed) return;
    this.away = true;
    this.answersInARow = 0;
    this.options.logger.warn({ err: error }, 'Redis unavailable: this gateway counts limits alone');
    this.options.onAway?.(true);
    this.probeLater();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.probing);
  }

  private probeLater(): void {
    this.probing = setTimeout(() => void this.probe(), PROBE_EVERY_MS).unref();
  }

  private async probe(): Promise<void> {
    try {
      await this.options.probe();
      this.answersInARow += 1;
    } catch {
      this.answersInARow = 0;
    }
    if (this.closed) return;
    if (this.answersInARow < PROBES_TO_RETURN) return this.probeLater();
    this.away = false;
    this.options.logger.info('Redis available again: gateways count limits together');
    this.options.onAway?.(false);
  }
}
