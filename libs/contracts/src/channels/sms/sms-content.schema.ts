import { type Static, Type } from '@sinclair/typebox';
import { nullable, words } from '../../shapes.js';
import { SmsFields } from './sms-fields.schema.js';

/** Promotional messages keep a country's quiet hours where their workspace wants that. */
export const SmsCategory = words('transactional', 'promotional');
export type SmsCategory = Static<typeof SmsCategory>;

const ENCODINGS = ['GSM-7', 'UCS-2'] as const;
/** The encoding in an answer. The type stays a text, because records hold it as one. */
export const Encoding = Type.String({ enum: ENCODINGS });
/** That of a quote. An email is measured in UTF-8. */
export const QuotedEncoding = Type.String({ enum: [...ENCODINGS, 'UTF-8'] });

/** The content of an SMS in its command. */
export const SmsContent = Type.Object({
  body: Type.String(),
  /** The text that the caller gave, where rewriting changed it; otherwise null. */
  original_body: nullable(Type.String()),
  encoding: words(...ENCODINGS),
  ...SmsFields.properties,
  /** `off` where the workspace's allow-list lists the message. */
  anti_spam: words('off', 'tag', 'block'),
  /** The template that the text was made from. Absent means none. */
  template_id: Type.Optional(Type.String()),
  /** Absent means transactional. */
  category: Type.Optional(SmsCategory),
});
export type SmsContent = Static<typeof SmsContent>;
