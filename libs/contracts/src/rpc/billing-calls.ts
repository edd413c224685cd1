import { type Static, Type } from '@sinclair/typebox';
import type { ApiKeyId, EntryId, MessageId, PaymentId, WorkspaceId } from '../ids.js';
import { MESSAGE_KINDS } from '../channels/channels.js';
import { OtpContent } from '../channels/otp/otp-content.schema.js';
import { SendMessage } from '../commands/send-message.v1.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import { paymentCalls } from './payment-calls.js';
import { quoteCalls } from './quote-calls.js';
import { callerScope } from './isolation.js';
import { Statement, TopUpKind } from './statement.schema.js';
import { idOf, nullable, verdict, words } from '../shapes.js';

export * from './idempotency-claim.js';
export * from './statement.schema.js';

/** A send before its acceptance: the command without price and times, which the acceptance sets. */
export const SendRequest = Type.Composite([
  Type.Omit(SendMessage, ['credits', 'credit_price', 'price_rule', 'created_at', 'otp']),
  Type.Object({ otp: nullable(Type.Omit(OtpContent, ['expires_at'])) }),
]);
export type SendRequest = Static<typeof SendRequest>;

/**
 * Credits that an agent key may spend in one UTC day. The acceptance transaction checks and
 * reserves them.
 */
export const KeyBudget = Type.Object({
  key_id: idOf<ApiKeyId>(),
  daily_credits: Type.Integer({ minimum: 0 }),
});
export type KeyBudget = Static<typeof KeyBudget>;

/** A limit of sends to a number or a prefix, counted in windows by the acceptance transaction. */
export const SendWindow = Type.Object({
  /** Hash of what it counts, as 32 hexadecimal digits. */
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  limit: Type.Integer({ minimum: 0 }),
  seconds: Type.Integer({ minimum: 1 }),
  /** Counted for all trial workspaces together. A workspace that has bought credits is exempt. */
  shared: Type.Optional(Type.Boolean()),
});
export type SendWindow = Static<typeof SendWindow>;
/** In the order in which they refuse. */
const SendWindows = Type.Array(SendWindow, { maxItems: 5 });

export const AcceptRequest = Type.Object({
  send: SendRequest,
  idempotency: nullable(IdempotencyClaim),
  /** The daily budget of an agent key. Absent for other keys. */
  budget: Type.Optional(nullable(KeyBudget)),
  /** Id of the quote with the price that applies. */
  quote_id: Type.Optional(nullable(Type.String())),
  windows: Type.Optional(SendWindows),
});

/** A window is full: nothing was charged or counted. */
const Limited = Type.Object({
  verdict: Type.Literal('limited'),
  retry_after_seconds: Type.Integer({ minimum: 1 }),
});

export const AcceptResult = Type.Union([
  /** The message was charged, recorded and queued in one transaction. */
  Type.Object({ verdict: Type.Literal('accepted'), command: SendMessage }),
  /** The same key and body were accepted before. Returns that command; nothing new happened. */
  Type.Object({ verdict: Type.Literal('replayed'), command: SendMessage }),
  Type.Object({
    verdict: Type.Literal('insufficient_credits'),
    balance: Type.Integer(),
    required: Type.Integer(),
  }),
  verdict('idempotency_conflict'),
  verdict('unknown_workspace'),
  /** The quote was used, has expired, or belongs to another send. */
  verdict('invalid_quote'),
  /** The balance suffices, but the agent key's daily budget has only `left` credits. */
  Type.Object({
    verdict: Type.Literal('daily_budget'),
    left: Type.Integer(),
    required: Type.Integer(),
  }),
  Limited,
]);
export type AcceptRequest = Static<typeof AcceptRequest>;
export type AcceptResult = Static<typeof AcceptResult>;

const BATCH_ITEMS_MAX = 1_000;

/**
 * An item of a batch: a send, or the error of a bad item as JSON text, which is stored and
 * returned.
 */
export const BatchItem = Type.Union([
  Type.Object({ send: SendRequest, windows: Type.Optional(SendWindows) }),
  Type.Object({ error: Type.String() }),
]);
export type BatchItem = Static<typeof BatchItem>;

/** Sends of one workspace and mode, accepted in one transaction under one idempotency key. */
export const AcceptBatchRequest = Type.Object({
  workspace_id: idOf<WorkspaceId>(),
  items: Type.Array(BatchItem, { minItems: 1, maxItems: BATCH_ITEMS_MAX }),
  idempotency: nullable(IdempotencyClaim),
});
export type AcceptBatchRequest = Static<typeof AcceptBatchRequest>;

export const BatchOutcome = Type.Union([
  Type.Object({ verdict: Type.Literal('accepted'), command: SendMessage }),
  /** The balance does not suffice for this item. Later, cheaper items may still be accepted. */
  Type.Object({
    verdict: Type.Literal('insufficient_credits'),
    balance: Type.Integer(),
    required: Type.Integer(),
  }),
  Limited,
  /** The caller's error text, byte for byte. */
  Type.Object({ verdict: Type.Literal('refused'), error: Type.String() }),
]);
export type BatchOutcome = Static<typeof BatchOutcome>;

export const AcceptBatchResult = Type.Union([
  /** One outcome per item, in the order of the items. */
  Type.Object({ verdict: Type.Literal('accepted'), outcomes: Type.Array(BatchOutcome) }),
  /** The same key and body were answered before. Returns those outcomes; nothing new happened. */
  Type.Object({ verdict: Type.Literal('replayed'), outcomes: Type.Array(BatchOutcome) }),
  verdict('idempotency_conflict'),
  verdict('unknown_workspace'),
]);
export type AcceptBatchResult = Static<typeof AcceptBatchResult>;

export const BatchReplay = Type.Union([
  verdict('new'),
  Type.Object({ verdict: Type.Literal('replayed'), outcomes: Type.Array(BatchOutcome) }),
  verdict('idempotency_conflict'),
]);
export type BatchReplay = Static<typeof BatchReplay>;

/**
 * Largest balance after a top-up. JSON is exact up to 2^53 - 1, which the database enforces. The
 * difference is room for refunds, which must never fail.
 */
export const BALANCE_MAX = 1_000_000_000_000_000;

export const LedgerEntry = Type.Object({
  id: idOf<EntryId>(),
  kind: words('charge', 'refund', 'top_up'),
  top_up_kind: Type.Optional(TopUpKind),
  /** Change of the balance; negative for a debit. */
  credits: Type.Integer(),
  balance_after: Type.Integer(),
  message_id: Type.Optional(idOf<MessageId>()),
  /** Present for a purchase through a provider, and for its reversal. */
  payment_id: Type.Optional(idOf<PaymentId>()),
  note: Type.Optional(Type.String()),
  created_at: Type.String(),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

/** An entry of one message: its charge, or the refund of it. */
export const MessageEntry = Type.Composite([
  LedgerEntry,
  Type.Object({
    /** The rule of the price list by which the charge was computed. */
    price_rule: nullable(Type.String()),
  }),
]);
export type MessageEntry = Static<typeof MessageEntry>;

/** Milliseconds; a month of a large workspace has millions of entries. */
const STATEMENT_DEADLINE_MS = 20_000;

/**
 * Bounds of prices, per segment and per credit. They keep the price of the longest message, in the
 * smallest currency unit, below 2^53, so JSON is exact.
 */
const SegmentCredits = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const CreditAmount = Type.Integer({ minimum: 0, maximum: 100_000_000 });

export const NetworkRate = Type.Object({
  name: Type.String(),
  mcc_mnc: Type.Array(Type.String()),
  credits: SegmentCredits,
});

const CountryRate = Type.Object({
  credits: SegmentCredits,
  listed: Type.Boolean(),
  networks: Type.Array(NetworkRate),
});

/** The editable price list (operator API). Countries absent from it cost `default_credits`. */
export const PriceList = Type.Object({
  credit_price: Type.Object({ amount: CreditAmount, currency: Type.String() }),
  default_credits: SegmentCredits,
  countries: Type.Record(Type.String(), CountryRate),
});
export type PriceList = Static<typeof PriceList>;
export const PriceListVersion = Type.Object({
  version: Type.Integer(),
  updated_at: Type.String(),
  list: PriceList,
});
export type PriceListVersion = Static<typeof PriceListVersion>;

export const Account = Type.Object({
  workspace_id: idOf<WorkspaceId>(),
  balance: Type.Integer(),
  purchased_credits: Type.Integer(),
  updated_at: Type.String(),
});

export const RecentSend = Type.Object({
  message_id: idOf<MessageId>(),
  kind: words(...MESSAGE_KINDS),
});
export type RecentSend = Static<typeof RecentSend>;

/** Free units per calendar month (UTC), used before the wallet pays. Zero means none. */
export const Quotas = Type.Object({
  sms_segments_per_month: Type.Integer({ minimum: 0 }),
  emails_per_month: Type.Integer({ minimum: 0 }),
});
export const Plan = Type.Composite([
  Quotas,
  Type.Object({
    /** The current month, for example `2026-11`. */
    month: Type.String(),
    sms_segments_left: Type.Integer({ minimum: 0 }),
    emails_left: Type.Integer({ minimum: 0 }),
  }),
]);
export type Plan = Static<typeof Plan>;

const ByWorkspace = Type.Object({ workspace_id: idOf<WorkspaceId>() });

export const billingCalls = defineCalls('billing', {
  /**
   * Prices, debits, and stores entry, idempotency key and queue command, in one transaction for a
   * batch of callers.
   */
  accept: call(AcceptRequest, AcceptResult, { idempotent: false }),
  /**
   * Accepts a batch of one workspace in one transaction. Items are paid in order, while the balance
   * suffices.
   */
  acceptBatch: call(AcceptBatchRequest, AcceptBatchResult, {
    deadlineMs: 15_000,
    idempotent: false,
  }),
  /** Looks up the idempotency key of a batch. Changes nothing. */
  findBatchReplay: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), idempotency: IdempotencyClaim }),
    BatchReplay,
  ),
  /**
   * Returns what a key with a daily budget has spent in the current UTC day: charges less refunds.
   */
  getKeySpending: call(
    Type.Object({ key_id: idOf<ApiKeyId>(), test_mode: Type.Boolean() }),
    Type.Object({
      /** The UTC day, for example `2026-11-22`. */
      day: Type.String(),
      credits: Type.Integer(),
    }),
  ),
  /**
   * Returns the accepted command of a message, for reads before dispatch has the message. Null for
   * a message of another workspace, or of another mode than `test_mode` (null sees both).
   */
  findAcceptance: call(
    Type.Object({ ...callerScope, message_id: idOf<MessageId>() }),
    Type.Object({ command: nullable(SendMessage) }),
  ),
  /** Returns for each window how long it is full: null when it admits a send. Counts nothing. */
  findFullWindows: call(
    Type.Object({ windows: SendWindows }),
    Type.Object({ retry_after_seconds: Type.Array(nullable(Type.Integer({ minimum: 1 }))) }),
  ),
  /**
   * Returns the newest messages of a workspace accepted from `since` on, at most twenty: OTPs and SMS,
   * or with `emails` only emails.
   */
  listRecentSends: call(
    Type.Object({ ...callerScope, since: Type.String(), emails: Type.Optional(Type.Boolean()) }),
    Type.Object({ data: Type.Array(RecentSend) }),
  ),
  /** Looks up an idempotency key, to find whether a request is a replay. Changes nothing. */
  findReplay: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), idempotency: IdempotencyClaim }),
    Type.Union([
      verdict('new'),
      Type.Object({ verdict: Type.Literal('replayed'), command: SendMessage }),
      verdict('idempotency_conflict'),
    ]),
  ),
  /** Opens the wallet of a workspace, with an opening entry if it gets credits. Safe to repeat. */
  openAccount: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      credits: Type.Integer({ minimum: 0 }),
      kind: TopUpKind,
    }),
    Account,
  ),
  /** Enters the trial credits of a workspace, at most once ever. `null` when it has no account. */
  grantTrial: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), credits: Type.Integer({ minimum: 1 }) }),
    nullable(Account),
  ),
  /**
   * Sets the balance below which `credit.low` is published, once per crossing; null means never. A
   * balance that is already below it publishes nothing.
   */
  setLowBalanceThreshold: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      threshold: nullable(Type.Integer({ minimum: 0 })),
    }),
    Type.Object({}),
  ),
  /** Begins and ends a suspension: no automatic top-up is charged meanwhile. */
  setSuspended: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), suspended: Type.Boolean() }),
    Type.Object({}),
  ),
  /** Returns `null` when the workspace has no account. */
  getAccount: call(ByWorkspace, nullable(Account)),
  /** Returns the balances of many workspaces, for operator lists. Unknown workspaces are absent. */
  getAccounts: call(
    Type.Object({ workspace_ids: Type.Array(idOf<WorkspaceId>(), { maxItems: 200 }) }),
    Type.Object({ accounts: Type.Array(Account) }),
  ),
  /** Sums the entries of a month, `2026-11`. An entry belongs to exactly one month. */
  getStatement: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), month: Type.String() }),
    Statement,
    { deadlineMs: STATEMENT_DEADLINE_MS },
  ),
  /** Returns charges and refunds of the messages, oldest first. */
  listMessageEntries: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      message_ids: Type.Array(idOf<MessageId>(), { maxItems: 100 }),
    }),
    Type.Object({ data: Type.Array(MessageEntry) }),
  ),
  getPriceList: call(Type.Object({}), PriceListVersion),
  /** Replaces the price list. Every billing process uses it within 5 s. */
  putPriceList: call(Type.Object({ list: PriceList }), PriceListVersion),
  ...paymentCalls,
  ...quoteCalls,
});
export type BillingCalls = CallsOf<typeof billingCalls>;
