import type { BillingCalls } from './billing-calls.js';
import type { DispatchCalls } from './dispatch-calls.js';
import type { WebhooksCalls } from './webhooks-calls.js';

/** No two services have calls of one name. */
type AllCalls = BillingCalls & DispatchCalls & WebhooksCalls;

/** Request type of a call, for the method that answers it: `RequestOf<'accept'>`. */
export type RequestOf<Name extends keyof AllCalls> = Parameters<AllCalls[Name]>[0];
export type AnswerOf<Name extends keyof AllCalls> = ReturnType<AllCalls[Name]>;
