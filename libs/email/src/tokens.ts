import { createHmac, timingSafeEqual } from 'node:crypto';
import { base32, fromBase32 } from './base32.js';

/** A recipient of an email: the email's id and the recipient's index in its list. */
export interface RecipientRef {
  readonly emailId: string;
  readonly recipient: number;
}

/** The contents of an unsubscribe link, which works long after the email is purged. */
export interface UnsubscribeRef extends RecipientRef {
  readonly workspaceId: string;
  readonly address: string;
}

const LINK_MAC_BYTES = 16;
/** Bytes that fit a local part of 64 characters. 96 bits cannot be guessed over SMTP. */
const MAILBOX_MAC_BYTES = 12;
/** Of local parts that the listener takes. */
const MAILBOX_PREFIXES = { 'return-path': 'bounce+', 'unsubscribe-mailbox': 'unsub+' } as const;
const UUID_BYTES = 16;
const HOUR_MS = 3_600_000;
const RECIPIENTS_MAX = 256;

type MailboxPurpose = keyof typeof MAILBOX_PREFIXES;
type Purpose = 'open' | 'click' | 'unsubscribe' | MailboxPurpose;

/**
 * Signed names of recipients, for links in an email and for its return path. A token identifies the
 * recipient and cannot be made or changed without the secret. Each purpose has its own signature.
 */
export class EmailTokens {
  private readonly secrets: readonly string[];

  /** The first secret signs. Tokens of each of them are read. */
  constructor(...secrets: readonly string[]) {
    this.secrets = secrets;
  }

  /** Makes the tokens from `CALLBACK_SECRET`, which the sending and the receiving process share. */
  static of(...callbackSecrets: readonly string[]): EmailTokens {
    return new EmailTokens(...callbackSecrets.map(emailTokenSecret));
  }

  open(ref: RecipientRef): string {
    return this.link('open', refBytes(ref));
  }

  readOpen(token: string): RecipientRef | null {
    const body = this.readLink('open', token);
    return body === null || body.length !== UUID_BYTES + 1 ? null : refOf(body);
  }

  /**
   * Returns a click token. It contains the target, so the redirect only leads to URLs that were
   * sent.
   */
  click(ref: RecipientRef, url: string): string {
    return this.link('click', Buffer.concat([refBytes(ref), Buffer.from(url, 'utf8')]));
  }

  readClick(token: string): (RecipientRef & { readonly url: string }) | null {
    const body = this.readLink('click', token);
    if (body === null || body.length <= UUID_BYTES + 1) return null;
    return { ...refOf(body), url: body.toString('utf8', UUID_BYTES + 1) };
  }

  unsubscribe(ref: UnsubscribeRef): string {
    const address = Buffer.from(ref.address, 'utf8');
    return this.link(
      'unsubscribe',
      Buffer.concat([refBytes(ref), uuidBytes(ref.workspaceId), address]),
    );
  }

  readUnsubscribe(token: string): UnsubscribeRef | null {
    const body = this.readLink('unsubscribe', token);
    const addressAt = 2 * UUID_BYTES + 1;
    if (body === null || body.length <= addressAt) return null;
    const workspaceId = uuidOf(body, UUID_BYTES + 1);
    return { ...refOf(body), workspaceId, address: body.toString('utf8', addressAt) };
  }

  /**
   * Returns the local part of the envelope sender. Lower case, because some servers change the
   * case.
   */
  returnPath(ref: RecipientRef, expiresAtMs: number): string {
    return this.mailbox('return-path', ref, expiresAtMs);
  }

  /** Returns null for a local part that we did not sign or that has expired. */
  readReturnPath(localPart: string, nowMs: number): RecipientRef | null {
    return this.readMailbox('return-path', localPart, nowMs);
  }

  /** Returns the local part that unsubscribes: the `mailto:` of `List-Unsubscribe` (RFC 2369). */
  unsubscribeMailbox(ref: RecipientRef, expiresAtMs: number): string {
    return this.mailbox('unsubscribe-mailbox', ref, expiresAtMs);
  }

  readUnsubscribeMailbox(localPart: string, nowMs: number): RecipientRef | null {
    return this.readMailbox('unsubscribe-mailbox', localPart, nowMs);
  }

  private mailbox(purpose: MailboxPurpose, ref: RecipientRef, expiresAtMs: number): string {
    const expiry = Buffer.alloc(4);
    expiry.writeUInt32BE(Math.ceil(expiresAtMs / HOUR_MS));
    const body = Buffer.concat([refBytes(ref), expiry.subarray(1)]);
    const mac = this.sign(purpose, body, MAILBOX_MAC_BYTES);
    return MAILBOX_PREFIXES[purpose] + base32(Buffer.concat([body, mac]));
  }

  private readMailbox(
    purpose: MailboxPurpose,
    localPart: string,
    nowMs: number,
  ): RecipientRef | null {
    const lower = localPart.toLowerCase();
    const prefix = MAILBOX_PREFIXES[purpose];
    if (!lower.startsWith(prefix)) return null;
    const bytes = fromBase32(lower.slice(prefix.length));
    if (bytes?.length !== UUID_BYTES + 4 + MAILBOX_MAC_BYTES) return null;
    const body = bytes.subarray(0, UUID_BYTES + 4);
    if (!this.isSigned(purpose, body, bytes.subarray(body.length))) return null;
    return body.readUIntBE(UUID_BYTES + 1, 3) * HOUR_MS < nowMs ? null : refOf(body);
  }

  private link(purpose: Purpose, body: Buffer): string {
    return Buffer.concat([this.sign(purpose, body, LINK_MAC_BYTES), body]).toString('base64url');
  }

  private readLink(purpose: Purpose, token: string): Buffer | null {
    // A different spelling of the same bytes is not our token.
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= LINK_MAC_BYTES || bytes.toString('base64url') !== token) return null;
    const body = bytes.subarray(LINK_MAC_BYTES);
    return this.isSigned(purpose, body, bytes.subarray(0, LINK_MAC_BYTES)) ? body : null;
  }

  private sign(purpose: Purpose, body: Buffer, length: number): Buffer {
    const [secret] = this.secrets;
    if (secret === undefined) throw new Error('tokens of emails need a secret');
    return macOf(secret, purpose, body, length);
  }

  private isSigned(purpose: Purpose, body: Buffer, mac: Buffer): boolean {
    return this.secrets.some((secret) =>
      timingSafeEqual(macOf(secret, purpose, body, mac.length), mac),
    );
  }
}

function macOf(secret: string, purpose: Purpose, body: Buffer, length: number): Buffer {
  const hmac = createHmac('sha256', secret).update(`${purpose}\n`).update(body);
  return hmac.digest().subarray(0, length);
}

/** Returns a derived secret, so that no other use of `CALLBACK_SECRET` makes a valid token. */
export function emailTokenSecret(callbackSecret: string): string {
  return createHmac('sha256', callbackSecret).update('email tokens').digest('hex');
}

/** Returns the secret of one host. A token made with it is valid nowhere else. */
export function hostSecret(secret: string, host: string): string {
  return createHmac('sha256', secret).update(`host ${host}`).digest('hex');
}

function refBytes({ emailId, recipient }: RecipientRef): Buffer {
  if (!Number.isInteger(recipient) || recipient < 0 || recipient >= RECIPIENTS_MAX) {
    throw new RangeError(`recipient must be 0 to ${RECIPIENTS_MAX - 1}`);
  }
  return Buffer.concat([uuidBytes(emailId), Buffer.from([recipient])]);
}

function refOf(bytes: Buffer): RecipientRef {
  return { emailId: uuidOf(bytes, 0), recipient: bytes[UUID_BYTES]! };
}

function uuidBytes(uuid: string): Buffer {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (bytes.length !== UUID_BYTES) throw new RangeError('id must be a UUID');
  return bytes;
}

function uuidOf(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
