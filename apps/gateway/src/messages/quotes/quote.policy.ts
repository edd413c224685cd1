import {
  ApiError,
  type DestinationFinding,
  ERROR_MESSAGES,
  type ErrorText,
  type ErrorType,
  type GateVerdict,
  inputMessage,
  type Language,
  QUOTE_GATES,
  type QuoteGate,
  QUIET_HOURS_MESSAGES,
  type QuoteResult,
} from '@watchword/contracts';
import type { CountryFinding } from '../destination.policy.js';

/** A finding at a gate: a refusal that a send would get, or a warning. */
export interface Finding {
  readonly verdict: 'refuse' | 'warn';
  /** An `ApiError`, or only a text where no send has such an error. */
  readonly error: Pick<ApiError, 'text'> & Partial<Pick<ApiError, 'type' | 'retryAfterSeconds'>>;
}

export type Findings = Partial<Record<QuoteGate, Finding>>;

/** The gate of each error type. Undefined where no gate covers it. */
const GATE_OF: Partial<Record<ErrorType, QuoteGate>> = {
  insufficient_credits: 'balance',
  sms_quota_exceeded: 'balance',
  country_not_enabled: 'country',
  prefix_blocked: 'prefix',
  rate_limited: 'number_limit',
  rate_limit_exceeded: 'number_limit',
  sender_id_invalid: 'sender_id',
  dnd_blocked: 'dnd',
};

/** Returns a magic number's refusal at its gate. A refusal without a gate is the answer itself. */
export function magicFinding(refusal: ApiError | null): Findings {
  if (refusal === null) return {};
  const gate = GATE_OF[refusal.type];
  if (gate === undefined) throw refusal;
  return { [gate]: { verdict: 'refuse', error: refusal } };
}

/** Anti-spam judges after the acceptance, so its findings are no errors of the send. */
const ANTI_SPAM: Record<'tag' | 'block' | 'unknown', [Finding['verdict'], ErrorText]> = {
  tag: ['warn', ERROR_MESSAGES.antiSpamTags],
  block: ['refuse', ERROR_MESSAGES.antiSpamBlocks],
  unknown: ['warn', ERROR_MESSAGES.antiSpamUnknown],
};

export function antiSpamFinding(action: keyof typeof ANTI_SPAM | 'none'): Findings {
  if (action === 'none') return {};
  const [verdict, text] = ANTI_SPAM[action];
  return { content: { verdict, error: { text } } };
}

/** A country that is not enabled: the send is refused, or made and logged. */
export function countryFinding(found: CountryFinding | null): Findings {
  if (found === null) return {};
  const verdict = found.verdict === 'refused' ? 'refuse' : 'warn';
  return { country: { verdict, error: found.error } };
}

/** Returns every gate, in order. */
export function gatesOf(findings: Findings, language: Language): GateVerdict[] {
  return QUOTE_GATES.map((gate) => {
    const finding = findings[gate];
    if (!finding) return { gate, verdict: 'pass' };
    const { verdict, error } = finding;
    return {
      gate,
      verdict,
      type: error.type,
      retry_after_seconds: error.retryAfterSeconds,
      message: error.text[language],
    };
  });
}

export function refusal(error: ApiError | null): Finding | undefined {
  return error === null ? undefined : { verdict: 'refuse', error };
}

/** A finding that stops no send. */
export function remark(text: ErrorText | null): Finding | undefined {
  return text === null ? undefined : { verdict: 'warn', error: { text } };
}

/** Returns what to say of a promotional message that waits for the end of quiet hours, or null. */
export function waits(
  { quiet_until: until }: Pick<DestinationFinding, 'quiet_until'>,
  countryCode: string,
): ErrorText | null {
  return until === undefined ? null : QUIET_HOURS_MESSAGES.delayed(countryCode, until);
}

/** Refusal of a `quote_id` that the send cannot use: unknown, used, expired, or made for another send. */
export function spentQuote(): ApiError {
  const field = 'quote_id';
  return new ApiError('validation_error', { field, message: inputMessage(field, 'spentQuote') });
}

export function quoteRefusal(verdict: Exclude<QuoteResult['verdict'], 'quoted'>): ApiError {
  return verdict === 'invalid_quote' ? spentQuote() : new ApiError(verdict);
}

/** Returns the refusal that a rule throws as a value. */
export function refusalBy(rule: () => unknown): ApiError | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
