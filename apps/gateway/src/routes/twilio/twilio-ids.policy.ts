import type { MessageId, WorkspaceId } from '@watchword/contracts';
import { TwilioRefusal } from '../../edge/filters/twilio-envelope.policy.js';

/**
 * Twilio's identifiers are two letters and 32 hexadecimal digits, which is what a UUID has. A workspace
 * is the account (AC), its one Verify service (VA) and its one messaging service (MG).
 */
type Kind = 'AC' | 'VA' | 'MG' | 'VE' | 'SM';

const HEX = /^[0-9a-f]{32}$/i;

export function sidOf(kind: Kind, id: WorkspaceId | MessageId): string {
  return `${kind}${id.replaceAll('-', '')}`;
}

/** Returns the id of a message, or undefined for a text of another form. */
export function idOfSid(kind: Kind, sid: string): MessageId | undefined {
  const hex = sid.slice(2).toLowerCase();
  if (!sid.startsWith(kind) || !HEX.test(hex)) return undefined;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-') as MessageId;
}

export function notFound(path: string): TwilioRefusal {
  const message = `The requested resource ${path} was not found`;
  return new TwilioRefusal('not_found', 20_404, { message });
}

/** Returns a time as RFC 2822 writes it, in the way of Twilio's interface of 2010. */
export function rfc2822(iso: string | null): string | null {
  return iso === null ? null : new Date(iso).toUTCString().replace('GMT', '+0000');
}

/** Whole seconds, as Verify writes times. */
export function wholeSeconds(iso: string): string {
  return iso.replace(/\.\d+/, '');
}
