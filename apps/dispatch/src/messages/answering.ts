/**
 * Tokens of the messages as calls of the gateway read and change them: its answers wait for a connection less
 * long than consumers and jobs do, which have `MessageStore` and `MessageChanges`.
 */
export const ANSWERING_STORE = Symbol('answering message store');
export const ANSWERING_CHANGES = Symbol('answering message changes');
