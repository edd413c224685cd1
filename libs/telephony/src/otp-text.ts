import { composed } from './rewrite.js';

export type OtpLanguage = 'en' | 'fr';

export interface OtpText {
  language: OtpLanguage;
  /** As `brandOf` returns it. */
  brand: string;
  code: string;
  ttlSeconds: number;
  /** The workspace's own text with `{code}` (required), `{brand}` and `{minutes}`. */
  template?: string | undefined;
  /** The last line of the text. `{code}` in it becomes the code. */
  lastLine?: string | undefined;
}

export type OtpTemplateProblem = 'missing_code' | 'unknown_placeholder';

const PLACEHOLDERS = new Set<string | undefined>(['code', 'brand', 'minutes']);

/** Characters. Keeps every default text within one GSM-7 part, even if each costs two septets. */
const BRAND_LENGTH_MAX = 30;
const BRAND_FALLBACK = 'Watchword';
/** A line break in the brand would end the line that phones look for. */
const LINE_BREAKS = /\s*[\p{Cc}\p{Zl}\p{Zp}]+\s*/gu;
/** Marks without a shape, which turn the direction of a text or hide in it. Joined emoji need U+200D. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** The French text avoids ê, ç and ô, which GSM-7 lacks. */
const DEFAULT_TEXTS: Record<OtpLanguage, (brand: string, code: string, span: string) => string> = {
  en: (brand, code, span) =>
    `Your ${brand} code is ${code}. It expires in ${span}. Never share it.`,
  fr: (brand, code, span) =>
    `Votre code ${brand} est ${code}. Il expire dans ${span}. Ne le partagez jamais.`,
};

const UNITS: Record<OtpLanguage, { minute: string; second: string }> = {
  en: { minute: 'minute', second: 'second' },
  fr: { minute: 'minute', second: 'seconde' },
};

/**
 * Returns the brand for the texts of a workspace: the start of its name, with its accents, quotes
 * and emoji, though a letter outside GSM-7 makes a text UCS-2.
 */
export function brandOf(name: string): string {
  const line = name.normalize('NFC').replace(INVISIBLE, '').replace(LINE_BREAKS, ' ').trim();
  return Array.from(line).slice(0, BRAND_LENGTH_MAX).join('').trimEnd() || BRAND_FALLBACK;
}

export function renderOtpText({ lastLine, ...text }: OtpText): string {
  const body = renderBody(text);
  return lastLine === undefined ? body : `${body}\n${lastLine.replace('{code}', text.code)}`;
}

function renderBody({ language, brand, code, ttlSeconds, template }: OtpText): string {
  if (template === undefined) {
    const span = timeSpan(language, ttlSeconds);
    return DEFAULT_TEXTS[language](brand, code, span);
  }
  const values = new Map([
    ['code', code],
    ['brand', brand],
    ['minutes', String(minutesOf(ttlSeconds))],
  ]);
  // Replaced in one pass, so a brand named "{code}" stays as it is.
  return composed(template).replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => values.get(name) ?? placeholder,
  );
}

/** Returns the problem of a workspace's own text, or null. */
export function otpTemplateProblem(template: string): OtpTemplateProblem | null {
  const names = Array.from(template.matchAll(/\{(\w+)\}/g), (match) => match[1]);
  if (!names.includes('code')) return 'missing_code';
  return names.every((name) => PLACEHOLDERS.has(name)) ? null : 'unknown_placeholder';
}

function timeSpan(language: OtpLanguage, ttlSeconds: number): string {
  const units = UNITS[language];
  if (ttlSeconds < 60) return countOf(ttlSeconds, units.second);
  return countOf(minutesOf(ttlSeconds), units.minute);
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function minutesOf(ttlSeconds: number): number {
  return Math.ceil(ttlSeconds / 60);
}
