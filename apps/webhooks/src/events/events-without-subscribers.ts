import type { MessageEvent, WorkspaceId } from '@watchword/contracts';
import { variantAType, variantBType } from '../payloads/event-types.policy.js';
import type { Occurrence } from './occurrence.policy.js';
import { RecentlySeen } from './recently-seen.js';

/**
 * Events that no endpoint of a workspace got when the last one of their kind was fanned out, for
 * example `sms.sent` where all subscribe to ends only. Such an event may wait a moment, to be
 * fanned out in one statement with the next. It is only a guess: after a new subscription, one
 * event comes a moment late.
 */
export class EventsWithoutSubscribers {
  private readonly unsubscribed = new RecentlySeen<string>();

  /** Records events that were fanned out. `subscribed` are those with at least one endpoint. */
  note(occurrences: readonly Occurrence[], subscribed: ReadonlySet<Occurrence>): void {
    for (const occurrence of occurrences) {
      const { workspaceId, a, b, endpointId } = occurrence;
      if (endpointId !== null) continue;
      const key = keyOf(workspaceId, a?.type ?? null, b.type);
      if (subscribed.has(occurrence)) this.unsubscribed.delete(key);
      else this.unsubscribed.add(key);
    }
  }

  hasNoSubscriber({ type, message }: MessageEvent): boolean {
    const typeOfB = variantBType(message, type);
    if (typeOfB === null) return false;
    const key = keyOf(message.workspace_id, variantAType(message.kind, type), typeOfB);
    return this.unsubscribed.has(key);
  }
}

/** One per process, because consumers are declared before a module exists. */
export const eventsWithoutSubscribers = new EventsWithoutSubscribers();

function keyOf(workspaceId: WorkspaceId, typeOfA: string | null, typeOfB: string): string {
  return `${workspaceId} ${typeOfA} ${typeOfB}`;
}
