import type { HandsetMessage } from '../handset/message.store.js';
import type { CallbackTarget } from '../receipts/callback.adapter.js';
import type { Receipt } from '../outcomes/outcome.js';

/** A message as the carrier took it in, and all that it owes for it. */
export interface AcceptedMessage {
  readonly message: HandsetMessage;
  readonly isOnHandset: boolean;
  /** Absent if the sender asked for no receipts. */
  readonly target?: CallbackTarget;
  /** In the order of their due times, which count from the receipt of the message. */
  readonly receipts: readonly Receipt[];
}

/** What outlives the process: a real carrier does not forget what it accepted. */
export interface Journal {
  accepted(accepted: AcceptedMessage): void;
  /** The receipt at this place of the list is delivered or given up. */
  finished(reference: string, receiptIndex: number): void;
  /** Acts once everything recorded so far would survive a kill: an answer to a client goes here. */
  onceWritten(act: () => void): void;
  /** The message log was cleared. */
  cleared(): void;
}

export const NO_JOURNAL: Journal = {
  accepted() {},
  finished() {},
  onceWritten(act) {
    act();
  },
  cleared() {},
};
