import { setTimeout as sleep } from 'node:timers/promises';

/** As a gateway names them at its `/ready`. */
const SERVERS = { bus: 'Kafka', redis: 'Redis' } as const;
/** For a server that is just being found. */
const TIMEOUT_DEFAULT_MS = 3_000;
const LOOK_EVERY_MS = 250;
const ANSWER_TIMEOUT_MS = 10_000;

type Name = keyof typeof SERVERS;
export type ServerName = (typeof SERVERS)[Name];

/** The servers that a gateway cannot reach, by its answer at this address. */
export async function unreachedBy(
  readyUrl: string,
  timeoutMs = TIMEOUT_DEFAULT_MS,
): Promise<ServerName[]> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(LOOK_EVERY_MS)) {
    const others = await othersAt(readyUrl);
    const names = Object.keys(SERVERS) as Name[];
    const unreached = names.filter((name) => !others[name]);
    if (unreached.length === 0 || Date.now() > deadline) {
      return unreached.map((name) => SERVERS[name]);
    }
  }
}

async function othersAt(readyUrl: string): Promise<Record<string, boolean>> {
  const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  return ((await answer.json()) as { others: Record<string, boolean> }).others;
}
