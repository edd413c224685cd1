import { Inject, Injectable } from '@nestjs/common';
import type { Clock, RefundMessage } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { countRefund } from './measurements.js';
import { RefundStore } from './refund.store.js';

/**
 * Refunds exactly the charge of each message, once, however often it is asked. The answer,
 * `credit.refunded`, is committed with the refund. A message without a charge (test mode, or a
 * caller's mistake) is answered with zero credits, because dispatch waits for an answer before it
 * makes the outcome public.
 */
@Injectable()
export class RefundHandler {
  constructor(
    @Inject(RefundStore) private readonly store: Pick<RefundStore, 'refund'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async refundBatch(commands: readonly RefundMessage[]): Promise<void> {
    const at = new Date(this.clock.now()).toISOString();
    const verdicts = await this.store.refund(oncePerMessage(commands), at);
    for (const { messageId, verdict, testMode } of verdicts) {
      countRefund({ verdict });
      if (verdict === 'refunded') this.logger.info({ messageId }, 'charge refunded');
      if (verdict !== 'uncharged' || testMode) continue;
      this.logger.warn({ messageId }, 'a refund was asked for a message that was never charged');
    }
  }
}

function oncePerMessage(commands: readonly RefundMessage[]): RefundMessage[] {
  return [...new Map(commands.map((command) => [keyOf(command), command])).values()];
}

/** Ids are compared without case, as the database does. */
function keyOf({ workspace_id: workspaceId, message_id: messageId }: RefundMessage): string {
  return `${workspaceId} ${messageId}`.toLowerCase();
}
