import type { MessageEvent } from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';
import { variantAType, variantBType } from '../payloads/event-types.policy.js';
import type { Occurrence } from './occurrence.policy.js';

const KNOWN_MAX = 10_000;
const KNOWN_FOR_MS = 60_000;

/**
 * Which events no endpoint of a workspace heard when the last one of their kind was fanned out, such as `sms.sent`
 * where all listen to ends only. Such an event may wait a moment, to be fanned out in one statement with the
 * next. It is only a guess: an event that an endpoint has begun to listen to comes a moment later, once.
 */
export class UnheardEvents {
  private readonly lastAtMs = new BoundedMap<string, number>(KNOWN_MAX);

  /** These were fanned out; `heard` are those of them that some endpoint gets. */
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

/** Of this process: consumers are declared before there is a module to ask. */
export const unheardEvents = new UnheardEvents();

function keyOf(workspaceId: string, typeOfA: string | null, typeOfB: string): string {
  return `${workspaceId} ${typeOfA} ${typeOfB}`;
}
