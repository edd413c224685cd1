import type { Clock, MessageKind, RecentSend } from '@watchword/contracts';
import { pollUntil, type WorkspaceCaller } from '@watchword/platform';

const TIMEOUT_MS = 1_000;

/** Times the waits: a clock that never goes back. */
const TIMEOUT_CLOCK: Clock = { now: () => performance.now() };

/** Returns what the caller has just sent, of one kind or of all. */
export function recentSends(
  { recent_sends: sent = [] }: WorkspaceCaller,
  kind?: MessageKind,
): readonly RecentSend[] {
  return sent.filter((one) => kind === undefined || one.kind === kind);
}

/**
 * Waits a bounded time until sends that were just accepted are here, so that a list includes them. Dispatch
 * gets a send some milliseconds after its answer.
 */
export async function arrivalOf(
  sent: readonly RecentSend[],
  isHere: (one: RecentSend) => Promise<boolean>,
): Promise<void> {
  let missing = sent;
  if (missing.length === 0) return;
  await pollUntil(
    TIMEOUT_CLOCK,
    TIMEOUT_MS,
    async () => {
      const here = await Promise.all(missing.map(isHere));
      missing = missing.filter((_, index) => !here[index]);
    },
    () => missing.length === 0,
  );
}
