import type { Clock } from '@watchword/contracts';
import { isKnownEvent } from '../payloads/event-types.policy.js';
import { problemOfUrl } from './endpoint-url.policy.js';
import type { Endpoint } from './endpoint.js';
import type { EndpointStore } from './endpoint.store.js';
import { newSecret } from './secret-cipher.js';

const PREVIOUS_SECRET_LIFE_MS = 24 * 60 * 60 * 1_000;

export type PutResult =
  | { verdict: 'done'; endpoint: Endpoint }
  | { verdict: 'refused'; field: 'url' | 'events'; message: string };

/** What people do with the endpoint of their workspace. */
export class EndpointHandler {
  constructor(
    private readonly endpoints: EndpointStore,
    private readonly clock: Clock,
    private readonly allowLoopback: boolean,
  ) {}

  async put(
    workspaceId: string,
    url: string,
    events: readonly string[] | null,
  ): Promise<PutResult> {
    const urlProblem = problemOfUrl(url, this.allowLoopback);
    if (urlProblem !== null) return { verdict: 'refused', field: 'url', message: urlProblem };
    const eventsProblem = problemOfEvents(events);
    if (eventsProblem !== null) {
      return { verdict: 'refused', field: 'events', message: eventsProblem };
    }
    const endpoint = await this.endpoints.putOwn(workspaceId, {
      url,
      events: events === null ? null : [...new Set(events)],
      secret: newSecret(),
      at: this.now(),
    });
    return { verdict: 'done', endpoint };
  }

  get(workspaceId: string): Promise<Endpoint | null> {
    return this.endpoints.findOwn(workspaceId);
  }

  delete(workspaceId: string): Promise<boolean> {
    return this.endpoints.deleteOwn(workspaceId, this.now());
  }

  /** The secret before the last one stops signing at once: there are never more than two. */
  async rotateSecret(
    workspaceId: string,
  ): Promise<{ secret: string; previousExpiresAt: Date } | null> {
    const endpoint = await this.endpoints.findOwn(workspaceId);
    if (!endpoint) return null;
    const at = this.now();
    const previousExpiresAt = new Date(at.getTime() + PREVIOUS_SECRET_LIFE_MS);
    const secret = newSecret();
    const replaced = await this.endpoints.replaceSecret(endpoint, {
      secret,
      previousExpiresAt,
      at,
    });
    return replaced ? { secret, previousExpiresAt } : null;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function problemOfEvents(events: readonly string[] | null): string | null {
  if (events === null) return null;
  if (events.length === 0) return 'At least one event must be named.';
  const unknown = events.find((name) => !isKnownEvent(name));
  return unknown === undefined ? null : `${JSON.stringify(unknown)} is not the name of an event.`;
}
