import { setTimeout as sleep } from 'node:timers/promises';

/** As a gateway names them at its `/ready`. */
const SERVERS = { bus: 'Kafka', redis: 'Redis' } as const;
/** For a server that is just being found. */
const patienceDefaultMs = 3_000;
const lookEveryMs = 250;
const answerPatienceMs = 2_000;

type Name = keyof typeof SERVERS;
export type ServerName = (typeof SERVERS)[Name];

/** The servers that a gateway cannot work with, by what it tells at this address. */
export async function unreachedBy(
  readyUrl: string,
  patienceMs = patienceDefaultMs,
): Promise<ServerName[]> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(lookEveryMs)) {
    const others = await othersAt(readyUrl);
    const names = Object.keys(SERVERS) as Name[];
    const unreached = names.filter((name) => !others[name]);
    if (unreached.length === 0 || Date.now() > deadline) {
      return unreached.map((name) => SERVERS[name]);
    }
  }
}

async function othersAt(readyUrl: string): Promise<Record<string, boolean>> {
  const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(answerPatienceMs) });
  return ((await answer.json()) as { others: Record<string, boolean> }).others;
}
