import { Type } from '@sinclair/typebox';
import type { UserId, WorkspaceId } from '../ids.js';
import { call } from './calls.js';
import { idOf, verdict } from '../shapes.js';

const ofPerson = { workspace_id: idOf<WorkspaceId>(), user_id: idOf<UserId>() };
/** Whether there was an authorisation. */
const Deleted = Type.Object({ deleted: Type.Boolean() });
/** Milliseconds for a call that asks a payment provider, which has ten seconds to answer. */
export const PROVIDER_DEADLINE_MS = 15_000;

/** Billing's calls about purchases of credits. */
export const paymentCalls = {
  /**
   * Takes the bytes of a provider's callback. They are not parsed before the signature is checked.
   */
  receivePaymentCallback: call(
    Type.Object({
      provider: Type.String(),
      /** Value of the header that carries the provider's signature. */
      signature: Type.String(),
      body_base64: Type.String(),
    }),
    Type.Union([
      verdict('handled', 'unknown_provider', 'forged', 'malformed'),
      /** The callback came before the one it depends on. The provider sends it again. */
      verdict('too_early'),
    ]),
    { deadlineMs: PROVIDER_DEADLINE_MS, idempotent: false },
  ),
  /**
   * Deletes the workspace's authorisation and switches automatic top-ups off, if this person saved it.
   * Called before the person stops being an owner.
   */
  deleteAuthorisationOf: call(Type.Object(ofPerson), Deleted),
};
