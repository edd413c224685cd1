import type { SendMessage } from '../commands/send-message.v1.js';
import type { ErrorText } from '../errors/error-catalogue.js';
import type {
  MessageDetails,
  MessageEvent,
  MessageEventType,
  MessageSnapshot,
} from '../events/message-events.v1.js';
import type { WorkspaceLimits } from '../http/workspace-settings.schema.js';
import type { MessageState } from '../message-states.js';
import type { ListedMessage } from '../http/listed-message.schema.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';
import type { SmsFields } from './sms/sms-fields.schema.js';

/** The unit that a plan grants each month. */
export type GrantUnit = 'sms_segment' | 'email';

/** What the services must know of a kind of messages: how it is refused, priced and granted. */
export interface ChannelContract {
  /** A text by its destination and segments, or the same everywhere for each recipient. */
  readonly pricedBy: 'segment' | 'recipient';
  /** What a plan grants of it before the wallet pays. Null where the wallet always pays. */
  readonly granted: GrantUnit | null;
  /** Whether pumping applies: prefixes are watched and throttled, and trial workspaces share limits. */
  readonly isPumped: boolean;
  /** Whether the test numbers of do-not-disturb and sender IDs are refused at once. */
  readonly refusesAtOnce: boolean;
  /** The sentence of a 404. */
  readonly unknown: ErrorText;
  readonly invalidNumber: 'validation_error' | 'phone_invalid';
  /** Whether a quote of it may be longer than one text. */
  readonly hasLongBody: boolean;
}

/** A limit of a workspace's sends to a number, or to all numbers of a prefix. */
export interface SendLimit {
  readonly name: string;
  readonly setting: keyof WorkspaceLimits;
  readonly windowSeconds: number;
  readonly per: 'number' | 'prefix';
}

/** Members of a record that come from the content of its command. */
export type AcceptedContent = Pick<
  MessageRecord,
  'body' | 'encoding' | 'original_body' | 'category' | 'otp' | keyof SmsFields
>;

/** Public names of a message's events. Null for those that the variant lacks. */
export type EventNames = Readonly<Record<MessageEventType, string | null>>;

/** What only a kind has that a carrier delivers to a phone: its record, and the bodies of its events. */
export interface PhoneChannelContract extends ChannelContract {
  /** In the order in which they refuse. */
  readonly limits: readonly SendLimit[];
  /** Returns the record's content of an accepted message that has not been sent yet. */
  accepted(command: SendMessage): AcceptedContent;
  /** Returns it as lists of all kinds show it. */
  listed(record: MessageRecord): ListedMessage;
  readonly namesOfA: EventNames;
  readonly namesOfB: EventNames;
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
