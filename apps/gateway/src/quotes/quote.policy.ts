import {
  ApiError,
  type ErrorType,
  type GateVerdict,
  type Language,
  QUOTE_GATES,
  type QuoteGate,
} from '@watchword/contracts';

/** What stands at a gate: a refusal that a send would get, or something worth knowing. */
export interface Finding {
  readonly verdict: 'refuse' | 'warn';
  readonly error: ApiError;
}

export type Findings = Partial<Record<QuoteGate, Finding>>;

/** Where a send is refused with this type; undefined for what no gate is about. */
const GATE_OF: Partial<Record<ErrorType, QuoteGate>> = {
  insufficient_credits: 'balance',
  country_not_enabled: 'country',
  prefix_blocked: 'prefix',
  rate_limited: 'number_limit',
  sender_id_invalid: 'sender_id',
  dnd_blocked: 'dnd',
};

/** A magic number's refusal at its gate; one that belongs to none is the answer itself. */
export function magicFinding(refusal: ApiError | null): Findings {
  if (refusal === null) return {};
  const gate = GATE_OF[refusal.type];
  if (gate === undefined) throw refusal;
  return { [gate]: { verdict: 'refuse', error: refusal } };
}

/** Every gate, in its order. */
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

/** The refusal that a rule throws, as a value. */
export function refusalBy(rule: () => unknown): ApiError | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
