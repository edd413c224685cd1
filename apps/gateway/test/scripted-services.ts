import {
  type AcceptRequest,
  type AcceptResult,
  badCursor,
  type BillingCalls,
  type Clock,
  type DestinationFinding,
  type DispatchCalls,
  type LedgerEntry,
  type LedgerQuery,
  type MessageRecord,
  newId,
  type PrefixRestriction,
  type PriceListVersion,
  phoneKindOf,
  refusalOf,
  type SendMessage,
  type TemplateText,
  type VerifyResult,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { NOTHING_REGISTERED } from './scripted-registrations.js';
import type { Scope } from '../src/messages/scope.policy.js';
import { ScriptedContents } from './scripted-contents.js';
import { nothingServed, type ScriptedOperations } from './scripted-operations.js';
import { ScriptedWindows } from './scripted-windows.js';

/** Billing as the edge sees it: records what it accepted, and answers what a test scripts. */
export class ScriptedBilling {
  readonly commands = new Map<string, SendMessage>();
  readonly requests: AcceptRequest[] = [];
  readonly thresholds: Parameters<BillingCalls['setLowBalanceThreshold']>[0][] = [];
  readonly accounts = new Map<string, { balance: number; purchased: number }>();
  readonly entries: LedgerEntry[] = [];
  /** What the next calls of `accept` do instead of accepting. */
  readonly script: (() => Promise<AcceptResult>)[] = [];
  prices: PriceListVersion = {
    version: 1,
    updated_at: '2026-01-05T09:00:00.000Z',
    list: {
      credit_price: { amount: 100, currency: 'NGN' },
      default_credits: 120,
      countries: {
        NG: {
          credits: 5,
          listed: true,
          networks: [{ name: 'MTN', mcc_mnc: ['62130'], credits: 4 }],
        },
        KE: { credits: 12, listed: true, networks: [] },
      },
    },
  };
  private readonly trials = new Set<string>();
  private readonly claims = new Map<string, { fingerprint: string; command: SendMessage }>();
  private readonly windows: ScriptedWindows;
  deleteAuthorisationOf: BillingCalls['deleteAuthorisationOf'] = async () => ({ deleted: false });

  constructor(clock: Clock) {
    this.windows = new ScriptedWindows(clock);
  }

  readonly operations: ScriptedOperations = {
    ...nothingServed('billing'),
    getBalance: async ({ caller }) => {
      const { workspace_id, balance, updated_at } = this.account(caller.workspace_id!);
      return { outcome: { body: { workspace_id, balance, updated_at } } };
    },
    getPrices: async () => ({ outcome: { body: this.prices.list } }),
    /** The cursor is the number of shown entries. */
    listWorkspaceLedgerEntries: async ({ query }) => {
      const { cursor = '0', limit, kind } = query as LedgerQuery;
      if (!/^\d+$/.test(cursor)) return { refusal: refusalOf(badCursor()) };
      const entries = this.entries.filter((entry) => kind === undefined || entry.kind === kind);
      const end = Number(cursor) + limit;
      const data = entries.slice(Number(cursor), end);
      const body = end < entries.length ? { data, next_cursor: String(end) } : { data };
      return { outcome: { body } };
    },
  };

  readonly calls: Partial<BillingCalls> = {
    accept: async (request) => {
      this.requests.push(request);
      const scripted = this.script.shift();
      if (scripted) return scripted();
      const { send, idempotency } = request;
      const identity = `${send.workspace_id} ${idempotency?.scope} ${idempotency?.key}`;
      const known = idempotency && this.claims.get(identity);
      if (known) {
        return known.fingerprint === idempotency.fingerprint
          ? { verdict: 'replayed', command: known.command }
          : { verdict: 'idempotency_conflict' };
      }
      const hasBought = (this.accounts.get(send.workspace_id)?.purchased ?? 0) > 0;
      const limited = this.windows.take(request.windows, hasBought);
      if (limited) return limited;
      const now = Date.now();
      const expiresAt = new Date(now + (send.otp?.ttl_seconds ?? 0) * 1_000).toISOString();
      const command: SendMessage = {
        ...send,
        otp: send.otp && { ...send.otp, expires_at: expiresAt },
        credits: 5 * send.segments,
        credit_price: this.prices.list.credit_price,
        price_rule: 'country:NG@1',
        created_at: new Date(now).toISOString(),
      };
      this.commands.set(command.message_id, command);
      const fingerprint = idempotency?.fingerprint;
      if (fingerprint !== undefined) this.claims.set(identity, { fingerprint, command });
      return { verdict: 'accepted', command };
    },
    findAcceptance: async ({ message_id, ...scope }) => {
      const command = this.commands.get(message_id);
      return { command: command && isWithin(command, scope) ? command : null };
    },
    findReplay: async ({ workspace_id, idempotency }) => {
      const known = this.claims.get(`${workspace_id} ${idempotency.scope} ${idempotency.key}`);
      if (!known) return { verdict: 'new' };
      return known.fingerprint === idempotency.fingerprint
        ? { verdict: 'replayed', command: known.command }
        : { verdict: 'idempotency_conflict' };
    },
    findFullWindows: (request) => this.windows.findFullWindows(request),
    listRecentSends: async ({ workspace_id: workspace, since }) => ({
      data: [...this.commands.values()]
        .filter((command) => command.workspace_id === workspace && !command.resend)
        .filter(({ created_at: at }) => at >= since)
        .map((command) => ({ message_id: command.message_id, kind: phoneKindOf(command) })),
    }),
    openAccount: async ({ workspace_id, credits }) => {
      if (!this.accounts.has(workspace_id)) {
        this.accounts.set(workspace_id, { balance: credits, purchased: 0 });
      }
      return this.account(workspace_id);
    },
    grantTrial: async ({ workspace_id, credits }) => {
      const account = this.accounts.get(workspace_id);
      if (!account) return null;
      if (!this.trials.has(workspace_id)) account.balance += credits;
      this.trials.add(workspace_id);
      return this.account(workspace_id);
    },
    setLowBalanceThreshold: async (request) => {
      this.thresholds.push(request);
      return {};
    },
    getAccount: async ({ workspace_id }) =>
      this.accounts.has(workspace_id) ? this.account(workspace_id) : null,
    getAccounts: async ({ workspace_ids }) => ({
      accounts: workspace_ids.filter((id) => this.accounts.has(id)).map((id) => this.account(id)),
    }),
    setSuspended: async () => ({}),
    receivePaymentCallback: async () => ({ verdict: 'unknown_provider' }),
    deleteAuthorisationOf: (request) => this.deleteAuthorisationOf(request),
    getPriceList: async () => this.prices,
    putPriceList: async ({ list }) => {
      const { version } = this.prices;
      this.prices = { version: version + 1, updated_at: new Date().toISOString(), list };
      return this.prices;
    },
  };

  private account(workspaceId: WorkspaceId) {
    const { balance, purchased } = this.accounts.get(workspaceId) as {
      balance: number;
      purchased: number;
    };
    const updatedAt = '2026-01-05T09:00:00.000Z';
    return {
      workspace_id: workspaceId,
      balance,
      purchased_credits: purchased,
      updated_at: updatedAt,
    };
  }
}

const NOTHING_FOUND = async () => ({ outcome: { body: { data: [] } } });

/** A dispatch that knows a message after a test calls that it arrived. */
export class ScriptedDispatch {
  readonly restrictions: PrefixRestriction[] = [];
  restrictionsVersion = 1;
  readonly messages = new Map<string, MessageRecord>();
  readonly verifications: Parameters<DispatchCalls['verifyOtp']>[0][] = [];
  readonly script: (VerifyResult | Error)[] = [];
  private readonly verified = new Map<string, VerifyResult>();

  /** Findings about numbers. Empty unless a test sets them. */
  readonly findings = new Map<string, DestinationFinding>();
  readonly templates = new Map<string, TemplateText>();
  /** The finding for every email. */
  readonly emailContents = new ScriptedContents();

  readonly operations: ScriptedOperations = {
    ...nothingServed('dispatch'),
    createDomain: async ({ body }) => ({ outcome: { body: { id: newId(), ...(body as object) } } }),
    listDomains: NOTHING_FOUND,
    listMessages: NOTHING_FOUND,
    listOtps: NOTHING_FOUND,
    searchMessages: NOTHING_FOUND,
  };

  readonly calls: Partial<DispatchCalls> = {
    judgeDestinations: async ({ questions }) => ({
      findings: questions.map(
        ({ destination }) =>
          this.findings.get(destination) ?? {
            sender: 'unregistered',
            refusal: null,
            network: null,
          },
      ),
    }),
    ...NOTHING_REGISTERED,
    ...this.emailContents.calls,
    judgeEmails: async ({ questions }) => ({
      findings: questions.map(() => ({ is_verified: true, suppressed: [] })),
    }),
    findTemplate: async ({ reference }) => ({ template: this.templates.get(reference) ?? null }),
    listPrefixRestrictions: async ({ known_version }) => {
      const version = this.restrictionsVersion;
      return { version, restrictions: version === known_version ? null : [...this.restrictions] };
    },
    liftPrefixRestriction: async ({ workspace_id, prefix }) => {
      const at = this.restrictions.findIndex(
        (one) => one.workspace_id === workspace_id && one.prefix === prefix,
      );
      if (at < 0) return { lifted: null };
      this.restrictionsVersion += 1;
      return { lifted: this.restrictions.splice(at, 1)[0]! };
    },
    getMessage: async ({ message_id, kind, ...scope }) => {
      const message = this.messages.get(message_id);
      const own = message?.kind === kind && isWithin(message, scope);
      return { message: own ? message : null };
    },
    getOtpDestination: async ({ otp_id, ...scope }) => {
      const message = this.messages.get(otp_id);
      const own = message?.kind === 'otp' && isWithin(message, scope);
      return own
        ? { destination: message.destination, test_mode: message.test_mode }
        : { destination: null, test_mode: false };
    },
    verifyOtp: async (request) => {
      this.verifications.push(request);
      const result = this.script.shift() ?? checked({});
      if (result instanceof Error) throw result;
      const { workspace_id, idempotency } = request;
      if (idempotency) {
        this.verified.set(`${workspace_id} ${idempotency.scope} ${idempotency.key}`, result);
      }
      return result;
    },
    findVerification: async ({ workspace_id, idempotency: { scope, key } }) => {
      const known = this.verified.get(`${workspace_id} ${scope} ${key}`);
      return { result: known?.outcome === 'checked' ? { ...known, replayed: true } : null };
    },
  };
}

function isWithin(message: Scope, { workspace_id, test_mode }: Scope): boolean {
  return (
    message.workspace_id === workspace_id && message.test_mode === (test_mode ?? message.test_mode)
  );
}

export function checked(
  values: Partial<Extract<VerifyResult, { outcome: 'checked' }>>,
): VerifyResult {
  return {
    outcome: 'checked',
    valid: false,
    status: 'sent',
    attempts_used: 1,
    attempts_remaining: 4,
    replayed: false,
    ...values,
  };
}

export class ScriptedWebhooks {
  readonly operations = nothingServed('webhooks');

  readonly calls: Partial<WebhooksCalls> = {
    readEvents: async () => ({ bodies: [] }),
  };
}
