import { Inject, Injectable } from '@nestjs/common';
import { type CarrierInbound, inboundMessageOf } from '@watchword/carriers';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { InboundHandler } from './inbound.handler.js';

/** Handsets' messages that accounts get on their own connections and not over HTTP. */
@Injectable()
export class ConnectionInbound {
  constructor(
    private readonly handler: InboundHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Resolves once the messages have taken effect, as `InboundSink` promises. */
  async take(provider: string, received: readonly CarrierInbound[]): Promise<void> {
    const receivedAt = new Date(this.clock.now()).toISOString();
    const messages = received.map((one) => inboundMessageOf(provider, one, receivedAt));
    await this.handler.handle(messages);
  }
}
