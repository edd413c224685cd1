import { Inject, Injectable } from '@nestjs/common';
import {
  type Due,
  type InProcessQueue,
  NO_IN_PROCESS_QUEUE,
  withDue,
  type WrittenMessage,
} from '@watchword/bus';
import { IDEMPOTENCY_KEY_HOURS, type SendWindow, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { DATABASE, IN_PROCESS_QUEUE } from '@watchword/platform';
import { lines, linesAsArray, plainArray, type Queryable, statement } from '@watchword/postgres';
import { type Acceptance, charged } from './acceptance.js';
import { lowBalanceTemplate } from './low-balance-event.js';

export interface Verdict {
  verdict:
    | 'accepted'
    | 'replayed'
    | 'insufficient_credits'
    | 'idempotency_conflict'
    | 'unknown_workspace'
    | 'invalid_quote'
    | 'daily_budget'
    | 'limited';
  /** Credits before this item; null without an account. */
  balance: number | null;
  /** Credits that the wallet pays, or would pay: the price less what a grant covers. */
  credits: number;
  /** Credits left of the key's daily budget before this item; null without a budget. */
  budgetLeft: number | null;
  replayedCommand: string | null;
  /** Until the window ends that refused this item; null otherwise. */
  retryAfterSeconds: number | null;
}

const COMMAND_TYPE = 'svc.send-message.v1';

type VerdictRow = Verdict & { ordinal: number };

export const acceptMessages = statement(
  'billing.accept-messages',
  `SELECT ordinal, verdict, balance, credits, budget_left AS "budgetLeft",
     replayed_command AS "replayedCommand", retry_after_seconds AS "retryAfterSeconds"
   FROM billing.accept_messages(
     ${withDue('$29', '$1::uuid[]')}, $2::uuid[], $3::uuid[], $4::boolean[], $5::bigint[], $6::text[], $7::text[],
     ${linesAsArray('$8')}, $9::text[], $10::text[], $11::text[], $12::uuid[], $13::text[], $14::bigint[],
     $15::uuid[], $16::bigint[], $17::text[], $18::text[], $19::uuid[], $20::bigint[], $21::integer[],
     $22, $23, $24, $25, $26, $27, $28, $30::text[], $31::text[])`,
  'once',
);

export function acceptParameters(
  batch: readonly Acceptance[],
  acceptedAt: string,
  due: Due = 'now',
): unknown[] {
  return [
    plainArray(batch.map(({ send }) => send.workspace_id)),
    plainArray(batch.map(({ send }) => send.message_id)),
    plainArray(batch.map(({ entryId }) => entryId)),
    plainArray(batch.map(({ send }) => send.test_mode)),
    plainArray(batch.map(({ send }) => send.credits)),
    batch.map(({ send }) => send.price_rule),
    batch.map(({ send }) => send.destination),
    lines(batch.map(({ command }) => command)),
    unlessAllNull(batch.map(({ claim }) => claim?.scope ?? null)),
    unlessAllNull(batch.map(({ claim }) => claim?.key ?? null)),
    unlessAllNull(batch.map(({ claim }) => claim?.fingerprint ?? null)),
    unlessAllNull(batch.map(({ quoteId }) => quoteId)),
    unlessAllNull(batch.map(({ unit }) => unit)),
    unlessAllNull(batch.map(({ unit, quantity }) => (unit === null ? null : quantity))),
    unlessAllNull(batch.map(({ budget }) => budget?.key_id ?? null)),
    unlessAllNull(batch.map(({ budget }) => budget?.daily_credits ?? null)),
    ...windowParameters(batch),
    acceptedAt,
    IDEMPOTENCY_KEY_HOURS,
    TOPICS.sendCommands.name,
    COMMAND_TYPE,
    TOPICS.creditEvents.name,
    'svc.credit-low.v1',
    lowBalanceTemplate(acceptedAt),
    due,
    plainArray(batch.map(({ send }) => send.kind)),
    plainArray(batch.map(({ send }) => (send.email ? null : send.country_code))),
  ];
}

/** Returns the distinct windows of the batch, and for each send the places of its own among them. */
function windowParameters(batch: readonly Acceptance[]): unknown[] {
  const places = new Map<string, number>();
  const distinct: SendWindow[] = [];
  const placeOf = (window: SendWindow): number => {
    const known = places.get(window.id);
    if (known !== undefined) return known;
    places.set(window.id, distinct.push(window));
    return distinct.length;
  };
  const textOf = (windows: readonly SendWindow[]) =>
    windows.length === 0 ? null : `{${windows.map(placeOf).join()}}`;
  const own = batch.map(({ windows }) => textOf(windows.filter(({ shared }) => !shared)));
  const shared = batch.map(({ windows }) => textOf(windows.filter((window) => window.shared)));
  if (distinct.length === 0) return [null, null, null, null, null];
  return [
    unlessAllNull(own),
    unlessAllNull(shared),
    plainArray(distinct.map(({ id }) => id)),
    plainArray(distinct.map(({ limit }) => limit)),
    plainArray(distinct.map(({ seconds }) => seconds)),
  ];
}

/** The database returns verdicts in no particular order. */
export function inOrder(rows: readonly VerdictRow[]): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const row of rows) verdicts[row.ordinal - 1] = row;
  return verdicts;
}

/** One statement, one transaction: all of the batch's verdicts and their effects, or none. */
@Injectable()
export class AcceptStore {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(IN_PROCESS_QUEUE) private readonly queue: InProcessQueue = NO_IN_PROCESS_QUEUE,
  ) {}

  accept(batch: readonly Acceptance[], acceptedAt: string): Promise<Verdict[]> {
    return this.queue.write([TOPICS.sendCommands], async (due) => {
      const parameters = acceptParameters(batch, acceptedAt, due);
      crashPoint('billing.accept.before-commit');
      const { rows } = await this.database.query<VerdictRow>(acceptMessages, parameters);
      crashPoint('billing.accept.after-commit');
      const result = inOrder(rows);
      return { result, messages: () => commandsOf(batch, result, acceptedAt) };
    });
  }
}

/**
 * As `billing.accept_messages` has queued them. Its warnings of a low balance notify consumers too.
 */
function commandsOf(
  batch: readonly Acceptance[],
  verdicts: readonly Verdict[],
  time: string,
): WrittenMessage[] {
  return batch.flatMap(({ send, command }, index) => {
    const { verdict, credits } = verdicts[index]!;
    if (verdict !== 'accepted') return [];
    const about = { topic: TOPICS.sendCommands.name, key: send.destination, type: COMMAND_TYPE };
    const payload = `{"credits":${credits},${command}`;
    return [{ ...about, id: send.message_id, time, payload, value: charged(send, credits) }];
  });
}

/** PostgreSQL treats a null array as one of nulls, and it is neither written nor parsed. */
function unlessAllNull<Value>(values: (Value | null)[]): (Value | null)[] | null {
  return values.some((value) => value !== null) ? values : null;
}
