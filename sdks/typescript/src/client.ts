import { refuse } from './answers.js';
import * as resources from './resources.generated.js';
import { type Clock, SDK_USER_AGENT, Transport } from './transport.js';

export interface WatchwordOptions {
  /** `svc_live_…` or `svc_test_…`; by default the environment's WATCHWORD_KEY. */
  apiKey?: string | undefined;
  /** By default the environment's WATCHWORD_BASE_URL, else a local `npm start`. */
  baseUrl?: string | undefined;
  /** Refuses a key of the other mode, so that a test cannot send. */
  mode?: 'live' | 'test' | undefined;
  /** Milliseconds of one try; by default 30,000. */
  timeoutMs?: number | undefined;
  /** Tries after the first; by default 3. */
  maxRetries?: number | undefined;
  /** Language of `error.message`; by default that of the workspace. */
  language?: 'en' | 'fr' | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
  /** Name and version of your program, put before those of the SDK. */
  userAgent?: string | undefined;
}

const LOCAL = 'http://127.0.0.1:3000';
const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 3;
const KEY = /^svc_(live|test)_[A-Za-z0-9]{32}$/;

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', end, { once: true });
    }),
};

export class Watchword {
  /** Whether the key sends nothing real. */
  readonly isTestMode: boolean;
  /** The address of the API, without a slash at its end. */
  readonly baseUrl: string;
  readonly otp: resources.OtpResource;
  readonly sms: resources.SmsResource;
  readonly messages: resources.MessagesResource;
  readonly emails: resources.EmailsResource;
  readonly templates: resources.TemplatesResource;
  readonly senderIds: resources.SenderIdsResource;
  readonly domains: resources.DomainsResource;
  readonly suppressions: resources.SuppressionsResource;
  readonly quotes: resources.QuotesResource;
  readonly prices: resources.PricesResource;
  readonly balance: resources.BalanceResource;
  readonly ledger: resources.LedgerResource;
  readonly events: resources.EventsResource;
  readonly webhooks: resources.WebhooksResource;
  readonly system: resources.SystemResource;

  constructor(options: WatchwordOptions = {}) {
    const apiKey = options.apiKey ?? environment('WATCHWORD_KEY') ?? '';
    this.isTestMode = modeOf(apiKey, options.mode) === 'test';
    this.baseUrl = addressOf(options.baseUrl ?? environment('WATCHWORD_BASE_URL') ?? LOCAL);
    const transport = new Transport({
      apiKey,
      baseUrl: this.baseUrl,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      maxRetries: options.maxRetries ?? RETRIES_MAX,
      language: options.language,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      clock: options.clock ?? SYSTEM_CLOCK,
      userAgent: [options.userAgent, SDK_USER_AGENT].filter(Boolean).join(' '),
    });
    this.otp = new resources.OtpResource(transport);
    this.sms = new resources.SmsResource(transport);
    this.messages = new resources.MessagesResource(transport);
    this.emails = new resources.EmailsResource(transport);
    this.templates = new resources.TemplatesResource(transport);
    this.senderIds = new resources.SenderIdsResource(transport);
    this.domains = new resources.DomainsResource(transport);
    this.suppressions = new resources.SuppressionsResource(transport);
    this.quotes = new resources.QuotesResource(transport);
    this.prices = new resources.PricesResource(transport);
    this.balance = new resources.BalanceResource(transport);
    this.ledger = new resources.LedgerResource(transport);
    this.events = new resources.EventsResource(transport);
    this.webhooks = new resources.WebhooksResource(transport);
    this.system = new resources.SystemResource(transport);
  }
}

function modeOf(apiKey: string, wanted: 'live' | 'test' | undefined): string {
  if (apiKey === '') {
    const message = 'Give an API key, or WATCHWORD_KEY in the environment.';
    throw refuse('authentication_error', undefined, message);
  }
  const mode = KEY.exec(apiKey)?.[1];
  if (mode === undefined) {
    const message = 'The API key must be svc_live_ or svc_test_ and 32 letters and digits.';
    throw refuse('authentication_error', undefined, message);
  }
  if (wanted === undefined || wanted === mode) return mode;
  throw refuse('authentication_error', undefined, `The API key must begin with svc_${wanted}_.`);
}

function addressOf(baseUrl: string): string {
  if (/^https?:\/\/[^/]/.test(baseUrl)) return baseUrl.replace(/\/+$/, '');
  throw refuse('validation_error', 'baseUrl', 'baseUrl must begin with https:// or http://.');
}

/** Workers have no `process`. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
