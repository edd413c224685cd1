/**
 * `npm run bench -- chain overload`: what is delivered while three times as much is sent as the whole chain can carry,
 * against what it delivers of a burst; and how soon those are refused that are refused. Sends come at their
 * rate, however slow the answers are.
 */
import { quantile } from '@watchword/testing';
import { Pool } from 'undici';
import { delivered, onInstallation, targetOf } from './chain.bench.ts';
import { moment } from './cluster/receiver.ts';
import { type Send, sendAll, type Target } from './cluster/sends.ts';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';
import { busySince, machineTimes } from './support/processor-time.ts';

const BURST = benchNumber('BENCH_BURST', 4_000);
const SECONDS = benchNumber('BENCH_SECONDS', 15);
const TIMES = 3;
const WARM_UP = 500;
/** Each on a connection of its own, so that no send waits at its caller. More than this are given up. */
const UNANSWERED_MAX = 400;

interface Flood {
  sends: Send[];
  refusedMs: number[];
  withoutRetryAfter: number;
  givenUp: number;
}

export async function overloadBench(): Promise<void> {
  await onInstallation(async (_ground, installation, receiver) => {
    const target = targetOf(installation);
    await delivered(receiver, await sendAll(target, WARM_UP));
    const startedAt = performance.now();
    await delivered(receiver, await sendAll(target, BURST));
    const best = BURST / ((performance.now() - startedAt) / 1_000);
    const before = machineTimes();
    const from = moment();
    const flood = await floodOf(target, TIMES * best);
    const until = from + SECONDS * 1_000;
    const inTime = [...receiver.deliveredAt.values()].filter((at) => at >= from && at < until);
    const goodput = inTime.length / SECONDS;
    const busy = busySince(before);
    const drainedFrom = performance.now();
    await delivered(receiver, flood.sends);
    const drainSeconds = (performance.now() - drainedFrom) / 1_000;
    print({ best, goodput, busy, drainSeconds }, flood);
    receiver.assertAllDelivered();
  });
}

async function floodOf({ url, keys }: Target, perSecond: number): Promise<Flood> {
  const pool = new Pool(url, { connections: UNANSWERED_MAX, connect: { timeout: 60_000 } });
  const flood: Flood = { sends: [], refusedMs: [], withoutRetryAfter: 0, givenUp: 0 };
  const total = Math.round(perSecond * SECONDS);
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  for (let begun = 0; begun < total;) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * perSecond);
    for (; begun < due; begun += 1) {
      if (open.size >= UNANSWERED_MAX) {
        flood.givenUp += 1;
        continue;
      }
      const one: Promise<void> = send(pool, keys[begun % keys.length]!, begun, flood);
      open.add(one);
      void one.finally(() => open.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(open);
  await pool.close();
  return flood;
}

async function send(pool: Pool, key: string, index: number, flood: Flood): Promise<void> {
  const to = `+234805${String(index).padStart(7, '0')}`;
  const startedAt = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/v1/sms/send',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: to, message: `Your order ${index} has left our shop.` }),
  });
  const answer = (await body.json()) as { id: string };
  const acceptedAt = moment();
  if (statusCode === 200) flood.sends.push({ id: answer.id, to, sentAt: startedAt, acceptedAt });
  else if (statusCode === 503 || statusCode === 429) {
    flood.refusedMs.push(performance.now() - startedAt);
    if (headers['retry-after'] === undefined) flood.withoutRetryAfter += 1;
  } else throw new Error(`a send was answered ${statusCode}: ${JSON.stringify(answer)}`);
}

function print(
  figures: Record<'best' | 'goodput' | 'busy' | 'drainSeconds', number>,
  { sends, refusedMs, withoutRetryAfter, givenUp }: Flood,
): void {
  const { best, goodput, busy, drainSeconds } = figures;
  const refusedP99 = refusedMs.length === 0 ? '-' : quantile(refusedMs, 0.99).toFixed(1);
  console.log(
    `\n${TIMES} times the rate of the chain, ${SECONDS} s; the machine is ${Math.round(100 * busy)} % busy`,
  );
  printTable(
    ['what', 'figure', 'goal'],
    [
      ['delivered of a burst, a second', Math.round(best), ''],
      ['delivered under overload, a second', Math.round(goodput), ''],
      ['ratio', `${(goodput / best).toFixed(2)}x`, '>= 0.9x'],
      ['accepted', sends.length, ''],
      ['refused with 429 or 503', refusedMs.length, ''],
      ['of these without Retry-After', withoutRetryAfter, '0'],
      ['p99 of a refusal, ms', refusedP99, '<= 50'],
      ['given up by the generator', givenUp, ''],
      ['until the last accepted one is delivered, s', drainSeconds.toFixed(1), ''],
    ],
  );
}
