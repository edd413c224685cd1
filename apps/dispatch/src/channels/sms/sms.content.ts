/** A text of the customer. */
export interface SmsContent {
  readonly kind: 'sms';
  /** Null once the text has expired. */
  readonly body: string | null;
  /** What the caller gave, when rewriting changed it. */
  readonly originalBody: string | null;
  readonly rewritten: boolean;
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly segments: number;
}
