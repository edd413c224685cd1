import type { DatabasePool, Queryable } from '@watchword/postgres';
import type {
  EmailAttemptRow,
  EmailEvidence,
  EmailRecipientRow,
  EmailRow,
  ReceivedEmail,
} from './email-evidence.ts';
import { groupBy } from './tally.ts';
import type { ClientLog, HandsetMessage, ReceivedAttempt } from './client-log.ts';

/**
 * Everything known after a run: the database, and what clients, carriers and receivers saw. Tables
 * are read completely, because the checker trusts no index and no query of the product.
 */
export interface Evidence {
  database: DatabasePool;
  /** The moment that the tables are of. */
  readAt: Date;
  client: ClientLog;
  handsets: HandsetMessage[];
  received: ReceivedAttempt[];
  accounts: Account[];
  grants: Grant[];
  entries: Entry[];
  keySpending: KeySpending[];
  batches: Batch[];
  payments: PaymentRow[];
  reversals: Reversal[];
  acceptances: Acceptance[];
  sendKeys: SendKey[];
  messages: Map<string, MessageRow>;
  attempts: Map<string, AttemptRow[]>;
  email: EmailEvidence;
  endpoints: EndpointRow[];
  events: EventRow[];
  /** Messages of svc.workspace-events.v1 that are in the queue, in the order of the topic. */
  publishedEvents: { workspace_id: string; id: string; sequence: number }[];
  sequences: Map<string, number>;
  deliveries: DeliveryRow[];
  /** Recorded attempts by delivery. */
  deliveryAttempts: Map<string, number>;
}

export interface Account {
  workspace_id: string;
  balance: number;
  entry_count: number;
  purchased_credits: number;
  /** Credits of refunded purchases that were spent already. */
  debt: number;
}

/** Monthly grant of a plan in one unit, and what is used of it. */
export interface Grant {
  workspace_id: string;
  unit: 'sms_segment' | 'email';
  month: string;
  granted: number;
  used: number;
}

/** Charges less refunds of a key with a daily budget, in one UTC day. */
export interface KeySpending {
  key_id: string;
  test_mode: boolean;
  day: string;
  credits: number;
}

/** Stored answer of a batch; `answer` is null when only the key is there. */
export interface Batch {
  id: string;
  workspace_id: string;
  answer: string | null;
}

export interface PaymentRow {
  id: string;
  workspace_id: string;
  provider: string;
  credits: number;
  amount: number;
  status: 'pending' | 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed';
  automatic: boolean;
  provider_payment_id: string | null;
  refunded_amount: number;
  reversed_credits: number;
}

/** A refund or dispute. */
export interface Reversal {
  payment_id: string;
  provider_reversal_id: string;
  amount: number;
  credits: number;
  entry_id: string | null;
}

export interface Entry {
  id: string;
  workspace_id: string;
  ordinal: number;
  kind: 'charge' | 'refund' | 'top_up';
  top_up_kind: 'trial' | 'purchase' | 'bonus' | 'adjustment' | null;
  credits: number;
  balance_after: number;
  message_id: string | null;
  payment_id: string | null;
  /** Credits of the purchase that a refund or dispute takes back, and the change of the debt. */
  reversed_credits: number | null;
  debt_change: number | null;
  /** Taken from the grant of a month, or given back to it; segments, or units of `grant_unit`. */
  granted_segments: number;
  grant_month: string | null;
  grant_unit: 'sms_segment' | 'email' | null;
  /** The key with a daily budget that paid. */
  key_id: string | null;
  /** UTC day. */
  day: string;
}

export interface Acceptance {
  message_id: string;
  workspace_id: string;
  test_mode: boolean;
  credits: number;
  created_at: Date;
  kind: 'otp' | 'sms' | 'email';
  destination: string;
  /** A further charge for an existing message (ADR 4). */
  is_resend: boolean;
  key_id: string | null;
  budget_returned: boolean;
}

export interface SendKey {
  workspace_id: string;
  scope: string;
  key: string;
  message_id: string | null;
}

export interface MessageRow {
  id: string;
  workspace_id: string;
  kind: 'otp' | 'sms';
  /** Variant of the endpoint that created it. */
  family: 'a' | 'b';
  test_mode: boolean;
  destination: string;
  state: string;
  provider: string | null;
  provider_message_id: string | null;
  reason: string | null;
  refunded: boolean | null;
  created_at: Date;
  /** Of a scheduled message. */
  send_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  verified_at: Date | null;
  ended_at: Date | null;
  settled_at: Date | null;
  /** Expiry of a one-time password. */
  expires_at: Date | null;
  updated_at: Date;
  max_attempts: number | null;
  attempt_count: number | null;
}

export interface AttemptRow {
  message_id: string;
  number: number;
  provider: string;
  started_at: Date;
  finished_at: Date | null;
  outcome: 'accepted' | 'refused' | 'ambiguous' | null;
  provider_message_id: string | null;
  reason: string | null;
  was_ambiguous: boolean;
  /** 0 for the send itself, n for its nth resend. */
  resend: number;
}

export interface EndpointRow {
  id: string;
  workspace_id: string;
  url: string;
  events: string[] | null;
  created_at: Date;
}

export interface EventRow {
  id: string;
  workspace_id: string;
  sequence: number;
  /** Variant B's where variant A lacks the event. */
  variant_a_type: string;
  variant_a_body: string;
  occurred_at: Date;
}

export interface DeliveryRow {
  id: string;
  workspace_id: string;
  endpoint_id: string;
  event_id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempt_count: number;
  replay_of: string | null;
}

export interface Witnesses {
  clientLog: ClientLog;
  simulatorMessages: HandsetMessage[];
  receiverLog: ReceivedAttempt[];
  mailbox?: ReceivedEmail[] | undefined;
}

/** Collects everything at one moment: the system continues, and codes expire meanwhile. */
export function collectEvidence(database: DatabasePool, witnesses: Witnesses): Promise<Evidence> {
  return database.transaction(async (transaction) => {
    await transaction.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return read(database, transaction, witnesses);
  });
}

async function read(
  database: DatabasePool,
  snapshot: Queryable,
  { clientLog, simulatorMessages, receiverLog, mailbox = [] }: Witnesses,
): Promise<Evidence> {
  const all = async <Row>(query: string): Promise<Row[]> => (await snapshot.query<Row>(query)).rows;
  const [moment] = await all<{ now: Date }>('SELECT now()');
  // Where the number of a message is erased, its acceptance still has it.
  const messages = await all<MessageRow>(`
    SELECT message.*, coalesce(command::json ->> 'destination', destination) AS destination
    FROM dispatch.messages AS message
    LEFT JOIN billing.acceptances ON message_id = message.id ORDER BY message.id`);
  const attempts = new Map<string, AttemptRow[]>();
  const attemptRows = 'SELECT * FROM dispatch.attempts ORDER BY message_id, number';
  for (const attempt of await all<AttemptRow>(attemptRows)) {
    const before = attempts.get(attempt.message_id);
    if (before) before.push(attempt);
    else attempts.set(attempt.message_id, [attempt]);
  }
  type Counted = { id: string; count: number };
  const counted = (rows: Counted[]) => new Map(rows.map(({ id, count }) => [id, count]));
  return {
    database,
    readAt: moment!.now,
    client: clientLog,
    handsets: simulatorMessages,
    received: receiverLog,
    accounts: await all('SELECT * FROM billing.accounts'),
    grants: await all('SELECT workspace_id, unit, month::text, granted, used FROM billing.grants'),
    entries: await all(`
      SELECT id, workspace_id, ordinal, kind, top_up_kind, credits, balance_after, message_id,
        payment_id, reversed_credits, debt_change, granted_segments, grant_month::text, grant_unit, key_id,
        (created_at AT TIME ZONE 'UTC')::date::text AS day
      FROM billing.entries ORDER BY workspace_id, ordinal`),
    keySpending: await all(
      'SELECT key_id, test_mode, day::text, credits FROM billing.key_spending',
    ),
    payments: await all('SELECT * FROM billing.payments ORDER BY id'),
    reversals: await all('SELECT * FROM billing.payment_reversals'),
    batches: await all(`
      SELECT coalesce(batch.id, batch_id) AS id,
        coalesce(batch.workspace_id, known.workspace_id) AS workspace_id, answer
      FROM billing.batches AS batch
      FULL JOIN (SELECT * FROM billing.idempotency_keys WHERE batch_id IS NOT NULL) AS known
        ON known.batch_id = batch.id`),
    acceptances: await all(`
      SELECT message_id, workspace_id, test_mode, credits, created_at, key_id, budget_returned,
        command::json ->> 'kind' AS kind, command::json ->> 'destination' AS destination,
        coalesce(json_typeof(command::json -> 'resend'), 'null') <> 'null' AS is_resend
      FROM billing.acceptances ORDER BY created_at, message_id`),
    sendKeys: await all('SELECT * FROM billing.idempotency_keys WHERE message_id IS NOT NULL'),
    messages: new Map(messages.map((message) => [message.id, message])),
    attempts,
    email: { ...(await emailEvidence(all)), mailbox },
    endpoints: await all('SELECT * FROM webhooks.endpoints WHERE deleted_at IS NULL'),
    events: await all(`
      SELECT event.*, coalesce(variant_a_type, variant_b_type) AS variant_a_type,
        coalesce(variant_a_body, variant_b_body) AS variant_a_body
      FROM webhooks.events AS event WHERE sequence > 0 ORDER BY workspace_id, sequence`),
    publishedEvents: await all(`
      SELECT key AS workspace_id, message_id AS id, (payload::json ->> 'sequence')::bigint AS sequence
      FROM webhooks.message_queue WHERE topic = 'svc.workspace-events.v1' ORDER BY position`),
    sequences: counted(
      await all('SELECT workspace_id AS id, last_sequence AS count FROM webhooks.sequences'),
    ),
    deliveries: await all('SELECT * FROM webhooks.deliveries'),
    deliveryAttempts: counted(
      await all(`SELECT delivery_id AS id, count(*) AS count
                 FROM webhooks.delivery_attempts GROUP BY delivery_id`),
    ),
  };
}

async function emailEvidence(all: <Row>(query: string) => Promise<Row[]>) {
  const emails = await all<EmailRow>('SELECT * FROM dispatch.emails');
  const recipients = await all<EmailRecipientRow>(
    'SELECT * FROM dispatch.email_recipients ORDER BY email_id, number',
  );
  const attempts = await all<EmailAttemptRow>('SELECT * FROM dispatch.email_attempts');
  return {
    emails: new Map(emails.map((email) => [email.id, email])),
    recipients: groupBy(recipients, ({ email_id: id }) => id),
    attempts: groupBy(attempts, ({ email_id: id }) => id),
  };
}

/** Numbers are personal data; the last digits are enough to find one. */
export function masked(destination: string): string {
  return `${destination.slice(0, 4)}…${destination.slice(-4)}`;
}
