import type { SmsCategory, SmsRecordFields } from '@watchword/contracts';

/** A customer's text. */
export interface SmsContent extends Readonly<SmsRecordFields> {
  readonly kind: 'sms';
  /** Null once the text was deleted: because of its age, or with its number. */
  readonly body: string | null;
  /** The caller's text, where rewriting changed it. */
  readonly originalBody: string | null;
  /** Undefined or null: transactional. */
  readonly category?: SmsCategory | null | undefined;
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly segments: number;
}
