import type { SendMessage } from '../commands/send-message.v1.js';
import type { ErrorText } from '../errors/error-catalogue.js';
import type {
  MessageDetails,
  MessageEvent,
  MessageEventType,
  MessageSnapshot,
} from '../events/message-events.v1.js';
import type { ListedMessage } from '../http/listed-message.schema.js';
import type { WorkspaceLimits } from '../http/workspace-settings.schema.js';
import type { MessageState } from '../message-states.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';
import type { SmsFields } from './sms/sms-fields.schema.js';

/** The unit that a plan grants each month. */
export type GrantUnit = 'sms_segment' | 'email';

/** What services besides dispatch must know of a kind of messages: price, grant, bounds. */
export interface ChannelContract {
  /** A segment costs by its destination; a recipient costs the same everywhere. */
  readonly pricedBy: 'segment' | 'recipient';
  /** What a plan grants of it before the wallet pays. Null where the wallet always pays. */
  readonly granted: GrantUnit | null;
  /** The sentence of a 404. */
  readonly notFound: ErrorText;
  /** Whether its body in a quote may exceed the bound of one text (`BODY_BOUNDS.oneMessage`). */
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

/** The contract of a kind that carriers deliver to phones: also its limits, records and events. */
export interface PhoneChannelContract extends ChannelContract {
  /** In the order in which they refuse. */
  readonly limits: readonly SendLimit[];
  /** Whether pumping applies: prefixes are watched and throttled, and trial workspaces share limits. */
  readonly isPumped: boolean;
  /** The error of a number that cannot be sent to. */
  readonly invalidNumber: 'validation_error' | 'phone_invalid';
  /** Whether the test numbers of do-not-disturb and sender IDs are refused at once. */
  readonly refusesAtOnce: boolean;

  // Records
  /** Returns the content of the record of a message that is accepted and has not reached dispatch. */
  acceptedContent(command: SendMessage): AcceptedContent;
  /** Returns the record as lists of all kinds show it. */
  listed(record: MessageRecord): ListedMessage;

  // Events
  readonly eventNamesOfA: EventNames;
  readonly eventNamesOfB: EventNames;
  /** Returns the members of variant A's data that stand before the status. */
  textOfA(message: MessageSnapshot): { readonly message?: string };
  statusOfA(status: string): string;
  /** Returns the members of variant A's data that stand after the cost. */
  verdictOfA(message: MessageSnapshot): Partial<Pick<MessageSnapshot, 'antispam'>>;
  /**
   * Returns the resource as its GET shows it. Null for an event of an older version without the
   * needed data.
   */
  resource(event: MessageEvent): object | null;
  /** Returns the content of a synthetic message that reached the state at that time. */
  sample(
    state: MessageState,
    at: string,
  ): Pick<MessageSnapshot, 'family' | 'sender_id' | 'body' | 'created_at'> &
    Pick<MessageDetails, 'otp'>;
}
