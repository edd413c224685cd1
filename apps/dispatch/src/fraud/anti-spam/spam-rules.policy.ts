import { linkSigns } from './link.policy.js';
import {
  FLAG_AT,
  LINK_WEIGHTS,
  POINTS_PER_LOGIT,
  SHAPE_WEIGHTS,
  type ShapeSign,
  type Signal,
  SIGNALS,
  type Weight,
} from './spam-signals.policy.js';
import { shapeOf, type TextShape } from './text-shape.policy.js';
import type { BadLabel, Label } from '../../messages/anti-spam-verdict.js';

export interface Judgement {
  readonly label: Label;
  readonly score: number;
  readonly flagged: boolean;
  readonly reasons: readonly string[];
}

/** Of two equally likely labels, the first counts. */
const IN_ORDER: readonly BadLabel[] = ['phishing', 'adult_gambling', 'scam', 'spam'];

const CALL =
  /\b(?:call|text|email|sms|appele[rz]|contactez|repondez|reply|send)\b|\b0\d{9}\b|\+\d{8,15}/;

interface Finding extends Weight {
  readonly name: string;
}

export function judge(text: string): Judgement {
  const findings = findingsIn(shapeOf(text));
  const points = findings.reduce((sum, { weight }) => sum + weight, 0);
  const flagged = points >= FLAG_AT;
  return {
    label: flagged ? labelOf(findings) : 'clean',
    score: scoreOf(points),
    flagged,
    reasons: findings
      .filter(({ weight }) => weight > 0)
      .toSorted((one, other) => other.weight - one.weight)
      .map(({ name }) => name),
  };
}

function findingsIn(shape: TextShape): Finding[] {
  const { plain } = shape;
  const links = linkSigns(plain);
  const findings: Finding[] = [];
  for (const sign of links ?? []) findings.push({ name: sign, ...LINK_WEIGHTS[sign] });
  const seen = shapesSeen(shape);
  for (const name of seen) findings.push({ name, ...SHAPE_WEIGHTS[name] });
  const met = { link: links !== null, no_link: links === null, contact: false };
  met.contact = met.link || CALL.test(plain);
  for (const signal of SIGNALS) if (isFound(signal, plain, met)) findings.push(signal);
  return withoutDoubles(findings);
}

function isFound(
  { pattern, and, unless, needs }: Signal,
  plain: string,
  met: Record<NonNullable<Signal['needs']>, boolean>,
): boolean {
  if (needs !== undefined && !met[needs]) return false;
  return pattern.test(plain) && (and?.test(plain) ?? true) && !unless?.test(plain);
}

function shapesSeen(shape: TextShape): ShapeSign[] {
  const seen: ShapeSign[] = [];
  if (shape.mixesScripts) seen.push('mixed_scripts');
  if (shape.disguisesWords) seen.push('disguised_words');
  if (shape.hidesCharacters) seen.push('hidden_characters');
  if (shape.isMostlyCapitals) seen.push('capitals');
  return seen;
}

/** Pairs of reasons with one meaning. The weaker one is left out. */
const DOUBLES: Readonly<Record<string, string>> = {
  account_threat_alone: 'account_threat',
  messenger_request: 'messenger_handoff',
};

function withoutDoubles(findings: readonly Finding[]): Finding[] {
  const names = new Set(findings.map(({ name }) => name));
  return findings.filter(({ name }) => !names.has(DOUBLES[name] ?? ''));
}

function labelOf(findings: readonly Finding[]): BadLabel {
  const points = new Map<BadLabel, number>();
  for (const { label, weight } of findings) {
    if (label) points.set(label, (points.get(label) ?? 0) + weight);
  }
  const most = Math.max(0, ...points.values());
  return IN_ORDER.find((label) => points.get(label) === most) ?? 'spam';
}

function scoreOf(points: number): number {
  const score = 1 / (1 + Math.exp(-(points - FLAG_AT) / POINTS_PER_LOGIT));
  return Math.round(score * 100) / 100;
}
