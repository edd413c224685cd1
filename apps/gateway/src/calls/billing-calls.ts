/** Injection token of the calls of billing. */
export const BILLING = Symbol('billing calls');
