import type {
  MessageDetails,
  MessageSnapshot,
  MessageState,
  Reason,
  SendMessage,
  SmsContent as SmsCommand,
} from '@watchword/contracts';
import type { Channel } from './channel.js';
import type { NeededCode, OtpContent, StoredCode, StoredOtp } from './otp/otp.content.js';
import type { SmsContent } from './sms/sms.content.js';
import type { Trigger } from './text-transitions.js';

/** What a message says, told apart by `kind`. */
export type Content = OtpContent | SmsContent;
export type TextKind = Content['kind'];

/** A command of a text, not of another channel. */
export type TextCommand = SendMessage & { readonly kind: TextKind };

/** Of the envelope, what decides how the test numbers behave. */
export interface Addressed {
  readonly testMode: boolean;
  readonly destination: string;
}

/** What anti-spam judges, and what the workspace wants done about it. */
export interface Judged {
  readonly text: string;
  readonly setting: SmsCommand['anti_spam'];
}

/** Content as the store reads it, in the names of `read-messages-within.sql`. */
export interface StoredContent extends Omit<SmsContent, 'kind'> {
  readonly kind: TextKind;
  readonly otp: StoredOtp | null;
}

/** A channel whose messages are texts that a carrier takes to one phone number. Pure. */
export interface TextChannel<Kept extends Content = Content> extends Channel<
  MessageState,
  Trigger
> {
  readonly kind: Kept['kind'];
  /** After an ambiguous answer: true waits for the receipt, false asks the next provider at once. */
  readonly awaitsLostAnswer: boolean;
  /** Whether a receipt that comes after the end counts as an update of the record. */
  readonly showsLateReceipts: boolean;

  // From the command
  neededCode(command: TextCommand): NeededCode | null;
  contentOf(command: TextCommand, code: StoredCode | null): Kept;
  /** Null: never judged. */
  judged(command: TextCommand): Judged | null;
  /** Test numbers that are refused before any attempt. */
  testRefusal(addressed: Addressed): Reason | null;

  // Sending
  text(content: Kept, code: string | null): string;
  /** Null: no end. */
  expiresAt(content: Kept): Date | null;
  /** The test number whose message is expired when it is stored, and is delivered all the same. */
  isBornExpired(addressed: Addressed): boolean;
  resendMax(content: Kept): number;
  /** Without the secrets that nothing needs any more. */
  withoutSecrets(content: Kept): Kept;

  // Record
  snapshot(content: Kept): Pick<MessageSnapshot, 'body' | 'segments' | 'encoding'>;
  /** Whether the text was deleted because of its age. */
  isContentExpired(content: Kept): boolean;
  details(
    content: Kept,
    verifiedAt: Date | null,
  ): Pick<MessageDetails, 'original_body' | 'rewritten' | 'otp'>;

  // Columns
  fromStored(stored: StoredContent): Kept;
  toStored(content: Kept): object;
  /** The columns that can change. */
  changes(content: Kept): object;
}
