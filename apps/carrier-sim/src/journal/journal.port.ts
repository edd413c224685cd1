import type { HandsetMessage } from '../handset/handset.store.js';
import type { CallbackTarget } from '../receipts/callback.adapter.js';
import type { Receipt } from '../outcomes/outcome.js';

/** A message as the carrier accepted it, with its outstanding receipts. */
export interface AcceptedMessage {
  readonly message: HandsetMessage;
  readonly isOnHandset: boolean;
  /** Absent if the sender requested no receipts. */
  readonly target?: CallbackTarget;
  /** By due time, which counts from the receipt of the message. */
  readonly receipts: readonly Receipt[];
}

/** State that outlives the process: a real carrier keeps the messages that it accepted. */
export interface Journal {
  accepted(accepted: AcceptedMessage): void;
  /** Marks the receipt at this index as delivered or abandoned. */
  finished(reference: string, receiptIndex: number): void;
  /**
   * Runs `act` once everything recorded so far would survive a kill. Answers to clients go here.
   */
  onceWritten(act: () => void): void;
  /** Marks that the message log was cleared. */
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
