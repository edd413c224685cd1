import type {
  MessageDetails,
  MessageEvent,
  MessageEventType,
  MessageSnapshot,
  MessageState,
} from '@watchword/contracts';

/** Public names of a message's events. Null for those that the variant lacks. */
export type Names = Readonly<Record<MessageEventType, string | null>>;

/** What differs between the kinds of texts in the bodies of events. */
export interface Channel {
  readonly namesOfA: Names;
  readonly namesOfB: Names;
  /** Returns members of variant A's data before and after the status and the cost. */
  wordsOfA(message: MessageSnapshot): object;
  verdictOfA(message: MessageSnapshot): object;
  statusOfA(status: string): string;
  /**
   * Returns the resource as its GET shows it. Null for an event of an older version without the
   * needed data.
   */
  resource(event: MessageEvent): object | null;
  /** Returns the content of a synthetic message that is in that state since then. */
  sample(
    state: MessageState,
    at: string,
  ): Pick<MessageSnapshot, 'family' | 'sender_id' | 'body' | 'created_at'> &
    Pick<MessageDetails, 'otp'>;
}
