import { type Label, LABELS } from '../../messages/anti-spam-verdict.js';

/** What a classifier says of a text. */
export interface HttpAnswer {
  readonly label: Label;
  readonly score: number;
  readonly reasons: readonly string[];
}

const REASONS_MAX = 10;
const REASON = /^[\w .:/-]{1,64}$/;

/** Masks digits: codes, amounts and numbers must not leave the platform. */
export function withoutDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, '#');
}

/** Returns null for a body that is no such answer. Reasons that are not plain words are dropped. */
export function answerIn(body: string): HttpAnswer | null {
  const given = parsed(body);
  if (typeof given !== 'object' || given === null) return null;
  const { label: word, score, reasons = [] } = given as Record<string, unknown>;
  const label = LABELS.find((each) => each === word);
  if (label === undefined || !isShare(score) || !Array.isArray(reasons)) return null;
  const plain = reasons.filter((one) => typeof one === 'string' && REASON.test(one)) as string[];
  return { label, score, reasons: plain.slice(0, REASONS_MAX) };
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Returns null for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
