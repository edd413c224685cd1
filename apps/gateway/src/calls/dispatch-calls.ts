/** Injection token of the calls of dispatch. */
export const DISPATCH = Symbol('dispatch calls');
