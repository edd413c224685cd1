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
