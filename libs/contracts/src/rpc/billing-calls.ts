import { type Static, Type } from '@sinclair/typebox';
import { OtpContent, SendMessage } from '../commands/send-message.v1.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import { paymentCalls } from './payment-calls.js';
import { walls } from './walls.js';

export * from './idempotency-claim.js';

/**
 * A send before billing accepted it: everything of the command but the price and the times, which are those of
 * the acceptance.
 */
export const SendRequest = Type.Composite([
  Type.Omit(SendMessage, ['credits', 'credit_price', 'price_rule', 'created_at', 'otp']),
  Type.Object({ otp: Type.Union([Type.Omit(OtpContent, ['expires_at']), Type.Null()]) }),
]);
export type SendRequest = Static<typeof SendRequest>;

/** What an agent key may spend in one UTC day; checked and reserved in the acceptance transaction. */
export const KeyBudget = Type.Object({
  key_id: Type.String(),
  daily_credits: Type.Integer({ minimum: 0 }),
});
export type KeyBudget = Static<typeof KeyBudget>;

export const AcceptRequest = Type.Object({
  send: SendRequest,
  idempotency: Type.Union([IdempotencyClaim, Type.Null()]),
  /** Of the agent key that sends; absent for other keys. */
  budget: Type.Optional(Type.Union([KeyBudget, Type.Null()])),
  /** A quote whose price the send wants. */
  quote_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const AcceptResult = Type.Union([
  /** Charged, recorded and queued, all in one transaction. */
  Type.Object({ verdict: Type.Literal('accepted'), command: SendMessage }),
  /** The same key and body were accepted before: that command, nothing new. */
  Type.Object({ verdict: Type.Literal('replayed'), command: SendMessage }),
  Type.Object({
    verdict: Type.Literal('insufficient_credits'),
    balance: Type.Integer(),
    required: Type.Integer(),
  }),
  Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
  Type.Object({ verdict: Type.Literal('unknown_workspace') }),
  /** Used, expired, or not made for this send. */
  Type.Object({ verdict: Type.Literal('invalid_quote') }),
  /** The wallet could pay, but the agent key's daily budget has only `left` credits. */
  Type.Object({
    verdict: Type.Literal('daily_budget'),
    left: Type.Integer(),
    required: Type.Integer(),
  }),
]);
export type AcceptRequest = Static<typeof AcceptRequest>;
export type AcceptResult = Static<typeof AcceptResult>;

const BATCH_ITEMS_MAX = 1_000;

/** An item of a batch: a send, or the error that the caller found in it, as text that is stored and given back. */
export const BatchItem = Type.Union([
  Type.Object({ send: SendRequest }),
  Type.Object({ error: Type.String() }),
]);
export type BatchItem = Static<typeof BatchItem>;

/** Many sends of one workspace and mode, accepted in one transaction under one key. */
export const AcceptBatchRequest = Type.Object({
  workspace_id: Type.String(),
  items: Type.Array(BatchItem, { minItems: 1, maxItems: BATCH_ITEMS_MAX }),
  idempotency: Type.Union([IdempotencyClaim, Type.Null()]),
});
export type AcceptBatchRequest = Static<typeof AcceptBatchRequest>;

export const BatchOutcome = Type.Union([
  Type.Object({ verdict: Type.Literal('accepted'), command: SendMessage }),
  /** The wallet could not pay for this item; later, cheaper items may still be accepted. */
  Type.Object({
    verdict: Type.Literal('insufficient_credits'),
    balance: Type.Integer(),
    required: Type.Integer(),
  }),
  /** The error that the caller gave, byte for byte. */
  Type.Object({ verdict: Type.Literal('refused'), error: Type.String() }),
]);
export type BatchOutcome = Static<typeof BatchOutcome>;

export const AcceptBatchResult = Type.Union([
  /** One outcome per item, in order. */
  Type.Object({ verdict: Type.Literal('accepted'), outcomes: Type.Array(BatchOutcome) }),
  /** The same key and body were answered before: the same outcomes, nothing new. */
  Type.Object({ verdict: Type.Literal('replayed'), outcomes: Type.Array(BatchOutcome) }),
  Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
  Type.Object({ verdict: Type.Literal('unknown_workspace') }),
]);
export type AcceptBatchResult = Static<typeof AcceptBatchResult>;

export const BatchReplay = Type.Union([
  Type.Object({ verdict: Type.Literal('new') }),
  Type.Object({ verdict: Type.Literal('replayed'), outcomes: Type.Array(BatchOutcome) }),
  Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
]);
export type BatchReplay = Static<typeof BatchReplay>;

export const QuoteRequest = Type.Composite([
  Type.Pick(SendMessage, [
    'workspace_id',
    'test_mode',
    'kind',
    'destination',
    'country_code',
    'network',
    'segments',
  ]),
  Type.Object({
    idempotency: Type.Optional(Type.Union([IdempotencyClaim, Type.Null()])),
    /** What the caller will answer besides, kept with the key and given back to a replay. */
    remarks: Type.Optional(Type.String()),
  }),
]);

export const QuoteResult = Type.Union([
  Type.Object({
    verdict: Type.Literal('quoted'),
    /** The same key and body were quoted before: that quote, with its remarks. */
    replayed: Type.Boolean(),
    remarks: Type.Optional(Type.String()),
    quote_id: Type.String(),
    expires_at: Type.String(),
    credits: Type.Integer(),
    /** What the wallet would pay now: the credits less what this month's grant covers. */
    due: Type.Optional(Type.Integer()),
    credit_price: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
    /** Of the wallet then; null when there is none. */
    balance: Type.Union([Type.Integer(), Type.Null()]),
  }),
  Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
]);
export type QuoteRequest = Static<typeof QuoteRequest>;
export type QuoteResult = Static<typeof QuoteResult>;

export const TopUpKind = Type.Union([
  Type.Literal('trial'),
  Type.Literal('purchase'),
  Type.Literal('bonus'),
  Type.Literal('adjustment'),
]);
export type TopUpKind = Static<typeof TopUpKind>;

/**
 * Largest balance that a top-up may reach. JSON carries whole numbers exactly up to 2^53 - 1, which the database
 * enforces; the room above this limit is for refunds, which must never fail.
 */
export const BALANCE_MAX = 1_000_000_000_000_000;

export const LedgerEntry = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('charge'), Type.Literal('refund'), Type.Literal('top_up')]),
  top_up_kind: Type.Optional(TopUpKind),
  /** Signed: what the wallet gained or lost. */
  credits: Type.Integer(),
  balance_after: Type.Integer(),
  message_id: Type.Optional(Type.String()),
  /** Of a purchase that was paid for through a provider, and of what took it back. */
  payment_id: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  created_at: Type.String(),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

/**
 * Bounds of prices, per segment and per credit: what the longest message costs, in the smallest currency unit,
 * is still a whole number that JSON brings across exactly.
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
  workspace_id: Type.String(),
  balance: Type.Integer(),
  purchased_credits: Type.Integer(),
  updated_at: Type.String(),
});

/** Of an acceptance, what limits go by. */
export const AcceptanceNote = Type.Object({
  message_id: Type.String(),
  workspace_id: Type.String(),
  kind: Type.String(),
  destination: Type.String(),
  created_at: Type.String(),
});
export type AcceptanceNote = Static<typeof AcceptanceNote>;

export const RecentSend = Type.Object({
  message_id: Type.String(),
  kind: Type.Union([Type.Literal('otp'), Type.Literal('sms')]),
});
export type RecentSend = Static<typeof RecentSend>;

/** Used before the wallet pays, in each calendar month of UTC; zero is nothing. */
export const Quotas = Type.Object({
  sms_segments_per_month: Type.Integer({ minimum: 0 }),
  emails_per_month: Type.Integer({ minimum: 0 }),
});
export const Plan = Type.Composite([
  Quotas,
  Type.Object({
    /** The current one: `2026-11`. */
    month: Type.String(),
    sms_segments_left: Type.Integer({ minimum: 0 }),
    emails_left: Type.Integer({ minimum: 0 }),
  }),
]);
export type Plan = Static<typeof Plan>;

const ByWorkspace = Type.Object({ workspace_id: Type.String() });

export const billingCalls = defineCalls('billing', {
  /** Price, debit, ledger, idempotency key and outbox command: one transaction for a batch of callers. */
  accept: call(AcceptRequest, AcceptResult, { deadlineMs: 5_000, idempotent: false }),
  /** One transaction for a batch of one workspace: what can be paid is accepted, in the order of the items. */
  acceptBatch: call(AcceptBatchRequest, AcceptBatchResult, {
    deadlineMs: 15_000,
    idempotent: false,
  }),
  /** Looks the key of a batch up without doing anything. */
  findBatchReplay: call(
    Type.Object({ workspace_id: Type.String(), idempotency: IdempotencyClaim }),
    BatchReplay,
  ),
  /** What a key with a daily budget has spent in the current UTC day: charges less refunds. */
  getKeySpending: call(
    Type.Object({ key_id: Type.String(), test_mode: Type.Boolean() }),
    Type.Object({
      /** `2026-11-22`. */
      day: Type.String(),
      credits: Type.Integer(),
    }),
  ),
  /** What a send would cost now, and a price that holds for one send within a minute. */
  quote: call(QuoteRequest, QuoteResult),
  /**
   * The accepted command of a message, for reads that outrun dispatch. Null for a message of another
   * workspace, or of another mode than the caller's (`test_mode`; null sees both).
   */
  findAcceptance: call(
    Type.Object({ ...walls, message_id: Type.String() }),
    Type.Object({ command: Type.Union([SendMessage, Type.Null()]) }),
  ),
  /**
   * Live sends that were accepted from `since` until before `until`, oldest first: after a crash, what
   * the limits by destination have to count.
   */
  listAcceptances: call(
    Type.Object({
      since: Type.String(),
      until: Type.String(),
      after: Type.Optional(Type.String()),
      limit: Type.Integer({ minimum: 1, maximum: 10_000 }),
    }),
    Type.Object({ data: Type.Array(AcceptanceNote), next_after: Type.Optional(Type.String()) }),
  ),
  /** The newest messages of a workspace, of those accepted from `since` on; twenty, not more. */
  listRecentSends: call(
    Type.Object({ ...walls, since: Type.String() }),
    Type.Object({ data: Type.Array(RecentSend) }),
  ),
  /** Looks a key up without doing anything: is this request a replay? */
  findReplay: call(
    Type.Object({ workspace_id: Type.String(), idempotency: IdempotencyClaim }),
    Type.Union([
      Type.Object({ verdict: Type.Literal('new') }),
      Type.Object({ verdict: Type.Literal('replayed'), command: SendMessage }),
      Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
    ]),
  ),
  /** Opens the wallet of a workspace with an opening entry (if any credits). Safe to repeat. */
  openAccount: call(
    Type.Object({
      workspace_id: Type.String(),
      credits: Type.Integer({ minimum: 0 }),
      kind: TopUpKind,
    }),
    Account,
  ),
  /** Enters the trial credits of a workspace, once ever. `null` when it has no account. */
  grantTrial: call(
    Type.Object({ workspace_id: Type.String(), credits: Type.Integer({ minimum: 1 }) }),
    Type.Union([Account, Type.Null()]),
  ),
  /**
   * The balance below which `credit.low` is published, once per crossing; null means never. A balance that
   * is below it already publishes nothing.
   */
  setLowBalanceThreshold: call(
    Type.Object({
      workspace_id: Type.String(),
      threshold: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    }),
    Type.Object({}),
  ),
  /** `null` when the workspace has no account. */
  getAccount: call(ByWorkspace, Type.Union([Account, Type.Null()])),
  /** Balances of many workspaces at once, for operator lists. Unknown ones are absent. */
  getAccounts: call(
    Type.Object({ workspace_ids: Type.Array(Type.String(), { maxItems: 200 }) }),
    Type.Object({ accounts: Type.Array(Account) }),
  ),
  topUp: call(
    Type.Object({
      workspace_id: Type.String(),
      credits: Type.Integer(),
      kind: TopUpKind,
      note: Type.Optional(Type.String()),
      idempotency: Type.Union([IdempotencyClaim, Type.Null()]),
    }),
    Type.Union([
      Type.Object({
        verdict: Type.Union([Type.Literal('done'), Type.Literal('replayed')]),
        entry: LedgerEntry,
      }),
      Type.Object({ verdict: Type.Literal('idempotency_conflict') }),
      Type.Object({ verdict: Type.Literal('unknown_workspace') }),
      /** A negative adjustment larger than the balance. */
      Type.Object({ verdict: Type.Literal('balance_too_low'), balance: Type.Integer() }),
      /** The balance, or the credits bought in total, would exceed `BALANCE_MAX`. */
      Type.Object({ verdict: Type.Literal('balance_too_high'), balance: Type.Integer() }),
    ]),
    { idempotent: false },
  ),
  /** Newest first; `cursor` is opaque. */
  listEntries: call(
    Type.Object({
      workspace_id: Type.String(),
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      cursor: Type.Optional(Type.String()),
      kind: Type.Optional(Type.String()),
    }),
    Type.Union([
      Type.Object({ data: Type.Array(LedgerEntry), next_cursor: Type.Optional(Type.String()) }),
      Type.Object({ verdict: Type.Literal('bad_cursor') }),
    ]),
  ),
  /** `null` when the workspace has no account. */
  getPlan: call(ByWorkspace, Type.Union([Plan, Type.Null()])),
  /**
   * Changes what is left of the current month at once; what is used already stays used. `null` when
   * the workspace has no account.
   */
  setPlan: call(Type.Composite([ByWorkspace, Quotas]), Type.Union([Plan, Type.Null()])),
  getPriceList: call(Type.Object({}), PriceListVersion),
  /** Replaces the list: holds for sends within 5 s on every billing process. */
  putPriceList: call(Type.Object({ list: PriceList }), PriceListVersion),
  ...paymentCalls,
});
export type BillingCalls = CallsOf<typeof billingCalls>;
