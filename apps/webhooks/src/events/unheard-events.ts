import type { MessageEvent, WorkspaceId } from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';
import { variantAType, variantBType } from '../payloads/event-types.policy.js';
import type { Occurrence } from './occurrence.policy.js';

const KNOWN_MAX = 10_000;
const KNOWN_FOR_MS = 60_000;

/**
 * Events that no endpoint of a workspace got when the last one of their kind was fanned out, for
 * example `sms.sent` where all subscribe to ends only. Such an event may wait a moment, to be
 * fanned out in one statement with the next. It is only a guess: after a new subscription, one
 * event comes a moment late.
 */
export class UnheardEvents {
  private readonly lastAtMs = new BoundedMap<string, number>(KNOWN_MAX);

  /** Records events that were fanned out. `heard` are those with at least one endpoint. */
  note(occurrences: readonly Occurrence[], heard: ReadonlySet<Occurrence>): void {
    for (const occurrence of occurrences) {
      const { workspaceId, a, b, endpointId } = occurrence;
      if (endpointId !== null) continue;
      const key = keyOf(workspaceId, a?.type ?? null, b.type);
      if (heard.has(occurrence)) this.lastAtMs.delete(key);
      else this.lastAtMs.set(key, performance.now());
    }
  }

  isUnheard({ type, message }: MessageEvent): boolean {
    const typeOfB = variantBType(message, type);
    if (typeOfB === null) return false;
    const key = keyOf(message.workspace_id, variantAType(message.kind, type), typeOfB);
    const atMs = this.lastAtMs.get(key);
    return atMs !== undefined && performance.now() - atMs < KNOWN_FOR_MS;
  }
}

/** One per process, because consumers are declared before a module exists. */
export const unheardEvents = new UnheardEvents();

function keyOf(workspaceId: WorkspaceId, typeOfA: string | null, typeOfB: string): string {
  return `${workspaceId} ${typeOfA} ${typeOfB}`;
}
