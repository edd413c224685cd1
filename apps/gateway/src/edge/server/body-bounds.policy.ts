/** How large the body of a request may be, by route. */
export interface BodyBounds {
  /** More is 413. */
  bytesMax: number;
  /** Objects, arrays and scalars; more is 400. */
  valuesMax: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const VALUES_MAX = 10_000;

const USUAL: BodyBounds = { bytesMax: MIB, valuesMax: VALUES_MAX };
const ONE_MESSAGE: BodyBounds = { bytesMax: 64 * KIB, valuesMax: VALUES_MAX };

/** Routes that send, check or price one message, as they are registered. */
const ONE_MESSAGE_ROUTES: ReadonlySet<string> = new Set([
  '/v1/otp/send',
  '/v1/otp/verify',
  '/v1/otp/:id/resend',
  '/v1/otp/:id/cancel',
  '/v1/sms/send',
  '/v1/quote',
]);

/** The largest body of any route. */
export const BODY_BYTES_MAX = USUAL.bytesMax;

export function bodyBoundsOf(path: string): BodyBounds {
  return ONE_MESSAGE_ROUTES.has(path) ? ONE_MESSAGE : USUAL;
}
