/** Sends with a path that is checked afterwards, each to a different number. */
import { Pool } from 'undici';
import { sleep } from './installation.ts';
import { moment } from './receiver.ts';

export interface Send {
  id: string;
  to: string;
  sentAt: number;
  /** Time of its answer. */
  acceptedAt: number;
}

export interface Target {
  url: string;
  keys: readonly string[];
  /** Path of the send, if it differs. */
  path?: string;
}

let numbers = 1_000;

/** Number of 503 answers so far: a shared machine can be too slow for a while. */
export let refusals = 0;

/** Sends at this rate. A slow send does not delay the next. */
export async function sendAtRate(
  target: Target,
  perSecond: number,
  seconds: number,
): Promise<Send[]> {
  const pool = new Pool(target.url, { connections: 64 });
  const total = Math.round(perSecond * seconds);
  const sends: Promise<Send | undefined>[] = [];
  const startedAt = moment();
  while (sends.length < total) {
    const due = Math.min(total, ((moment() - startedAt) / 1_000) * perSecond);
    while (sends.length < due) sends.push(send(pool, target));
    // A generator that looks each millisecond takes the caches of what it measures.
    await sleep(Math.max(1, startedAt + (sends.length * 1_000) / perSecond - moment()));
  }
  const done = await Promise.all(sends);
  await pool.close();
  return done.filter((one) => one !== undefined);
}

/** Sends this many as fast as they are accepted, and repeats refused ones. */
export async function sendAll(target: Target, count: number): Promise<Send[]> {
  const pool = new Pool(target.url, { connections: 64 });
  const sends: Send[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      const accepted = await send(pool, target);
      if (accepted) sends.push(accepted);
      else begun -= 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  await pool.close();
  return sends;
}

async function send(
  pool: Pool,
  { keys, path = '/v1/sms/send' }: Target,
): Promise<Send | undefined> {
  numbers += 1;
  const to = `+234803${String(numbers).padStart(7, '0')}`;
  const message = `Your order ${numbers} has left our shop and arrives tomorrow.`;
  const sentAt = moment();
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${keys[numbers % keys.length]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ phone_number: to, message }),
  });
  const json = (await answer.body.json()) as { id: string };
  if (answer.statusCode === 503) {
    refusals += 1;
    return undefined;
  }
  if (answer.statusCode !== 200) throw new Error(`a send was refused: ${JSON.stringify(json)}`);
  return { id: json.id, to, sentAt, acceptedAt: moment() };
}
