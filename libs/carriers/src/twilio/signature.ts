import { createHmac } from 'node:crypto';
import { isSameSecret } from '@watchword/contracts';

const URL_PARTS = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?(.*)$/s;

/**
 * Returns Twilio's signature: over the called URL followed by every form field, sorted by name. It
 * covers all received fields, so none may be left out. A repeated field counts once per distinct
 * value.
 */
export function twilioSignature(authToken: string, url: string, fields: URLSearchParams): string {
  let signed = url;
  for (const name of [...new Set(fields.keys())].toSorted()) {
    for (const value of [...new Set(fields.getAll(name))].toSorted()) signed += name + value;
  }
  return createHmac('sha1', authToken).update(signed).digest('base64');
}

/** Returns whether the signature fits the URL with or without its port. Twilio uses both. */
export function isTwilioSignature(
  signature: string,
  authToken: string,
  url: string,
  fields: URLSearchParams,
): boolean {
  return urlSpellings(url).some((spelling) =>
    isSameSecret(signature, twilioSignature(authToken, spelling, fields)),
  );
}

function urlSpellings(url: string): string[] {
  const [, scheme, host, port, rest] = URL_PARTS.exec(url) ?? [];
  if (scheme === undefined) return [];
  const bare = `${scheme}://${host}${rest}`;
  const full = `${scheme}://${host}:${port ?? (scheme === 'https' ? 443 : 80)}${rest}`;
  return port === undefined ? [bare, full] : [full, bare];
}
