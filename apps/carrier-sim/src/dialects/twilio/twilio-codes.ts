import type { NativeCodes } from '../../outcomes/magic-number.policy.js';

export const NO_ROUTE_CODE = 21612;
/** Code of a failed receipt that names none: Twilio's "unknown error". */
export const UNKNOWN_FAILURE_CODE = 30008;

/** Codes by the last two digits of a magic number. */
export const TWILIO_NATIVE_CODES: NativeCodes = {
  10: { fail: 30005 },
  11: { fail: 30003 },
  12: { fail: 30008 },
  13: { fail: 30004 },
  14: { fail: 30007 },
  15: { refuse: 21212 },
  16: { refuse: NO_ROUTE_CODE },
  17: { fail: 30410 },
  18: { fail: 30004 },
  19: { fail: 30036 },
  20: { refuse: 21610 },
  21: { fail: 30007 },
  22: { refuse: 21614 },
  23: { fail: 39999 },
  24: { fail: 30450 },
  25: { refuse: 21211 },
  27: { refuse: 20003 },
};

/** Codes with another status than 400. */
const STATUSES: Readonly<Record<number, number>> = {
  20003: 401,
  20005: 403,
  20404: 404,
  20429: 429,
  20500: 500,
  20503: 503,
  21408: 403,
  21611: 429,
  21730: 503,
};

const MESSAGES: Readonly<Record<number, string>> = {
  20001: 'Invalid parameter',
  20003: 'Authenticate',
  20005: 'Account is not active',
  20404: 'The requested resource was not found',
  20429: 'Too Many Requests',
  20500: 'An internal server error has occurred',
  20503: 'Service is unavailable. Please try again',
  21211: "Invalid 'To' Phone Number: {to}",
  21212:
    "The 'From' number {from} is not a valid phone number, shortcode, or alphanumeric sender ID.",
  21408:
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number",
  21602: 'Message body is required.',
  21603: "A 'From' phone number is required.",
  21604: "A 'To' phone number is required.",
  21606: "The 'From' phone number provided is not a valid message-capable Twilio phone number",
  21609: "Invalid 'StatusCallback' url",
  21610: 'Attempt to send to unsubscribed recipient',
  21611: "This 'From' number has exceeded the maximum number of queued messages",
  21612: "Message cannot be sent with the current combination of 'To' and/or 'From' parameters",
  21614: "'To' number is not a valid mobile number: {to}",
  21617: 'The concatenated message body exceeds the 1600 character limit.',
  21659: "'From' {from} is not a Twilio phone number or Short Code country mismatch",
  21730: 'Service is temporarily unavailable for maintenance',
};

export function twilioStatus(code: number): number {
  return STATUSES[code] ?? 400;
}

/** Returns Twilio's text, which contains the number with its last four digits crossed out. */
export function twilioMessage(code: number, to: string, from: string): string {
  const text = MESSAGES[code] ?? `Error ${code}`;
  return text.replace('{to}', to.replace(/\d{4}$/, 'XXXX')).replace('{from}', from);
}
