/** Injection token of the calls of webhooks. */
export const WEBHOOKS = Symbol('webhooks calls');
