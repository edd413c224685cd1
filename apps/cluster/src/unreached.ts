import { setTimeout as sleep } from 'node:timers/promises';

const SERVERS = { bus: 'Kafka', redis: 'Redis' } as const;
/** For one that is just being found. */
const patienceMs = 3_000;
const lookEveryMs = 250;

/** The servers that a gateway does not reach, by what it tells at this address. */
export async function unreachedBy(readyUrl: string): Promise<('Kafka' | 'Redis')[]> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(lookEveryMs)) {
    const others = await othersAt(readyUrl);
    const unreached = (['bus', 'redis'] as const).filter((name) => others[name] === false);
    if (unreached.length === 0 || Date.now() > deadline) {
      return unreached.map((name) => SERVERS[name]);
    }
  }
}

async function othersAt(readyUrl: string): Promise<Record<string, boolean>> {
  const { others } = (await (await fetch(readyUrl)).json()) as { others: Record<string, boolean> };
  return others;
}
