/**
 * The last line by which a phone recognises a code and offers to fill it in. Browsers (WebOTP, iOS)
 * and Android each want the last line for themselves, so a text has one or the other.
 */
export interface OtpAutofill {
  /** The host of the web page that asks for the code. */
  webotpDomain: string | null;
  /** The 11 characters that Android derives from the app's package and certificate. */
  androidAppHash: string | null;
}

/** With `{code}` for the code; null when neither is wanted. */
export function otpLastLine({ webotpDomain, androidAppHash }: OtpAutofill): string | null {
  // The empty line before is how origin-bound codes are written; nothing else may stand on their
  // line.
  if (webotpDomain !== null) return `\n@${webotpDomain} #{code}`;
  return androidAppHash;
}

/** A host name alone, as a browser would show it: no scheme, port, path or user, in lower case. */
export function isWebOtpDomain(value: string): boolean {
  return URL.parse(`https://${value}`)?.hostname === value && /\.[a-z][a-z0-9-]*$/.test(value);
}
