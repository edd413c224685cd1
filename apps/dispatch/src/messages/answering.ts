/**
 * Tokens of the stores for the gateway's calls, which wait less long for a connection than
 * consumers and jobs. Those use `MessageStore` and `MessageChanges`.
 */
export const ANSWERING_STORE = Symbol('answering message store');
export const ANSWERING_CHANGES = Symbol('answering message changes');
