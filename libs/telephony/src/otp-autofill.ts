/**
 * The last line by which a phone recognises a code and offers to fill it in. Browsers (WebOTP, iOS)
 * and Android each need the last line, so a text has one or the other.
 */
export interface OtpAutofill {
  /** Host of the web page that asks for the code. */
  webotpDomain: string | null;
  /** The 11 characters that Android derives from the app's package and certificate. */
  androidAppHash: string | null;
}

/** Returns the last line with `{code}` for the code, or null when neither is set. */
export function otpLastLine({ webotpDomain, androidAppHash }: OtpAutofill): string | null {
  // Origin-bound codes have an empty line before them and nothing else on their line.
  if (webotpDomain !== null) return `\n@${webotpDomain} #{code}`;
  return androidAppHash;
}

/**
 * Returns whether the value is a host name as a browser shows it: no scheme, port, path or user, in
 * lower case.
 */
export function isWebOtpDomain(value: string): boolean {
  return URL.parse(`https://${value}`)?.hostname === value && /\.[a-z][a-z0-9-]*$/.test(value);
}
