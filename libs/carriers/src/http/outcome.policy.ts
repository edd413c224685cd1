import type { Reason } from '@watchword/contracts';
import { forAllKinds, type SubmitOutcome, type SubmitRequest } from '../provider.port.js';
import type { ExchangeResult } from './exchange.js';

export type Answered = Extract<ExchangeResult, { kind: 'answered' }>;
export type Refusal = Extract<SubmitOutcome, { outcome: 'refused' }>;

/**
 * Milliseconds from submit to answer, by the kind of message. A code expires sooner than a text.
 */
export type SubmitDeadlines = Readonly<Record<SubmitRequest['kind'], number>>;

export const SUBMIT_DEADLINES: SubmitDeadlines = { ...forAllKinds(10_000), otp: 5_000 };

/** Milliseconds. A longer `Retry-After` is treated as the carrier's mistake. */
const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1_000;

/** Returns the outcome of an exchange without an answer. */
export function outcomeWithoutAnswer(
  exchange: Exclude<ExchangeResult, { kind: 'answered' }>,
): SubmitOutcome {
  if (exchange.kind === 'unsent') {
    return {
      outcome: 'refused',
      reason: 'provider_unavailable',
      rawCode: exchange.code,
      rawMessage: 'The request could not be sent.',
    };
  }
  return ambiguous(exchange.code, 'The request was sent and not answered.');
}

export function ambiguous(rawCode: string, rawMessage: string): SubmitOutcome {
  return { outcome: 'ambiguous', rawCode, rawMessage };
}

/** Returns the outcome of a 2xx that does not name the accepted message: ambiguous. */
export function unreadableAcceptance(status: number): SubmitOutcome {
  return ambiguous(`HTTP ${status}`, 'The answer could not be read.');
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the refusal of an answer that is no success. A mapped code of the carrier says more than
 * the status, except for a server error, after which nothing is certain.
 */
export function refusalOf(
  answer: Answered,
  mapped: Reason | null,
  raw: { code: string | null; message: string | null },
  nowMs: number,
): Refusal {
  const ofStatus = reasonOfStatus(answer.status);
  const reason = ofStatus === 'provider_unavailable' ? ofStatus : (mapped ?? ofStatus);
  const refusal: Refusal = {
    outcome: 'refused',
    reason,
    rawCode: raw.code ?? `HTTP ${answer.status}`,
    rawMessage: raw.message,
  };
  const retryAfterMs = retryAfterMsOf(answer.retryAfter, nowMs);
  if (reason === 'throttled' && retryAfterMs !== null) refusal.retryAfterMs = retryAfterMs;
  return refusal;
}

function reasonOfStatus(status: number): Reason {
  if (status >= 500) return 'provider_unavailable';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'provider_rejected';
  return 'unknown_error';
}

/** Parses seconds or an HTTP date. Returns null for anything else. */
export function retryAfterMsOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,9}$/.test(header);
  const waitMs = seconds ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX);
}
