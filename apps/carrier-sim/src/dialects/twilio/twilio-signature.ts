import { createHmac } from 'node:crypto';

/** Returns X-Twilio-Signature: over the full URL and every field, sorted by name. */
export function twilioSignature(
  authToken: string,
  url: string,
  fields: Record<string, string>,
): string {
  let signed = url;
  for (const name of Object.keys(fields).toSorted()) signed += name + fields[name]!;
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
