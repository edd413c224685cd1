import { Inject, Injectable } from '@nestjs/common';
import { OpenItems } from '@watchword/batching';
import { type CarrierInbound, inboundMessageOf } from '@watchword/carriers';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { InboundHandler } from './inbound.handler.js';

/** Handsets' messages that accounts get on their own connections and not over HTTP. */
@Injectable()
export class ConnectionInbound {
  private readonly open = new OpenItems<Promise<void>>();

  constructor(
    private readonly handler: InboundHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once the messages have taken effect, as `InboundSink` promises. */
  async take(provider: string, received: readonly CarrierInbound[]): Promise<void> {
    const receivedAt = new Date(this.clock.now()).toISOString();
    const messages = received.map((one) => inboundMessageOf(provider, one, receivedAt));
    const handling = this.handler.handle(messages);
    const place = this.open.add(handling);
    try {
      await handling;
    } catch (error) {
      this.logger.warn({ err: error, provider }, 'an inbound message was not recorded');
      throw error;
    } finally {
      this.open.remove(place);
    }
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.open);
  }
}
