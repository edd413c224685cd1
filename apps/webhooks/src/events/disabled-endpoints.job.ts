import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@watchword/observability';
import { every, LOGGER, type Periodic } from '@watchword/platform';
import { EndpointCloser } from '../deliveries/endpoint-closer.js';
import { FanOutHandler } from './fan-out.handler.js';
import { NoticeStore, type Notice } from './notice.store.js';
import { accountOccurrence } from './occurrence.policy.js';

/** Milliseconds between looks for endpoints that another or a dead process has left. */
const EVERY_MS = 3_000;

/**
 * Announces disabled endpoints as an event of their workspace, and closes them. A repetition
 * changes nothing, because the event's id was drawn when the endpoint was disabled.
 */
@Injectable()
export class DisabledEndpointsJob {
  private job: Periodic | undefined;

  constructor(
    private readonly notices: NoticeStore,
    private readonly closer: EndpointCloser,
    @Inject(FanOutHandler) private readonly fanOut: Pick<FanOutHandler, 'fanOut'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.job = every(EVERY_MS, 'disabled endpoints', () => this.run(), this.logger);
  }

  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /** Called when endpoints were, or may have been, disabled. */
  wake(): void {
    this.job?.soon();
  }

  private async run(): Promise<void> {
    await this.announce();
    await this.closer.closeRest();
  }

  private async announce(): Promise<void> {
    const notices = await this.notices.find();
    if (notices.length === 0) return;
    await this.fanOut.fanOut(notices.map(occurrenceOf));
    await this.notices.forget(notices.map(({ eventId }) => eventId));
  }
}

function occurrenceOf({ eventId, workspaceId, endpointId, url, reason, at }: Notice) {
  return accountOccurrence({
    eventId,
    workspaceId,
    occurredAt: at.toISOString(),
    type: 'webhook.disabled',
    data: { workspace_id: workspaceId, endpoint_id: endpointId, url, reason },
  });
}
