import { Inject, Injectable } from '@nestjs/common';
import type { EventsQuery, WebhooksCalls } from '@watchword/contracts';
import type { Caller } from '../accounts/keys/key-directory.port.js';
import { WEBHOOKS } from '../calls/webhooks-calls.js';

/** Events of a workspace, for receivers that missed some. */
@Injectable()
export class ListEventsHandler {
  constructor(@Inject(WEBHOOKS) private readonly webhooks: Pick<WebhooksCalls, 'listEvents'>) {}

  /** Returns JSON text: the bodies are JSON already, and shown exactly as delivered. */
  async page({ workspace, mode }: Caller, query: EventsQuery): Promise<string> {
    const page = await this.webhooks.listEvents({
      ...query,
      workspace_id: workspace.id,
      // A test key sees events of test messages only; a live key sees all.
      test_mode_only: mode === 'test',
    });
    const next = page.next_after === undefined ? '' : `,"next_after":${page.next_after}`;
    return `{"data":[${page.bodies.join(',')}]${next}}`;
  }
}
