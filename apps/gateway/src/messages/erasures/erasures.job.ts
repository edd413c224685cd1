import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, type Periodic } from '@watchword/platform';
import { EraseHandler } from './erase.handler.js';
import { ErasureStore } from './erasure.store.js';

const MINUTE_MS = 60_000;
/** Milliseconds until an erasure is looked at again: most messages end sooner, some receipts take days. */
const AGAIN_AFTER_MS = 10 * MINUTE_MS;
const AT_ONCE_MAX = 20;

/** Erases recipients from messages that had not ended when the erasure was asked for. */
@Injectable()
export class ErasuresJob {
  private periodic: Periodic | undefined;

  constructor(
    private readonly erasures: ErasureStore,
    private readonly handler: EraseHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.periodic = every(MINUTE_MS, 'erasures', () => this.run(), this.logger);
  }

  async stop(): Promise<void> {
    await this.periodic?.stop();
  }

  /** Returns whether there may be more. One that fails is due again later, and stops no other. */
  async run(): Promise<boolean> {
    const now = this.clock.now();
    const again = new Date(now + AGAIN_AFTER_MS);
    const due = await this.erasures.claimDue(new Date(now), again, AT_ONCE_MAX);
    for (const erasure of due) {
      try {
        await this.handler.resume(erasure);
      } catch (error) {
        this.logger.warn({ err: error }, 'an erasure failed, retrying in ten minutes');
      }
    }
    return due.length === AT_ONCE_MAX;
  }
}
