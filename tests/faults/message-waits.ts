import type { DatabasePool } from '@watchword/postgres';

/**
 * Ways over the bus, each from one recorded moment to the next. Together they cover every topic of
 * a message.
 */
const WAYS: Record<string, string> = {
  'accepted to first attempt (send-commands)': `
    SELECT acceptance.created_at AS begun, attempt.started_at AS done
    FROM billing.acceptances AS acceptance
    JOIN dispatch.attempts AS attempt
      ON attempt.message_id = acceptance.message_id AND attempt.number = 1`,
  'sent to delivered (delivery-reports)': `
    SELECT sent_at AS begun, delivered_at AS done FROM dispatch.messages
    WHERE delivered_at IS NOT NULL`,
  'failed to refunded (refund-commands, credit-events)': `
    SELECT ended_at AS begun, settled_at AS done FROM dispatch.messages
    WHERE ended_at IS NOT NULL AND settled_at IS NOT NULL`,
  'occurred to first webhook (message-events)': `
    SELECT event.occurred_at AS begun, attempt.attempted_at AS done
    FROM webhooks.events AS event
    JOIN webhooks.deliveries AS delivery ON delivery.event_id = event.id
    JOIN webhooks.delivery_attempts AS attempt
      ON attempt.delivery_id = delivery.id AND attempt.number = 1`,
};

interface Time {
  from: number;
  until: number;
}

export interface WatchedTime extends Time {
  what: string;
  /** Compared with that time, the slowest is not later than by so much. */
  calm?: Time;
  laterMsMax?: number;
}

interface Wait {
  way: string;
  count: number;
  medianMs: number;
  slowestMs: number;
}

/** Says how long the messages of each time waited; answers what was promised of it, and not kept. */
export async function reportWaits(
  database: DatabasePool,
  times: readonly WatchedTime[],
  say: (sentence: string) => void,
): Promise<string[]> {
  const broken: string[] = [];
  for (const { what, calm, laterMsMax = Infinity, ...time } of times) {
    const usual = new Map<string, Wait>();
    if (calm) for (const wait of await waitsOf(database, calm)) usual.set(wait.way, wait);
    say(`${what}: waited`);
    for (const { way, count, medianMs, slowestMs } of await waitsOf(database, time)) {
      say(`  from ${way}: ${count}, median ${medianMs} ms, slowest ${slowestMs} ms`);
      const maxMs = (usual.get(way)?.slowestMs ?? 0) + laterMsMax;
      if (slowestMs > maxMs) broken.push(`${what}: ${slowestMs} ms from ${way}, not ${maxMs}`);
    }
  }
  return broken;
}

/** Returns the waits of what began in that time. */
async function waitsOf(database: DatabasePool, { from, until }: Time): Promise<Wait[]> {
  const waits: Wait[] = [];
  for (const [way, query] of Object.entries(WAYS)) {
    const { rows } = await database.query<Omit<Wait, 'way'>>(
      `SELECT count(*)::int AS count,
         coalesce(round(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms)), 0)::int AS "medianMs",
         coalesce(round(max(ms)), 0)::int AS "slowestMs"
       FROM (SELECT extract(epoch FROM done - begun) * 1000 AS ms FROM (${query}) AS way
             WHERE begun >= $1 AND begun < $2) AS waits`,
      [new Date(from), new Date(until)],
    );
    waits.push({ way, ...rows[0]! });
  }
  return waits;
}

/** Counts sends accepted in that time that dispatch has not started. */
export async function countNotBegun(
  database: DatabasePool,
  from: number,
  until: number,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM billing.acceptances AS acceptance
     WHERE created_at >= $1 AND created_at < $2 AND NOT EXISTS (
       SELECT FROM dispatch.attempts WHERE message_id = acceptance.message_id)`,
    [new Date(from), new Date(until)],
  );
  return rows[0]!.count;
}
