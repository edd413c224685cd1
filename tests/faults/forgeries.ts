/** What the checker must notice: for each invariant, runs that are forged after their end. */
import type { CheckOptions } from '../invariants/check.ts';
import { type Exchange, isAccepted } from '../invariants/client-log.ts';
import { HAMMERED } from './load.policy.ts';

export type Logs = Omit<CheckOptions, 'databaseUrl'>;

export interface Forgery {
  invariant: number;
  name: string;
  sql?: string;
  forge?: (logs: Logs) => void;
  says: RegExp;
}

const sends = ({ clientLog }: Logs) =>
  clientLog.exchanges.filter(({ operation }) => operation !== 'otp_verify');
const acceptedSend = (of: Logs): Exchange => sends(of).find(isAccepted)!;
const idOf = ({ answer }: Exchange) => (JSON.parse(answer) as { id: string }).id;
const verifications = ({ clientLog }: Logs) =>
  clientLog.exchanges.filter((one) => one.operation === 'otp_verify' && isAccepted(one));
const one = (state: string, kind = 'sms') =>
  `(SELECT min(id::text)::uuid FROM dispatch.messages WHERE state = '${state}' AND kind = '${kind}')`;
/** One of credits: a refund to the monthly quota moves no balance. */
const someRefund = `(SELECT min(id::text)::uuid FROM billing.entries
  WHERE kind = 'refund' AND credits > 0)`;
const hammered = HAMMERED.find(({ operation }) => operation === 'sms_send')!.destination;

const TOO_MANY = `UPDATE billing.acceptances AS acceptance
  SET command = jsonb_set(command::jsonb, '{destination}', to_jsonb('${hammered}'::text)),
    workspace_id = other.workspace_id
  FROM (SELECT workspace_id FROM billing.acceptances
        WHERE command::json ->> 'destination' = '${hammered}' LIMIT 1) AS other
  WHERE acceptance.command::json ->> 'kind' = 'sms'`;

export const FORGERIES: Forgery[] = [
  {
    invariant: 1,
    name: 'a charge that was made smaller',
    sql: `UPDATE billing.entries SET credits = credits + 1 WHERE id = (
            SELECT min(id::text)::uuid FROM billing.entries WHERE kind = 'charge' AND credits < -1)`,
    says: /balance is not the sum of the entries/,
  },
  {
    invariant: 1,
    name: 'credits out of nothing',
    sql: 'UPDATE billing.accounts SET balance = balance + 1',
    says: /balance is not the sum of the entries/,
  },
  {
    invariant: 1,
    name: 'a gap in the numbers',
    sql: `UPDATE billing.entries AS entry SET ordinal = ordinal + 1
          WHERE ordinal = (SELECT entry_count FROM billing.accounts AS account
                           WHERE account.workspace_id = entry.workspace_id)`,
    says: /entry \S+: number \d+ follows \d+/,
  },
  {
    invariant: 1,
    name: 'an entry that nobody counted',
    sql: 'UPDATE billing.accounts SET entry_count = entry_count - 1',
    says: /has \d+ entries and counted \d+/,
  },
  {
    invariant: 1,
    name: 'an entry that is gone',
    sql: `DELETE FROM billing.entries WHERE id = ${someRefund}`,
    says: /running balance is broken/,
  },
  {
    invariant: 1,
    name: 'a grant of which less was used than was taken',
    sql: 'UPDATE billing.grants SET used = used - 1 WHERE used > 0',
    says: /grant \S+ sms_segment \S+: \d+ of it are used and \d+ counted/,
  },
  {
    invariant: 1,
    name: 'a key that spent and was not counted',
    sql: `UPDATE billing.entries SET key_id = workspace_id WHERE kind = 'charge' AND credits < 0`,
    says: /spending of key \S+ \S+ is off by \d+ credits/,
  },
  {
    invariant: 2,
    name: 'a batch that names a message that was never accepted',
    sql: `INSERT INTO billing.batches
            SELECT id, workspace_id, '[{"message_id":"' || gen_random_uuid() || '"}]', now()
            FROM billing.entries LIMIT 1`,
    says: /batch \S+ names \S+, never accepted/,
  },
  {
    invariant: 1,
    name: 'a ledger that the service may change',
    sql: `GRANT UPDATE ON billing.entries TO watchword_billing; DROP TRIGGER
            entries_are_append_only ON billing.entries`,
    says: /the service is not refused: UPDATE/,
  },
  {
    invariant: 2,
    name: 'a refund that was not made',
    sql: `DELETE FROM billing.entries WHERE id = ${someRefund}`,
    says: /is failed \(\w+\) and has 0 refunds instead of 1/,
  },
  {
    invariant: 2,
    name: 'segments that did not come back',
    sql: `UPDATE billing.entries SET granted_segments = 0, grant_month = NULL
          WHERE kind = 'refund' AND granted_segments > 0`,
    says: /0 segments of null came back, and others were taken/,
  },
  {
    invariant: 2,
    name: 'a refund for what was delivered',
    sql: `INSERT INTO billing.entries
            (id, workspace_id, ordinal, kind, credits, balance_after, message_id, created_at)
          SELECT gen_random_uuid(), workspace_id, 1000000, 'refund', -credits, 0, message_id, now()
          FROM billing.entries WHERE kind = 'charge' AND message_id = ${one('delivered')}`,
    says: /is delivered \(no reason\) and has 1 refunds instead of 0/,
  },
  {
    invariant: 2,
    name: 'a second charge',
    sql: `ALTER TABLE billing.entries DROP CONSTRAINT entries_message_id_kind_key;
          INSERT INTO billing.entries
            (id, workspace_id, ordinal, kind, credits, balance_after, message_id, created_at)
          SELECT gen_random_uuid(), workspace_id, 1000000, kind, credits, 0, message_id, now()
          FROM billing.entries WHERE kind = 'charge' AND message_id = ${one('delivered')}`,
    says: /has 2 charges/,
  },
  {
    invariant: 2,
    name: 'an event that denies the refund',
    sql: `UPDATE webhooks.events SET variant_a_body =
            replace(variant_a_body, '"refunded":true', '"refunded":false')`,
    says: /event evt_\w+ says refunded: false/,
  },
  {
    invariant: 3,
    name: 'an acknowledged message that is gone',
    sql: `DELETE FROM billing.acceptances WHERE message_id = ${one('delivered')}`,
    says: /was acknowledged and is gone/,
  },
  {
    invariant: 3,
    name: 'a refusal that left a message',
    forge: (forged) => Object.assign(acceptedSend(forged), { status: 402, answer: '{}' }),
    says: /refused, and there is a message/,
  },
  {
    invariant: 3,
    name: 'a request without an answer',
    forge: (forged) => {
      const { idempotencyKey } = acceptedSend(forged);
      for (const exchange of sends(forged)) {
        if (exchange.idempotencyKey === idempotencyKey) exchange.status = null;
      }
    },
    says: /no definite answer ever came/,
  },
  {
    invariant: 3,
    name: 'a message that was not found',
    forge: (forged) => (forged.clientLog.observations[0]!.httpStatus = 404),
    says: /GET of the acknowledged message .* answered 404/,
  },
  {
    invariant: 4,
    name: 'a text that came twice',
    forge: ({ simulatorMessages: [first], simulatorMessages }) =>
      simulatorMessages.push({ ...first!, reference: 'another' }),
    says: /got 2 messages, 1 are explained/,
  },
  {
    invariant: 4,
    name: 'an attempt after one that was accepted',
    sql: `INSERT INTO dispatch.attempts
            (message_id, number, provider, started_at, outcome, late_delivery)
          SELECT message_id, number + 1, 'twilio', now(), 'ambiguous', false
          FROM dispatch.attempts WHERE outcome = 'accepted' LIMIT 1`,
    says: /an attempt after attempt \d, which is accepted/,
  },
  {
    invariant: 4,
    name: 'deliveries that never happened',
    // All of them, because the first may belong to an attempt with a lost answer, which nothing
    // calls delivered.
    forge: (forged) => forged.simulatorMessages.splice(0),
    says: /which reached no handset/,
  },
  {
    invariant: 5,
    name: 'an event that is missing',
    sql: `DELETE FROM webhooks.events WHERE sequence = 3`,
    says: /is number 4, not 3/,
  },
  {
    invariant: 5,
    name: 'an event that occurs twice',
    sql: `INSERT INTO webhooks.events
            (id, workspace_id, sequence, variant_a_type, variant_a_body, occurred_at)
          SELECT id || 'x', workspace_id, 1000000, variant_a_type, variant_a_body, occurred_at FROM webhooks.events
          WHERE variant_a_type = 'sms.delivered' LIMIT 1`,
    says: /announced \[sms\.sent,sms\.delivered,sms\.delivered\]/,
  },
  {
    invariant: 5,
    name: 'a delivery that was not planned',
    sql: `DELETE FROM webhooks.deliveries WHERE id = (SELECT max(id::text)::uuid
            FROM webhooks.deliveries)`,
    says: /has 0 deliveries/,
  },
  {
    invariant: 5,
    name: 'a delivery that nobody took',
    forge: ({ receiverLog }) => {
      const taken = receiverLog.find(({ status }) => status >= 200 && status < 300)!;
      for (const attempt of receiverLog) {
        if (attempt.eventId === taken.eventId) attempt.status = 500;
      }
    },
    says: /delivered, and nobody took it/,
  },
  {
    invariant: 5,
    name: 'other bytes',
    forge: ({ receiverLog: [first] }) => (first!.body += ' '),
    says: /got other bytes as evt_/,
  },
  {
    invariant: 6,
    name: 'a state that no such message has',
    sql: `UPDATE dispatch.messages SET state = 'verified' WHERE id = ${one('delivered')}`,
    says: /\(sms\) is verified/,
  },
  {
    invariant: 6,
    name: 'moments out of order',
    sql: `UPDATE dispatch.messages SET sent_at = created_at - interval '1 second'
          WHERE id = ${one('delivered')}`,
    says: /its moments are not in order/,
  },
  {
    invariant: 6,
    name: 'an end that was not the end',
    forge: (forged) => {
      const id = idOf(acceptedSend(forged));
      const seen = { id, sentAt: 1, answeredAt: 2, httpStatus: 200, status: 'expired' };
      forged.clientLog.observations.push(seen);
    },
    says: /was expired and is/,
  },
  {
    invariant: 7,
    name: 'another answer to the same request',
    forge: (forged) => {
      const { clientLog } = forged;
      const first = acceptedSend(forged);
      clientLog.exchanges.push({
        ...first,
        answer: first.answer.replace('"NG"', '"KE"'),
        replayed: true,
      });
      clientLog.exchanges.push({ ...first, answer: '{"id":"another"}', replayed: true });
    },
    says: /answered .* and then /,
  },
  {
    invariant: 8,
    name: 'a code that was right twice',
    forge: (forged) => {
      const right = verifications(forged).find(({ answer }) => answer.includes('"valid":true'))!;
      forged.clientLog.exchanges.push({ ...right, idempotencyKey: 'another' });
    },
    says: /was valid 2 times/,
  },
  {
    invariant: 8,
    name: 'a guess too many',
    sql: `ALTER TABLE dispatch.messages DROP CONSTRAINT guesses_within_max;
          UPDATE dispatch.messages SET attempt_count = max_attempts + 1
          WHERE id = ${one('delivered', 'otp')}`,
    says: /6 comparisons, not 5/,
  },
  {
    invariant: 9,
    name: 'an attempt that nobody finishes',
    sql: `UPDATE dispatch.attempts SET outcome = NULL WHERE message_id = ${one('delivered')}`,
    says: /an attempt is unfinished/,
  },
  {
    invariant: 9,
    name: 'a receipt that never came',
    sql: `UPDATE dispatch.messages SET state = 'sent' WHERE id = ${one('delivered')}`,
    says: /sent, and its receipt is missing/,
  },
  {
    invariant: 9,
    name: 'a message that was not handled',
    sql: `INSERT INTO billing.message_queue (topic, reader, key, message_id, type, payload)
          VALUES ('svc.send-commands.v1', 'dispatch.sending', 'k', 'm', 't', '{}')`,
    says: /dispatch\.sending has \d+ messages of svc\.send-commands\.v1 to read/,
  },
  {
    invariant: 9,
    name: 'a report that belongs to nothing',
    sql: `INSERT INTO dispatch.parked_reports (report_id, report, check_at, parked_at) VALUES
            ('r', '{"provider":"twilio","provider_message_id":"SM1"}', now(), now())`,
    says: /a report is parked that no ambiguous attempt explains: SM1/,
  },
  {
    invariant: 10,
    name: 'a number that got more than its limit',
    sql: TOO_MANY,
    says: /SMS to …\d+: \d+ admitted, not 10/,
  },
  {
    invariant: 10,
    name: 'a number that got more than its limit from several gateways',
    sql: TOO_MANY,
    forge: (forged) => Object.assign(forged, { gateways: 2 }),
    says: /SMS to …\d+: \d+ admitted, not 10/,
  },
];
