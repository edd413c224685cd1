import type {
  EntryId,
  GrantUnit,
  IdempotencyClaim,
  KeyBudget,
  SendMessage,
  SendWindow,
} from '@watchword/contracts';

/** A priced send with all that its acceptance needs. */
export interface Acceptance {
  send: SendMessage;
  /**
   * The command's JSON text without its beginning, `{"credits":n,`. The statement adds it, because only it knows what the
   * wallet pays.
   */
  command: string;
  /** Id of the entry, if the send is charged. */
  entryId: EntryId;
  claim: IdempotencyClaim | null;
  /** The quote that it uses up; null without one. */
  quoteId: string | null;
  /** What a plan covers before the wallet pays. Null: nothing. */
  unit: GrantUnit | null;
  quantity: number;
  budget: KeyBudget | null;
  /** The windows that it counts in, if it is accepted. */
  windows: readonly SendWindow[];
}

/** Returns the command with the credits that the wallet has paid: fewer than its price where a grant covers some. */
export function charged(send: SendMessage, credits: number): SendMessage {
  return credits === send.credits ? send : { ...send, credits };
}
