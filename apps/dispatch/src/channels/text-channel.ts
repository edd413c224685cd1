import type {
  MessageDetails,
  MessageSnapshot,
  MessageState,
  PhoneKind,
  SendMessage,
  SmsContent as SmsCommand,
  SmsFields,
} from '@watchword/contracts';
import type { Channel } from './channel.js';
import type { NeededCode, OtpContent, StoredCode, StoredOtp } from './otp/otp.content.js';
import type { SmsContent } from './sms/sms.content.js';
import type { Trigger } from './text-transitions.js';

/** The content of a message, by `kind`. */
export type Content = OtpContent | SmsContent;

/** A command of a text, not of another channel. */
export type TextCommand = SendMessage & { readonly kind: PhoneKind };

/** The parts of the envelope that decide how test numbers behave. */
export interface Addressed {
  readonly testMode: boolean;
  readonly destination: string;
}

/** The text that anti-spam judges, and the workspace's setting for it. */
export interface Judged {
  readonly text: string;
  readonly setting: SmsCommand['anti_spam'];
}

/** Content as the store reads it, with the names of `read-messages-within.sql`. */
export interface StoredContent extends Omit<SmsContent, 'kind'> {
  readonly kind: PhoneKind;
  readonly otp: StoredOtp | null;
}

/** A channel of texts that a carrier delivers to one phone number. Pure. */
export interface TextChannel<Kept extends Content = Content> extends Channel<
  MessageState,
  Trigger
> {
  readonly kind: Kept['kind'];
  /**
   * After an ambiguous answer: true waits for the receipt, false asks the next provider at once.
   */
  readonly awaitsLostAnswer: boolean;
  /** Whether a carrier's refusal as Do Not Disturb puts the number on the list. */
  readonly learnsDoNotDisturb: boolean;
  /** Whether a receipt after the end counts as an update of the record. */
  readonly showsLateReceipts: boolean;
  /** Whether STOP from the handset opts out of its sender. */
  readonly takesOptOuts: boolean;

  // From the command
  neededCode(command: TextCommand): NeededCode | null;
  contentOf(command: TextCommand, code: StoredCode | null): Kept;
  /** Returns null for a text that is never judged. */
  judged(command: TextCommand): Judged | null;

  // Sending
  /** Returns the text that a carrier gets. `resentAt` is null for the first sending. */
  text(content: Kept, code: string | null, resentAt: Date | null): string;
  /** Whether the text is advertising, as its caller says. */
  isPromotional(content: Kept): boolean;
  /** Returns null for a message that never expires. */
  expiresAt(content: Kept): Date | null;
  /**
   * Returns whether the test number's message is expired when it is stored, and still delivered.
   */
  isBornExpired(addressed: Addressed): boolean;
  resendMax(content: Kept): number;
  /** Returns the sealed code that the text needs, or null. */
  codeCipher(content: Kept): string | null;
  /** Returns the content without secrets that nothing needs any more. */
  withoutSecrets(content: Kept): Kept;

  // Record
  snapshot(content: Kept): Pick<MessageSnapshot, 'body' | 'segments' | 'encoding'>;
  /** Returns whether the text was deleted because of its age. */
  isContentExpired(content: Kept): boolean;
  details(
    content: Kept,
    verifiedAt: Date | null,
  ): Pick<MessageDetails, 'original_body' | 'category' | 'otp' | keyof SmsFields>;

  // Columns
  fromStored(stored: StoredContent): Kept;
  toStored(content: Kept): object;
  /** Returns the columns that can change. */
  changes(content: Kept): object;
}
