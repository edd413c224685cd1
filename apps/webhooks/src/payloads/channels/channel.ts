import type {
  MessageDetails,
  MessageEvent,
  MessageEventType,
  MessageSnapshot,
} from '@watchword/contracts';

/** Public names of what happens to a message; null for what the variant does not announce. */
export type Names = Readonly<Record<MessageEventType, string | null>>;

/** What differs between the kinds of texts in the bodies of events. */
export interface Channel {
  readonly namesOfA: Names;
  readonly namesOfB: Names;
  /** Members of variant A's data before and after the status and the cost. */
  wordsOfA(message: MessageSnapshot): object;
  verdictOfA(message: MessageSnapshot): object;
  statusOfA(status: string): string;
  /** The resource as its GET shows it; null for an event of an older version that lacks what it needs. */
  resource(event: MessageEvent): object | null;
  /** What a synthetic message has. */
  sample(at: string): Pick<MessageSnapshot, 'family' | 'body'> & Pick<MessageDetails, 'otp'>;
}
