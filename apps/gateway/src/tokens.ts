/** Injection tokens of what has an interface but no class of its own here. */
export const RATE_LIMITER = Symbol('rate limiter');
export const BILLING = Symbol('billing calls');
export const LIMITS = Symbol('limits');
