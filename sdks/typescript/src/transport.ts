/**
 * Sends requests and repeats those that may be repeated, as `docs/guides/retry-safely.md` says: a POST always with the same
 * Idempotency-Key, and never after a final answer.
 */
import { apiErrorOf, refuse } from './answers.js';
import { type ApiError, ConnectionError, TimeoutError } from './errors.js';
import type { ErrorType } from './models.generated.js';
import { VERSION } from './version.generated.js';

export interface RequestOptions {
  /** One per message, not per try. The SDK makes one of its own for each POST; give yours to survive a restart. */
  idempotencyKey?: string | undefined;
  /** Milliseconds of one try. */
  timeoutMs?: number | undefined;
  /** Tries after the first. */
  maxRetries?: number | undefined;
  /** Language of `error.message`. */
  language?: 'en' | 'fr' | undefined;
  signal?: AbortSignal | undefined;
}

/** Time and chance, so that tests need not wait. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export interface Call {
  method: string;
  path: string;
  body?: unknown;
  query?: Record<string, unknown>;
  /** A number without a plus is refused before it is sent, with this error type. */
  number?: { field: string; type: ErrorType };
}

export interface TransportSettings {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  language?: 'en' | 'fr' | undefined;
  fetch: typeof fetch;
  clock: Clock;
  userAgent: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** A send, over all its tries. */
interface Sending {
  call: Call;
  body: string | undefined;
  options: RequestOptions;
  idempotencyKey: string | undefined;
  attempts: number;
  /** When the last try without an answer ended. */
  unansweredAtMs: number | undefined;
  /** A refusal after a try without an answer was asked for again. */
  isConfirmed: boolean;
}

export const SDK_USER_AGENT = `watchword-typescript/${VERSION}`;

const FIRST_BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 2_000;
/** A longer Retry-After is left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000;
/** After this time an unanswered try runs no longer, so the next answer is final. */
const SETTLED_AFTER_MS = 6_000;
const NO_CONTENT = 204;
/** A header carries no other characters. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
const E164 = /^\+[1-9]\d{7,14}$/;

export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** A value as one segment of a path. */
  static segment(field: string, value: string): string {
    const isText = typeof value === 'string' && value !== '';
    // Two dots would name the path above.
    if (isText && value !== '.' && value !== '..') return encodeURIComponent(value);
    throw refuse(
      'validation_error',
      field,
      `${field} must be a text that is not empty, and no dots.`,
    );
  }

  async send<Result>(call: Call, options: RequestOptions = {}): Promise<Result> {
    checkNumber(call);
    const idempotencyKey = call.method === 'POST' ? keyOf(options) : undefined;
    const sending: Sending = {
      call,
      // Here, because what is no JSON must not look like a broken connection.
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      options,
      idempotencyKey,
      attempts: 0,
      unansweredAtMs: undefined,
      isConfirmed: false,
    };
    for (;;) {
      const outcome = await this.#try(sending);
      if ('result' in outcome) return outcome.result as Result;
      const delayMs = this.#delayOf(sending, outcome.error);
      if (delayMs === undefined) throw outcome.error;
      await this.#settings.clock.sleep(delayMs, options.signal);
    }
  }

  async #try(
    sending: Sending,
  ): Promise<{ result: unknown } | { error: ApiError | ConnectionError }> {
    sending.attempts += 1;
    try {
      const answer = await this.#request(sending);
      if (answer.status >= 200 && answer.status < 300) return { result: resultOf(answer) };
      return { error: apiErrorOf(answer, sending.attempts) };
    } catch (cause) {
      sending.options.signal?.throwIfAborted();
      sending.unansweredAtMs = this.#settings.clock.now();
      return { error: connectionErrorOf(cause, sending) };
    }
  }

  async #request({ call, body, options, idempotencyKey }: Sending): Promise<Answer> {
    const { baseUrl, timeoutMs, fetch: send } = this.#settings;
    const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
    const response = await send(baseUrl + call.path + queryText(call.query), {
      method: call.method,
      headers: this.#headersOf(call, options, idempotencyKey),
      redirect: 'manual',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body }),
    });
    // A proxy may put a byte order mark before it, which Workers keep.
    const text = (await response.text()).replace(/^\uFEFF/, '');
    return { status: response.status, headers: response.headers, text };
  }

  #headersOf(call: Call, options: RequestOptions, idempotencyKey?: string): Record<string, string> {
    const language = options.language ?? this.#settings.language;
    return {
      authorization: `Bearer ${this.#settings.apiKey}`,
      accept: 'application/json',
      'user-agent': this.#settings.userAgent,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(language === undefined ? {} : { 'accept-language': language }),
    };
  }

  /** Returns milliseconds until the next try, or undefined where this error is the end. */
  #delayOf(sending: Sending, error: ApiError | ConnectionError): number | undefined {
    const { clock, maxRetries } = this.#settings;
    if (isFinal(error)) {
      if (sending.unansweredAtMs === undefined || sending.isConfirmed) return undefined;
      if (sending.idempotencyKey === undefined) return undefined;
      sending.isConfirmed = true;
      return Math.max(0, sending.unansweredAtMs + SETTLED_AFTER_MS - clock.now());
    }
    const retries = sending.attempts - 1;
    if (retries >= (sending.options.maxRetries ?? maxRetries)) return undefined;
    const afterSeconds = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
    if (afterSeconds !== undefined) {
      return afterSeconds * 1_000 > RETRY_AFTER_MAX_MS ? undefined : afterSeconds * 1_000;
    }
    const backoffMs = Math.min(BACKOFF_MAX_MS, FIRST_BACKOFF_MS * 2 ** retries);
    return Math.round(backoffMs * (0.5 + clock.random() / 2));
  }
}

/** Whether the same request would be answered in the same way. */
function isFinal(error: ApiError | ConnectionError): boolean {
  if (error instanceof ConnectionError) return false;
  const status = error.status ?? 0;
  if (status >= 500 || status === 429) return false;
  return !(status === 409 && error.type === 'conflict' && error.retryAfterSeconds !== undefined);
}

function connectionErrorOf(cause: unknown, { idempotencyKey, attempts }: Sending): ConnectionError {
  const details = { ...(idempotencyKey === undefined ? {} : { idempotencyKey }), attempts, cause };
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new TimeoutError('No answer came within the time-out.', details);
  }
  return new ConnectionError(`No complete answer came: ${reasonOf(cause)}`, details);
}

/** Node says only "fetch failed", and has the reason in the error's cause. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { message } = cause;
  return cause.cause instanceof Error && cause.cause.message !== ''
    ? `${message} (${cause.cause.message})`
    : message;
}

/** Every answer is an object, or has no content. All else comes from something between. */
function resultOf({ status, text }: Answer): unknown {
  if (status === NO_CONTENT) return undefined;
  const result = JSON.parse(text) as unknown;
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result;
  throw new Error('The answer is no JSON object.');
}

function keyOf({ idempotencyKey }: RequestOptions): string {
  if (idempotencyKey === undefined) return crypto.randomUUID();
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  const message = 'Idempotency-Key must have 1 to 255 characters of ASCII.';
  throw refuse('validation_error', 'Idempotency-Key', message);
}

function checkNumber({ number, body }: Call): void {
  if (!number) return;
  if (typeof body !== 'object' || body === null) {
    throw refuse('validation_error', number.field, `${number.field} must be given.`);
  }
  const value = (body as Record<string, unknown>)[number.field];
  if (typeof value !== 'string' || E164.test(value)) return;
  const message = `${number.field} must be a number in E.164, for example "+2348031234567".`;
  throw refuse(number.type, number.field, message);
}

function queryText(query: Record<string, unknown> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}
