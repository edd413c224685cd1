import { writtenDigits } from '@watchword/telephony';
import { TwilioRefusal } from '../../edge/filters/twilio-envelope.policy.js';

/** Twilio's codes for an input that is missing or that cannot be served. */
export const INVALID_PARAMETER = 60_200;
export const UNKNOWN_PARAMETERS = 20_001;

/** The members of a form. Repeated ones keep the first value. */
export type Form = ReadonlyMap<string, string>;

/**
 * Reads a form of Twilio's libraries. A parameter that is not served is refused with `code`, because
 * ignoring it would do something else than Twilio does.
 */
export function readForm(body: unknown, served: readonly string[], code: number): Form {
  const text = typeof body === 'string' ? body : '';
  if (text.includes('%00')) throw refusal(code, 'The body contains a NUL character.');
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (!served.includes(name)) {
      throw refusal(
        code,
        `Parameter ${name.slice(0, 64)} is not supported. Supported: ${served.join(', ')}.`,
      );
    }
    if (!form.has(name)) form.set(name, value);
  }
  return form;
}

export function required(form: Form, name: string, code: number): string {
  const value = form.get(name) ?? '';
  if (value === '') throw refusal(code, `Required parameter ${name} is missing.`);
  return value;
}

/** Returns a number as Twilio takes it: blanks, hyphens, dots, brackets and invisible characters do not count. */
export function numberOf(to: string): string {
  return writtenDigits(to).replaceAll(/[().]/g, '');
}

export function refusal(code: number, message: string): TwilioRefusal {
  return new TwilioRefusal('validation_error', code, { message });
}
