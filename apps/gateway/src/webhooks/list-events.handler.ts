import type { EventsQuery, WebhooksCalls } from '@watchword/contracts';

/** Events of a workspace for whoever missed some of them. */
export class ListEventsHandler {
  constructor(private readonly webhooks: Pick<WebhooksCalls, 'listEvents'>) {}

  /** JSON text: the bodies are JSON already, and shown to the byte as they are delivered. */
  async page(workspaceId: string, query: EventsQuery): Promise<string> {
    const page = await this.webhooks.listEvents({ workspace_id: workspaceId, ...query });
    const next = page.next_after === undefined ? '' : `,"next_after":${page.next_after}`;
    return `{"data":[${page.bodies.join(',')}]${next}}`;
  }
}
